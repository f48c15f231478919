import type { Shipment } from '#domain/orders/model.ts';
import type { Loaded } from '#domain/orders/order-store.ts';
import { tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { Action } from '#platform/table/writes.ts';

/**
 * Checks that the shipment has not changed since it was read. A draft is part of its order's item, so the version of
 * the order counts.
 */
export function unchangedShipment(slug: string, { order, version, versions }: Loaded, { uuid }: Shipment): Action {
  const stored = versions.get(uuid);
  const Key = stored === undefined ? keyOf.order(slug, order.uuid) : keyOf.shipment(slug, order.uuid, uuid);
  return {
    ConditionCheck: {
      TableName: tableName(),
      Key,
      ConditionExpression: 'version = :read',
      ExpressionAttributeValues: { ':read': stored ?? version },
    },
  };
}
