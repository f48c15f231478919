import { inFourDecimals } from '#domain/promotions/money.ts';
import { ApiError, invalid } from '#platform/http/api-error.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import type { CampaignProduct, CampaignUpdate } from '#schemas/families/campaigns.ts';

export type NewId = () => string;

type GivenProduct = NonNullable<NonNullable<CampaignUpdate['promotion_properties']>['products']>[number];

const nothingSaid = {
  image_url: null,
  product_url: null,
  price: null,
  currency: null,
  sku: null,
  translations: [],
} satisfies Partial<CampaignProduct>;

/** The products as they are given: one with a uuid is the campaign's product of that uuid, any other is new. */
export function productsAfter(
  before: readonly CampaignProduct[],
  given: readonly GivenProduct[],
  newId: NewId,
): CampaignProduct[] {
  const faults = faultsOf(given);
  if (faults.length > 0) throw invalid(...faults);
  return given.map((product) => {
    const known = product.uuid === undefined ? undefined : productOf(before, product.uuid);
    const { title = known!.title, price = known?.price ?? null } = product;
    return { ...nothingSaid, ...known, ...product, uuid: known?.uuid ?? newId(), title, price: inFourDecimals(price) };
  });
}

function faultsOf(given: readonly GivenProduct[]): FieldError[] {
  const uuids = given.map(({ uuid }) => uuid?.toLowerCase());
  return given.flatMap(({ uuid, title }, i) => {
    if (uuid === undefined) return title === undefined ? [titleMissing(i)] : [];
    return uuids.indexOf(uuid.toLowerCase()) < i ? [namedAgain(i)] : [];
  });
}

function productOf(products: readonly CampaignProduct[], uuid: string): CampaignProduct {
  const known = products.find((product) => product.uuid === uuid.toLowerCase());
  if (!known) throw new ApiError('campaign_product_not_found');
  return known;
}

const placeOf = (position: number, field: string) => ['body', 'promotion_properties', 'products', position, field];

const titleMissing = (position: number): FieldError => ({
  loc: placeOf(position, 'title'),
  msg: 'is required of a new product',
  type: 'missing',
});

const namedAgain = (position: number): FieldError => ({
  loc: placeOf(position, 'uuid'),
  msg: 'is in the list already',
  type: 'value_error',
});
