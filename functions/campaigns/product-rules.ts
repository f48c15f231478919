import type { CampaignProduct, CampaignUpdate } from '#schemas/campaigns.ts';
import { ApiError, invalid } from '#shared/api-error.ts';
import { inFourDecimals } from '#shared/four-decimals.ts';

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
  const untitled = given.flatMap(({ uuid, title }, i) => (uuid === undefined && title === undefined ? [i] : []));
  if (untitled.length > 0) throw invalid(...untitled.map(titleMissing));
  return given.map((product) => {
    const known = product.uuid === undefined ? undefined : productOf(before, product.uuid);
    const { title = known!.title, price = known?.price ?? null } = product;
    return { ...nothingSaid, ...known, ...product, uuid: known?.uuid ?? newId(), title, price: inFourDecimals(price) };
  });
}

function productOf(products: readonly CampaignProduct[], uuid: string): CampaignProduct {
  const known = products.find((product) => product.uuid === uuid.toLowerCase());
  if (!known) throw new ApiError('campaign_product_not_found');
  return known;
}

const titleMissing = (position: number) => ({
  loc: ['body', 'promotion_properties', 'products', position, 'title'],
  msg: 'is required of a new product',
  type: 'missing' as const,
});
