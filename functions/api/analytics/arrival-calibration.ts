import { readCohorts } from '#domain/figures/counter-store.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { analytics } from '#schemas/families/analytics.ts';
import { arrivalCalibration } from './calibration-rules.ts';
import { dayRange, tooMuch } from './day-range.ts';

export const getArrivalCalibration: Implementation<typeof analytics.getArrivalCalibration> = async ({
  shop,
  query,
  now,
}) => arrivalCalibration(await readCohorts(shop.slug, dayRange(query, now), tooMuch));
