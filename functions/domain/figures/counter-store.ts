import { carrierOf, type Lane } from '#domain/orders/handed-over.ts';
import { tableName } from '#platform/table/client.ts';
import {
  type CohortPlace,
  cohortCountsPrefix,
  dayCountsPrefix,
  deliveryCountsPrefix,
  keyOf,
  ratingCountsPrefix,
  statisticsOf,
} from '#platform/table/keys.ts';
import { batchGet, itemsIn, queryAll } from '#platform/table/reads.ts';
import { type Action, commit, insert } from '#platform/table/writes.ts';
import { secondsOfDays } from '#schemas/catalogues/limits.ts';
import type { Cohort } from './cohort.ts';
import type { CounterChange } from './count-rules.ts';
import { cohortCounters, type DayCounter, dayCounters, laneOfCounter, silenceOfCounter } from './counter-names.ts';
import { rangeOfCounter } from './durations.ts';

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
  const items = await readDays<CounterItem>(slug, dayCountsPrefix, days);
  return items.map((item) => ({
    day: item.sk.slice(dayCountsPrefix.length),
    shipped: lanesIn(item).reduce((sum, [, count]) => sum + count, 0),
    ...(Object.fromEntries(dayCounters.map((name) => [name, countIn(item, name)])) as Record<DayCounter, number>),
  }));
}

/** A counter can only be below zero if somebody lost what was counted before: nothing is then. */
const countIn = (item: CounterItem, name: string): number => Math.max(0, Number(item[name] ?? 0));

const lanesIn = (item: CounterItem): [Lane, number][] =>
  Object.keys(item).flatMap((name): [Lane, number][] => {
    const lane = laneOfCounter(name);
    return lane ? [[lane, countIn(item, name)]] : [];
  });

/**
 * What became of the parcels of these days, by carrier and country. Each of the three queries reads one range of the shop's
 * partition. They are not consistent reads, at half the price: counts follow a change within a minute anyway.
 */
export async function readCohorts(slug: string, days: Days): Promise<Cohort[]> {
  const [ofDays, ofCohorts, ofRatings] = await Promise.all([
    readDays<CounterItem>(slug, dayCountsPrefix, days),
    readDays<CounterItem>(slug, cohortCountsPrefix, days),
    readDays<CounterItem>(slug, ratingCountsPrefix, days),
  ]);
  const cohorts = new Map<string, Cohort>();
  const cohortAt = ({ day, carrier, country }: CohortPlace): Cohort => {
    const key = `${day}#${carrier}#${country}`;
    const cohort = cohorts.get(key) ?? emptyCohort({ day, carrier, country });
    cohorts.set(key, cohort);
    return cohort;
  };
  for (const item of ofDays) {
    const day = item.sk.slice(dayCountsPrefix.length);
    for (const [lane, count] of lanesIn(item)) if (count > 0) cohortAt({ day, ...lane }).shipped = count;
  }
  for (const item of ofCohorts) Object.assign(cohortAt(placeIn(item, cohortCountsPrefix)), outcomesIn(item));
  for (const item of ofRatings) {
    const { carrier, ...place } = placeIn(item, ratingCountsPrefix);
    // A release of before also counted ratings of carriers that nobody knows.
    const cohort = cohortAt({ ...place, carrier: carrierOf(carrier) });
    cohort.ratings += countIn(item, 'n');
    cohort.stars += countIn(item, 'sum');
  }
  return [...cohorts.values()];
}

function placeIn({ sk }: CounterItem, prefix: string): CohortPlace {
  const [day, carrier, country] = sk.slice(prefix.length).split('#');
  return { day: day!, carrier: carrier!, country: country! };
}

const emptyCohort = (place: CohortPlace): Cohort => ({
  ...place,
  shipped: 0,
  delivered: new Map(),
  endedOtherwise: 0,
  attempted: 0,
  firstAttempts: 0,
  promised: 0,
  kept: 0,
  claims: 0,
  ratings: 0,
  stars: 0,
  silences: new Map(),
});

type Outcomes = Omit<Cohort, keyof CohortPlace | 'shipped' | 'ratings' | 'stars'>;

const outcomesIn = (item: CounterItem): Outcomes => ({
  ...(Object.fromEntries(
    Object.entries(cohortCounters).map(([outcome, name]) => [outcome, countIn(item, name)]),
  ) as Record<keyof typeof cohortCounters, number>),
  delivered: histogramIn(item, rangeOfCounter),
  silences: histogramIn(item, silenceOfCounter),
});

/** @param placeOf what a counter stands for; undefined if it is of another kind */
const histogramIn = (item: CounterItem, placeOf: (name: string) => number | undefined): Map<number, number> =>
  new Map(
    Object.keys(item).flatMap((name): [number, number][] => {
      const [place, count] = [placeOf(name), countIn(item, name)];
      return place === undefined || count === 0 ? [] : [[place, count]];
    }),
  );

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

/** An item with counters. */
type CounterItem = { sk: string } & Record<string, unknown>;

/** `~` sorts after every target and lane. */
const readDays = <T>(slug: string, prefix: string, { from, to }: Days): Promise<T[]> =>
  queryAll<T>(itemsIn(statisticsOf(slug), { from: prefix + from, to: `${prefix}${to}~` }));
