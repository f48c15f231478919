import type { Implementation } from '#platform/http/request.ts';
import type { analytics } from '#schemas/families/analytics.ts';
import { dayRange, daysIn } from './day-range.ts';
import { dayFigures } from './figure-rules.ts';
import { readDayCounts } from './stand-in.ts';

export const getOverview: Implementation<typeof analytics.getOverview> = async ({ shop, query, now }) => {
  const range = dayRange(query, now);
  const counts = await readDayCounts(shop.slug, range);
  return daysIn(range).map((day) => dayFigures(day, counts.get(day) ?? {}));
};
