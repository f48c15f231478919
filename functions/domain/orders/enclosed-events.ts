import { type Caused, cause, causeOf } from '#platform/correlation.ts';
import { outboxEventPrefix, outboxOf, shopOfOrder } from '#platform/table/keys.ts';
import { linesOf, packLines } from '#platform/table/packed-text.ts';
import { itemsIn, queryPages } from '#platform/table/reads.ts';
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
import { type StoredDocument, type StoredItem, shipmentVersion } from './order-items.ts';
import {
  type OutboxEvent,
  type ShipmentOutboxEvent,
  type Snapshot,
  type StoredEvent,
  shipmentEvent,
  withoutSnapshot,
} from './outbox.ts';

/**
 * Events that travel in the item of the order or shipment that their write changes. An item of their own would cost two
 * write units, and make a transaction of the report of a carrier, which changes one item. Such a write also stores what
 * fan-out needs to announce them: a head, and the rest of the order as the write left it. The next write drops this, and
 * the item remembers the events.
 */

/** The order or shipment whose item has the events. */
type Holder = Order | Shipment;

/** Of drafts, and of most parcels. */
const usualDirection: Direction = 'merchant_customer';

interface Head extends Caused {
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
  /** What is stored where events are enclosed, by the uuid of the order or shipment. */
  documents: ReadonlyMap<string, StoredDocument>;
  /** The events that need items of their own. */
  others: OutboxEvent[];
  /** The shipments that no enclosed event submits. */
  parcels: readonly Shipment[];
}

export function enclose(write: Write): Enclosing {
  const { order, shipments, events, parcels, after } = write;
  // Few, and their marks would have to travel too.
  if (after.order.simulation_id !== undefined) return { documents: new Map(), others: [...events], parcels };
  const documents = new Map<string, StoredDocument>();
  const byHolder = Map.groupBy(events, (event) => holderOf(event, write));
  const others = byHolder.get(undefined) ?? [];
  for (const holder of order ? [order, ...shipments] : shipments) {
    const own = (byHolder.get(holder.uuid) ?? []) as ShipmentOutboxEvent[];
    const document = own.length === 0 ? undefined : documentWith(holder, own, write);
    if (document) documents.set(holder.uuid, document);
    else others.push(...own);
  }
  return { documents, others, parcels: isSubmitted(parcels, documents) ? [] : parcels };
}

/** The uuid of what can enclose the event: its shipment, or the order that has its drafts. */
function holderOf(event: OutboxEvent, { order, shipments }: Write): string | undefined {
  if (event.source !== 'shipments' || event.only_for || event.internal_trigger) return undefined;
  const ids = event.shipments.map(({ shipment_id }) => shipment_id);
  const own = shipments.find(({ uuid }) => uuid === ids[0]);
  if (own) return ids.length === 1 ? own.uuid : undefined;
  const drafts = new Set(order?.drafts.map(({ slot }) => slot));
  const times = new Set(event.shipments.map(({ time }) => time));
  const isOfDrafts = ids.length <= enclosureLimits.events && ids.every((id) => drafts.has(slotOf(id)));
  return isOfDrafts && times.size === 1 ? order?.uuid : undefined;
}

const isSubmitted = (parcels: readonly Shipment[], documents: ReadonlyMap<string, unknown>): boolean =>
  parcels.length === 1 && documents.has(parcels[0]!.uuid);

/** Undefined if it would be too large. */
function documentWith(
  holder: Holder,
  events: readonly ShipmentOutboxEvent[],
  { after, parcels, now }: Write,
): StoredDocument | undefined {
  if (events.length > enclosureLimits.events) return undefined;
  const enclosed = [...recent(holder.enclosed, now), ...events.map((event) => toEnclosed(event, holder))];
  const head: Head = {
    region: ownRegion(),
    ...cause(),
    ...(parcels.length === 1 && parcels[0]!.uuid === holder.uuid && { submits: true as const }),
  };
  const rest = [after.order, ...after.shipments].filter(({ uuid }) => uuid !== holder.uuid).map(withoutEnclosed);
  return packed({ ...holder, enclosed }, [head, ...rest]);
}

/** Undefined if both together are too large. */
export function packed(holder: Holder, announcement: readonly object[]): StoredDocument | undefined {
  const { documentBytes } = enclosureLimits;
  const document = packLines([holder], documentBytes);
  const announced = document && packLines(announcement, documentBytes - document.length);
  return announced && { document, announced };
}

