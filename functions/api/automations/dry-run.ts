import { matchesTrigger, runStartOf } from '#domain/automations/decision.ts';
import type { AutomationRecord } from '#domain/automations/model.ts';
import { isWaiting } from '#domain/automations/run.ts';
import { type Viewer, viewerOf } from '#domain/orders/presentation.ts';
import { pastEvents } from '#domain/outbox/past-events.ts';
import {
  type EventSubject,
  loadOrderContext,
  payloadOf,
  type StoredEvent,
  subjectsOf,
} from '#domain/payload/event-payload.ts';
import { mapConcurrently } from '#platform/batches.ts';
import type { Implementation } from '#platform/http/request.ts';
import { orderIdIn, partitionOf } from '#platform/table/keys.ts';
import { queryPages } from '#platform/table/reads.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import { timeRange } from '#platform/time.ts';
import { outboxLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';
import type { automations } from '#schemas/families/automations.ts';
import { requireAutomation } from './automations.ts';

/** The outbox keeps events for this long. */
const maxPeriodMs = secondsOfDays(outboxLimits.days) * 1000;
const maxConcurrentOrders = 10;
/** A request must end in time, however large the orders are. */
const maxDurationMs = 12_000;
const maxExamples = 10;

export const dryRunAutomation: Implementation<typeof automations.dryRunAutomation> = async (request) => {
  const { shop, params, body, language, serviceUrl, now } = request;
  const period = periodOf(body, now);
  const automation = await requireAutomation(shop.slug, params.automation_id);
  const viewer = await viewerOf({ shop, language: shop.language ?? language, serviceUrl });
  const { orderIds, hasMore } = await recentOrders(shop.slug, period.since);
  const end = performance.now() + maxDurationMs;
  const isOver = () => performance.now() > end;
  const dryRunInTime = async (orderId: string) =>
    isOver() ? undefined : dryRunOrder(orderId, { automation, viewer, period, isOver });
  const results = (await mapConcurrently(orderIds, dryRunInTime, maxConcurrentOrders)).filter(
    (result) => result !== undefined,
  );
  const matched = results.flatMap((result) => result.matched).sort(newestFirst);
  return {
    since: period.since.toISOString(),
    until: period.until.toISOString(),
    orders: results.length,
    events: results.reduce((sum, { events }) => sum + events, 0),
    matched: matched.length,
    has_more: hasMore || results.some(({ isCut }) => isCut) || isOver(),
    examples: matched.slice(0, maxExamples).map(toExample),
  };
};

type Body = Parameters<typeof dryRunAutomation>[0]['body'];

function periodOf({ since, until }: Body, now: Date): Period {
  const range = timeRange('body', { since: since ?? undefined, until });
  const earliest = new Date(now.getTime() - maxPeriodMs);
  return { since: range.since && range.since > earliest ? range.since : earliest, until: range.until ?? now };
}

interface Match {
  event: StoredEvent;
  subject: EventSubject;
}

interface OrderResult {
  events: number;
  matched: Match[];
  /** Whether the order has more events than were read. */
  isCut: boolean;
}

interface DryRun {
  automation: AutomationRecord;
  viewer: Viewer;
  period: Period;
  isOver: () => boolean;
}

/** Reads the order only if one of its events matches the trigger. */
async function dryRunOrder(orderId: string, { automation, viewer, period, isOver }: DryRun): Promise<OrderResult> {
  const { slug } = viewer.shop;
  const [since, until] = [period.since.toISOString(), period.until.toISOString()];
  const { events, isCut } = await pastEvents(slug, orderId, since, until);
  const triggered = events.filter((event) => matchesTrigger(automation.trigger, event));
  const context = triggered.length === 0 ? undefined : await retryOnConflict(() => loadOrderContext(slug, orderId));
  if (!context) return { events: events.length, matched: [], isCut };
  const active = { ...automation, status: 'active' as const };
  const matches = triggered.flatMap((event) => subjectsOf(event).map((subject) => ({ event, subject })));
  const matched = matches.filter(({ event, subject }) => {
    if (isOver()) return false;
    const start = runStartOf(active, event, subject, payloadOf(event, subject, context, viewer));
    return start !== undefined && isWaiting(start);
  });
  return { events: events.length, matched, isCut };
}

const newestFirst = (a: Match, b: Match) => (a.event.triggered_at < b.event.triggered_at ? 1 : -1);

const toExample = ({ subject, event: { triggered_at, ref, event_group, order_id } }: Match) => ({
  time: triggered_at,
  ref,
  event_group,
  order_id,
  subject_id: subject.id,
});

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
  const [shipments, claims] = await Promise.all([
    changedSince(partitionOf.shipmentsByUpdate(slug), since),
    changedSince(partitionOf.claimsByUpdate(slug), since),
  ]);
  const found = new Set([...shipments, ...claims].sort(latestFirst).map(({ pk }) => orderIdIn(pk)));
  const isCut = shipments.length >= maxRows || claims.length >= maxRows;
  return { orderIds: [...found].slice(0, maxOrders), hasMore: isCut || found.size > maxOrders };
}

interface Row {
  pk: string;
  activity_sk: string;
}

const latestFirst = (a: Row, b: Row) => (a.activity_sk < b.activity_sk ? 1 : -1);

async function changedSince(partition: string, since: Date): Promise<Row[]> {
  const rows: Row[] = [];
  const pages = queryPages({
    IndexName: 'activity' satisfies IndexName,
    KeyConditionExpression: 'activity_pk = :list AND activity_sk >= :since',
    ExpressionAttributeValues: { ':list': partition, ':since': since.toISOString() },
    ProjectionExpression: 'pk, activity_sk',
    ScanIndexForward: false,
    Limit: maxRows,
  });
  for await (const page of pages) {
    rows.push(...(page as unknown as Row[]));
    if (rows.length >= maxRows) break;
  }
  return rows;
}
