import { allAutomations } from '#domain/automations/automation-store.ts';
import type { AutomationRun } from '#domain/automations/run.ts';
import { runsOfEvents } from '#domain/automations/run-store.ts';
import { type Claim, type HistoryEntry, isDeleted } from '#domain/claims/claim-rules.ts';
import { claimsOfOrder, newestHistory, readHistory } from '#domain/claims/claim-store.ts';
import { deliveriesOfEvents, whollyLookedFor } from '#domain/deliveries/deliveries-of-events.ts';
import type { Target } from '#domain/deliveries/delivery-items.ts';
import { ttlSeconds } from '#domain/deliveries/delivery-rules.ts';
import { readDeliveries } from '#domain/deliveries/delivery-store.ts';
import { subjectsOf } from '#domain/deliveries/event-payload.ts';
import { integrationsWithKey } from '#domain/deliveries/integration-targets.ts';
import { whyNobodyIsTold } from '#domain/deliveries/notifications.ts';
import type { Endpoint } from '#domain/endpoints/endpoint.ts';
import { endpointsOf } from '#domain/endpoints/endpoint-store.ts';
import { pastEvents } from '#domain/orders/enclosed-events.ts';
import { viewOrder } from '#domain/orders/order-store.ts';
import type { StoredEvent } from '#domain/orders/outbox.ts';
import { pageActivity } from '#domain/pages/page-visits.ts';
import { loadSettings, type StoredSettings } from '#domain/settings/stored-settings.ts';
import { triggerRules } from '#domain/settings/trigger-settings.ts';
import { loadTexts } from '#domain/texts/texts.ts';
import { withdrawalOfOrder } from '#domain/withdrawals/withdrawal-store.ts';
import { isAllowed } from '#platform/access/caller.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { emailTarget } from '#schemas/catalogues/emails.ts';
import type { NotifiedIntegration } from '#schemas/catalogues/integrations.ts';
import { timelineLimits } from '#schemas/catalogues/limits.ts';
import type { orders } from '#schemas/families/orders.ts';
import type { TimelineEntry } from '#schemas/shapes/timeline-shapes.ts';
import {
  claimEntries,
  deliveryEntry,
  emailEntry,
  notSentEntry,
  orderEntries,
  pageEntries,
  runEntry,
  toTimeline,
  withdrawalEntries,
} from './timeline-entries.ts';

export const getOrderTimeline: Implementation<typeof orders.getOrderTimeline> = async ({
  shop,
  caller,
  params,
  now,
}) => {
  const { slug } = shop;
  const orderId = params.order_id.toLowerCase();
  const fullOrder = await viewOrder(slug, orderId);
  if (!fullOrder) throw new ServiceError('order_not_found');
  const { events } = await pastEvents(slug, fullOrder, { maxReads: timelineLimits.eventReads });
  const { page_token } = fullOrder.order;
  const [texts, claims, withdrawal, notifications, page] = await Promise.all([
    loadTexts('en'),
    entriesOfClaims(slug, orderId),
    withdrawalOfOrder(slug, orderId),
    notificationEntries(slug, events, isAllowed(caller, 'admin', slug), now),
    page_token === undefined ? [] : pageActivity(page_token).then(pageEntries),
  ]);
  const withdrawn = withdrawal ? withdrawalEntries(withdrawal) : [];
  return toTimeline([...orderEntries(fullOrder, texts), ...claims, ...withdrawn, ...notifications, ...page]);
};

const maxConcurrentReads = 10;

async function entriesOfClaims(slug: string, orderId: string): Promise<TimelineEntry[]> {
  const claims = await claimsOfOrder(slug, orderId);
  const read = async (claim: Claim) => ({ claim, history: await historyOf(slug, claim) });
  return (await mapConcurrently(claims, read, maxConcurrentReads)).flatMap(claimEntries);
}

/** Of a deleted claim only the first and the last entry: what was in it is no longer shown anywhere. */
async function historyOf(slug: string, claim: Claim): Promise<HistoryEntry[]> {
  if (!isDeleted(claim)) return newestHistory(slug, claim, timelineLimits.changesOfClaim);
  return (await Promise.all([newestHistory(slug, claim, 1), readHistory(slug, claim, 1, 1)])).flat();
}

