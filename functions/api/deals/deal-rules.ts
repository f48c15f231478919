import type { DealFields, DealRecord } from '#domain/promotions/deal.ts';
import { translated } from '#domain/texts/translations.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import type { Deal, DealCreate } from '#schemas/families/deals.ts';

export function newDeal(body: DealCreate, rank: number): DealFields {
  return { ...emptyFields, ...body, discount_id: body.discount_id.toLowerCase(), rank };
}

const emptyFields = {
  brand_image_url: null,
  brand_logo_url: null,
  cta_url: null,
  title: null,
  description: null,
  translations: [],
} satisfies Partial<DealFields>;

/** What the response for a deal needs besides its record. */
export interface DealContext {
  shopName: string | null;
  discount: Deal['discount'];
  /** Null shows the texts as they were written. */
  language: Language | null;
}

export function toDeal(record: DealRecord, { shopName, discount, language }: DealContext): Deal {
  const { uuid, shop_slug, discount_id, brand_image_url, brand_logo_url, cta_url, rank, translations } = record;
  const { title, description, created_at, updated_at } = record;
  const values = translations.map(({ language: tag, data }) => ({ language: tag, values: data }));
  return {
    uuid,
    shop_slug,
    shop_name: shopName,
    discount_id,
    brand_image_url,
    brand_logo_url,
    cta_url,
    ...(language ? translated({ title, description }, values, language) : { title, description }),
    rank,
    discount,
    translations,
    created_at,
    updated_at,
  };
}
