import { afterOutCounter, arrivalCounters, bandCounter, deliveredCounter } from '#domain/arrival/lane-days.ts';
import { bandLevels } from '#domain/arrival/prediction.ts';
import { figuresExpiry } from '#domain/figures/count-rules.ts';
import { cohortCounters, shippedCounter, silenceCounter } from '#domain/figures/counter-names.ts';
import { counterOfRange, rangeOf } from '#domain/figures/durations.ts';
import { type CohortPlace, keyOf } from '#platform/table/keys.ts';
import type { Key } from '#platform/table/reads.ts';

/** The items that counts leaves of a shop with many parcels: days, cohorts and ratings. The same each time. */

interface BusyShop {
  slug: string;
  /** Of all days together. */
  parcels: number;
  days: number;
  /** The last day ends now. */
  now: Date;
}

const carriers = ['dhl', 'dpd', 'ups', 'gls'];
const countries = ['DE', 'AT', 'FR', 'NL', 'BE', 'CH', 'PL', 'IT', 'ES', 'SE', 'DK', 'CZ'];

/** The first carrier and the first country have the most parcels, as in a shop. */
const lanes = carriers.flatMap((carrier, i) =>
  countries.map((country, j) => ({ carrier, country, weight: 1 / (i + 1) / (j + 1), medianHours: 26 + 6 * i + 5 * j })),
);
const allWeights = lanes.reduce((sum, { weight }) => sum + weight, 0);

const hourMs = 3600 * 1000;
const dayMs = 24 * hourMs;

type CounterItem = Key & Record<string, string | number>;

export const busyShopFigures = ({ slug, parcels, days, now }: BusyShop): CounterItem[] =>
  Array.from({ length: days }, (_, age) => {
    const day = new Date(now.getTime() - age * dayMs).toISOString().slice(0, 10);
    const shipped = lanes.map((lane) => ({
      ...lane,
      day,
      count: Math.round((parcels / days) * (lane.weight / allWeights)),
    }));
    const watchedHours = (now.getTime() - Date.parse(day)) / hourMs - 12;
    const cohorts = shipped.map((lane) => cohortItems(slug, lane, lane.count, deliveredWithin(lane, watchedHours)));
    return [dayItem(slug, day, shipped), ...cohorts.flat()];
  }).flat();

type Shipped = CohortPlace & { count: number; medianHours: number };

function dayItem(slug: string, day: string, shipped: readonly Shipped[]): CounterItem {
  const all = shipped.reduce((sum, { count }) => sum + count, 0);
  return {
    ...keyOf.dayCounts(slug, day),
    expires_at: figuresExpiry(day),
    orders: all,
    delivered: all,
    claims: Math.round(all / 90),
    pages_opened: all * 3,
    mails_sent: all * 4,
    promotions_shown: Math.round(all / 2),
    promotions_clicked: Math.round(all / 25),
    ...Object.fromEntries(shipped.map((lane) => [shippedCounter(lane), lane.count])),
  };
}

/** Hours of the parcels that were delivered by now. Durations are log-logistic: most are near the median, and a few long. */
const deliveredWithin = ({ count, medianHours }: Shipped, watchedHours: number): number[] =>
  Array.from({ length: count }, (_, i) => {
    const part = (i + 0.5) / count;
    return medianHours * (part / (1 - part)) ** 0.28;
  }).filter((hours) => hours < watchedHours);

function cohortItems(slug: string, place: CohortPlace, count: number, durations: readonly number[]): CounterItem[] {
  const expires_at = figuresExpiry(place.day);
  const n = durations.length;
  const ratings = Math.round(n / 40);
  const cohort = {
    ...keyOf.cohortCounts(slug, place),
    expires_at,
    [cohortCounters.attempted]: n,
    [cohortCounters.firstAttempts]: Math.round(n * 0.93),
    [cohortCounters.promised]: Math.round(n * 0.8),
    [cohortCounters.kept]: Math.round(n * 0.7),
    [cohortCounters.endedOtherwise]: Math.min(count - n, Math.round(count / 200)),
    [cohortCounters.claims]: Math.round(count / 90),
    ...counted(durations.map((hours) => counterOfRange(rangeOf(hours)))),
    ...counted(durations.map((hours) => silenceCounter(Math.min(31, Math.ceil(hours / 40))))),
    ...(n > 0 && arrivals(durations)),
  };
  const rated = { ...keyOf.ratingCounts(slug, place), n: ratings, sum: ratings * 4 };
  return [...(n > 0 ? [cohort as CounterItem] : []), ...(ratings > 0 ? [rated] : [])];
}

/** Four of five have a window of the carrier, and the others one of ours, which holds nine in ten. */
function arrivals(durations: readonly number[]): Record<string, number> {
  const n = durations.length;
  const [promised, shown] = [Math.round(n * 0.8), n - Math.round(n * 0.8)];
  return {
    [arrivalCounters.carrierWindows]: promised,
    [arrivalCounters.carrierHeld]: Math.round(promised * 0.75),
    [arrivalCounters.carrierHours]: promised * 22,
    [arrivalCounters.shown]: shown,
    [arrivalCounters.held]: Math.round(shown * 0.9),
    [arrivalCounters.shownDays]: shown * 3,
    ...counted(durations.map((hours, i) => deliveredCounter(String(i % 10), Math.ceil(hours / 24)))),
    ...counted(durations.map((_, i) => afterOutCounter(i % 12 === 0 ? 1 : 0))),
    ...counted(durations.slice(promised).map((_, i) => bandCounter(i % (bandLevels.length + 1)))),
  };
}

const counted = (names: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
