import { storefrontChanged } from '#domain/settings/storefront-version.ts';
import { translated } from '#domain/texts/translations.ts';
import { type FieldNames, pick } from '#platform/pick.ts';
import type { Recorded, RecordKind } from '#platform/table/record.ts';
import { records } from '#platform/table/records.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import type { Campaign, CampaignProduct, CampaignStatus, PromotionProperties } from '#schemas/families/campaigns.ts';
import {
  type Booking,
  type CalendarKind,
  type Entry,
  hasEnded,
  hasStarted,
  isWithinWindow,
  overlap,
  type Window,
} from './calendar.ts';
import { discountsNamed } from './discount.ts';

type Derived = 'status' | 'discount';
type Identity = 'uuid' | 'shop_slug' | 'created_at' | 'updated_at';

export type CampaignFields = Omit<Campaign, Derived | Identity> & {
  /** The A/B tests of the campaign that are not known to be completed. */
  tests: Entry[];
};
export type CampaignRecord = Recorded<CampaignFields>;

export const campaignKind: RecordKind<CampaignFields> = {
  name: 'campaigns',
  notFound: 'campaign_not_found',
  alsoOnChange: storefrontChanged,
  unique: [{ name: 'name', of: ({ name }) => name, taken: 'campaign_exists' }],
};

export const campaignRecords = records(campaignKind);

export const campaignCalendar: CalendarKind = {
  of: 'campaigns',
  collide: overlap,
  taken: 'campaign_active_segment_exists',
  noun: 'campaign',
  forgetsEnded: false,
};

/** Only an enabled campaign occupies its segment. */
export function campaignBooking(uuid: string, fields: CampaignFields): Booking | undefined {
  const { enabled, segment, start_date, end_date } = fields;
  return enabled ? { uuid, segment, start_date, end_date } : undefined;
}

type Situation = Window & Pick<CampaignFields, 'enabled' | 'tests'>;

export function campaignStatus(campaign: Situation, now: Date): CampaignStatus {
  if (hasEnded(campaign, now)) return 'inactive';
  if (campaign.tests.some((test) => isWithinWindow(test, now))) return 'paused';
  if (!campaign.enabled) return 'inactive';
  return hasStarted(campaign, now) ? 'active' : 'scheduled';
}

interface Viewer {
  /** Null shows the texts as they were written. */
  language: Language | null;
  now: Date;
}

export async function shownCampaigns(found: readonly CampaignRecord[], viewer: Viewer): Promise<Campaign[]> {
  const discounts = await discountsNamed(found);
  return found.map((record) => toCampaign(record, discounts.get(record.discount_id ?? '') ?? null, viewer));
}

/** The stored fields that a response contains unchanged. */
const shownFields: FieldNames<Exclude<keyof Campaign, Derived | 'promotion_properties'>> = {
  uuid: true,
  shop_slug: true,
  enabled: true,
  name: true,
  start_date: true,
  end_date: true,
  segment: true,
  promotion_type: true,
  discount_id: true,
  created_at: true,
  updated_at: true,
};

function toCampaign(record: CampaignRecord, discount: Campaign['discount'], viewer: Viewer): Campaign {
  return {
    ...pick(record, shownFields),
    status: campaignStatus(record, viewer.now),
    promotion_properties: viewer.language
      ? inLanguage(record.promotion_properties, viewer.language)
      : record.promotion_properties,
    discount,
  };
}

export const emptyProperties: PromotionProperties = {
  title: null,
  subtitle: null,
  cta_label: null,
  cta_url: null,
  image_url: null,
  discount_code: null,
  translations: [],
  products: [],
};

export const emptyProduct = {
  image_url: null,
  product_url: null,
  price: null,
  currency: null,
  sku: null,
  translations: [],
} satisfies Partial<CampaignProduct>;

/** The texts of a promotion in one language. */
export function inLanguage(properties: PromotionProperties, language: Language): PromotionProperties {
  const { title, subtitle, cta_label, translations, products } = properties;
  return {
    ...properties,
    ...translated({ title, subtitle, cta_label }, translations, language),
    products: products.map((product) => ({
      ...product,
      ...translated({ title: product.title }, product.translations, language),
    })),
  };
}
