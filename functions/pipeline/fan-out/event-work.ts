import { isTriggered, runStartOf } from '#domain/automations/decision.ts';
import type { AutomationRecord } from '#domain/automations/model.ts';
import { newRun } from '#domain/automations/run.ts';
import { createRun } from '#domain/automations/run-store.ts';
import { type Claim, claimAt } from '#domain/claims/claim-rules.ts';
import { claimsOfOrder, historyBackTo } from '#domain/claims/claim-store.ts';
import { newDelivery, type Target } from '#domain/deliveries/delivery-items.ts';
import {
  type EventPayloads,
  firstMessageOf,
  type QueuedDelivery,
  storeEventPayloads,
} from '#domain/deliveries/delivery-messages.ts';
import { type MailSource, ttlSeconds } from '#domain/deliveries/delivery-rules.ts';
import { isErasedPayload } from '#domain/deliveries/erased-payload.ts';
import {
  contextOf,
  type EventSubject,
  loadOrderContext,
  type OrderContext,
  ownPartOf,
  subjectsOf,
  subjectVersion,
} from '#domain/deliveries/event-payload.ts';
import { integrationTarget, reachableIntegrations } from '#domain/deliveries/integration-targets.ts';
import { type Audience, groupsOf, notificationsOf } from '#domain/deliveries/notifications.ts';
import { hasSender, toEmailSettings } from '#domain/emails/email-settings.ts';
import { activeEndpointsIn } from '#domain/endpoints/endpoint-store.ts';
import { startTakingPlaces, type TakenPlace } from '#domain/feed/blocks.ts';
import { feedIn } from '#domain/feed/feed-settings.ts';
import { type FeedMark, type FeedSubject, hourOf, markIn } from '#domain/feed/mark.ts';
import { type FeedContent, storeInFeed } from '#domain/feed/store-event.ts';
import type { OrderWithShipments } from '#domain/orders/model.ts';
import { allShipments, withNewerParcels } from '#domain/orders/order-rules.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import {
  type ClaimOutboxEvent,
  logTimeOf,
  type Snapshot,
  type StoredEvent,
  toOrderWithShipments,
} from '#domain/orders/outbox.ts';
import { type Viewer, viewerOf } from '#domain/orders/presentation.ts';
import { isSegmentSource } from '#domain/segments/segment-rules.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { triggerRules } from '#domain/settings/trigger-settings.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { loadOnce, mapConcurrently } from '#platform/batches.ts';
import { causeOf } from '#platform/correlation.ts';
import { serviceUrl } from '#platform/service-url.ts';
import { keyOf, shopPartition } from '#platform/table/keys.ts';
import { allItemsIn, batchGet, type Key } from '#platform/table/reads.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import { RecordFault } from '#platform/verdicts.ts';
import type { NotifiedIntegration } from '#schemas/catalogues/integrations.ts';

/** What an event causes for one of its subjects. */
export interface SubjectWork {
  subject: EventSubject;
  deliveries: PlannedDelivery[];
  /** The position in the event's payloads of the one that automations look at. */
  payloadPart: number;
  automations: AutomationRecord[];
}

interface PlannedDelivery {
  event_group: string;
  target: Target;
  payloadPart: number;
}

/**
 * Everything that an event causes: a delivery for each subject, each group that it fires and each target that wants it,
 * and a run for each subject and each automation that it triggers.
 */
export function workOf(
  event: StoredEvent,
  audience: Audience,
  automations: readonly AutomationRecord[],
): SubjectWork[] {
  const isOurs = !event.simulation?.on_clock;
  const triggered = automations.filter((automation) => isOurs && isTriggered(automation, event));
  const partsOfSubject = payloadGroupsOf(event).length;
  return subjectsOf(event).map((subject, i) => ({
    subject,
    deliveries: notificationsOf(event, subject.occurrence, audience).flatMap(({ event_group, targets }, group) =>
      targets.map((target) => ({ event_group, target, payloadPart: i * partsOfSubject + group })),
    ),
    payloadPart: i * partsOfSubject,
    automations: triggered,
  }));
}

/** The removal of a shop takes longer, and the clocks of two functions differ less. */
const marginMs = 60_000;

