import { newClaim } from '#domain/claims/claim-rules.ts';
import { claimItem } from '#domain/claims/claim-store.ts';
import { deliveryItem } from '#domain/deliveries/delivery-items.ts';
import { type Order, type Shipment, shipmentId } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { fulfilled, newShipment } from '#domain/orders/shipment-rules.ts';
import { childrenFor, planChanges } from '#domain/positions/position-changes.ts';
import { shipmentKey } from '#domain/positions/position-keys.ts';
import { type PositionList, positionLists } from '#domain/positions/position-lists.ts';
import { emptyRoot, entryOf, isLeaf, type Node, rootId } from '#domain/positions/position-node.ts';
import { nodeItem } from '#domain/positions/position-store.ts';
import { chunks } from '#platform/batches.ts';
import { timeSortKey } from '#platform/table/keys.ts';
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
  /** The items that say where the pages begin, if each list has so many entries. */
  positionItems: (count: number) => object[];
}

export interface LongListOptions {
  slug: string;
  /** The endpoint that the deliveries are for. */
  target: string;
  /** The time of the newest entry. */
  newest: Date;
}

export function longLists({ slug, target, newest }: LongListOptions): LongLists {
  const timeOf = (n: number) => new Date(newest.getTime() - n * 1000);
  const deliveryOf = (n: number) => deliveryAt(n, timeOf(n).toISOString(), slug, target);
  const place = (n: number, slot: number) => timeSortKey(timeOf(n).toISOString(), shipmentId(orderIdAt(n), slot));
  const keysOf: [PositionList, (n: number) => Buffer][] = [
    [positionLists.orders(slug), (n) => positionLists.orders(slug).form.toBytes(place(n, 0))],
    [positionLists.shipmentsByUpdate(slug), (n) => shipmentKey(place(n, 1), 'withNumber')],
    [positionLists.claimsByCreation(slug), (n) => positionLists.claimsByCreation(slug).form.toBytes(place(n, 2))],
    [
      positionLists.deliveries(slug, target),
      (n) => positionLists.deliveries(slug, target).form.toBytes(deliveryOf(n).id),
    ],
  ];
  return {
    orderItems: (n) => orderItemsAt(slug, n, timeOf(n)),
    deliveryItems: (n) => [deliveryItem(deliveryOf(n))],
    indexedParcel: (n) => {
      const item = shipmentItem(slug, parcelAt(n, timeOf(n)).parcel, 1, { document: Buffer.alloc(0) });
      return { ...item, sk: item.sk.replace('SHIPMENT', 'INDEXED_') };
    },
    positionItems: (count) => {
      const numbers = Array.from({ length: count }, (_, i) => count - 1 - i);
      return keysOf.flatMap(([list, keyOf]) => treeItems(list, numbers.map(keyOf), newest));
    },
  };
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

/** The tree that the stream would have made of these keys, oldest first. */
export function treeItems(list: PositionList, keys: readonly Buffer[], now: Date): object[] {
  const nodes = new Map<string, Node>([[rootId, emptyRoot]]);
  let ids = 0;
  const newId = () => Buffer.from(String(++ids).padStart(6, '0')).toString('base64url');
  for (const part of chunks(keys, 500)) {
    const changes = part.map((key) => ({ ...entryOf(list.form, key), isListed: true }));
    const loaded = new Map([[rootId, nodes.get(rootId)!]]);
    for (const node of loaded.values()) {
      if (!isLeaf(node)) for (const id of childrenFor(node, changes)) loaded.set(id, nodes.get(id)!);
    }
    for (const node of planChanges(loaded, changes, { newId }).written) {
      nodes.set(node.id, { ...node, version: node.version + 1 });
    }
  }
  return [...nodes.values()].map((node) => nodeItem(list, node, { newest: keys.at(-1)!, now }));
}
