import { storefrontChanged } from '#domain/settings/storefront-version.ts';
import { translated } from '#domain/texts/translations.ts';
import { indexKeyOf, keyOf, partitionOf } from '#platform/table/keys.ts';
import { newestOfAllShops } from '#platform/table/newest-first.ts';
import { getItem } from '#platform/table/reads.ts';
import type { Recorded } from '#platform/table/record.ts';
import { records, toRecord } from '#platform/table/records.ts';
import { type Action, insert, put } from '#platform/table/writes.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import { recordLimits } from '#schemas/catalogues/limits.ts';
import type { Deal } from '#schemas/families/deals.ts';

export type DealFields = Omit<Deal, 'uuid' | 'shop_slug' | 'shop_name' | 'discount' | 'created_at' | 'updated_at'>;
export type DealRecord = Recorded<DealFields>;

export const dealRecords = records<DealFields>({
  name: 'deals',
  notFound: 'deal_not_found',
  alsoOnChange: storefrontChanged,
  // A list reads all deals of a shop.
  limit: { max: recordLimits.deals, noun: 'deals' },
  place: ({ uuid }) => indexKeyOf.deals(uuid),
});

/** The texts of a deal in one language. */
export function dealTexts({ title, description, translations }: DealTexts, language: Language) {
  const values = translations.map(({ language: tag, data }) => ({ language: tag, values: data }));
  return translated({ title, description }, values, language);
}

type DealTexts = Pick<DealFields, 'title' | 'description' | 'translations'>;

export const byRank = (a: DealRecord, b: DealRecord) => a.rank - b.rank || (a.uuid < b.uuid ? -1 : 1);

/**
 * The shop's next rank, and the write that takes it. Of two requests at once, one fails and is tried again with the
 * next rank.
 */
export async function nextRank(slug: string): Promise<{ rank: number; take: Action }> {
  const key = keyOf.dealRanks(slug);
  const item = await getItem<{ newest?: number }>(key);
  const { newest = 0 } = item ?? {};
  const rank = newest + 1;
  const next = { ...key, newest: rank };
  return { rank, take: item ? put(next, 'newest = :newest', { ':newest': newest }) : insert(next) };
}

/** The deals of all shops, newest first. */
export const allDeals = newestOfAllShops<DealRecord>(partitionOf.deals(), { toEntry: toRecord });
