import { BatchGetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { newOrderId } from '#domain/orders/model.ts';
import { orderItem, type StoredItem, shipmentItem, toShipment, trackingItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { fulfilled, newShipment } from '#domain/orders/shipment-rules.ts';
import { keyOf, orderPartition, shipmentPrefix } from '#platform/table/keys.ts';
import { dynamo, shopItem } from './table.ts';

type Item = { pk: string; sk: string; name_pk?: string; document?: Uint8Array };
type Put = { Item: Item };

const placedAt = new Date('2026-11-01T08:00:00Z');

/** A shop with its settings, as the table holds it. */
export function shopItems(slug: string, takesUpdates: boolean): Item[] {
  return [shopItem(slug), { ...keyOf.settings(slug), carriers: { shipment_updates: takesUpdates } } as Item];
}

/** An order with a parcel for each of the numbers, as the table holds it. */
export function parcelItems(slug: string, ...numbers: string[]): Item[] {
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
  ] as Item[];
}

/** A table in memory: reads by key and by index, and writes by transaction unless `refuse` has an error for them. */
export function keep(
  items: Item[],
  refuse: (written: Item[]) => Error | undefined = () => undefined,
): Map<string, Item> {
  const table = new Map(items.map((item) => [nameOf(item), item]));
  const all = () => [...table.values()];
  dynamo.on(BatchGetCommand).callsFake(({ RequestItems }) => ({
    Responses: { table: RequestItems.table.Keys.flatMap((key: Item) => table.get(nameOf(key)) ?? []) },
  }));
  dynamo.on(QueryCommand).callsFake(({ IndexName, ExpressionAttributeValues }) => {
    const [partition] = Object.values(ExpressionAttributeValues);
    if (!IndexName) return { Items: all().filter(({ pk }) => pk === partition) };
    return { Items: all().flatMap(({ pk, sk, name_pk }) => (name_pk === partition ? [{ pk, sk }] : [])) };
  });
  dynamo.on(TransactWriteCommand).callsFake(({ TransactItems }) => {
    const written = TransactItems.map((action: { Put: Put }) => action.Put.Item);
    const refusal = refuse(written);
    if (refusal) throw refusal;
    for (const item of written) table.set(nameOf(item), item);
    return {};
  });
  return table;
}

/** The events of a shop's parcels. */
export function eventsOf(table: Map<string, Item>, slug: string): string[] {
  const parcels = [...table.values()].filter(
    ({ pk, sk }) => pk.startsWith(orderPartition(slug, '')) && sk.startsWith(shipmentPrefix),
  );
  return parcels.flatMap((item) => toShipment(item as StoredItem).events.map(({ event_name }) => event_name));
}

const nameOf = ({ pk, sk }: Item) => `${pk} ${sk}`;
