import { type LaneDay, laneDay } from '#domain/arrival/lane-days.ts';
import { arrivalModel, laneSummary } from '#domain/arrival/model.ts';
import { type Learned, readOtherLanes, saveLesson } from '#domain/arrival/model-store.ts';
import { type CounterItem, countIn, queryCounters, sortKeyOf } from '#platform/table/counters.ts';
import { dayCountsPrefix, keyOf, type Lane, statisticsOf } from '#platform/table/keys.ts';
import { batchGet, itemsIn } from '#platform/table/reads.ts';
import { dayAfter, dayAt } from '#platform/time.ts';
import { arrivalLimits } from '#schemas/catalogues/limits.ts';
import { shippedCounter } from './counter-names.ts';
import { rangeOfCounter } from './durations.ts';

/**
 * Makes what a shop knows about a lane anew, from its counters alone. Undefined if the shop handed over nothing on it: then
 * nothing is written, because the shop may have been removed.
 * @param shipped of the shop, if that was read for several lanes
 */
export async function learnLane(
  slug: string,
  lane: Lane,
  now: Date,
  shipped?: ShippedDays,
): Promise<Learned | undefined> {
  const today = dayAt(now);
  const daysOf = shipped ?? (await readShipped(slug, [lane], now));
  const used = daysOf(lane);
  if (used.length === 0) return undefined;
  const days = await readLaneDays(slug, lane, used);
  const parcels = days.flatMap(({ delivered }) => delivered).reduce((sum, { count }) => sum + count, 0);
  const others = await readOtherLanes(slug, lane, enoughParcels - parcels, now);
  const lesson = {
    model: arrivalModel(lane, days, others, today),
    summary: laneSummary(lane, days, today),
    parcels,
  };
  return saveLesson(slug, lane, lesson, now);
}

/** Beside so many of its own, those of others would hardly be heard. */
const enoughParcels = 200;

/** The first day that speaks. */
export const firstLearnedDay = (today: string): string => dayAfter(today, -arrivalLimits.learnedDays);

/**
 * Two reads at most times: the parcels of each day are in few kilobytes of items in a row, and of the days on which some were
 * handed over the cohorts are read by their keys, because those of other lanes lie between them.
 */
async function readLaneDays(slug: string, lane: Lane, shipped: readonly ShippedDay[]): Promise<LaneDay[]> {
  const keys = shipped.map(([day]) => keyOf.cohortCounts(slug, { day, ...lane }));
  // Not consistently, for half the price: what was counted in this moment speaks the next time.
  const cohorts = await batchGet(keys, { ConsistentRead: false });
  return shipped.flatMap(([day, count], i) => {
    const item = cohorts[i];
    const counted = laneDay(day, count, item);
    return isWhole(counted, item) ? [counted] : [];
  });
}

type ShippedDay = readonly [day: string, count: number];

/** The days on which parcels of a lane were handed over, and how many. */
export type ShippedDays = (lane: Lane) => readonly ShippedDay[];

/** So many lanes are read at once: DynamoDB takes an expression of 4 KB. */
export const lanesAtOnce = 20;

/** Of some lanes together: the item of a day costs as much for all of them as for one. */
export async function readShipped(slug: string, lanes: readonly Lane[], now: Date): Promise<ShippedDays> {
  const today = dayAt(now);
  const days = { from: dayCountsPrefix + firstLearnedDay(today), to: dayCountsPrefix + today };
  const names = lanes.map((lane, i) => [`#shipped${i}`, shippedCounter(lane)] as const);
  const pages = queryCounters({
    ...itemsIn(statisticsOf(slug), days),
    ProjectionExpression: ['pk', 'sk', ...names.map(([alias]) => alias)].join(', '),
    ExpressionAttributeNames: Object.fromEntries(names),
  });
  const items: CounterItem[] = (await Array.fromAsync(pages)).flat();
  return (lane) =>
    items
      .map((item) => [sortKeyOf(item).slice(dayCountsPrefix.length), countIn(item, shippedCounter(lane))] as const)
      .filter(([, count]) => count > 0);
}

/**
 * The release before counted the hours of a delivery and not its days. A cohort of which it has counted some would look as if
 * these were still under way. It does not speak, until a recount counts it whole.
 */
function isWhole({ delivered }: LaneDay, item: Readonly<Record<string, unknown>> = {}): boolean {
  const byDays = delivered.reduce((sum, { count }) => sum + count, 0);
  const byHours = Object.entries(item).reduce(
    (sum, [name, count]) => (rangeOfCounter(name) === undefined ? sum : sum + Number(count)),
    0,
  );
  return byHours <= byDays;
}
