import { shippedCounter } from '#domain/figures/counter-names.ts';
import { keyOf, type Lane } from '#platform/table/keys.ts';
import { dayAfter } from '#platform/time.ts';

interface LaneCounters {
  slug: string;
  lane: Lane;
  /** The day after the last one. */
  today: string;
  /** So many days with parcels. */
  days: number;
  /** Handed over on each of them, and delivered after two days. */
  parcels: number;
}

/** The items that counts leaves of a lane, of the days before today. */
export const laneCounters = ({ slug, lane, today, days, parcels }: LaneCounters): object[] =>
  Array.from({ length: days }, (_, i) => dayAfter(today, -1 - i)).flatMap((day) => [
    { ...keyOf.dayCounts(slug, day), [shippedCounter(lane)]: parcels, orders: parcels },
    ...(dayAfter(day, 2) < today
      ? [{ ...keyOf.cohortCounts(slug, { day, ...lane }), h48: parcels, z12: parcels, a: parcels, g2: parcels }]
      : []),
  ]);
