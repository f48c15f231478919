import { v5 as uuidv5 } from 'uuid';
import { type Caused, cause } from '#platform/correlation.ts';
import { keyOf } from '#platform/table/keys.ts';
import { linesOf, packLines } from '#platform/table/packed-text.ts';
import { streamMark } from '#platform/table/stream-mark.ts';
import { type Action, put } from '#platform/table/writes.ts';
import { emailTarget } from '#schemas/catalogues/emails.ts';
import type { ThirdParty } from '#schemas/catalogues/integrations.ts';
import { outboxLimits, secondsOfDays, trackingProviderLimits } from '#schemas/catalogues/limits.ts';
import { type Direction, groupOf, refOf, type ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import type { Claim } from '#schemas/families/claims.ts';
import type { EventWithdrawal } from '#schemas/shapes/withdrawal-shapes.ts';
import { type Order, type OrderWithShipments, type Shipment, type ShopIdentity, withoutEnclosed } from './model.ts';

/** An outgoing event. It is written in the transaction of its change, and fan-out reads it from the table's stream. */
export type OutboxEvent = ShipmentOutboxEvent | ClaimOutboxEvent | WithdrawalOutboxEvent;

/** An outgoing event as it is stored. */
export type StoredEvent = OutboxEvent & { shop_slug: string };

/** The fields that events of all sources have. */
interface OutboxFields extends Caused {
  id: string;
  ref: string;
  event_group: string | null;
  triggered_at: string;
  order_id: string;
  /** Absent if the event goes to every subscriber. */
  only_for?: OnlyFor;
  /** Absent if the order is real. */
  simulation?: SimulationMark;
}

/** Whom alone an event is told. */
export type OnlyFor = ThirdParty | typeof emailTarget;

/** What the pipeline has to know of a simulated order. */
export interface SimulationMark {
  id: string;
  /** Whether integrations get the event. */
  integrations?: true;
  /** The simulation itself starts the automations of the event, by its own clock. */
  on_clock?: true;
  /** When the event was really made. */
  made_at: string;
}

/**
 * The place of an event in the logs of deliveries and runs: its time, and for a simulated event the time at which it was
 * really made. By its own time, a clock that is ahead would stand above all that follows, and one in the past below.
 */
export const logTimeOf = ({ triggered_at, simulation }: Pick<OutboxFields, 'triggered_at' | 'simulation'>): string =>
  simulation?.made_at ?? triggered_at;

interface ShipmentOccurrence {
  shipment_id: string;
  time: string;
  /** Of the shipment after the write, 0 if it is a draft line of its order. Absent in events of before there was one. */
  version?: number;
}

/** One item for the same event of several shipments, for example fifty parcels that one request fulfils. */
export interface ShipmentOutboxEvent extends OutboxFields {
  source: 'shipments';
  event_name: ShipmentEventName;
  shipments: ShipmentOccurrence[];
  /** The internal trigger that fired the event, if one did. */
  internal_trigger?: { id: string; name: string };
}

/** The namespace of event ids, an arbitrary constant. */
const namespace = '6f1c1d0e-5d5b-4b43-9a6c-0f1f4a9e7c11';

/** The same event always has the same id. */
export const eventId = (...identity: readonly (string | number)[]): string => uuidv5(identity.join('|'), namespace);

/** One outgoing event for each direction among the shipments. */
export function outboxEvents(
  name: ShipmentEventName,
  shipments: readonly Shipment[],
  now: string,
): ShipmentOutboxEvent[] {
  const byDirection = Map.groupBy(shipments, ({ direction }) => direction);
  return [...byDirection].map(([direction, group]) => {
    const occurrences = group.map(({ uuid, events }) => ({
      shipment_id: uuid,
      time: events.findLast(({ event_name }) => event_name === name)!.time,
    }));
    return shipmentEvent(name, direction, group[0]!.order_id, occurrences, now);
  });
}

export function shipmentEvent(
  event_name: ShipmentEventName,
  direction: Direction,
  order_id: string,
  shipments: ShipmentOutboxEvent['shipments'],
  triggered_at: string,
): ShipmentOutboxEvent {
  const identity = shipments.flatMap(({ shipment_id, time }) => [shipment_id, time]);
  return {
    id: eventId(event_name, ...identity),
    source: 'shipments',
    ref: refOf(event_name, direction),
    event_name,
    event_group: groupOf(event_name, direction),
    triggered_at,
    order_id,
    shipments,
  };
}

/** The event with the versions that its shipments have after its write. */
export const withVersions = (event: OutboxEvent, versionOf: (shipmentId: string) => number): OutboxEvent =>
  event.source === 'shipments'
    ? { ...event, shipments: event.shipments.map((one) => ({ ...one, version: versionOf(one.shipment_id) })) }
    : event;

export function outboxEvent(shipment: Shipment, event: { event_name: ShipmentEventName; time: string }, now: string) {
  return outboxEvents(event.event_name, [{ ...shipment, events: [event] }], now)[0]!;
}

type ChangingFields = Pick<Claim, 'status' | 'resolution_preference' | 'description' | 'updated_at'>;
type ClaimOfEvent = Pick<Claim, 'uuid' | 'order_id' | 'shipment_id'> & ChangingFields;

export interface ClaimOutboxEvent extends OutboxFields {
  source: 'claims';
  event_name: 'CLAIM_CREATED' | 'CLAIM_UPDATED';
  claim_id: string;
  shipment_id: string;
  /** Of the claim. Absent in events of before there was one. */
  version?: number;
  /**
   * The fields of a claim that can change, with their values at the time of this event: the claim may change again
   * before the event is sent.
   */
  claim: ChangingFields;
  /** Who caused it: the id of an API key, or the name of what else made the change. */
  by: string;
  /** What was written in the claim, if that is the change. A message of the shop has the event only for its e-mail. */
  message_id?: string;
}

/** @param version of the claim; each version has at most one event */
export function claimEvent(
  action: 'created' | 'updated',
  claim: ClaimOfEvent,
  version: number,
  by: string,
): ClaimOutboxEvent {
  const { uuid, order_id, shipment_id, status, resolution_preference, description, updated_at } = claim;
  const ref = `claims/${action}`;
  return {
    id: eventId(ref, uuid, version),
    source: 'claims',
    ref,
    event_name: action === 'created' ? 'CLAIM_CREATED' : 'CLAIM_UPDATED',
    event_group: `claim_${action}`,
    triggered_at: updated_at,
    order_id,
    claim_id: uuid,
    shipment_id,
    version,
    claim: { status, resolution_preference, description, updated_at },
    by,
  };
}

export interface WithdrawalOutboxEvent extends OutboxFields {
  source: 'withdrawals';
  event_name: 'WITHDRAWAL_DECLARED' | 'WITHDRAWAL_SETTLED';
  withdrawal_id: string;
  version: number;
  /** As it was after the event: it may be settled before the event is sent. */
  withdrawal: EventWithdrawal;
  /** Who caused it: the customer, or the id of an API key. */
  by: string;
}

/** @param version of the withdrawal; each version has one event */
export function withdrawalEvent(
  action: 'declared' | 'settled',
  withdrawal: EventWithdrawal,
  { version, at, by }: { version: number; at: string; by: string },
): WithdrawalOutboxEvent {
  const { uuid, order_id } = withdrawal;
  const ref = `withdrawals/${action}`;
  return {
    id: eventId(ref, uuid, version),
    source: 'withdrawals',
    ref,
    event_name: action === 'declared' ? 'WITHDRAWAL_DECLARED' : 'WITHDRAWAL_SETTLED',
    event_group: `withdrawal_${action}`,
    triggered_at: at,
    order_id,
    withdrawal_id: uuid,
    version,
    withdrawal,
    by,
  };
}

interface WrittenMessage {
  uuid: string;
  from: 'shop' | 'customer';
}

/**
 * Of a message in a claim. What the customer wrote is an update of the claim for everybody who listens; what the shop wrote is
 * for the customer alone, by e-mail.
 */
export const messageEvent = (
  claim: ClaimOfEvent,
  { uuid, from }: WrittenMessage,
  version: number,
  by: string,
): ClaimOutboxEvent => ({
  ...claimEvent('updated', claim, version, by),
  message_id: uuid,
  ...(from === 'shop' && { only_for: emailTarget }),
});

/** How outbox events look in the table. */

export function outboxItem<E extends OutboxEvent>(shop: ShopIdentity, event: E) {
  return {
    ...keyOf.outbox(shop.slug, event.order_id, event.id),
    ...streamMark('event'),
    ...cause(),
    ...event,
    shop_slug: shop.slug,
    expires_at: expiryAfter(event.simulation ? laterOf(event.triggered_at, new Date()) : event.triggered_at),
  };
}

/** The clock of a simulation may be in the past, but the event is sent now. */
const laterOf = (time: string, now: Date): string => (time > now.toISOString() ? time : now.toISOString());

/** Parcels of one order that got their tracking numbers. */
export function trackingRequestItem(shop: ShopIdentity, shipments: readonly Shipment[], now: string) {
  const [{ order_id, uuid }] = shipments as [Shipment];
  return {
    ...keyOf.trackingRequest(shop.slug, order_id, uuid),
    ...streamMark('tracking_request'),
    ...cause(),
    ...requestFor(shop.slug, shipments),
    expires_at: expiryAfter(now),
  };
}

export type TrackingRequestItem = ReturnType<typeof trackingRequestItem>;

/** A shop switched updates on. @param generation the version of its settings with which it did */
export function trackingBacklogItem(slug: string, generation: number, now: Date) {
  const at = now.toISOString();
  const since = new Date(now.getTime() - secondsOfDays(trackingProviderLimits.backlogDays) * 1000).toISOString();
  return {
    ...keyOf.trackingBacklog(slug, generation),
    ...streamMark('tracking_backlog'),
    ...cause(),
    shop_slug: slug,
    generation,
    /** Parcels that got their number earlier are left out. */
    since,
    expires_at: expiryAfter(at),
  };
}

export type TrackingBacklogItem = ReturnType<typeof trackingBacklogItem>;

const expiryAfter = (time: string) => Math.floor(Date.parse(time) / 1000) + secondsOfDays(outboxLimits.days);

/**
 * The part of a transaction that emits its events. Every writer of events uses it. `after` is the order after the
 * transaction. It is undefined if the order is gone, and then fan-out finds that out. New parcels are submitted by the event
 * that announces them, if there is one: an item of their own would cost as much again.
 */
export function outboxWrites(
  shop: ShopIdentity,
  events: readonly OutboxEvent[],
  after: OrderWithShipments | undefined,
  { parcels, now }: { parcels: readonly Shipment[]; now: string } = { parcels: [], now: '' },
): Action[] {
  const stored: readonly (OutboxEvent & Snapshot)[] = after ? withSnapshot(marked(events, after), after) : events;
  const announcement = stored.find((event) => announces(event, parcels));
  return [
    ...stored.map((event) => put(outboxItem(shop, event === announcement ? { ...event, submits: true } : event))),
    ...(parcels.length > 0 && !announcement ? [put(trackingRequestItem(shop, parcels, now))] : []),
  ];
}

/** Whether the event is about all these parcels and no others, and contains what a tracking provider is to know. */
function announces(event: OutboxEvent & Snapshot, parcels: readonly Shipment[]): boolean {
  if (event.source !== 'shipments' || !event.snapshot || parcels.length === 0) return false;
  const announced = new Set(event.shipments.map(({ shipment_id }) => shipment_id));
  return announced.size === parcels.length && parcels.every(({ uuid }) => announced.has(uuid));
}

/** The parcels that an event submits for tracking, as the request that a write without an event stores. */
export function submittedBy(event: ShipmentOutboxEvent & { shop_slug: string; snapshot: Uint8Array }) {
  const announced = new Set(event.shipments.map(({ shipment_id }) => shipment_id));
  const { shipments } = toOrderWithShipments(event.snapshot);
  const parcels = shipments.filter(({ uuid }) => announced.has(uuid));
  return requestFor(event.shop_slug, parcels);
}

export const requestFor = (shop_slug: string, shipments: readonly Shipment[]) => ({
  kind: 'tracking_request' as const,
  shop_slug,
  parcels: shipments.map(({ uuid: shipment_id, tracking_number, carrier_reference }) => ({
    shipment_id,
    tracking_number: tracking_number!,
    carrier_reference,
  })),
});

export const markOf = (id: string, integrations: boolean): SimulationMark => ({
  id,
  ...(integrations && { integrations }),
  made_at: new Date().toISOString(),
});

/** Every event of a simulated order says so, whoever writes it. */
function marked(events: readonly OutboxEvent[], { order }: OrderWithShipments): readonly OutboxEvent[] {
  const { simulation_id: id, simulation_integrations: integrations } = order;
  if (id === undefined) return events;
  return events.map((event) => ({ ...event, simulation: event.simulation ?? markOf(id, integrations === true) }));
}

/**
 * Where the order of an event is stored as it was after the event. If both fields are absent, the order was too large,
 * and fan-out reads its current state.
 */
export interface Snapshot {
  snapshot?: Uint8Array;
  /** The id of another event of the same write that contains the snapshot for both. */
  snapshot_in?: string;
  /** Set if the parcels of the event, which are in its snapshot, are to be submitted for tracking. */
  submits?: boolean;
}

/**
 * Adds the order after the write to its events: events may be sent hours later, and then the order may have changed.
 * Several events of one write share one copy.
 */
export function withSnapshot<E extends OutboxEvent>(
  events: readonly E[],
  fullOrder: OrderWithShipments,
): (E & Snapshot)[] {
  const [first, ...others] = events;
  const snapshot = first && snapshotOf(fullOrder);
  if (!snapshot) return [...events];
  return [{ ...first, snapshot }, ...others.map((event) => ({ ...event, snapshot_in: first.id }))];
}

/** The event without the copy of its order, and without what fan-out is to do besides. */
export function withoutSnapshot<E extends OutboxEvent>(event: E & Snapshot): E {
  const { snapshot: _, snapshot_in: _elsewhere, submits: _submits, ...rest } = event;
  return rest as unknown as E;
}

/** The order first, and then its shipments. Events of several writes about the same order share the work. */
function snapshotOf(after: OrderWithShipments): Buffer | undefined {
  if (!snapshots.has(after)) {
    snapshots.set(after, packLines([after.order, ...after.shipments].map(withoutEnclosed), outboxLimits.snapshotBytes));
  }
  return snapshots.get(after);
}

const snapshots = new WeakMap<OrderWithShipments, Buffer | undefined>();

export function toOrderWithShipments(snapshot: Uint8Array): OrderWithShipments {
  const [order, ...shipments] = linesOf(snapshot) as [Order, ...Shipment[]];
  return { order, shipments };
}
