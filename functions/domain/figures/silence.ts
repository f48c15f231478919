import type { SilenceRule } from '#domain/orders/attention.ts';
import { remember } from '#platform/recently-used.ts';
import { cohortCountsPrefix, cohortPlace, type Lane, laneName, statisticsOf } from '#platform/table/keys.ts';
import { itemsIn, queryPages } from '#platform/table/reads.ts';
import { dayAfter, dayAt } from '#platform/time.ts';
import { silenceLimits } from '#schemas/catalogues/limits.ts';
import { silenceCounter, silenceOfCounter } from './counter-names.ts';
import { longestSilence } from './parcel-figures.ts';

/** How many delivered parcels of a lane had so many days as their longest silence, rounded up. */
interface Silences extends Lane {
  silences: ReadonlyMap<number, number>;
}

/**
 * The days for which 95 of 100 delivered parcels of a lane were never silent for longer, by the name of the lane. A lane
 * of which too few are known is missing.
 */
export function learnedDays(cohorts: readonly Silences[]): Map<string, number> {
  const learned = new Map<string, number>();
  for (const [lane, ofLane] of Map.groupBy(cohorts, laneName)) {
    const counts = sumOf(ofLane.map(({ silences }) => silences));
    const known = counts.reduce((sum, [, count]) => sum + count, 0);
    if (known >= silenceLimits.knownParcels) learned.set(lane, quantile(counts, known));
  }
  return learned;
}

/** Sorted by the days. A counter may be below zero for a moment, and what is not there speaks for nothing. */
function sumOf(silences: readonly ReadonlyMap<number, number>[]): [days: number, count: number][] {
  const sums = new Map<number, number>();
  for (const counts of silences) {
    for (const [days, count] of counts) sums.set(days, (sums.get(days) ?? 0) + count);
  }
  return [...sums].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
}

function quantile(counts: readonly [days: number, count: number][], known: number): number {
  let seen = 0;
  const [days] = counts.find(([, count]) => {
    seen += count;
    // In whole numbers, so that exactly 95 of 100 are enough.
    return 100 * seen >= silenceLimits.percent * known;
  })!;
  // The last counter has all that are longer, too: how long 95 of 100 were silent is then not known.
  return days < longestSilence ? days : Number.POSITIVE_INFINITY;
}

export function silenceRule(learned: ReadonlyMap<string, number>): SilenceRule {
  const usual = silenceLimits.usualDays;
  return {
    daysOf: (lane) => (lane === undefined ? undefined : learned.get(lane)) ?? usual,
    // Some parcels may be of a lane of which little is known.
    fewestDays: Math.min(usual, ...learned.values()),
    mostDays: Math.max(usual, ...learned.values()),
  };
}

interface Known {
  rule: SilenceRule;
  /** In milliseconds. */
  until: number;
}

/** By the slug of the shop. */
const knownRules = new Map<string, Known>();
const maxKnown = 500;
/** What 90 days say hardly changes within minutes, and a page of the console asks several times. */
const knownForMs = 10 * 60 * 1000;

/** What the parcels of the last days say about the silence of others. */
export async function readSilenceRule(slug: string, now: Date): Promise<SilenceRule> {
  const known = knownRules.get(slug);
  if (known && known.until > now.getTime()) return known.rule;
  const rule = silenceRule(learnedDays(await readSilences(slug, now)));
  remember(knownRules, slug, { rule, until: now.getTime() + knownForMs }, maxKnown);
  return rule;
}

/** Of the many counters of a cohort only these. */
const counters = Array.from({ length: longestSilence + 1 }, (_, days) => silenceCounter(days));

/** The newest first, as far as a request may read: what is left out of a shop with very many lanes is the oldest. */
async function readSilences(slug: string, now: Date): Promise<Silences[]> {
  const first = dayAfter(dayAt(now), -silenceLimits.learnedDays);
  const items: ({ sk: string } & Record<string, number>)[] = [];
  let reads = 0;
  for await (const page of queryPages({
    // `~` sorts after every day.
    ...itemsIn(statisticsOf(slug), { from: cohortCountsPrefix + first, to: `${cohortCountsPrefix}~` }),
    ProjectionExpression: ['sk', ...counters].join(', '),
    ScanIndexForward: false,
  })) {
    items.push(...(page as typeof items));
    if (++reads === silenceLimits.reads) break;
  }
  return items.map(({ sk, ...counts }) => {
    const { carrier, country } = cohortPlace(sk, cohortCountsPrefix);
    const silences = new Map(Object.entries(counts).map(([name, count]) => [silenceOfCounter(name)!, count]));
    return { carrier, country, silences };
  });
}
