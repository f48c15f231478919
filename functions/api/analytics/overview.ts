import { readDayCounts } from '#domain/figures/counter-store.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { analytics } from '#schemas/families/analytics.ts';
import { dayRange, daysIn } from './day-range.ts';
import { overviewOf } from './figure-rules.ts';

export const getOverview: Implementation<typeof analytics.getOverview> = async ({ shop, query, now }) => {
  const range = dayRange(query, now);
  return overviewOf(daysIn(range), await readDayCounts(shop.slug, range));
};
