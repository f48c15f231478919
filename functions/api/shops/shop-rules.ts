import type { ShopItem } from '#platform/access/caller.ts';
import type { Shop, ShopCreate, ShopFilters, ShopUpdate } from '#schemas/families/shops.ts';

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

export const shopChanges = (body: ShopUpdate, now: Date) => ({ ...body, updated_at: now.toISOString() });

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

export function matches(shop: ShopItem, { page: _page, per_page: _perPage, ...filters }: ShopFilters): boolean {
  const expected = { ...filters, ...(filters.uuid && { uuid: filters.uuid.toLowerCase() }) };
  return Object.entries(expected).every(([name, value]) => shop[name as keyof ShopItem] === value);
}

export const newestFirst = (a: ShopItem, b: ShopItem) => (a.uuid < b.uuid ? 1 : -1);
