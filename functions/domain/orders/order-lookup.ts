import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type Key } from '#platform/table/batch-get.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf, orderIdIn, partitionOf } from '#platform/table/keys.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';
import type { OrderIdType } from '#schemas/shapes/order-shapes.ts';

interface Reference {
  order_id: string;
  shipment_id?: string;
}

/** The uuid of an order that a caller names in one of four ways. */
export async function findOrderId(slug: string, id: string, type: OrderIdType): Promise<string | undefined> {
  switch (type) {
    case 'uuid':
      return uuids.test(id) ? id.toLowerCase() : undefined;
    case 'order_number':
      return (await readReference(keyOf.orderNumber(slug, id)))?.order_id;
    case 'external_id':
      return (await readReference(keyOf.externalOrderId(slug, id)))?.order_id;
    case 'order_name':
      return newestOrderNamed(slug, id);
  }
}

const uuids = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export interface TrackingReference {
  order_id: string;
  shipment_id: string;
}

export async function findTracking(slug: string, trackingNumber: string): Promise<TrackingReference | undefined> {
  return (await readReference(keyOf.tracking(slug, trackingNumber))) as TrackingReference | undefined;
}

/** Those of the numbers that the shop knows. */
export async function knownTrackings(slug: string, numbers: readonly string[]): Promise<Set<string>> {
  if (numbers.length === 0) return new Set();
  const found = await batchGet(numbers.map((number) => keyOf.tracking(slug, number)));
  return new Set(numbers.filter((_, i) => found[i] !== undefined));
}

export async function findByExternalShipmentId(slug: string, id: string): Promise<TrackingReference | undefined> {
  const item = await first('names', partitionOf.shipmentsByExternalId(slug, id));
  return item && { order_id: orderIdIn(item.pk), shipment_id: item.sk.slice(item.sk.indexOf('#') + 1) };
}

/** Names need not be unique: the newest order of the name is meant. */
async function newestOrderNamed(slug: string, name: string): Promise<string | undefined> {
  const item = await first('names', partitionOf.ordersByName(slug, name));
  return item && orderIdIn(item.pk);
}

async function readReference(key: Key): Promise<Reference | undefined> {
  const [reference] = await batchGet([key]);
  return reference as Reference | undefined;
}

async function first(index: IndexName, partition: string): Promise<Key | undefined> {
  const { Items } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      IndexName: index,
      KeyConditionExpression: 'name_pk = :partition',
      ExpressionAttributeValues: { ':partition': partition },
      ScanIndexForward: false,
      Limit: 1,
    }),
  );
  return Items?.[0] as Key | undefined;
}
