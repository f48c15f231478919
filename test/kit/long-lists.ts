import { newClaim } from '#domain/claims/claim-rules.ts';
import { claimItem } from '#domain/claims/claim-store.ts';
import { deliveryItem } from '#domain/deliveries/delivery-items.ts';
import { type Order, type Shipment, shipmentId } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { fulfilled, newShipment } from '#domain/orders/shipment-rules.ts';
import { countedLists } from '#platform/table/counted-lists.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type CountedList, countersAt, firstKey } from '#platform/table/list-counters.ts';
import { deliveryInShard } from './delivery-in-shard.ts';

/**
 * Long lists of a shop, as items of the table. What a page costs depends on how many entries are counted, and on those
 * near its beginning: so a test can count many and store few. Shipments are counted in the index, so all must be there.
 */
export interface LongLists {
  /** The items of the n-th newest order, its parcel and its claim, which all have the same time. */
  orderItems: (n: number) => object[];
  deliveryItems: (n: number) => object[];
  /** Stands for the parcel of the n-th newest order where it is only counted. No consumer of the stream knows such items. */
  indexedParcel: (n: number) => object;
  /** The counters that the stream would have made, if each list has so many entries. */
  counterItems: (count: number) => object[];
}

export interface LongListOptions {
  slug: string;
  /** The endpoint that the deliveries are for. */
  target: string;
  /** The time of the newest entry. */
  newest: Date;
  /** The time between two entries. */
  entryMs?: number;
}

/** A million entries in a month. */
export const usualEntryMs = 2500;

export function longLists({ slug, target, newest, entryMs = usualEntryMs }: LongListOptions): LongLists {
  const timeOf = (n: number) => new Date(newest.getTime() - n * entryMs);
  return {
    orderItems: (n) => orderItemsAt(slug, n, timeOf(n)),
    deliveryItems: (n) => [deliveryItem(deliveryAt(n, timeOf(n).toISOString(), slug, target))],
    indexedParcel: (n) => {
      const item = shipmentItem(slug, parcelAt(n, timeOf(n)).parcel, 1, { document: Buffer.alloc(0) });
      return { ...item, sk: item.sk.replace('SHIPMENT', 'INDEXED_') };
    },
    counterItems: (count) => {
      const times = Array.from({ length: count }, (_, n) => timeOf(n).getTime());
      const all = [
        countedLists.orders(slug),
        countedLists.parcels(slug, 'created_at', 'withNumber'),
        countedLists.parcels(slug, 'updated_at', 'withNumber'),
        countedLists.claimsByCreation(slug),
        countedLists.deliveries(slug, target),
      ];
      return countersOf(all.map((list) => [list, times]));
    },
  };
}

/** The counters of lists whose entries have these times, and that they are complete. */
export function countersOf(lists: readonly [CountedList, readonly number[]][]): object[] {
  const items = new Map<string, Record<string, unknown>>();
  for (const [list, times] of lists) {
    const complete = keyOf.countedLists(list.slug);
    items.set(JSON.stringify(complete), { ...complete, shop: 1 });
    const { cellMs } = list.levels.at(-1)!;
    // All entries of the smallest cell count in the same counters.
    for (const inCell of Map.groupBy(times, (ms) => Math.floor(ms / cellMs)).values()) {
      for (const { key, name } of countersAt(list, firstKey(list, inCell[0]!))) {
        const item = items.get(JSON.stringify(key)) ?? { ...key };
        items.set(JSON.stringify(key), { ...item, [name]: Number(item[name] ?? 0) + inCell.length });
      }
    }
  }
  return [...items.values()];
}

const orderIdAt = (n: number) => `01930000-0000-7000-8000-${n.toString(16).padStart(9, '0')}000`;

const noItems = { selected_items: [], damaged_product_items: [], image_urls: [], optional_image_urls: [] };

function orderItemsAt(slug: string, n: number, now: Date): object[] {
  const { order, parcel } = parcelAt(n, now);
  const claim = newClaim(shipmentId(order.uuid, 2), { reason: 'damage', ...noItems }, parcel, now.toISOString());
  return [orderItem(slug, order, 1), shipmentItem(slug, parcel, 1), claimItem(slug, claim, 1)];
}

function parcelAt(n: number, now: Date) {
  const at = now.toISOString();
  const placed = newOrder(orderIdAt(n), { order_number: `long-${n}` }, now);
  const order: Order = { ...placed, drafts: [], shipments: [1] };
  const number = { tracking_number: `LONG-${n}`, carrier_reference: 'dhl', tracking_url: null };
  const parcel: Shipment = fulfilled(newShipment(order, 1, 'merchant_customer', at), { ...number, placed_at: at }, at);
  return { order, parcel };
}

function deliveryAt(n: number, triggered_at: string, shop_slug: string, target: string) {
  const event = { event_id: triggered_at, ref: 'shipments/in_transit/SHIPMENT_EN_ROUTE' };
  const source = { ...event, event_group: 'shipment_in_transit', triggered_at, shop_slug };
  const attempt = { at: triggered_at, duration_ms: 100, status: 200, response: 'noted' };
  const delivery = deliveryInShard(n, source, { id: target, kind: 'webhook' }, new Date(triggered_at));
  return { ...delivery, status: 'delivered' as const, attempt_count: 1, attempts: [attempt] };
}
