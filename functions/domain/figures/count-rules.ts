import { type Claim, isDeleted } from '#domain/claims/claim-rules.ts';
import type { Attempt, Delivery } from '#domain/deliveries/delivery-rules.ts';
import { countedDay } from '#domain/orders/handed-over.ts';
import type { Order, Shipment } from '#domain/orders/model.ts';
import { latestEvents } from '#domain/orders/shipment-rules.ts';
import { type CohortPlace, keyOf } from '#platform/table/keys.ts';
import { type Key, keyText } from '#platform/table/reads.ts';
import { emailTarget } from '#schemas/catalogues/emails.ts';
import { figuresLimits, secondsOfDays, statisticsLimits } from '#schemas/catalogues/limits.ts';
import { type Phase, phaseOf } from '#schemas/catalogues/shipment-events.ts';
import { cohortCounters, type DayCounter } from './counter-names.ts';
import { latencyRange } from './latency.ts';

/** Which counters a change adds to. Nothing counts what a simulation makes. */

/** A thing before and after a change. Absent: it did not exist, or does not exist any more. */
export interface Changed<T> {
  before?: T | undefined;
  after?: T | undefined;
}

export const dayOf = (time: string): string => time.slice(0, 'yyyy-mm-dd'.length);

/** @param counted_phase of the item. Present if a remark is the newest event, unless an older version wrote the item. */
export type CountedShipment = Shipment & { counted_phase?: Phase };

/** A parcel moves from the counter of one phase to that of another. */
export function shipmentCounts(slug: string, { before, after }: Changed<CountedShipment>): Count[] {
  return moved(slug, before && counterOfPhase(before), after && counterOfPhase(after));
}

/**
 * Older versions counted a parcel in the phase of its newest event, also if that was a remark. It leaves that counter
 * with the next write, so each image says by itself where it was counted, and no counter drifts.
 */
function counterOfPhase({ simulation_id, counted_phase, events, direction }: CountedShipment): string | undefined {
  if (simulation_id !== undefined) return undefined;
  return phaseCounter(counted_phase ?? phaseOf(latestEvents(events).at(-1)!.event_name, direction));
}

/** The drafts of an order, which have no items of their own. */
export function draftCounts(slug: string, { before, after }: Changed<Order>): Count[] {
  const step = countedDrafts(after) - countedDrafts(before);
  return step === 0 ? [] : [{ key: keyOf.countsNow(slug), name: phaseCounter('order_created'), step }];
}

const countedDrafts = (order: Order | undefined) =>
  order && order.simulation_id === undefined ? order.drafts.length : 0;

/** A claim moves from one status to another. It counts for the day on which it was made, and for the parcels of its cohort. */
export const claimCounts = (slug: string, { before, after }: Changed<Claim>): Count[] =>
  difference(before && claimCells(slug, before), after && claimCells(slug, after));

function claimCells(slug: string, claim: Claim): Count[] {
  const { status, created_at, cohort, simulation_id } = claim;
  if (isDeleted(claim) || simulation_id !== undefined) return [];
  const now = { key: keyOf.countsNow(slug), name: claimCounter(status), step: 1 };
  // The release before counted it only there.
  if (cohort === undefined) return [now];
  return [
    now,
    dayCount(slug, dayOf(created_at), 'claims'),
    ...(cohort ? [cohortCount(slug, cohort, cohortCounters.claims)] : []),
  ];
}

function moved(slug: string, from: string | undefined, to: string | undefined): Count[] {
  if (from === to) return [];
  const key = keyOf.countsNow(slug);
  return [
    ...(from === undefined ? [] : [{ key, name: from, step: -1 }]),
    ...(to === undefined ? [] : [{ key, name: to, step: 1 }]),
  ];
}

/** An order counts for the day on which it was placed. One that is deleted leaves it, and one with another time moves. */
export const orderCounts = (slug: string, { before, after }: Changed<Order>): Count[] =>
  difference(before && orderCells(slug, before), after && orderCells(slug, after));

function orderCells(slug: string, order: Order): Count[] {
  const day = order.simulation_id === undefined ? countedDay(order.order_placed_at, order) : undefined;
  return day ? [dayCount(slug, day, 'orders')] : [];
}

/** One more of what became of the parcels of a cohort, or so many. */
export const cohortCount = (slug: string, cohort: CohortPlace, name: string, step = 1): Count => ({
  key: keyOf.cohortCounts(slug, cohort),
  name,
  step,
  expires_at: figuresExpiry(cohort.day),
});

/** One more of what happened on a day. */
export const dayCount = (slug: string, day: string, name: DayCounter | `s#${string}`): Count => ({
  key: keyOf.dayCounts(slug, day),
  name,
  step: 1,
  expires_at: figuresExpiry(day),
});

