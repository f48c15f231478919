import type { Order, Shipment } from '#domain/orders/model.ts';
import { shipmentId } from '#domain/orders/order-ids.ts';
import { type StoredItem, toOrder, toShipment } from '#domain/orders/order-items.ts';
import { draftShipment } from '#domain/orders/shipment-rules.ts';
import { chunks } from '#platform/chunks.ts';
import { batchGet } from '#platform/table/batch-get.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { ClaimPlace } from './model.ts';

/** What a claim is about. The shipment may have been deleted since. */
export interface Subject {
  order: Order | undefined;
  shipment: Shipment | undefined;
}

type SubjectPlace = Pick<ClaimPlace, 'order_id' | 'shipment_id'>;
export type SubjectOf = (place: SubjectPlace) => Subject;

/** Reads each order and shipment once, in however many of the places it appears. */
export async function readSubjects(slug: string, places: readonly SubjectPlace[]): Promise<SubjectOf> {
  const orderIds = [...new Set(places.map(({ order_id }) => order_id))];
  const shipments = [...new Map(places.map((place) => [place.shipment_id, place])).values()];
  const keys = [
    ...orderIds.map((id) => keyOf.order(slug, id)),
    ...shipments.map(({ order_id, shipment_id }) => keyOf.shipment(slug, order_id, shipment_id)),
  ];
  const items = (await Promise.all(chunks(keys, 100).map(batchGet))).flat();
  const found = new Map(
    items.flatMap((item) => (item ? [[`${item.pk}|${item.sk}`, item as unknown as StoredItem] as const] : [])),
  );
  const at = ({ pk, sk }: { pk: string; sk: string }) => found.get(`${pk}|${sk}`);
  return ({ order_id, shipment_id }) => {
    const [head, parcel] = [at(keyOf.order(slug, order_id)), at(keyOf.shipment(slug, order_id, shipment_id))];
    const order = head && toOrder(head);
    return { order, shipment: parcel ? toShipment(parcel) : order && draftOf(order, shipment_id) };
  };
}

/** A draft that nothing has happened to yet is a line of its order. */
function draftOf(order: Order, id: string): Shipment | undefined {
  const draft = order.drafts.find(({ slot }) => shipmentId(order.uuid, slot) === id);
  return draft && draftShipment(order, draft);
}