/**
 * Whether the event is of a shop that was removed, and whose slug another one has got since: a record that is replayed must
 * not tell that one of the customers of the first.
 */
export const isOfShopBefore = (event: StoredEvent, { since }: ShopAudience): boolean =>
  Date.parse(logTimeOf(event)) < Date.parse(since) - marginMs;

/** How many deliveries and runs the work makes. */
export const unitsOf = (work: readonly SubjectWork[]): number =>
  work.reduce((sum, { deliveries, automations }) => sum + deliveries.length + automations.length, 0);

/** Automations may look at an event that fires no group. */
const payloadGroupsOf = (event: StoredEvent): (string | null)[] => {
  const groups = groupsOf(event);
  return groups.length > 0 ? groups : [null];
};

/**
 * Makes the payloads of an event. Which part a delivery sends follows from the event alone, so a replay or a part of
 * the work finds it.
 */
export function payloadsOf(event: StoredEvent, context: OrderContext, viewer: Viewer): EventPayloads {
  const groups = payloadGroupsOf(event);
  const parts = subjectsOf(event).flatMap((subject) =>
    groups.map((event_group) => ownPartOf({ ...event, event_group }, subject, context, viewer.shop)),
  );
  return { context: contextOf(context, viewer), parts };
}

/** A record that fails may be tried again for hours, and then makes deliveries that live longer than the first ones. */
const marginSeconds = 24 * 3600;

/**
 * Stores what an event sends, in the feed if it belongs there. Whom the event is told, and in which hour, is decided once:
 * who comes later finds it in the mark.
 * @returns 'erased' if the order was erased: then nothing may be made of the event
 */
export async function storePayloads(
  event: StoredEvent,
  payloads: EventPayloads,
  work: readonly SubjectWork[],
  takePlace: TakePlace | undefined,
  now: Date,
): Promise<FeedMark | 'erased' | undefined> {
  const { id, shop_slug } = event;
  const expires_at = Math.floor(now.getTime() / 1000) + ttlSeconds + marginSeconds;
  const owner = { shop_slug, payload_id: id, expires_at, ...simulated(event) };
  if (takePlace && isInFeed(event)) return storeInFeed(owner, payloads, feedContentOf(event, work), takePlace);
  const earlier = await storeEventPayloads(owner, payloads);
  // The feed may have been switched off since an earlier try.
  return isErasedPayload(earlier) ? 'erased' : markIn(earlier);
}

export type TakePlace = (eventId: string) => Promise<TakenPlace>;

/** What only an integration or an e-mail is for is no news of the shop. */
export const isInFeed = ({ only_for }: StoredEvent): boolean => only_for === undefined || only_for === 'webhook';

function feedContentOf(event: StoredEvent, work: readonly SubjectWork[]): FeedContent {
  const webhooks = work.map(({ deliveries }) => deliveries.filter(({ target }) => target.kind === 'webhook'));
  return {
    occurred: Date.parse(logTimeOf(event)),
    groups: payloadGroupsOf(event).length,
    subjects: work.map(({ subject }, i) => ({
      id: subject.id,
      version: subjectVersion(event, subject),
      told: new Set(webhooks[i]!.map(({ event_group }) => event_group)).size as FeedSubject['told'],
    })),
    endpoints: [...new Set(webhooks.flat().map(({ target }) => target.id))],
  };
}

/**
 * The deliveries of a subject. Of an event in the feed, those to endpoints are what its mark says, whatever the shop has
 * changed since: the ledger counts them.
 */
function deliveriesOf(
  event: StoredEvent,
  { subject, deliveries, payloadPart }: SubjectWork,
  mark: FeedMark | undefined,
) {
  if (!mark) return deliveries;
  const { told = 0 } = mark.subjects.find(({ id }) => id === subject.id) ?? {};
  const toEndpoints = groupsOf(event)
    .slice(0, told)
    .flatMap((event_group, group) =>
      mark.endpoints.map((id): PlannedDelivery => {
        return { event_group, target: { id, kind: 'webhook' }, payloadPart: payloadPart + group };
      }),
    );
  return [...toEndpoints, ...deliveries.filter(({ target }) => target.kind !== 'webhook')];
}

const simulated = ({ simulation }: StoredEvent) => simulation && { simulation_id: simulation.id };

/** Few at a time: other shops use the same table. */
const maxConcurrentWrites = 3;