/** What is counted now and was not, and the other way round. */
export function difference(before: readonly Count[] = [], after: readonly Count[] = []): Count[] {
  const taken = before.map((count) => ({ ...count, step: -count.step }));
  return foldCounts([...taken, ...after]).flatMap(({ steps, ...item }) =>
    Object.entries(steps).map(([name, step]) => ({ ...item, name, step })),
  );
}

/** Of what is counted for a day, in Unix seconds. */
export const figuresExpiry = (day: string): number => expiryOf(day, figuresLimits.keptDays);

/**
 * Who looks at a page, sees or follows a promotion there, or gets a mail has done so, whatever is deleted later. These are
 * counted when they happen, are never taken back, and cannot be counted anew.
 */

/** When a page was looked at, and whose it is. What a release of before wrote has no slug and is not counted. */
export interface PageVisits {
  slug?: string;
  visits?: readonly string[];
}

/** Both lists have a limit, and lose their oldest entries. */
export function visitCounts({ before, after }: Changed<PageVisits>): Count[] {
  const { slug, visits = [] } = after ?? {};
  if (slug === undefined) return [];
  const known = new Set(before?.visits);
  return visits.filter((visit) => !known.has(visit)).map((visit) => dayCount(slug, dayOf(visit), 'pages_opened'));
}

/** The mark on a page that a promotion was shown there, or followed. */
export interface PromotionMark {
  slug?: string;
  at?: string;
}

export const promotionCounts = (
  name: 'promotions_shown' | 'promotions_clicked',
  { slug, at }: PromotionMark = {},
): Count[] => (slug === undefined || at === undefined ? [] : [dayCount(slug, dayOf(at), name)]);

/**
 * The attempts and the end of a delivery count for the target and the day on which they happened. A delivery is new in the
 * table when its first attempt has ended.
 */
export function deliveryCounts({ before, after }: Changed<Delivery>): Count[] {
  if (!after || after.simulation_id !== undefined) return [];
  const { shop_slug, target } = after;
  const isResult = before?.status !== after.status && (after.status === 'delivered' || after.status === 'failed');
  const isMail = target === emailTarget && after.status === 'delivered';
  const count = (at: string, name: string): Count => {
    const day = dayOf(at);
    return {
      key: keyOf.deliveryCounts(shop_slug, day, target),
      name,
      step: 1,
      expires_at: expiryOf(day, statisticsLimits.keptDays),
    };
  };
  const attempts = newAttempts(before, after);
  return [
    ...attempts.map(({ at, duration_ms }) => count(at, latencyRange(duration_ms))),
    ...attempts.filter(({ error }) => error !== undefined).map(({ at }) => count(at, 'attempts_failed')),
    ...(isResult ? [count(after.updated_at, after.status)] : []),
    ...(isResult && isMail ? [dayCount(shop_slug, dayOf(after.updated_at), 'mails_sent')] : []),
  ];
}

/** The list of attempts has a limit: what it loses at its beginning is no change. */
function newAttempts(before: Delivery | undefined, { attempts }: Delivery): Attempt[] {
  const last = before?.attempts.at(-1);
  const position = last
    ? attempts.findLastIndex(({ at, duration_ms }) => at === last.at && duration_ms === last.duration_ms)
    : -1;
  return attempts.slice(position + 1);
}

const expiryOf = (day: string, keptDays: number): number => Date.parse(day) / 1000 + secondsOfDays(keptDays + 1);

/** What happened adds to counters. A counter is a number in an item of the table. */

/** Adds to one counter. */
export interface Count {
  key: Key;
  /** The counter in the item. */
  name: string;
  step: number;
  /** Unix seconds. Absent if the item stays for ever. */
  expires_at?: number;
}

/** Everything that is added to the counters of one item. */
export interface CounterChange {
  key: Key;
  steps: Record<string, number>;
  expires_at?: number;
}

export const phaseCounter = (phase: string) => `phase#${phase}`;
export const claimCounter = (status: string) => `claim#${status}`;

/** One change for each item. What adds up to nothing is left out. */
export function foldCounts(counts: readonly Count[]): CounterChange[] {
  const changes = new Map<string, CounterChange>();
  for (const { key, name, step, expires_at } of counts) {
    const change = changes.get(keyText(key)) ?? { key, steps: {}, ...(expires_at !== undefined && { expires_at }) };
    change.steps[name] = (change.steps[name] ?? 0) + step;
    changes.set(keyText(key), change);
  }
  return [...changes.values()].flatMap((change) => {
    const steps = Object.entries(change.steps).filter(([, step]) => step !== 0);
    return steps.length > 0 ? [{ ...change, steps: Object.fromEntries(steps) }] : [];
  });
}
