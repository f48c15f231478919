import { readCohorts } from '#domain/figures/counter-store.ts';
import { invalidValue } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { analytics } from '#schemas/families/analytics.ts';
import { dayRange } from './day-range.ts';
import { deliveryTimes, dimensionsOf } from './figure-rules.ts';

export const getDeliveryTimes: Implementation<typeof analytics.getDeliveryTimes> = async ({ shop, query, now }) => {
  const cohorts = await readCohorts(shop.slug, dayRange(query, now), tooMuch);
  return deliveryTimes(cohorts, dimensionsOf(query.by), now);
};

const tooMuch = () => invalidValue(['query', 'from'], 'finds too many figures to read at once: ask for fewer days');
