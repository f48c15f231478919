import { messageOf, newDelivery, type Target } from '#domain/deliveries/delivery-items.ts';
import { createDelivery, type QueuedDelivery, storeBody } from '#domain/deliveries/delivery-store.ts';
import { integrationTarget, reachableIntegrations } from '#domain/deliveries/integration-targets.ts';
import { matchesEvent } from '#domain/endpoints/endpoint.ts';
import { activeEndpoints } from '#domain/endpoints/endpoint-store.ts';
import { type Viewer, viewerOf } from '#domain/orders/presentation.ts';
import type { OutboxEvent } from '#domain/outbox/outbox.ts';
import {
  type EventSubject,
  type Occurrence,
  type OrderContext,
  payloadOf,
  type StoredEvent,
  subjectsOf,
} from '#domain/payload/event-payload.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { type AllTriggerRules, type TriggerRules, triggerRules } from '#domain/settings/trigger-settings.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { NotifiedIntegration, ThirdParty } from '#schemas/catalogues/integrations.ts';
import { customerGroups, type EventGroup, shipmentEvents } from '#schemas/catalogues/shipment-events.ts';

export interface Made {
  message: QueuedDelivery;
  /** False where an earlier run made it. */
  isNew: boolean;
}

/** Reads the order of the event, once for all who ask. */
export type ReadOrderContext = () => Promise<OrderContext>;

/** Bodies that are held in memory at the same time. */
const maxBodies = 5;

/**
 * A delivery for each subject of the event, each group it fires and each target that wants it. Nobody wants it: the order
 * is not read.
 */
export async function makeDeliveries(
  event: StoredEvent,
  audience: ShopAudience,
  read: ReadOrderContext,
  now: Date,
): Promise<Made[]> {
  const wanted = subjectsOf(event).flatMap((subject) =>
    notificationsOf(event, subject.occurrence, audience).map((notification) => ({ subject, notification })),
  );
  if (wanted.length === 0) return [];
  const context = await read();
  const made = await mapConcurrently(wanted, (one) => send({ event, context, audience, ...one }, now), maxBodies);
  return made.flat();
}

interface Sending {
  event: StoredEvent;
  subject: EventSubject;
  notification: Notification;
  context: OrderContext;
  audience: ShopAudience;
}

async function send({ event, subject, notification, context, audience }: Sending, now: Date): Promise<Made[]> {
  const { event_group, targets } = notification;
  const told = { ...event, event_group };
  const body = await storeBody(JSON.stringify(payloadOf(told, subject, context, audience.viewer)));
  const { id: event_id, ref, triggered_at, shop_slug } = event;
  const occasion = { event_id, subject_id: subject.id, ref, event_group, triggered_at, shop_slug };
  const beside = event_group === event.event_group ? {} : { beside: event_group };
  return mapConcurrently(targets, async (target) => {
    const delivery = newDelivery({ ...occasion, ...beside }, target, now);
    return { message: messageOf(delivery), isNew: await createDelivery(delivery, body) };
  });
}

export interface ShopAudience extends Audience {
  /** The shop, with the texts of its language: nobody asks for another one here. */
  viewer: Viewer;
}

/** The shop and who may want its events; undefined where there is no such shop. */
export async function loadAudience(slug: string): Promise<ShopAudience | undefined> {
  const reachable = reachableIntegrations();
  const keys = reachable.map((id) => keyOf.integrationKey(slug, id));
  const [endpoints, [shop, settings = {}, ...credentials]] = await Promise.all([
    activeEndpoints(slug),
    batchGet([keyOf.shop(slug), keyOf.settings(slug), ...keys]),
  ]);
  if (!shop) return undefined;
  const found = shop as unknown as ShopItem;
  const stored: StoredSettings = settings;
  return {
    viewer: await viewerOf({ shop: found, language: found.language ?? 'en' }),
    endpoints,
    integrations: reachable.filter((id, i) => integrationTarget(id, stored) && credentials[i] !== undefined),
    rules: triggerRules(stored),
  };
}

/** Who may want the events of a shop, and what it set for them. */
export interface Audience {
  endpoints: readonly { uuid: string; enabled_events: readonly string[] }[];
  /** Those with an address and a key. */
  integrations: readonly NotifiedIntegration[];
  rules: AllTriggerRules;
}

/** What is told, and to whom. */
export interface Notification {
  event_group: string;
  targets: Target[];
}

/** The group that an event of phase `delivered` fires beside its own, for those who asked for it. */
const catchAll = 'shipment_delivered_all_events' satisfies EventGroup;

/** Only what has a group notifies: for webhooks too, whose payload has a group in every case. */
export function notificationsOf(event: OutboxEvent, occurrence: Occurrence, audience: Audience): Notification[] {
  const { event_group } = event;
  if (event_group === null) return [];
  const isNews = (rules: TriggerRules) =>
    rules.enabled && (isNewsAtAnyAge(event) || ageOf(event, occurrence) < hours(rules.stale_event_threshold));
  const own = { event_group, targets: targetsOf(event, audience, isNews) };
  if (!firesCatchAll(event)) return told([own]);
  const asked = (rules: TriggerRules) => isNews(rules) && rules.trigger_delivered_all_events;
  return told([own, { event_group: catchAll, targets: targetsOf(event, audience, asked) }]);
}

const told = (notifications: Notification[]) => notifications.filter(({ targets }) => targets.length > 0);

function targetsOf(event: OutboxEvent, audience: Audience, wants: (rules: TriggerRules) => boolean): Target[] {
  const { endpoints, integrations, rules } = audience;
  const isTold = (thirdParty: ThirdParty) => isFor(event, thirdParty) && wants(rules[thirdParty]);
  const webhooks = endpoints.filter(
    ({ enabled_events }) => isTold('webhook') && matchesEvent(enabled_events, event.ref),
  );
  return [
    ...webhooks.map(({ uuid }): Target => ({ id: uuid, kind: 'webhook' })),
    ...integrations.filter(isTold).map((id): Target => ({ id, kind: 'integration' })),
  ];
}

/** A group of shipments towards the customer: a return that arrives is no delivery to anybody's door. */
function firesCatchAll(event: OutboxEvent): boolean {
  if (event.source !== 'shipments') return false;
  const isTowardsCustomer = (customerGroups as readonly (string | null)[]).includes(event.event_group);
  return isTowardsCustomer && shipmentEvents[event.event_name].phase === 'delivered';
}

const hours = (count: number) => count * 3_600_000;

/** When it was triggered, not now: a replay decides as the first run did. */
const ageOf = ({ triggered_at }: OutboxEvent, { time }: Occurrence) => Date.parse(triggered_at) - Date.parse(time);

/** What an internal trigger fires is only for whom the trigger belongs to. */
const isFor = ({ only_for }: OutboxEvent, thirdParty: ThirdParty): boolean =>
  only_for === undefined || only_for === thirdParty;

/** An internal trigger fires because time has passed: that is news, however old the event is. */
const isNewsAtAnyAge = (event: OutboxEvent): boolean =>
  event.source === 'shipments' && event.internal_trigger !== undefined;
