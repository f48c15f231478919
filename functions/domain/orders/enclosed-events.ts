import { type Caused, cause, causeOf } from '#platform/correlation.ts';
import { shipmentPrefix, shopOfOrder } from '#platform/table/keys.ts';
import { ownRegion } from '#platform/table/stream-mark.ts';
import { enclosureLimits, outboxLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import type { Direction } from '#schemas/catalogues/shipment-events.ts';
import {
  type EnclosedEvent,
  type Order,
  type OrderWithShipments,
  orderIdOf,
  type Shipment,
  shipmentId,
  slotOf,
  withoutEnclosed,
} from './model.ts';
import { linesOf, packLines, type StoredItem } from './order-items.ts';
import { type OutboxEvent, type ShipmentOutboxEvent, type StoredEvent, shipmentEvent } from './outbox.ts';

/**
 * Events that travel in the item of the order or shipment that their write changes. An item of their own would cost two
 * write units, and make a transaction of the report of a carrier, which changes one item. The document of such an item
 * has several lines: the order or shipment, what the write tells, and the rest of the order as the write left it. The
 * next write drops all lines but the first.
 */

/** Of drafts, and of most parcels. */
const usualDirection: Direction = 'merchant_customer';

/** The second line. */
interface Telling extends Caused {
  /** How many of the enclosed events, the last ones, are of this write. */
  events: number;
  /** Streams of several regions show the write. Only the region that wrote it sends its events. */
  region: string;
  /** Set if the shipment is to be submitted for tracking. */
  submits?: true;
}

interface Write {
  /** The order and the shipments that are written. */
  order?: Order | undefined;
  shipments: readonly Shipment[];
  events: readonly OutboxEvent[];
  /** The shipments that are to be submitted for tracking. */
  parcels: readonly Shipment[];
  after: OrderWithShipments;
  now: string;
}

export interface Enclosing {
  /** The documents that have events in them, by the uuid of the order or shipment. */
  documents: ReadonlyMap<string, Buffer>;
  /** The events that need items of their own. */
  others: OutboxEvent[];
  /** The shipments that no enclosed event submits. */
  parcels: readonly Shipment[];
}

export function enclose(write: Write): Enclosing {
  const { order, shipments, events, parcels, after } = write;
  // Few, and their marks would have to travel too.
  if (after.order.simulation_id !== undefined) return { documents: new Map(), others: [...events], parcels };
  const documents = new Map<string, Buffer>();
  const byPlace = Map.groupBy(events, (event) => placeOf(event, write));
  const others = byPlace.get(undefined) ?? [];
  for (const place of order ? [order, ...shipments] : shipments) {
    const own = (byPlace.get(place.uuid) ?? []) as ShipmentOutboxEvent[];
    const document = own.length === 0 ? undefined : documentWith(place, own, write);
    if (document) documents.set(place.uuid, document);
    else others.push(...own);
  }
  return { documents, others, parcels: isSubmitted(parcels, documents) ? [] : parcels };
}

/** The uuid of what can enclose the event: its shipment, or the order that has its drafts. */
function placeOf(event: OutboxEvent, { order, shipments }: Write): string | undefined {
  if (event.source !== 'shipments' || event.only_for || event.internal_trigger) return undefined;
  const ids = event.shipments.map(({ shipment_id }) => shipment_id);
  const own = shipments.find(({ uuid }) => uuid === ids[0]);
  if (own) return ids.length === 1 ? own.uuid : undefined;
  const drafts = new Set(order?.drafts.map(({ slot }) => slot));
  const times = new Set(event.shipments.map(({ time }) => time));
  const isOfDrafts = ids.length <= enclosureLimits.events && ids.every((id) => drafts.has(slotOf(id)));
  return isOfDrafts && times.size === 1 ? order?.uuid : undefined;
}

const isSubmitted = (parcels: readonly Shipment[], documents: ReadonlyMap<string, Buffer>): boolean =>
  parcels.length === 1 && documents.has(parcels[0]!.uuid);

/** Undefined if it would be too large. */
function documentWith(
  place: Order | Shipment,
  events: readonly ShipmentOutboxEvent[],
  { after, parcels, now }: Write,
): Buffer | undefined {
  if (events.length > enclosureLimits.events) return undefined;
  const enclosed = [...recent(place.enclosed, now), ...events.map((event) => toEnclosed(event, place))];
  const telling: Telling = {
    events: events.length,
    region: ownRegion(),
    ...cause(),
    ...(parcels.length === 1 && parcels[0]!.uuid === place.uuid && { submits: true as const }),
  };
  const rest = [after.order, ...after.shipments].filter(({ uuid }) => uuid !== place.uuid).map(withoutEnclosed);
  return packLines([{ ...place, enclosed }, telling, ...rest], enclosureLimits.documentBytes);
}

function recent(events: readonly EnclosedEvent[] = [], now: string): readonly EnclosedEvent[] {
  const since = new Date(Date.parse(now) - secondsOfDays(outboxLimits.days) * 1000).toISOString();
  return events.filter(({ triggered_at }) => triggered_at > since);
}

const toEnclosed = (
  { event_name, triggered_at, shipments }: ShipmentOutboxEvent,
  place: Order | Shipment,
): EnclosedEvent => ({
  event_name,
  time: shipments[0]!.time,
  triggered_at,
  ...('direction' in place
    ? place.direction !== usualDirection && { direction: place.direction }
    : { slots: shipments.map(({ shipment_id }) => slotOf(shipment_id)) }),
});

/** The order with the events of shipments that are removed from it. */
export function keepingEvents(order: Order, removed: readonly Shipment[], now: string): Order {
  const kept = recent(
    removed.flatMap(({ uuid, enclosed = [] }) => enclosed.map((event) => ({ ...event, slots: [slotOf(uuid)] }))),
    now,
  );
  return kept.length === 0 ? order : { ...order, enclosed: [...recent(order.enclosed, now), ...kept] };
}

/** What the write of an item told. */
export interface Told {
  region: string;
  events: StoredEvent[];
  /** The order as the write left it. */
  fullOrder: OrderWithShipments;
  /** The shipment to submit for tracking. */
  submitted?: Shipment;
}

/** Undefined if the write told nothing. */
export function toldBy(item: StoredItem): Told | undefined {
  const lines = linesOf(item.document);
  if (lines.length === 1) return undefined;
  const [place, telling, ...rest] = lines as [Order | Shipment, Telling, ...(Order | Shipment)[]];
  const shop_slug = shopOfOrder(item.pk);
  const events = place.enclosed!.slice(-telling.events).map((event) => ({
    ...toEvent(event, place, shop_slug, versionOf(item)),
    ...causeOf(telling),
  }));
  const parts = [...rest, withoutEnclosed(place)];
  const shipments = parts.filter((part): part is Shipment => 'order_id' in part);
  const order = parts.find((part): part is Order => !('order_id' in part))!;
  return {
    region: telling.region,
    events,
    fullOrder: { order, shipments },
    ...(telling.submits && { submitted: place as Shipment }),
  };
}

/** Of the shipments of the item. Those of an order's item are draft lines. */
const versionOf = ({ sk, version }: StoredItem) => (sk.startsWith(shipmentPrefix) ? version : 0);

function toEvent(event: EnclosedEvent, place: Order | Shipment, shop_slug: string, version?: number): StoredEvent {
  const { event_name, time, triggered_at, direction = usualDirection, slots = [slotOf(place.uuid)] } = event;
  const orderId = orderIdOf(place.uuid);
  const shipments = slots.map((slot) => ({
    shipment_id: shipmentId(orderId, slot),
    time,
    ...(version !== undefined && { version }),
  }));
  return { ...shipmentEvent(event_name, direction, orderId, shipments, triggered_at), shop_slug };
}

/** All that the items of an order remember. */
export const enclosedEvents = (slug: string, { order, shipments }: OrderWithShipments): StoredEvent[] =>
  [order, ...shipments].flatMap((place) => (place.enclosed ?? []).map((event) => toEvent(event, place, slug)));
