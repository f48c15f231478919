import { gunzipSync, gzipSync } from 'node:zlib';
import { v5 as uuidv5 } from 'uuid';
import type { Claim } from '#domain/claims/claim-rules.ts';
import type { OrderWithShipments, Shipment, ShopIdentity } from '#domain/orders/model.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type Action, put } from '#platform/table/writes.ts';
import type { ThirdParty } from '#schemas/catalogues/integrations.ts';
import { orderLimits, outboxLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import { groupOf, refOf, type ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import type { ItemKind } from '#schemas/catalogues/stream-kinds.ts';

/** An event on its way out, written in the transaction of its change. Fan-out reads it from the table's stream. */
export type OutboxEvent = ShipmentOutboxEvent | ClaimOutboxEvent;

/** What events of every source have. */
export interface OutboxFields {
  id: string;
  ref: string;
  event_group: string | null;
  triggered_at: string;
  order_id: string;
  /** Absent: everybody who wants it. */
  only_for?: ThirdParty;
}

/** One item stands for the same event of several shipments, such as fifty parcels that one request fulfils. */
export interface ShipmentOutboxEvent extends OutboxFields {
  source: 'shipments';
  event_name: ShipmentEventName;
  shipments: { shipment_id: string; time: string }[];
  /** What fired, where it was an internal trigger. */
  internal_trigger?: { id: string; name: string };
}

/** Namespace of the ids of events: an arbitrary constant. */
const namespace = '6f1c1d0e-5d5b-4b43-9a6c-0f1f4a9e7c11';

/** The same event always has the same id. */
export const eventId = (...identity: readonly (string | number)[]): string => uuidv5(identity.join('|'), namespace);

/** Outgoing events: one for each direction among the shipments. */
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
    const identity = occurrences.flatMap(({ shipment_id, time }) => [shipment_id, time]);
    return {
      id: eventId(name, ...identity),
      source: 'shipments',
      ref: refOf(name),
      event_name: name,
      event_group: groupOf(name, direction),
      triggered_at: now,
      order_id: group[0]!.order_id,
      shipments: occurrences,
    };
  });
}

/** The outgoing event of one report. */
export function outboxEvent(shipment: Shipment, event: { event_name: ShipmentEventName; time: string }, now: string) {
  return outboxEvents(event.event_name, [{ ...shipment, events: [event] }], now)[0]!;
}

export interface ClaimOutboxEvent extends OutboxFields {
  source: 'claims';
  event_name: 'CLAIM_CREATED' | 'CLAIM_UPDATED';
  claim_id: string;
  shipment_id: string;
  /** What can change of a claim, as this event left it: by the time it is sent there may have been another. */
  claim: Pick<Claim, 'status' | 'resolution_preference' | 'description' | 'updated_at'>;
  /** Who caused it: the id of an API key, or what else made the change. */
  by: string;
}

/** @param version of the claim: each has one event at most */
export function claimEvent(action: 'created' | 'updated', claim: Claim, version: number, by: string): ClaimOutboxEvent {
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
    claim: { status, resolution_preference, description, updated_at },
    by,
  };
}

/** How what waits in the outbox looks in the table. */

export function outboxItem<E extends OutboxEvent>(shop: ShopIdentity, event: E) {
  return {
    ...keyOf.outbox(shop.slug, event.order_id, event.id),
    kind: 'event' satisfies ItemKind,
    ...event,
    shop_slug: shop.slug,
    shop_id: shop.uuid,
    expires_at: expiryAfter(event.triggered_at),
  };
}

/** Parcels that got their numbers, all of one order. */
export function trackingRequestItem(shop: ShopIdentity, shipments: readonly Shipment[], now: string) {
  const [{ order_id, uuid }] = shipments as [Shipment];
  return {
    ...keyOf.trackingRequest(shop.slug, order_id, uuid),
    kind: 'tracking_request' satisfies ItemKind,
    shop_slug: shop.slug,
    parcels: shipments.map(({ uuid: shipment_id, tracking_number, carrier_reference }) => ({
      shipment_id,
      tracking_number: tracking_number!,
      carrier_reference,
    })),
    expires_at: expiryAfter(now),
  };
}

export type TrackingRequestItem = ReturnType<typeof trackingRequestItem>;

const expiryAfter = (time: string) => Math.floor(Date.parse(time) / 1000) + secondsOfDays(outboxLimits.days);

/**
 * The part of a transaction that tells its events: every writer of events uses it. `after` is the order as the
 * transaction leaves it; undefined where the order is gone, and then who tells the event finds that out.
 */
export const outboxWrites = (
  shop: ShopIdentity,
  events: readonly OutboxEvent[],
  after: OrderWithShipments | undefined,
): Action[] => (after ? withSnapshot(events, after) : events).map((event) => put(outboxItem(shop, event)));

/** Where the order of an event stands as the event left it. Neither: it is too large, and is read when it is told. */
export interface Snapshot {
  snapshot?: Uint8Array;
  /** The id of an event of the same write, which carries it for both. */
  snapshot_in?: string;
}

/**
 * Gives events the order as their write leaves it: by the time they are told, which may be after a trouble of hours,
 * others will have written. Several events of one write share one copy.
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

/** The event alone: who keeps it does not want the order too. */
export function withoutSnapshot<E extends OutboxEvent>(event: E & Snapshot): E {
  const { snapshot: _, snapshot_in: _elsewhere, ...rest } = event;
  return rest as unknown as E;
}

/** The texts of the order and of its shipments, one in each line. */
function snapshotOf({ order, shipments }: OrderWithShipments): Buffer | undefined {
  const lines: string[] = [];
  let length = 0;
  for (const part of [order, ...shipments]) {
    const line = JSON.stringify(part);
    length += line.length;
    if (length > orderLimits.textBytes) return undefined;
    lines.push(line);
  }
  const packed = gzipSync(lines.join('\n'));
  return packed.length > outboxLimits.snapshotBytes ? undefined : packed;
}

export function toOrderWithShipments(snapshot: Uint8Array): OrderWithShipments {
  const [order, ...shipments] = gunzipSync(snapshot)
    .toString('utf8')
    .split('\n')
    .map((line) => JSON.parse(line));
  return { order, shipments };
}