/** What the events of the order caused: runs of automations, and deliveries for those who may see them. */
async function notificationEntries(
  slug: string,
  events: readonly StoredEvent[],
  showsDeliveries: boolean,
  now: Date,
): Promise<TimelineEntry[]> {
  if (events.length === 0) return [];
  const [settings, automations, endpoints, integrations] = await Promise.all([
    loadSettings(slug),
    allAutomations(slug),
    endpointsOf(slug),
    integrationsWithKey(slug),
  ]);
  const receivers = { endpoints, integrations };
  const runs = await runsOfEvents(events, automations, timelineLimits.deliveries);
  const names = new Map(automations.map(({ uuid, name }) => [uuid, name]));
  return [
    ...runs.map((run) => runEntry(run, names.get(run.automation_id) ?? '')),
    ...(showsDeliveries ? await deliveryEntries(slug, events, runs, receivers) : []),
    ...(await notSentEntries(slug, events, runs, receivers, settings, now)),
    ...(await emailEntries(slug, events, settings)),
  ];
}

interface Receivers {
  endpoints: readonly Endpoint[];
  integrations: readonly NotifiedIntegration[];
}

const targetsOf = ({ endpoints, integrations }: Receivers): Target[] => [
  ...endpoints.map(({ uuid }) => ({ id: uuid, kind: 'webhook' as const })),
  ...integrations.map((id) => ({ id, kind: 'integration' as const })),
];

/**
 * The events that nobody was told of. What was sent under other settings, or by an automation, was told. Of an event whose
 * deliveries are not kept any more, or not all looked for, nobody knows.
 */
async function notSentEntries(
  slug: string,
  events: readonly StoredEvent[],
  runs: readonly AutomationRun[],
  receivers: Receivers,
  settings: StoredSettings,
  now: Date,
) {
  const rules = triggerRules(settings);
  const audience = { ...receivers, endpoints: receivers.endpoints.filter(({ status }) => status === 'active'), rules };
  const untold = events.flatMap((event) =>
    subjectsOf(event).flatMap(({ occurrence }) => {
      const reason = whyNobodyIsTold(event, occurrence, audience);
      return reason ? [{ event, shipment: occurrence.shipment_id, reason }] : [];
    }),
  );
  if (untold.length === 0) return [];
  const keptSince = new Date(now.getTime() - ttlSeconds * 1000).toISOString();
  const doubtful = [...new Set(untold.map(({ event }) => event))].filter(
    ({ triggered_at }) => triggered_at > keptSince,
  );
  const targets = targetsOf(receivers);
  const known = whollyLookedFor(doubtful, targets, timelineLimits.deliveries);
  const sent = await deliveriesOfEvents(slug, known, targets, timelineLimits.deliveries);
  const byRuns = runs.filter(({ results }) => Object.values(results).some(({ delivery }) => delivery));
  const sentOf = new Set([...sent.map(({ event_id }) => event_id), ...byRuns.map(({ event }) => event.id)]);
  const isUntold = ({ event, reason }: (typeof untold)[number]) =>
    !sentOf.has(event.id) && (reason === 'no_group' || known.includes(event));
  return untold.filter(isUntold).map(({ event, shipment, reason }) => notSentEntry(event, shipment, reason));
}

/** What the customer was mailed, or why not. Most shops have never switched e-mails on, and of those nothing is read. */
async function emailEntries(slug: string, events: readonly StoredEvent[], settings: StoredSettings) {
  if (settings.emails === undefined && !('withdrawal_enabled' in (settings.tracking_page ?? {}))) return [];
  const mailed = events.filter(({ event_group }) => event_group !== null);
  const target: Target = { id: emailTarget, kind: 'email' };
  return (await deliveriesOfEvents(slug, mailed, [target], timelineLimits.deliveries)).map(emailEntry);
}

async function deliveryEntries(
  slug: string,
  events: readonly StoredEvent[],
  runs: readonly AutomationRun[],
  receivers: Receivers,
) {
  const ofRuns = runs.flatMap(({ results }) => Object.values(results).flatMap(({ delivery }) => delivery ?? []));
  const [ofEvents, ofAutomations] = await Promise.all([
    deliveriesOfEvents(slug, events, targetsOf(receivers), timelineLimits.deliveries),
    readDeliveries(slug, ofRuns.slice(0, timelineLimits.deliveries)),
  ]);
  const urls = new Map(receivers.endpoints.map(({ uuid, url }) => [uuid, url]));
  return [...ofEvents, ...ofAutomations].map((delivery) => deliveryEntry(delivery, urls.get(delivery.target)));
}
