import type { ShopItem } from '#platform/access/caller.ts';
import { laterThan } from '#platform/time.ts';
import type { Shop, ShopAddresses, ShopCreate, ShopFilters, ShopUpdate } from '#schemas/families/shops.ts';

export function newShop(body: ShopCreate, uuid: string, now: Date): ShopItem {
  const { settings: _settings, ...details } = body;
  const created = now.toISOString();
  return { ...emptyDetails, ...details, uuid, created_at: created, updated_at: created, shop_currency: 'EUR' };
}

const emptyDetails = {
  description: null,
  organization: null,
  contact_phone: null,
  industry: null,
  shop_provider: null,
  shop_faq_url: null,
  shop_service_url: null,
};

/** The settings of a new shop. The others have their defaults until they are set. */
export function firstSettings(settings: ShopCreate['settings']) {
  return {
    carriers: { shipment_updates: settings?.carriers_enabled ?? false },
    triggers: {
      integration_1: settings?.integration_1_enabled ?? false,
      integration_7: settings?.integration_7_enabled ?? false,
    },
  };
}

export const shopChanges = ({ updated_at }: ShopItem, body: ShopUpdate, now: Date) => ({
  ...body,
  updated_at: laterThan(updated_at, now),
});

/** The response leaves out the contact address and the shop's own URLs. */
export function toShop(item: ShopItem): Shop {
  const { uuid, created_at, updated_at, name, slug, description, organization, language } = item;
  const { contact_phone, industry, shop_provider, shop_faq_url, shop_service_url, shop_currency } = item;
  return {
    uuid,
    created_at,
    updated_at,
    name,
    slug,
    description,
    organization,
    language,
    contact_phone,
    industry,
    shop_provider,
    shop_faq_url,
    shop_service_url,
    shop_currency,
  };
}

/** What the response of a shop leaves out. */
export const toAddresses = (item: ShopItem): ShopAddresses => ({
  contact_email: item.contact_email ?? null,
  shop_url: item.shop_url ?? null,
  shop_admin_url: item.shop_admin_url ?? null,
  logo_url: item.logo_url ?? null,
  updated_at: item.updated_at,
});

export function matches(shop: ShopItem, filters: ShopFilters): boolean {
  const { page: _page, per_page: _perPage, search, ...exact } = filters;
  const expected = { ...exact, ...(exact.uuid && { uuid: exact.uuid.toLowerCase() }) };
  if (!Object.entries(expected).every(([name, value]) => shop[name as keyof ShopItem] === value)) return false;
  return search === undefined || [shop.name, shop.slug].some((text) => contains(text, search));
}

const contains = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase());

export const newestFirst = (a: ShopItem, b: ShopItem) => (a.uuid < b.uuid ? 1 : -1);
