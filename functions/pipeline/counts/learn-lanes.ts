import { isDue, type Learned, readLearned } from '#domain/arrival/model-store.ts';
import { type Count, dayOf } from '#domain/figures/count-rules.ts';
import { laneOfCounter } from '#domain/figures/counter-names.ts';
import { rangeOfCounter } from '#domain/figures/durations.ts';
import { firstLearnedDay, learnLane } from '#domain/figures/learn-lane.ts';
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
    // Another run of the function, which reads another part of the stream, may have learned some of them.
    const learned = await readLearned(
      some.map(([, one]) => one),
      now,
    );
    for (const [i, [name, one]] of some.entries()) {
      if (msLeft() < msNeeded) return;
      waiting.delete(name);
      await learnIfDue(name, one, learned[i], now);
    }
  } catch (error) {
    logger.warn('lanes not learned', { waiting: waiting.size, error: (error as Error).name });
  }
}

/** What fails for one lane may not for the others, and is not tried at once again. */
async function learnIfDue(name: string, { slug, lane }: TouchedLane, last: Learned | undefined, now: Date) {
  const known = knownLanes.get(name);
  const counted = known?.learned.made_at === last?.made_at ? (known?.counted ?? 0) : 0;
  try {
    const learned = last && !isDue(last, now, counted) ? last : await learnLane(slug, lane, now);
    remember(knownLanes, name, { learned, counted: learned === last ? counted : 0 }, maxKnown);
  } catch (error) {
    logger.warn('lane not learned', { shop: slug, ...lane, error: (error as Error).name });
    remember(failed, name, now.getTime(), maxWaiting);
  }
}

/** A shop seldom sends to more countries within a minute. Each takes some tenths of a second at most. */
const lanesAtOnce = 20;
/** The function needs the rest to end. */
const msNeeded = 15_000;

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

/** When something about a lane failed last. It waits for some minutes. */
const failed = new Map<string, number>();
const pauseMs = 10 * 60 * 1000;
const isPaused = (name: string, now: Date): boolean => now.getTime() - (failed.get(name) ?? 0) < pauseMs;

function touchedLanes(counts: readonly Count[], now: Date): Map<string, TouchedLane> {
  const first = firstLearnedDay(dayOf(now.toISOString()));
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
