import { newOrderId } from '#domain/orders/model.ts';
import { orderItem, type StoredItem, shipmentItem, toShipment, trackingItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { fulfilled, newShipment } from '#domain/orders/shipment-rules.ts';
import { keyOf, orderPartition, shipmentPrefix } from '#platform/table/keys.ts';
import { memoryTable } from './memory-table.ts';
import { shopItem } from './table.ts';

const placedAt = new Date('2026-11-01T08:00:00Z');

/** A shop with its settings, as the table stores it. */
export function shopItems(slug: string, takesUpdates: boolean): object[] {
  return [shopItem(slug), { ...keyOf.settings(slug), carriers: { shipment_updates: takesUpdates } }];
}

/** An order with a parcel for each of the numbers, as the table stores it. */
export function parcelItems(slug: string, ...numbers: string[]): object[] {
  const placed = newOrder(newOrderId(placedAt), { order_number: numbers[0]! }, placedAt);
  const order = { ...placed, drafts: [], shipments: numbers.map((_, i) => i + 1) };
  const at = placedAt.toISOString();
  const parcels = numbers.map((tracking_number, i) => {
    const carrier = { tracking_number, carrier_reference: null, tracking_url: null };
    return fulfilled(newShipment(order, i + 1, 'merchant_customer', at), { ...carrier, placed_at: at }, at);
  });
  return [
    orderItem(slug, order, 1),
    ...parcels.map((parcel) => shipmentItem(slug, parcel, 1)),
    ...parcels.map((parcel) => trackingItem(slug, parcel.tracking_number!, parcel)),
  ];
}

/** The events of a shop's parcels, parcel by parcel in the order of their tracking numbers. */
export function eventsOf(slug: string): string[] {
  const items = memoryTable.all(orderPartition(slug, '')).filter(({ sk }) => sk.startsWith(shipmentPrefix));
  const parcels = items.map((item) => toShipment(item as StoredItem));
  return parcels
    .toSorted((a, b) => (a.tracking_number! < b.tracking_number! ? -1 : 1))
    .flatMap(({ events }) => events.map(({ event_name }) => event_name));
}