function recent(events: readonly EnclosedEvent[] = [], now: string): readonly EnclosedEvent[] {
  const since = new Date(Date.parse(now) - secondsOfDays(outboxLimits.days) * 1000).toISOString();
  return events.filter(({ triggered_at }) => triggered_at > since);
}

const toEnclosed = ({ event_name, triggered_at, shipments }: ShipmentOutboxEvent, holder: Holder): EnclosedEvent => ({
  event_name,
  time: shipments[0]!.time,
  triggered_at,
  ...('direction' in holder
    ? holder.direction !== usualDirection && { direction: holder.direction }
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

/** What the write of an item announced. */
export interface Announcement {
  region: string;
  events: StoredEvent[];
  /** The order as the write left it. */
  fullOrder: OrderWithShipments;
  /** The shipment to submit for tracking. */
  submitted?: Shipment;
}

/** What an item has: its order or shipment, and what its write announced, if it announced anything. */
export function contentOf(item: StoredItem): { holder: Holder; announcement?: Announcement } {
  const [holder, ...further] = linesOf(item.document) as [Holder, Head?, ...Holder[]];
  // Releases of before stored what a write announces in further lines of the document.
  const [head, ...rest] = item.announced ? (linesOf(item.announced) as typeof further) : further;
  if (!head) return { holder };
  const parts = [...rest, withoutEnclosed(holder)] as Holder[];
  const announcement = {
    region: head.region,
    events: announcedOf(holder).map((event) => ({
      ...toEvent(event, holder, shopOfOrder(item.pk), shipmentVersion(item)),
      ...causeOf(head),
    })),
    fullOrder: { order: parts.find((part): part is Order => !isShipment(part))!, shipments: parts.filter(isShipment) },
    ...(head.submits && { submitted: holder as Shipment }),
  };
  return { holder, announcement };
}

/** Events have the time of the write that announces them. A later write of the same order has a later time (`timeOfChange`). */
function announcedOf({ enclosed = [] }: Holder): EnclosedEvent[] {
  const time = enclosed.at(-1)?.triggered_at;
  return enclosed.filter(({ triggered_at }) => triggered_at === time);
}

const isShipment = (part: Holder): part is Shipment => 'order_id' in part;

function toEvent(event: EnclosedEvent, holder: Holder, shop_slug: string, version?: number): StoredEvent {
  const { event_name, time, triggered_at, direction = usualDirection, slots = [slotOf(holder.uuid)] } = event;
  const orderId = orderIdOf(holder.uuid);
  const shipments = slots.map((slot) => ({
    shipment_id: shipmentId(orderId, slot),
    time,
    ...(version !== undefined && { version }),
  }));
  return { ...shipmentEvent(event_name, direction, orderId, shipments, triggered_at), shop_slug };
}

/** All that the items of an order remember. */
export const enclosedEvents = (slug: string, { order, shipments }: OrderWithShipments): StoredEvent[] =>
  [order, ...shipments].flatMap((holder) => (holder.enclosed ?? []).map((event) => toEvent(event, holder, slug)));

interface Range {
  /** A time. */
  since?: string;
  /** A time. */
  until?: string;
  /** Reads of 1 MB. An order with many parcels can have thousands of events. */
  maxReads?: number;
}

export interface PastEvents {
  events: StoredEvent[];
  /** Whether the order has more events than were read. */
  isCut: boolean;
}

/** The outgoing events of an order that are still kept: in its own items, oldest first, and then in the outbox. */
export async function pastEvents(
  slug: string,
  fullOrder: OrderWithShipments,
  { since = '0', until = '9', maxReads = 5 }: Range,
): Promise<PastEvents> {
  const isInPeriod = ({ triggered_at }: StoredEvent) => since <= triggered_at && triggered_at <= until;
  const outbox = itemsIn(outboxOf(slug, fullOrder.order.uuid), { prefix: outboxEventPrefix });
  const pages = queryPages(outbox) as AsyncGenerator<unknown[]> as AsyncGenerator<(StoredEvent & Snapshot)[]>;
  const events = enclosedEvents(slug, fullOrder).filter(isInPeriod);
  let reads = 0;
  for await (const page of pages) {
    if (page.length > 0 && reads++ === maxReads) return { events, isCut: true };
    // A caller may keep the events of hundreds of orders, so they are kept without snapshots.
    events.push(...page.filter(isInPeriod).map(withoutSnapshot));
  }
  return { events, isCut: false };
}
