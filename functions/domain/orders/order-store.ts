import { chunks } from '#platform/chunks.ts';
import { ApiError } from '#platform/http/api-error.ts';
import { batchGet, type Key } from '#platform/table/batch-get.ts';
import { ConditionLost, transact } from '#platform/table/conditional-writes.ts';
import { keyOf, orderPartition, shipmentPrefix } from '#platform/table/keys.ts';
import { queryAll } from '#platform/table/query.ts';
import type { Action } from '#platform/table/write-actions.ts';
import type { OrderBook } from './model.ts';
import { shipmentId } from './order-ids.ts';
import { type StoredItem, toOrder, toShipment } from './order-items.ts';
import { actionsOf, type Loaded, type OrderChange } from './order-writes.ts';

export async function loadOrder(slug: string, orderId: string): Promise<Loaded | undefined> {
  const items = await queryAll<StoredItem>({
    KeyConditionExpression: 'pk = :order',
    ExpressionAttributeValues: { ':order': orderPartition(slug, orderId) },
    ConsistentRead: true,
  });
  return assemble(items);
}

/** Several orders with their shipments, in the order of their ids; those that do not exist are left out. */
export async function loadOrders(slug: string, orderIds: readonly string[]): Promise<OrderBook[]> {
  if (orderIds.length === 0) return [];
  const heads = (await readAll(orderIds.map((id) => keyOf.order(slug, id)))).map(toOrder);
  const keys = heads.flatMap(({ uuid, shipments }) =>
    shipments.map((slot) => keyOf.shipment(slug, uuid, shipmentId(uuid, slot))),
  );
  const byOrder = Map.groupBy((await readAll(keys)).map(toShipment), ({ order_id }) => order_id);
  return heads.map((order) => ({ order, shipments: byOrder.get(order.uuid) ?? [] }));
}

async function readAll(keys: readonly Key[]): Promise<StoredItem[]> {
  const results = await Promise.all(chunks(keys, 100).map(batchGet));
  return results.flat().filter((item) => item !== undefined) as unknown as StoredItem[];
}

function assemble(items: StoredItem[]): Loaded | undefined {
  const head = items.find(({ sk }) => sk === 'ORDER');
  if (!head) return undefined;
  const stored = items.filter(({ sk }) => sk.startsWith(shipmentPrefix));
  const order = toOrder(head);
  // A query may see one item of a transaction and not yet another: then the order is read again.
  if (order.shipments.length !== stored.length) throw new ConditionLost([]);
  return {
    order,
    version: head.version,
    shipments: stored.map(toShipment),
    versions: new Map(stored.map(({ sk, version }) => [sk.slice(shipmentPrefix.length), version])),
  };
}

/** Writes the change in one transaction. Throws ConditionLost where the order is no longer as it was read. */
export async function saveOrder(change: OrderChange): Promise<void> {
  const actions = actionsOf(change);
  const bytes = actions.reduce((sum, action) => sum + documentSize(action), 0);
  if (bytes > largestTransaction) {
    throw new ApiError('payload_too_large', {
      message: 'This is too much for one request: send the trackings in parts.',
    });
  }
  await transact(actions);
}

/** DynamoDB takes 4 MB in one transaction; the rest is room for keys. */
const largestTransaction = 3.8 * 1024 * 1024;
const documentSize = ({ Put }: Action) => sizeOf(Put?.Item?.document) + sizeOf(Put?.Item?.snapshot);
const sizeOf = (bytes: Uint8Array | undefined) => bytes?.length ?? 0;
