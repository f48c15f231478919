import type { CampaignRecord } from '#domain/promotions/campaign.ts';
import type { DealRecord } from '#domain/promotions/deal.ts';
import type { PromotableCampaign, PromotableTest } from '#domain/promotions/promotion-choice.ts';
import { toPageSettings, toPalette } from '#domain/settings/page-settings.ts';
import { type StoredSettings, showsProducts } from '#domain/settings/stored-settings.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import { storefrontLimits } from '#schemas/catalogues/limits.ts';
import type { BrandPalette } from '#schemas/shapes/settings-shapes.ts';
import type { TrackingPageSettings } from '#schemas/shapes/tracking-page.ts';

/** What a shop shows to all its customers. It is made from the shop, its settings and its records. */
export interface Storefront {
  shop: {
    uuid: string;
    name: string;
    language: Language | null;
    logo_url: string | null;
    shop_url: string | null;
    service_url: string | null;
    faq_url: string | null;
    contact_phone?: string | null;
    contact_email?: string | null;
  };
  palette: BrandPalette;
  /**
   * A view that the release before this one stored does not say whether customers are asked for ratings: then they are not. Nor
   * does it say whether predicted arrivals are shown: then they are.
   */
  settings: Omit<TrackingPageSettings, NewSettings> & Partial<Pick<TrackingPageSettings, NewSettings>>;
  /** Whether the shop shows campaigns of the type `product`. */
  showsProducts: boolean;
  deals: StorefrontDeal[];
  announcements: { language: Language; text: string }[];
  /** What may be open before the view is made again. Null if that is too much for a view. */
  promotions: { campaigns: StorefrontCampaign[]; tests: PromotableTest[] } | null;
}

type NewSettings = 'ratings_enabled' | 'show_predictions';

/** Of a shop that promotes nothing. */
export function bareStorefront(shop: ShopItem, settings: StoredSettings): Storefront {
  const { uuid, name, language, logo_url = null, shop_url = null, shop_service_url, shop_faq_url } = shop;
  const { contact_phone = null, contact_email = null } = shop;
  const links = { shop_url, service_url: shop_service_url, faq_url: shop_faq_url };
  return {
    shop: { uuid, name, language, logo_url, ...links, contact_phone, contact_email },
    palette: toPalette(settings),
    settings: toPageSettings(settings),
    showsProducts: showsProducts(settings),
    deals: [],
    announcements: [],
    promotions: null,
  };
}

export interface StorefrontDeal
  extends Pick<
    DealRecord,
    'title' | 'description' | 'translations' | 'brand_image_url' | 'brand_logo_url' | 'cta_url'
  > {
  discount_code: string | null;
}

/** What decides whether a customer sees a campaign, and its promotion code. */
export interface StorefrontCampaign extends PromotableCampaign {
  discount_code: string | null;
}

export function toStorefrontDeal(deal: DealRecord, discount_code: string | null): StorefrontDeal {
  const { title, description, translations, brand_image_url, brand_logo_url, cta_url } = deal;
  return { title, description, translations, brand_image_url, brand_logo_url, cta_url, discount_code };
}

export function toStorefrontCampaign(campaign: CampaignRecord, discount_code: string | null): StorefrontCampaign {
  const { uuid, segment, start_date, end_date, promotion_type, enabled } = campaign;
  return { uuid, segment, start_date, end_date, promotion_type, enabled, discount_code };
}

export function toStorefrontTest(test: PromotableTest): PromotableTest {
  const { uuid, segment, start_date, end_date, ended_at, campaign_type, campaigns } = test;
  return { uuid, segment, start_date, end_date, ended_at, campaign_type, campaigns };
}

/** The code that customers see: the campaign's own, otherwise that of its discount. */
export const discountCodeOf = (campaign: CampaignRecord, codes: ReadonlyMap<string, string | null>): string | null =>
  campaign.promotion_properties.discount_code ?? codes.get(campaign.discount_id ?? '') ?? null;

/** The first few of each language. @param announcements newest first */
export function newestOfEachLanguage<A extends { language: Language; text: string }>(announcements: readonly A[]) {
  const byLanguage = Map.groupBy(announcements, ({ language }) => language);
  return [...byLanguage.values()].flatMap((group) =>
    group.slice(0, storefrontLimits.announcements).map(({ language, text }) => ({ language, text })),
  );
}

/** Announcements in the language of the page, otherwise in that of the shop. */
export function announcementsFor({ announcements, shop }: Storefront, language: Language): string[] {
  const inLanguage = (wanted: Language | null) => announcements.filter((one) => one.language === wanted);
  const own = inLanguage(language);
  return (own.length > 0 ? own : inLanguage(shop.language)).map(({ text }) => text);
}
