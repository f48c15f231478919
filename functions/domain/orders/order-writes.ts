import { type OutboxEvent, outboxWrites, trackingRequestItem } from '#domain/outbox/outbox.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type Action, insert, put, remove } from '#platform/table/writes.ts';
import type { Order, OrderWithShipments, Shipment, ShopIdentity } from './model.ts';
import { draftsItem, orderItem, shipmentItem, trackingItem } from './order-items.ts';

/** An order as it was read: a write is refused when somebody else wrote in between. */
export interface Loaded extends OrderWithShipments {
  version: number;
  /** By the shipment's uuid. */
  versions: Map<string, number>;
}

/** Everything that one write changes, with the events that it causes. */
export interface OrderChange {
  shop: ShopIdentity;
  before: Loaded | undefined;
  /** Absent: the order itself stays as it is. */
  order?: Order;
  shipments?: Shipment[];
  /** Those of `shipments` that have got their tracking number. */
  fulfilled?: Shipment[];
  removed?: Shipment[];
  events?: OutboxEvent[];
  /** What else is written with it. */
  also?: readonly Action[];
  now: string;
}

/** What DynamoDB takes in one transaction. */
export const maxActions = 100;

export function actionsOf(change: OrderChange): Action[] {
  const { shop, before, order, shipments = [], fulfilled = [], removed = [], events = [], also = [], now } = change;
  const { slug } = shop;
  return [
    ...(order ? orderActions(slug, before, order) : []),
    ...shipments.map((shipment) => putShipment(slug, shipment, before?.versions.get(shipment.uuid))),
    ...fulfilled.map((shipment) => insert(trackingItem(slug, shipment.tracking_number!, shipment))),
    ...removed.flatMap((shipment) => removeShipment(slug, shipment, before!.versions.get(shipment.uuid)!)),
    ...outboxWrites(shop, events, orderAfter(change)),
    ...(fulfilled.length > 0 ? [put(trackingRequestItem(shop, fulfilled, now))] : []),
    ...also,
  ];
}

function orderAfter({ before, order = before?.order, shipments = [], removed = [] }: OrderChange): OrderWithShipments {
  const others = new Set([...shipments, ...removed].map(({ uuid }) => uuid));
  const kept = before?.shipments.filter(({ uuid }) => !others.has(uuid)) ?? [];
  return { order: order!, shipments: [...kept, ...shipments] };
}

function orderActions(slug: string, before: Loaded | undefined, order: Order): Action[] {
  const head = before
    ? put(orderItem(slug, order, before.version + 1), 'version = :before', { ':before': before.version })
    : insert(orderItem(slug, order, 1));
  return [head, ...referenceActions(slug, before?.order, order), ...draftsActions(slug, before?.order, order)];
}

function referenceActions(
  slug: string,
  before: Order | undefined,
  { uuid, order_number, external_id }: Order,
): Action[] {
  const reference = { order_id: uuid };
  if (!before) {
    return [
      insert({ ...keyOf.orderNumber(slug, order_number), ...reference }),
      insert({ ...keyOf.externalOrderId(slug, external_id), ...reference }),
    ];
  }
  if (before.external_id === external_id) return [];
  return [
    remove(keyOf.externalOrderId(slug, before.external_id)),
    insert({ ...keyOf.externalOrderId(slug, external_id), ...reference }),
  ];
}

function draftsActions(slug: string, before: Order | undefined, order: Order): Action[] {
  const item = draftsItem(slug, order);
  if (item) return sameDrafts(before, order) ? [] : [put(item)];
  return before && before.drafts.length > 0 ? [remove(keyOf.drafts(slug, order.uuid))] : [];
}

const sameDrafts = (a: Order | undefined, b: Order) => JSON.stringify(a?.drafts) === JSON.stringify(b.drafts);

function putShipment(slug: string, shipment: Shipment, version: number | undefined): Action {
  if (version === undefined) return insert(shipmentItem(slug, shipment, 1));
  return put(shipmentItem(slug, shipment, version + 1), 'version = :before', { ':before': version });
}

function removeShipment(slug: string, { order_id, uuid, tracking_number }: Shipment, version: number): Action[] {
  const shipment = remove(keyOf.shipment(slug, order_id, uuid), 'version = :before', { ':before': version });
  return tracking_number === null ? [shipment] : [shipment, remove(keyOf.tracking(slug, tracking_number))];
}
