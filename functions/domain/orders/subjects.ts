import { keyOf, orderIdIn, orderSortKey, shipmentPrefix } from '#platform/table/keys.ts';
import { batchGet, type Key, keyText } from '#platform/table/reads.ts';
import { type Order, type Shipment, shipmentId } from './model.ts';
import { readBudget, type StoredItem, toOrder, toShipment } from './order-items.ts';
import { draftShipment } from './shipment-rules.ts';

/** A shipment and its order. Either may be deleted. */
export interface Subject {
  order: Order | undefined;
  shipment: Shipment | undefined;
}

interface SubjectPlace {
  order_id: string;
  shipment_id: string;
  /** Whether the shipment was a draft when its place was read. A draft has no item, and looking for one costs a read. */
  isDraft?: boolean;
}

type SubjectOf = (place: SubjectPlace) => Subject;

/** Reads each order and shipment once, even if several places name it, and no other shipment of the orders. */
export async function readSubjects(slug: string, places: readonly SubjectPlace[]): Promise<SubjectOf> {
  const budget = readBudget();
  const orders = new Map<string, Order>();
  const shipments = new Map<string, Shipment>();
  const read = async (keys: readonly Key[]) => {
    for (const item of (await batchGet(distinct(keys))) as unknown as (StoredItem | undefined)[]) {
      if (item?.sk === orderSortKey) orders.set(orderIdIn(item.pk), toOrder(item, budget));
      else if (item) shipments.set(item.sk.slice(shipmentPrefix.length), toShipment(item, budget));
    }
  };
  const orderKey = ({ order_id }: SubjectPlace) => keyOf.order(slug, order_id);
  const shipmentKey = ({ order_id, shipment_id }: SubjectPlace) => keyOf.shipment(slug, order_id, shipment_id);
  const subjectOf = ({ order_id, shipment_id }: SubjectPlace): Subject => {
    const order = orders.get(order_id);
    return { order, shipment: shipments.get(shipment_id) ?? (order && draftOf(order, shipment_id)) };
  };
  await read([...places.map(orderKey), ...places.filter(({ isDraft }) => !isDraft).map(shipmentKey)]);
  const fulfilledSince = places.filter((place) => place.isDraft && !subjectOf(place).shipment);
  await read(fulfilledSince.map(shipmentKey));
  return subjectOf;
}

const distinct = (keys: readonly Key[]) => [...new Map(keys.map((key) => [keyText(key), key])).values()];

/** A draft without events is stored as a line of its order, not as a shipment. */
function draftOf(order: Order, id: string): Shipment | undefined {
  const draft = order.drafts.find(({ slot }) => shipmentId(order.uuid, slot) === id);
  return draft && draftShipment(order, draft);
}
