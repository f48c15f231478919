import { arrivalCounters } from '#domain/arrival/lane-days.ts';
import { carrierOf } from '#domain/orders/handed-over.ts';
import { tableName } from '#platform/table/client.ts';
import { type CounterItem, countIn, queryCounters, sortKeyOf } from '#platform/table/counters.ts';
import {
  type CohortPlace,
  cohortCountsPrefix,
  cohortPlace,
  dayCountsPrefix,
  deliveryCountsPrefix,
  keyOf,
  type Lane,
  ratingCountsPrefix,
  statisticsOf,
} from '#platform/table/keys.ts';
import { batchGet, itemsIn, queryAll } from '#platform/table/reads.ts';
import { type Action, commit, insert } from '#platform/table/writes.ts';
import { dayAt, dayMs } from '#platform/time.ts';
import { figuresLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import { type Cohort, emptyCohort } from './cohort.ts';
import type { CounterChange } from './count-rules.ts';
import { cohortCounters, type DayCounter, dayCounters, laneOfCounter } from './counter-names.ts';
import { counterOfRange, rangeOfCounter, rangeStarts } from './durations.ts';

/** DynamoDB takes a hundred actions in a transaction. One of them is the mark. */
export const maxChanges = 99;

/** DynamoDB takes an expression of 4 KB: so many counters of one item change in one transaction. */
export const maxCounters = 200;

/** Some records of the stream that are counted together, from the first to the last. */
export interface RecordRange {
  /** The id of the first record, which no other record has. */
  first: string;
  /** The sequence number of the last record. */
  until: string;
}

/** Up to which record those from this one on have been counted; undefined if they have not. */
export async function countedUntil(first: string): Promise<string | undefined> {
  const [mark] = await batchGet([keyOf.countedRecords(first)]);
  return mark?.until as string | undefined;
}

/**
 * Adds to the counters and remembers in the same transaction which records were counted, so that a batch that comes again
 * counts nothing twice. Throws WriteConflict if these records have been counted.
 */
export function addCounts({ first, until }: RecordRange, changes: readonly CounterChange[], now: Date): Promise<void> {
  // The stream keeps its records for a day.
  const soon = Math.floor(now.getTime() / 1000) + secondsOfDays(2);
  const actions = changes.map((change) => toAction(change, soon));
  return commit([insert({ ...keyOf.countedRecords(first), until, expires_at: soon }), ...actions]);
}

/** @param soon the earliest expiry: DynamoDB never removes what expired five years ago, as the figures of an old day would */
function toAction({ key, steps, expires_at }: CounterChange, soon: number): Action {
  const entries = Object.entries(steps);
  const added = entries.map((_, i) => `#c${i} :s${i}`).join(', ');
  const kept = expires_at === undefined ? '' : 'SET expires_at = :expires ';
  return {
    Update: {
      TableName: tableName(),
      Key: key,
      UpdateExpression: `${kept}ADD ${added}`,
      ExpressionAttributeNames: Object.fromEntries(entries.map(([name], i) => [`#c${i}`, name])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(entries.map(([, step], i) => [`:s${i}`, step])),
        ...(expires_at !== undefined && { ':expires': Math.max(expires_at, soon) }),
      },
    },
  };
}

/** The counters of an item, by their names. */
export type Counters = Record<string, number>;

export async function readCountsNow(slug: string): Promise<Counters> {
  const [item] = await batchGet([keyOf.countsNow(slug)]);
  return (item ?? {}) as Counters;
}

interface Days {
  /** The first and the last day, as `yyyy-mm-dd`. */
  from: string;
  to: string;
}

/** What happened on one day. */
export type DayCounts = Record<DayCounter | 'shipped', number> & { day: string };

/** Of each day that has some, oldest first. */
export async function readDayCounts(slug: string, days: Days): Promise<DayCounts[]> {
  const items = await Array.fromAsync(queryCounters(rangeOfDays(slug, dayCountsPrefix, days)));
  return items.flat().map((item) => ({
    day: sortKeyOf(item).slice(dayCountsPrefix.length),
    shipped: lanesIn(item).reduce((sum, [, count]) => sum + count, 0),
    ...(Object.fromEntries(dayCounters.map((name) => [name, countIn(item, name)])) as Record<DayCounter, number>),
  }));
}

const lanesIn = (item: CounterItem): [Lane, number][] =>
  Object.keys(item).flatMap((name): [Lane, number][] => {
    const lane = laneOfCounter(name);
    return lane ? [[lane, countIn(item, name)]] : [];
  });

/**
 * What became of the parcels of these days, by carrier and country. Throws `tooMuch` where a request has to stop reading.
 */
export async function readCohorts(slug: string, days: Days, tooMuch: () => Error): Promise<Cohort[]> {
  const cohorts = new Map<string, Cohort>();
  const cohortAt = (place: CohortPlace): Cohort => {
    const key = `${place.day}#${place.carrier}#${place.country}`;
    const cohort = cohorts.get(key) ?? emptyCohort(place);
    cohorts.set(key, cohort);
    return cohort;
  };
  const read = cohortReader(slug, tooMuch);
  await Promise.all([
    read(dayCountsPrefix, [days], (item) => {
      const day = sortKeyOf(item).slice(dayCountsPrefix.length);
      for (const [lane, count] of lanesIn(item)) if (count > 0) cohortAt({ day, ...lane }).shipped = count;
    }),
    // Those of a shop with a million parcels in 90 days fill one read of so many days.
    read(
      cohortCountsPrefix,
      partsOf(days),
      (item) => addOutcomes(cohortAt(placeIn(item, cohortCountsPrefix)), item),
      ofCohorts,
    ),
    read(ratingCountsPrefix, [days], (item) => {
      const { carrier, ...place } = placeIn(item, ratingCountsPrefix);
      // A release of before also counted ratings of carriers that nobody knows.
      const cohort = cohortAt({ ...place, carrier: carrierOf(carrier) });
      cohort.ratings += countIn(item, 'n');
      cohort.stars += countIn(item, 'sum');
    }),
  ]);
  return [...cohorts.values()];
}

/**
 * Reads ranges of days at the same time. They are not consistent reads, at half the price: counts follow a change within a minute
 * anyway.
 */
function cohortReader(slug: string, tooMuch: () => Error) {
  let furtherReads = 0;
  const readRange = async (prefix: string, range: Days, take: (item: CounterItem) => void, part: Part) => {
    let reads = 0;
    for await (const items of queryCounters({ ...rangeOfDays(slug, prefix, range), ...part })) {
      if (reads++ > 0 && furtherReads++ === figuresLimits.furtherReads) throw tooMuch();
      items.forEach(take);
    }
  };
  return (prefix: string, ranges: readonly Days[], take: (item: CounterItem) => void, part: Part = {}) =>
    Promise.all(ranges.map((range) => readRange(prefix, range, take, part)));
}

/** The attributes that are needed. All if absent. */
type Part = Partial<typeof ofCohorts>;

const partMs = 21 * dayMs;

/** Three weeks each, and the last one what is left. */
function partsOf({ from, to }: Days): Days[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: Math.floor((last - first) / partMs) + 1 }, (_, part) => {
    const begins = first + part * partMs;
    return { from: dayAt(begins), to: dayAt(Math.min(last, begins + partMs - dayMs)) };
  });
}

