import type { automations } from '#schemas/automations.ts';
import { beginningOf } from '#shared/automations/decision.ts';
import { type EventSubject, payloadOf, subjectsOf } from '#shared/automations/event-subject.ts';
import type { AutomationRecord } from '#shared/automations/model.ts';
import { isWaiting } from '#shared/automations/run.ts';
import { matchesTrigger } from '#shared/automations/triggers.ts';
import { chunks } from '#shared/chunks.ts';
import { loadOrder } from '#shared/orders/order-store.ts';
import { type Viewer, viewerOf } from '#shared/orders/presentation.ts';
import type { Implementation } from '#shared/request.ts';
import { timeRange } from '#shared/time-range.ts';
import { requireAutomation } from './automations.ts';
import { type Period, pastEvents, recentOrders } from './past-events.ts';

/** The outbox keeps events for so long. */
const longestMs = 7 * 24 * 3_600_000;
const ordersAtOnce = 10;
const mostExamples = 10;

export const dryRunAutomation: Implementation<typeof automations.dryRunAutomation> = async (request) => {
  const { shop, params, body, language, now } = request;
  const period = periodOf(body, now);
  const automation = await requireAutomation(shop.slug, params.automation_id);
  const viewer = await viewerOf({ shop, language: shop.language ?? language });
  const { orderIds, hasMore } = await recentOrders(shop.slug, period.since);
  const looks: Look[] = [];
  for (const part of chunks(orderIds, ordersAtOnce)) {
    looks.push(...(await Promise.all(part.map((orderId) => lookAt(orderId, automation, viewer, period)))));
  }
  const matched = looks.flatMap((look) => look.matched).sort(newestFirst);
  return {
    since: period.since.toISOString(),
    until: period.until.toISOString(),
    orders: orderIds.length,
    events: looks.reduce((sum, { events }) => sum + events, 0),
    matched: matched.length,
    has_more: hasMore,
    examples: matched.slice(0, mostExamples).map(toExample),
  };
};

type Body = Parameters<typeof dryRunAutomation>[0]['body'];

function periodOf({ since, until }: Body, now: Date): Period {
  const range = timeRange('body', { since: since ?? undefined, until });
  const earliest = new Date(now.getTime() - longestMs);
  return { since: range.since && range.since > earliest ? range.since : earliest, until: range.until ?? now };
}

interface Look {
  events: number;
  matched: EventSubject[];
}

/** The order is read only where one of its events has the right trigger. */
async function lookAt(orderId: string, automation: AutomationRecord, viewer: Viewer, period: Period): Promise<Look> {
  const events = await pastEvents(viewer.shop.slug, orderId, period);
  const setOff = events.filter((event) => matchesTrigger(automation.trigger, event)).flatMap(subjectsOf);
  const book = setOff.length === 0 ? undefined : await loadOrder(viewer.shop.slug, orderId);
  if (!book) return { events: events.length, matched: [] };
  const active = { ...automation, status: 'active' as const };
  const matched = setOff.filter((subject) => {
    const beginning = beginningOf(active, subject, payloadOf(subject, book, viewer));
    return beginning !== undefined && isWaiting(beginning);
  });
  return { events: events.length, matched };
}

const newestFirst = (a: EventSubject, b: EventSubject) => (a.event.triggered_at < b.event.triggered_at ? 1 : -1);

const toExample = ({ id, event: { triggered_at, ref, event_group, order_id } }: EventSubject) => ({
  time: triggered_at,
  ref,
  event_group,
  order_id,
  subject_id: id,
});