/**
 * Records the runs of the work, and returns the messages of its deliveries. The payloads must be stored. It queues
 * nothing: the caller queues the deliveries, and the stream shows the runs that act at once. When an event comes again, an
 * automation may no longer match, so a run that an earlier try recorded but did not queue would wait for ever.
 */
export async function perform(
  event: StoredEvent,
  work: readonly SubjectWork[],
  payloads: () => Promise<EventPayloads>,
  mark: FeedMark | undefined,
  now: Date,
): Promise<QueuedDelivery[]> {
  if (work.some(({ automations }) => automations.length > 0)) {
    await mapConcurrently(runsOf(event, work, await payloads()), createRun, maxConcurrentWrites);
  }
  return work.flatMap((one) =>
    deliveriesOf(event, one, mark).map((planned) => ({
      ...firstMessageOf(deliveryOf(event, one.subject, planned, mark, now)),
      ...causeOf(event),
    })),
  );
}

function deliveryOf(
  event: StoredEvent,
  subject: EventSubject,
  planned: PlannedDelivery,
  mark: FeedMark | undefined,
  now: Date,
) {
  const { id: event_id, ref, shop_slug } = event;
  const triggered_at = logTimeOf(event);
  const { event_group, target, payloadPart } = planned;
  const extra_group = event_group === event.event_group ? {} : { extra_group: event_group };
  const origin = { event_id, subject_id: subject.id, ref, event_group, ...extra_group, triggered_at, shop_slug };
  const mail = target.kind === 'email' ? { mail: mailSourceOf(event, subject) } : {};
  const feed =
    mark && target.kind === 'webhook' ? { feed: { generation: mark.generation, hour: hourOf(mark.at) } } : {};
  const source = { ...origin, ...simulated(event), ...mail, ...feed, subject_version: subjectVersion(event, subject) };
  return newDelivery(source, target, now, payloadPart);
}

function mailSourceOf(event: StoredEvent, { id: subject_id, occurrence }: EventSubject): MailSource {
  const message = event.source === 'claims' && event.message_id !== undefined ? { message_id: event.message_id } : {};
  return { order_id: event.order_id, subject_id, time: occurrence.time, ...message };
}

function runsOf(event: StoredEvent, work: readonly SubjectWork[], { context, parts }: EventPayloads) {
  return work.flatMap(({ subject, automations, payloadPart }) => {
    const payload = { ...parts[payloadPart], context };
    return automations.flatMap((automation) => {
      const start = runStartOf(automation, event, subject, payload);
      return start ? [newRun(automation, event, subject, start)] : [];
    });
  });
}

export interface ShopAudience extends Audience {
  /** The shop with the texts of its own language: no caller asks for another language here. */
  viewer: Viewer;
  /** The integrations that know the segments of the shop's customers. */
  segmentSources: readonly NotifiedIntegration[];
  /** When the shop was created. */
  since: string;
  /** Absent if the shop has no feed. */
  takePlace?: TakePlace;
}

/** Everything that lies at a shop: itself, its settings and triggers, its endpoints and keys. */
export type ShopItems = readonly ({ sk: string } & StoredSettings & { origin?: string | null })[];

/** All of it in one read, because DynamoDB counts every four kilobytes once, but each item that is asked for alone. */
export const readShop = (slug: string): Promise<ShopItems> => allItemsIn(shopPartition(slug));

/** Loads the shop and the possible receivers of its events; undefined if the shop does not exist. */
export const loadAudience = async (slug: string, now: Date): Promise<ShopAudience | undefined> =>
  audienceIn(slug, await readShop(slug), now);