const placeIn = (item: CounterItem, prefix: string): CohortPlace => cohortPlace(sortKeyOf(item), prefix);

const outcomes = Object.entries({ ...cohortCounters, ...arrivalCounters });
const ranges = rangeStarts.map((_, range) => counterOfRange(range));

/**
 * Of the counters of a cohort those that a `Cohort` has: what the others say about silences and arrivals is as much again, and
 * read elsewhere. Single letters may be words of DynamoDB, so they have other names here.
 */
const ofCohorts = {
  ProjectionExpression: ['pk', 'sk', ...ranges, ...outcomes.map(([, name]) => `#${name}`)].join(', '),
  ExpressionAttributeNames: Object.fromEntries(outcomes.map(([, name]) => [`#${name}`, name])),
};

/** In one way through the counters: a busy shop has hundreds of thousands of them. */
function addOutcomes(cohort: Cohort, item: CounterItem): void {
  const delivered = new Map<number, number>();
  for (const name in item) {
    const range = rangeOfCounter(name);
    const count = range === undefined ? 0 : countIn(item, name);
    if (count > 0) delivered.set(range!, count);
  }
  const counts = outcomes.map(([outcome, name]) => [outcome, countIn(item, name)]);
  Object.assign(cohort, Object.fromEntries(counts), { delivered });
}

export interface DeliveryCounts {
  day: string;
  target: string;
  counters: Counters;
}

export async function readDeliveryCounts(slug: string, days: Days): Promise<DeliveryCounts[]> {
  const items = await readDays<{ sk: string }>(slug, deliveryCountsPrefix, days);
  return items.map(({ sk, ...counters }) => {
    const place = sk.slice(deliveryCountsPrefix.length);
    const end = place.indexOf('#');
    return { day: place.slice(0, end), target: place.slice(end + 1), counters: counters as unknown as Counters };
  });
}

/** Of one target: a key for each day. */
export async function readDeliveryCountsOf(
  slug: string,
  target: string,
  days: readonly string[],
): Promise<DeliveryCounts[]> {
  const items = await batchGet(days.map((day) => keyOf.deliveryCounts(slug, day, target)));
  return days.flatMap((day, i) => (items[i] ? [{ day, target, counters: items[i] as Counters }] : []));
}

const readDays = <T>(slug: string, prefix: string, days: Days): Promise<T[]> =>
  queryAll<T>(rangeOfDays(slug, prefix, days));

/** `~` sorts after every target and lane. */
const rangeOfDays = (slug: string, prefix: string, { from, to }: Days) =>
  itemsIn(statisticsOf(slug), { from: prefix + from, to: `${prefix}${to}~` });
