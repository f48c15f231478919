import { keyOf } from '#platform/table/keys.ts';
import { batchGet, type Key, nameOf } from '#platform/table/reads.ts';
import { type Order, type Shipment, shipmentId } from './model.ts';
import { type StoredItem, toOrder, toShipment } from './order-items.ts';
import { readBudget } from './read-budget.ts';
import { draftShipment } from './shipment-rules.ts';

/** A shipment and its order. Either may be deleted. */
export interface Subject {
  order: Order | undefined;
  shipment: Shipment | undefined;
}

interface SubjectPlace {
  order_id: string;
  shipment_id: string;
}

type SubjectOf = (place: SubjectPlace) => Subject;

/** Reads each order and shipment once, even if several places name it, and no other shipment of the orders. */
export async function readSubjects(slug: string, places: readonly SubjectPlace[]): Promise<SubjectOf> {
  const orderKeys = distinct(places.map(({ order_id }) => keyOf.order(slug, order_id)));
  const shipmentKeys = distinct(places.map(({ order_id, shipment_id }) => keyOf.shipment(slug, order_id, shipment_id)));
  const items = (await batchGet([...orderKeys, ...shipmentKeys])) as unknown as (StoredItem | undefined)[];
  const budget = readBudget();
  const orders = unpackEach(items.slice(0, orderKeys.length), (item) => toOrder(item, budget));
  const shipments = unpackEach(items.slice(orderKeys.length), (item) => toShipment(item, budget));
  return ({ order_id, shipment_id }) => {
    const order = orders.get(order_id);
    return { order, shipment: shipments.get(shipment_id) ?? (order && draftOf(order, shipment_id)) };
  };
}

const distinct = (keys: readonly Key[]) => [...new Map(keys.map((key) => [nameOf(key), key])).values()];

function unpackEach<T extends { uuid: string }>(
  items: readonly (StoredItem | undefined)[],
  unpack: (item: StoredItem) => T,
): Map<string, T> {
  const found = items.flatMap((item) => (item ? [unpack(item)] : []));
  return new Map(found.map((thing) => [thing.uuid, thing]));
}

/** A draft without events is stored as a line of its order, not as a shipment. */
function draftOf(order: Order, id: string): Shipment | undefined {
  const draft = order.drafts.find(({ slot }) => shipmentId(order.uuid, slot) === id);
  return draft && draftShipment(order, draft);
}
