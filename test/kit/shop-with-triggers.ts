import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { newOrderId } from '#domain/orders/model.ts';
import { orderItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import type { OutboxEvent } from '#domain/orders/outbox.ts';
import { byId, record } from '#domain/orders/record-event.ts';
import type { InternalTrigger } from '#domain/settings/trigger-settings.ts';
import type { PlanItem } from '#domain/triggers/plan.ts';
import { kinds } from '#pipeline/due/handler.ts';
import { processDue } from '#pipeline/due/process-due.ts';
import { duePartition, keyOf } from '#platform/table/keys.ts';
import { type Key, queryAll } from '#platform/table/reads.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { handler as fanOut } from '#test/kit/fan-out.ts';
import { hoursAfter, noon, triggersItem } from './internal-triggers.ts';
import { type Item, memoryTable } from './memory-table.ts';

export const shop = { slug: 'blue', uuid: 'shop-blue' };

/** A shop with internal triggers, an order whose only parcel is a draft created at noon, and a clock that the test sets. */
export function shopWithTriggers(thirdParty: string, ...triggers: InternalTrigger[]) {
  const order = newOrder(newOrderId(new Date(noon)), { order_number: 'A1' }, new Date(noon));
  const shipmentId = order.uuid.replace(/000$/, '001');
  memoryTable.put({ ...keyOf.shop(shop.slug), ...shop, language: 'en' });
  memoryTable.put(triggersItem(shop.slug, thirdParty, ...triggers));
  memoryTable.put(orderItem(shop.slug, order, 1));

  const read = (key: Key) => memoryTable.read(key)!;
  const shipmentKey = keyOf.shipment(shop.slug, order.uuid, shipmentId);
  return {
    orderId: order.uuid,
    shipmentId,
    order: () => read(keyOf.order(shop.slug, order.uuid)),
    /** The item of the order, if it had so many drafts. */
    orderOf: (count: number): Item => {
      const drafts = Array.from({ length: count }, (_, i) => ({ slot: i + 1, created_at: noon }));
      return orderItem(shop.slug, { ...order, drafts }, 1);
    },
    /** Reports an event of the parcel this many hours after noon; returns the parcel's item. */
    report: async (event_name: ShipmentEventName, hours: number): Promise<Item> => {
      const event = { event_name, time: hoursAfter(noon, hours) };
      await record(shop, order.uuid, byId(shipmentId), [{ event }], { notify: false, now: new Date(event.time) });
      return read(shipmentKey);
    },
    removeOrder: () => memoryTable.remove(keyOf.order(shop.slug, order.uuid)),
    /** Returns the item of the triggers. */
    setTriggers: (...changed: InternalTrigger[]): Item => {
      const item = triggersItem(shop.slug, thirdParty, ...changed);
      memoryTable.put(item);
      return item;
    },
    plans: () =>
      queryAll<PlanItem>({
        KeyConditionExpression: 'pk = :order',
        ExpressionAttributeValues: { ':order': duePartition(shop.slug, order.uuid) },
      }),
    /** The outgoing events. */
    fired: () => firedOf(order.uuid),
  };
}

export const firedOf = (orderId: string) =>
  queryAll<OutboxEvent>({
    KeyConditionExpression: 'pk = :order',
    ExpressionAttributeValues: { ':order': keyOf.outbox(shop.slug, orderId, '').pk },
  });

/** The table's stream delivers new items, and changed ones with their old values. */
export function streamed(...changes: (Item | { before: Item; after: Item })[]) {
  const Records = changes.map((change, i) => ({
    eventName: 'before' in change ? 'MODIFY' : 'INSERT',
    dynamodb: {
      SequenceNumber: String(i + 1),
      ...('before' in change && { OldImage: asLambdaSees(change.before as Item) }),
      NewImage: asLambdaSees('before' in change ? (change.after as Item) : change),
    },
  }));
  return fanOut({ Records } as unknown as DynamoDBStreamEvent);
}

/** Lambda passes binary values in base64. */
function asLambdaSees(item: Item) {
  const image = marshall(item);
  return Object.fromEntries(
    Object.entries(image).map(([name, value]) => [
      name,
      value.B ? { B: Buffer.from(value.B).toString('base64') } : value,
    ]),
  );
}

/** A round of the function for due work, this many hours after noon. */
export const roundAt = (hours: number, remainingMs: () => number = () => 50_000) =>
  processDue(kinds, new Date(hoursAfter(noon, hours)), remainingMs);
