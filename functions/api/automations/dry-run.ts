import { matchesTrigger, runStartOf } from '#domain/automations/decision.ts';
import type { AutomationRecord } from '#domain/automations/model.ts';
import type { RunStart } from '#domain/automations/run.ts';
import { claimsOfOrder } from '#domain/claims/claim-store.ts';
import { type EventSubject, payloadOf, subjectsOf } from '#domain/deliveries/event-payload.ts';
import { pastEvents } from '#domain/orders/enclosed-events.ts';
import { viewOrder } from '#domain/orders/order-store.ts';
import type { StoredEvent } from '#domain/orders/outbox.ts';
import { type Viewer, viewerOf } from '#domain/orders/presentation.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { orderIdIn, partitionOf } from '#platform/table/keys.ts';
import { listsByUpdate, readMerged } from '#platform/table/merged-lists.ts';
import type { Key } from '#platform/table/reads.ts';
import { timeRange } from '#platform/time.ts';
import { automationLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import type { automations } from '#schemas/families/automations.ts';
import { requireAutomation } from './automations.ts';

const maxPeriodMs = secondsOfDays(automationLimits.dryRunDays) * 1000;
const maxConcurrentOrders = 10;
/** A request must end in time, however large the orders are. */
const maxDurationMs = 12_000;
const maxExamples = 10;
const maxChecks = 50;

export const dryRunAutomation: Implementation<typeof automations.dryRunAutomation> = async (request) => {
  const { shop, params, body, language, serviceUrl, now } = request;
  const period = periodOf(body, now);
  const automation = await requireAutomation(shop.slug, params.automation_id);
  const viewer = await viewerOf({ shop, language: shop.language ?? language, serviceUrl, now });
  const { orderIds, hasMore } = await ordersToCheck(shop.slug, body, period);
  const end = performance.now() + maxDurationMs;
  const isOver = () => performance.now() > end;
  const dryRunInTime = async (orderId: string) =>
    isOver() ? undefined : dryRunOrder(orderId, { automation, viewer, period, isOver });
  const results = (await mapConcurrently(orderIds, dryRunInTime, maxConcurrentOrders)).filter(
    (result) => result !== undefined,
  );
  const checks = results.flatMap((result) => result.checks).sort(newestFirst);
  const matched = checks.filter(wouldRun);
  return {
    since: period.since.toISOString(),
    until: period.until.toISOString(),
    orders: results.length,
    events: results.reduce((sum, { events }) => sum + events, 0),
    matched: matched.length,
    has_more: hasMore || results.some(({ isCut }) => isCut) || isOver(),
    examples: matched.slice(0, maxExamples).map(toExample),
    ...(body.order_id && { checks: checks.slice(0, maxChecks).map(toCheck) }),
  };
};

type Body = Parameters<typeof dryRunAutomation>[0]['body'];

function periodOf({ since, until }: Body, now: Date): Period {
  const range = timeRange('body', { since: since ?? undefined, until });
  const earliest = new Date(now.getTime() - maxPeriodMs);
  return { since: range.since && range.since > earliest ? range.since : earliest, until: range.until ?? now };
}

/** The one order that is named, or those that changed last. */
async function ordersToCheck(slug: string, { order_id }: Body, { since }: Period): Promise<RecentOrders> {
  if (!order_id) return recentOrders(slug, since);
  const orderId = order_id.toLowerCase();
  if (!(await viewOrder(slug, orderId))) throw new ServiceError('order_not_found');
  return { orderIds: [orderId], hasMore: false };
}

/** An event that fits the trigger, and what the automation would do. */
interface Check {
  event: StoredEvent;
  subject: EventSubject;
  start: RunStart;
}

interface OrderResult {
  events: number;
  checks: Check[];
  /** Whether the order has more events than were read. */
  isCut: boolean;
}

interface DryRun {
  automation: AutomationRecord;
  viewer: Viewer;
  period: Period;
  isOver: () => boolean;
}

/** Reads the claims only if an event of the order matches the trigger. */
async function dryRunOrder(orderId: string, { automation, viewer, period, isOver }: DryRun): Promise<OrderResult> {
  const { slug } = viewer.shop;
  const fullOrder = await viewOrder(slug, orderId);
  if (!fullOrder) return { events: 0, checks: [], isCut: false };
  const range = { since: period.since.toISOString(), until: period.until.toISOString() };
  const { events, isCut } = await pastEvents(slug, fullOrder, range);
  const triggered = events.filter((event) => matchesTrigger(automation.trigger, event));
  if (triggered.length === 0) return { events: events.length, checks: [], isCut };
  const context = { fullOrder, claims: await claimsOfOrder(slug, orderId) };
  // In testing an automation also says why it would not run.
  const tested = { ...automation, status: 'testing' as const };
  const matches = triggered.flatMap((event) => subjectsOf(event).map((subject) => ({ event, subject })));
  const checks = matches.flatMap(({ event, subject }) => {
    if (isOver()) return [];
    const start = runStartOf(tested, event, subject, payloadOf(event, subject, context, viewer));
    return start ? [{ event, subject, start }] : [];
  });
  return { events: events.length, checks, isCut };
}

const wouldRun = ({ start }: Check) => start.status === 'tested';

const newestFirst = (a: Check, b: Check) => (a.event.triggered_at < b.event.triggered_at ? 1 : -1);

const toExample = ({ subject, event: { triggered_at, ref, event_group, order_id } }: Check) => ({
  time: triggered_at,
  ref,
  event_group,
  order_id,
  subject_id: subject.id,
});

function toCheck(check: Check) {
  const { order_id: _order, ...example } = toExample(check);
  const { conditions, reason = null } = check.start;
  return { ...example, would_run: wouldRun(check), reason, conditions };
}

interface Period {
  since: Date;
  until: Date;
}

/** The limits of one request. An order with many parcels has one row in the index for each of them. */
const maxOrders = 200;
const maxRows = 2000;

interface RecentOrders {
  orderIds: string[];
  /** Whether there are more orders, which changed longer ago. */
  hasMore: boolean;
}

/**
 * The orders with an event since that time, latest change first. A change of a parcel or a claim moves it in the index
 * of activity. No list of the shop holds the events themselves, because it would cost a write for each event.
 */
async function recentOrders(slug: string, since: Date): Promise<RecentOrders> {
  const others = [partitionOf.drafts(slug), partitionOf.claimsByUpdate(slug)];
  const lists = [...listsByUpdate(slug), ...others.map((one) => ({ index: 'activity' as const, partitions: [one] }))];
  const { entries, next } = await readMerged<Key>(
    { lists, from: since.toISOString(), to: '~', query: { ProjectionExpression: 'pk, sk, activity_sk' } },
    { limit: maxRows },
  );
  const found = new Set(entries.map(({ entry }) => orderIdIn(entry.pk)));
  return { orderIds: [...found].slice(0, maxOrders), hasMore: next !== undefined || found.size > maxOrders };
}
