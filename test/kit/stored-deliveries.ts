import { gzipSync } from 'node:zlib';
import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { deliveryItem, newDelivery, payloadItem, toDelivery } from '#domain/deliveries/delivery-items.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { keyOf } from '#platform/table/keys.ts';
import { dynamo } from './table.ts';

type Item = Record<string, unknown> & { pk: string; sk: string };

export const body = '{"ref":"shipments/in_transit/OUT_FOR_DELIVERY","name":"Zoë"}';

/** The n-th delivery to a target, as fan-out makes it. */
export function aDelivery(n: number, target = 'endpoint-1', more: Partial<Delivery> = {}): Delivery {
  const occasion = {
    event_id: `event-${n}`,
    subject_id: `shipment-${n}`,
    ref: 'shipments/in_transit/OUT_FOR_DELIVERY',
    event_group: 'out_for_delivery',
    triggered_at: '2026-11-14T12:00:00.000Z',
    shop_slug: 'blue',
  };
  return { ...newDelivery(occasion, { id: target, kind: 'webhook' }, new Date('2026-11-14T12:00:00Z')), ...more };
}

export interface DeliveryTable {
  read(delivery: Delivery): Delivery | undefined;
  item(delivery: Delivery): Item | undefined;
  put(delivery: Delivery): void;
  remove(key: { pk: string; sk: string }): void;
  /** Called before each read; what it throws, the read throws. */
  onRead(hook: () => void): void;
  /** Called before each write; what it throws, the write throws. */
  onWrite(hook: () => void): void;
}

/** Deliveries in memory, read in batches and changed under conditions. */
export function keepDeliveries(...deliveries: Delivery[]): DeliveryTable {
  const items = new Map<string, Item>();
  const nameOf = ({ pk, sk }: { pk: string; sk: string }) => `${pk} ${sk}`;
  const put = (item: object) => items.set(nameOf(item as Item), item as Item);
  const add = (delivery: Delivery) => {
    put(deliveryItem(delivery));
    put(payloadItem(delivery, { body: gzipSync(body) }));
  };
  let beforeRead = () => {};
  let beforeWrite = () => {};
  for (const delivery of deliveries) add(delivery);
  dynamo.on(BatchGetCommand).callsFake(({ RequestItems: { table } }) => {
    beforeRead();
    return { Responses: { table: table.Keys.flatMap((key: Item) => structuredClone(items.get(nameOf(key))) ?? []) } };
  });
  dynamo.on(UpdateCommand).callsFake((input) => {
    beforeWrite();
    const item = items.get(nameOf(input.Key));
    const value = (name: string) => input.ExpressionAttributeValues[name];
    const attribute = (name: string) => input.ExpressionAttributeNames[name] ?? name;
    for (const [, name, expected] of input.ConditionExpression.matchAll(/(#?\w+) = (:\w+)/g)) {
      if (item?.[attribute(name)] !== value(expected)) throw conditionLost();
    }
    for (const [, name, most] of input.ConditionExpression.matchAll(/(\w+) <= (:\w+)/g)) {
      if (item?.[name] !== undefined && String(item[name]) > value(most)) throw conditionLost();
    }
    const [set, removed = ''] = input.UpdateExpression.split(' REMOVE ');
    const next: Item = { ...item! };
    for (const [, name, to] of set.matchAll(/(#?\w+) = (:\w+)/g)) next[attribute(name)] = value(to);
    for (const name of removed.split(', ')) delete next[name];
    put(next);
    return {};
  });
  const item = ({ shop_slug, target, id }: Delivery) => items.get(nameOf(keyOf.delivery(shop_slug, target, id)));
  return {
    read: (delivery) => {
      const found = item(delivery);
      return found && toDelivery(found);
    },
    item,
    put: (delivery) => put(deliveryItem(delivery)),
    remove: (key) => items.delete(nameOf(key)),
    onRead: (hook) => {
      beforeRead = hook;
    },
    onWrite: (hook) => {
      beforeWrite = hook;
    },
  };
}

export const conditionLost = () =>
  Object.assign(new Error('lost'), { name: 'ConditionalCheckFailedException', $metadata: {} });
