import type { CampaignFields, CampaignRecord } from '#domain/promotions/campaign-records.ts';
import { faultsOfWindow, hasEnded, newWindow } from '#domain/promotions/window.ts';
import { ApiError, invalid } from '#platform/http/api-error.ts';
import { utc } from '#platform/time.ts';
import type { CampaignCreate, CampaignUpdate, PromotionProperties } from '#schemas/families/campaigns.ts';
import { type NewId, productsAfter } from './product-rules.ts';

/** What a campaign is, from what a caller says of it. */

const nothingSaid: PromotionProperties = {
  title: null,
  subtitle: null,
  cta_label: null,
  cta_url: null,
  image_url: null,
  discount_code: null,
  translations: [],
  products: [],
};

export function newCampaign(body: CampaignCreate, now: Date, newId: NewId): CampaignFields {
  const { name, segment, promotion_type, enabled, discount_id } = body;
  return checked({
    name,
    segment,
    promotion_type,
    enabled,
    ...newWindow(body, now),
    discount_id: discount_id?.toLowerCase() ?? null,
    promotion_properties: propertiesAfter(nothingSaid, promotion_type, body.promotion_properties, newId),
    tests: [],
  });
}

export function changedCampaign(before: CampaignRecord, body: CampaignUpdate, now: Date, newId: NewId): CampaignFields {
  const { start_date, end_date, discount_id, promotion_properties = {}, ...plain } = body;
  const { promotion_type = before.promotion_type } = plain;
  const tests = before.tests.filter((test) => !hasEnded(test, now));
  if (promotion_type !== before.promotion_type && tests.length > 0) throw typeOfTest();
  return checked({
    ...before,
    ...plain,
    ...(start_date !== undefined && { start_date: utc(start_date) }),
    ...(end_date !== undefined && { end_date: end_date === null ? null : utc(end_date) }),
    ...(discount_id !== undefined && { discount_id: discount_id?.toLowerCase() ?? null }),
    promotion_properties: propertiesAfter(before.promotion_properties, promotion_type, promotion_properties, newId),
    tests,
  });
}

type GivenProperties = NonNullable<CampaignUpdate['promotion_properties']>;

function propertiesAfter(
  before: PromotionProperties,
  type: CampaignFields['promotion_type'],
  { products, ...given }: GivenProperties,
  newId: NewId,
): PromotionProperties {
  const kept = products === undefined ? before.products : productsAfter(before.products, products, newId);
  return { ...before, ...given, products: type === 'product' ? kept : [] };
}

function checked(campaign: CampaignFields): CampaignFields {
  const faults = faultsOfWindow(campaign);
  if (faults.length > 0) throw invalid(...faults);
  return campaign;
}

const typeOfTest = () =>
  new ApiError('campaign_type_invalid', {
    message: 'The campaign belongs to an A/B test of campaigns of its type.',
    errors: [{ loc: ['body', 'promotion_type'], msg: 'must stay as it is', type: 'value_error' }],
  });
