import { claimCounter, phaseCounter } from '#domain/figures/count-rules.ts';
import {
  type Counters,
  type DeliveryCounts,
  readCountsNow,
  readDayCounts,
  readDeliveryCounts,
  readDeliveryCountsOf,
} from '#domain/figures/counter-store.ts';
import { percentile } from '#domain/figures/latency.ts';
import { isAllowed } from '#platform/access/caller.ts';
import type { Implementation } from '#platform/http/request.ts';
import { dayAfter, dayAt } from '#platform/time.ts';
import { emailTarget } from '#schemas/catalogues/emails.ts';
import { claimStatuses } from '#schemas/catalogues/enumerations.ts';
import { phases } from '#schemas/catalogues/shipment-events.ts';
import type { StatisticsResponse, statistics } from '#schemas/families/statistics.ts';

export const getStatistics: Implementation<typeof statistics.getStatistics> = async ({ shop, caller, query, now }) => {
  const days = lastDays(query.days, now);
  const [from, to] = [days[0]!, days.at(-1)!];
  const isAdmin = isAllowed(caller, 'admin', shop.slug);
  const [counts, dayCounts, deliveries] = await Promise.all([
    readCountsNow(shop.slug),
    readDayCounts(shop.slug, { from, to }),
    isAdmin ? readDeliveryCounts(shop.slug, { from, to }) : undefined,
  ]);
  const orders = new Map(dayCounts.map(({ day, orders }) => [day, orders]));
  return {
    from,
    to,
    parcels: { by_phase: countOfEach(phases, (phase) => counts[phaseCounter(phase)]) },
    orders: { days: days.map((day) => ({ day, count: orders.get(day) ?? 0 })) },
    claims: { by_status: countOfEach(claimStatuses, (status) => counts[claimCounter(status)]) },
    deliveries: deliveries ? deliveryStatistics(deliveries, days) : null,
  };
};

export const getTargetStatistics: Implementation<typeof statistics.getTargetStatistics> = async (request) => {
  const { shop, params, query, now } = request;
  const target = params.target.toLowerCase();
  const days = lastDays(query.days, now);
  const counts = await readDeliveryCountsOf(shop.slug, target, days);
  return { target, from: days[0]!, to: days.at(-1)!, days: daysOf(counts, days) };
};

/** Oldest first, today included. */
function lastDays(count: number, now: Date): string[] {
  return Array.from({ length: count }, (_, i) => dayAfter(dayAt(now), i - count + 1));
}

/** Things that are older than their counter are only counted when they go, so a counter may be below zero. */
const atLeastZero = (count = 0) => Math.max(0, count);

function countOfEach<T extends string>(names: readonly T[], countOf: (name: T) => number | undefined) {
  return Object.fromEntries(names.map((name) => [name, atLeastZero(countOf(name))])) as Record<T, number>;
}

function deliveryStatistics(
  counts: readonly DeliveryCounts[],
  days: readonly string[],
): NonNullable<StatisticsResponse['deliveries']> {
  const byTarget = Map.groupBy(counts, ({ target }) => ownerOf(target));
  return {
    days: daysOf(counts, days),
    targets: [...byTarget]
      .map(([target, ofTarget]) => ({ target, kind: kindOf(ofTarget[0]!.target), ...resultsOf(ofTarget) }))
      .sort((a, b) => b.failed - a.failed || b.attempts_failed - a.attempts_failed || b.delivered - a.delivered),
  };
}

function daysOf(counts: readonly DeliveryCounts[], days: readonly string[]) {
  const byDay = Map.groupBy(counts, ({ day }) => day);
  return days.map((day) => ({ day, ...resultsOf(byDay.get(day) ?? []) }));
}

const uuidLength = 36;

function kindOf(target: string): 'webhook' | 'integration' | 'automation' | 'email' {
  if (target === emailTarget) return 'email';
  if (isIntegration(target)) return 'integration';
  return target.length > uuidLength ? 'automation' : 'webhook';
}

/** The webhooks of an automation are targets of their own, whose names begin with the uuid of the automation. */
const ownerOf = (target: string) => (isIntegration(target) ? target : target.slice(0, uuidLength));

const isIntegration = (target: string) => target.startsWith('integration_');

function resultsOf(counts: readonly DeliveryCounts[]) {
  const sums: Counters = {};
  for (const { counters } of counts) {
    for (const [name, count] of Object.entries(counters)) sums[name] = (sums[name] ?? 0) + count;
  }
  const { delivered = 0, failed = 0, attempts_failed = 0 } = sums;
  return { delivered, failed, attempts_failed, p50_ms: percentile(sums, 0.5), p95_ms: percentile(sums, 0.95) };
}
