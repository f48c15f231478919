import { faultsOfWindow, hasEnded, newWindow } from '#domain/promotions/calendar.ts';
import {
  type CampaignFields,
  type CampaignRecord,
  emptyProduct,
  emptyProperties,
} from '#domain/promotions/campaign.ts';
import { roundToFourDecimals } from '#domain/promotions/money.ts';
import { invalid, ServiceError, valueError } from '#platform/errors.ts';
import { utc } from '#platform/time.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import type {
  CampaignCreate,
  CampaignProduct,
  CampaignUpdate,
  PromotionProperties,
} from '#schemas/families/campaigns.ts';

export function newCampaign(body: CampaignCreate, now: Date, newId: NewId): CampaignFields {
  const { name, segment, promotion_type, enabled, discount_id } = body;
  return checked({
    name,
    segment,
    promotion_type,
    enabled,
    ...newWindow(body, now),
    discount_id: discount_id?.toLowerCase() ?? null,
    promotion_properties: propertiesAfter(emptyProperties, promotion_type, body.promotion_properties, newId),
    tests: [],
  });
}

export function changedCampaign(before: CampaignRecord, body: CampaignUpdate, now: Date, newId: NewId): CampaignFields {
  const { start_date, end_date, discount_id, promotion_properties = {}, ...plain } = body;
  const { promotion_type = before.promotion_type } = plain;
  const tests = before.tests.filter((test) => !hasEnded(test, now));
  if (promotion_type !== before.promotion_type && tests.length > 0) throw typeFixedByTest();
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

type PropertiesInput = NonNullable<CampaignUpdate['promotion_properties']>;

function propertiesAfter(
  before: PromotionProperties,
  type: CampaignFields['promotion_type'],
  { products, ...input }: PropertiesInput,
  newId: NewId,
): PromotionProperties {
  const kept = products === undefined ? before.products : productsAfter(before.products, products, newId);
  return { ...before, ...input, products: type === 'product' ? kept : [] };
}

function checked(campaign: CampaignFields): CampaignFields {
  const faults = faultsOfWindow(campaign);
  if (faults.length > 0) throw invalid(...faults);
  return campaign;
}

const typeFixedByTest = () =>
  new ServiceError('campaign_type_invalid', {
    message: 'You cannot change the type of a campaign while it belongs to an A/B test that is not completed.',
    errors: [valueError(['body', 'promotion_type'], 'must not change while the campaign belongs to an A/B test')],
  });

export type NewId = () => string;

type ProductInput = NonNullable<NonNullable<CampaignUpdate['promotion_properties']>['products']>[number];

/** A product with a uuid is the campaign's product of that uuid. Any other product is new. */
function productsAfter(
  before: readonly CampaignProduct[],
  input: readonly ProductInput[],
  newId: NewId,
): CampaignProduct[] {
  const faults = faultsOf(input);
  if (faults.length > 0) throw invalid(...faults);
  return input.map((product) => {
    const existing = product.uuid === undefined ? undefined : productOf(before, product.uuid);
    const { title = existing!.title, price = existing?.price ?? null } = product;
    return {
      ...emptyProduct,
      ...existing,
      ...product,
      uuid: existing?.uuid ?? newId(),
      title,
      price: roundToFourDecimals(price),
    };
  });
}

function faultsOf(input: readonly ProductInput[]): FieldError[] {
  const uuids = input.map(({ uuid }) => uuid?.toLowerCase());
  return input.flatMap(({ uuid, title }, i) => {
    if (uuid === undefined) return title === undefined ? [titleMissing(i)] : [];
    return uuids.indexOf(uuid.toLowerCase()) < i ? [duplicateUuid(i)] : [];
  });
}

function productOf(products: readonly CampaignProduct[], uuid: string): CampaignProduct {
  const existing = products.find((product) => product.uuid === uuid.toLowerCase());
  if (!existing) throw new ServiceError('campaign_product_not_found');
  return existing;
}

const placeOf = (position: number, field: string) => ['body', 'promotion_properties', 'products', position, field];

const titleMissing = (position: number): FieldError => ({
  loc: placeOf(position, 'title'),
  msg: 'is required for a new product',
  type: 'missing',
});

const duplicateUuid = (position: number): FieldError =>
  valueError(placeOf(position, 'uuid'), 'must appear only once in the list');