export async function audienceIn(slug: string, items: ShopItems, now: Date): Promise<ShopAudience | undefined> {
  const reachable = reachableIntegrations();
  const itemAt = ({ sk }: Key) => items.find((item) => item.sk === sk);
  const shop = itemAt(keyOf.shop(slug));
  if (!shop) return undefined;
  const shopItem = shop as unknown as ShopItem;
  const stored: StoredSettings = itemAt(keyOf.settings(slug)) ?? {};
  const feed = feedIn(slug, stored);
  const credentials = reachable.map((id) => itemAt(keyOf.integrationKey(slug, id)));
  const connectionOf = (i: number) => ({ shop: shopItem, settings: stored, key: credentials[i] });
  return {
    viewer: await viewerOf({ shop: shopItem, language: shopItem.language ?? 'en', serviceUrl: serviceUrl(), now }),
    endpoints: activeEndpointsIn(items),
    integrations: reachable.filter((id, i) => integrationTarget(id, connectionOf(i)) !== undefined),
    rules: triggerRules(stored),
    emails: hasSender() && toEmailSettings(stored).enabled,
    hasSender: hasSender(),
    since: shopItem.created_at,
    ...(feed && { takePlace: startTakingPlaces(feed) }),
    segmentSources: reachable.filter((id, i) => isSegmentSource(id, connectionOf(i))),
  };
}

/** An event that has an item of its own, with its order. */
export type OutboxItem = StoredEvent & Snapshot;

/**
 * The order as it was after the event, with its claims at that time. If the event has no snapshot of the order, the
 * order is read as it is now. Throws if it is gone.
 */
export async function requireOrderContext(event: OutboxItem, readOrder = readOrderNow): Promise<OrderContext> {
  const { shop_slug, order_id, snapshot, snapshot_in } = event;
  const packed = snapshot ?? (snapshot_in && (await snapshotIn(shop_slug, order_id, snapshot_in)));
  if (packed) return contextAtEvent(event, toOrderWithShipments(packed), readOrder);
  const found = await loadOrderContext(shop_slug, order_id);
  if (!found) throw new RecordFault('OrderGone', 'The order of an event is gone.');
  return { ...found, claims: await claimsAtEvent(event, found.claims) };
}

/** Undefined if the order is gone. */
export type ReadOrder = (slug: string, orderId: string) => Promise<OrderWithShipments | undefined>;

const readOrderNow: ReadOrder = (slug, orderId) => retryOnConflict(() => loadOrder(slug, orderId));

/** Reads an order only once for a batch: all records of the batch were written before. */
export function startReadingOrders(): ReadOrder {
  const read = loadOnce((name) => readOrderNow(...(name.split('#') as [string, string])));
  return (slug, orderId) => read(`${slug}#${orderId}`);
}

/**
 * @param fullOrder as the write of the event left it. Parcels that the event is not about may have changed at the same
 * time, and then neither write knows of the other. So they are read again, and of two such events the later shows both.
 */
export async function contextAtEvent(
  event: StoredEvent,
  fullOrder: OrderWithShipments,
  readOrder: ReadOrder,
): Promise<OrderContext> {
  const own = new Set(event.source === 'shipments' ? event.shipments.map(({ shipment_id }) => shipment_id) : []);
  const hasOthers = allShipments(fullOrder).some(({ uuid }) => !own.has(uuid));
  const [claims, current] = await Promise.all([
    claimsOfOrder(event.shop_slug, event.order_id),
    hasOthers ? readOrder(event.shop_slug, event.order_id) : undefined,
  ]);
  return {
    fullOrder: current ? withNewerParcels(fullOrder, current, own) : fullOrder,
    claims: await claimsAtEvent(event, claims),
  };
}

async function claimsAtEvent(event: StoredEvent, claims: readonly Claim[]): Promise<Claim[]> {
  const { shop_slug, triggered_at: eventTime } = event;
  const existing = claims.filter((claim) => claim.created_at <= eventTime || isAbout(event, claim));
  return mapConcurrently(existing, async (claim) => {
    if (isAbout(event, claim)) return { ...claim, ...event.claim, deleted_at: null };
    if (claim.updated_at <= eventTime) return claim;
    return claimAt(claim, await historyBackTo(shop_slug, claim, eventTime), eventTime);
  });
}

/**
 * An event about a claim carries the new state of the claim. Times cannot tell it reliably: clocks differ, and two
 * steps may have the same time.
 */
const isAbout = (event: StoredEvent, { uuid }: Claim): event is StoredEvent & ClaimOutboxEvent =>
  event.source === 'claims' && event.claim_id === uuid;

async function snapshotIn(slug: string, orderId: string, eventId: string): Promise<Uint8Array | undefined> {
  const [item] = await batchGet([keyOf.outbox(slug, orderId, eventId)]);
  return (item as Snapshot | undefined)?.snapshot;
}
