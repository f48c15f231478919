import { readCohorts } from '#domain/figures/counter-store.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { analytics } from '#schemas/families/analytics.ts';
import { dayRange, firstToRead, tooMuch } from './day-range.ts';
import { deliveryTimes, dimensionsOf } from './figure-rules.ts';

export const getDeliveryTimes: Implementation<typeof analytics.getDeliveryTimes> = async ({ shop, query, now }) => {
  const range = dayRange(query, now);
  const dimensions = dimensionsOf(query.by);
  const from = dimensions.has('week') ? firstToRead(range, now) : range.from;
  const cohorts = await readCohorts(shop.slug, { from, to: range.to }, tooMuch);
  const { earlier = [], asked = [] } = Object.groupBy(cohorts, ({ day }) => (day < range.from ? 'earlier' : 'asked'));
  return deliveryTimes(asked, dimensions, now, earlier);
};
