import { isDue, type Learned, readLearned } from '#domain/arrival/model-store.ts';
import type { Count } from '#domain/figures/count-rules.ts';
import { laneOfCounter } from '#domain/figures/counter-names.ts';
import { rangeOfCounter } from '#domain/figures/durations.ts';
import { firstLearnedDay, lanesAtOnce, learnLane, readShipped, type ShippedDays } from '#domain/figures/learn-lane.ts';
import { loadOnce, within } from '#platform/batches.ts';
import { logger } from '#platform/logging.ts';
import { remember } from '#platform/recently-used.ts';
import {
  cohortCountsPrefix,
  cohortPlace,
  dayCountsPrefix,
  type Lane,
  laneName,
  shopOfStatistics,
} from '#platform/table/keys.ts';
import { dayAt } from '#platform/time.ts';

/**
 * After a batch was counted, the lanes are learned anew about which enough more is known. Nothing waits for that: what
 * fails or is too much for now comes with a later batch.
 */
export async function learnLanes(counts: readonly Count[], now: Date, msLeft: () => number): Promise<void> {
  const touched = touchedLanes(counts, now);
  for (const [name, one] of touched) {
    const known = knownLanes.get(name);
    if (known) known.counted += one.delivered;
    const isCandidate = !known || isDue(known.learned, now, known.counted);
    if (isCandidate && !isPaused(name, now)) remember(waiting, name, one, maxWaiting);
  }
  const some = [...waiting].slice(0, lanesAtOnce);
  if (some.length === 0 || msLeft() < msNeeded) return;
  try {
    // One request may take longer than the function has. What is left of it ends in vain.
    await within(Math.min(msLeft() - msToEnd, mostMs), learnSome(some, now, msLeft), late);
  } catch (error) {
    logger.warn('lanes not learned', { waiting: waiting.size, error: (error as Error).name });
  }
}

async function learnSome(some: readonly [string, TouchedLane][], now: Date, msLeft: () => number): Promise<void> {
  const lanes = some.map(([, one]) => one);
  // Another run of the function, which reads another part of the stream, may have learned some of them.
  const learned = await readLearned(lanes, now);
  const shippedOf = loadOnce((slug) => {
    const own = lanes.filter((one) => one.slug === slug).map(({ lane }) => lane);
    return readShipped(slug, own, now);
  });
  for (const [i, [name, one]] of some.entries()) {
    if (msLeft() < msNeeded) return;
    waiting.delete(name);
    await learnIfDue({ name, ...one, last: learned[i], shippedOf }, now);
  }
}

interface Due extends TouchedLane {
  name: string;
  last: Learned | undefined;
  shippedOf: (slug: string) => Promise<ShippedDays>;
}

/** What fails for one lane may not for the others, and is not tried at once again. Nor is what does not end. */
async function learnIfDue({ name, slug, lane, last, shippedOf }: Due, now: Date): Promise<void> {
  const known = knownLanes.get(name);
  const counted = known?.learned.made_at === last?.made_at ? (known?.counted ?? 0) : 0;
  remember(failed, name, now.getTime(), maxWaiting);
  try {
    const isKnown = last && !isDue(last, now, counted);
    const learned = isKnown ? last : await learnLane(slug, lane, now, await shippedOf(slug));
    if (learned) remember(knownLanes, name, { learned, counted: learned === last ? counted : 0 }, maxKnown);
    failed.delete(name);
  } catch (error) {
    logger.warn('lane not learned', { shop: slug, ...lane, error: (error as Error).name });
  }
}

/** Each lane takes some tenths of a second at most. No other is begun with less time. */
const msNeeded = 15_000;
/** The function needs the rest to end. */
const msToEnd = 10_000;
/** Longer than any function runs. */
const mostMs = 15 * 60 * 1000;
const late = () => Object.assign(new Error('Learning takes too long.'), { name: 'TimeoutError' });

interface TouchedLane {
  slug: string;
  lane: Lane;
  /** How many more are delivered. */
  delivered: number;
}

interface KnownLane {
  learned: Learned;
  /** Delivered ones that this function has counted since. */
  counted: number;
}

/** So that most batches need no read to know that nothing is due. */
const knownLanes = new Map<string, KnownLane>();
const maxKnown = 10_000;

/** Those that may be due. */
const waiting = new Map<string, TouchedLane>();
const maxWaiting = 2000;

/** When something about a lane was begun last that did not succeed. It waits for some minutes. */
const failed = new Map<string, number>();
const pauseMs = 10 * 60 * 1000;
const isPaused = (name: string, now: Date): boolean => now.getTime() - (failed.get(name) ?? 0) < pauseMs;

function touchedLanes(counts: readonly Count[], now: Date): Map<string, TouchedLane> {
  const first = firstLearnedDay(dayAt(now));
  const lanes = new Map<string, TouchedLane>();
  for (const { key, name, step } of counts) {
    const place = placeOf(key.sk, name);
    if (!place || place.day < first) continue;
    const { day: _, ...lane } = place;
    const slug = shopOfStatistics(key.pk);
    const id = `${slug}#${laneName(lane)}`;
    const one = lanes.get(id) ?? { slug, lane, delivered: 0 };
    if (rangeOfCounter(name) !== undefined) one.delivered += step;
    lanes.set(id, one);
  }
  return lanes;
}

function placeOf(sk: string, name: string) {
  if (sk.startsWith(cohortCountsPrefix)) return cohortPlace(sk, cohortCountsPrefix);
  const lane = sk.startsWith(dayCountsPrefix) ? laneOfCounter(name) : undefined;
  return lane && { day: sk.slice(dayCountsPrefix.length), ...lane };
}
