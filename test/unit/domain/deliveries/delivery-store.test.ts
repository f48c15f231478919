import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { deliveryItem, newDelivery } from '#domain/deliveries/delivery-items.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { listDeliveries } from '#domain/deliveries/delivery-store.ts';
import { deliveriesOf } from '#platform/table/keys.ts';
import { shardsOf } from '#platform/table/shards.ts';
import { dynamo, tableWith } from '#test/kit/table.ts';

const target = 'one';
const start = Date.parse('2026-11-14T12:00:00.000Z');

/** The n-th of them is of the n-th second. Every seventh has failed. */
const deliveries: Delivery[] = Array.from({ length: 120 }, (_, n) => {
  const at = new Date(start + 1000 * n);
  const source = {
    event_id: `event-${n}`,
    subject_id: `shipment-${n}`,
    ref: 'shipments/in_transit/OUT_FOR_DELIVERY',
    event_group: null,
    triggered_at: at.toISOString(),
    shop_slug: 'blue',
  };
  const delivery = newDelivery(source, { id: target, kind: 'webhook' }, at, 0);
  return { ...delivery, status: n % 7 === 0 ? 'failed' : 'delivered' };
});
const newestFirst = deliveries.toReversed().map(({ id }) => id);
const items = deliveries.map(deliveryItem);

type Filter = Parameters<typeof listDeliveries>[2];

async function allPages(filter: Filter): Promise<string[]> {
  const found: string[] = [];
  let before: string | undefined;
  do {
    const page = await listDeliveries('blue', target, { ...filter, before });
    found.push(...page.deliveries.map(({ id }) => id));
    before = page.next;
  } while (before !== undefined);
  return found;
}

const queries = () => dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input);

describe('the deliveries of a target', () => {
  beforeEach(() => tableWith(...items));

  test('lie in several partitions, none of which has much more than its share', () => {
    const sizes = [...Map.groupBy(items, ({ pk }) => pk).values()].map(({ length }) => length);
    expect(sizes).toHaveLength(shardsOf('deliveries').length);
    expect(Math.max(...sizes)).toBeLessThan(1.5 * (items.length / sizes.length));
  });

  test('are listed newest first, each once, whatever the size of a page is', async () => {
    for (const limit of [7, 50, 119, 120, 500]) expect(await allPages({ limit })).toEqual(newestFirst);
  });

  test('are listed by status, by event and within a time range as they are without partitions', async () => {
    const failed = deliveries.filter(({ status }) => status === 'failed').map(({ id }) => id);
    expect(await allPages({ limit: 4, status: 'failed' })).toEqual(failed.toReversed());
    expect(await allPages({ limit: 50, event: 'shipments/in_transit' })).toEqual(newestFirst);
    const range = { since: new Date(start + 50_000), until: new Date(start + 59_999) };
    expect(await allPages({ limit: 3, ...range })).toEqual(newestFirst.slice(60, 70));
  });

  test('cost a page of 50 less than two queries would', async () => {
    await listDeliveries('blue', target, { limit: 50 });
    const read = queries().reduce((sum, { Limit = 0 }) => sum + Limit, 0);
    expect(read).toBeLessThan(2 * 50);
    expect(queries().length).toBe(4);
  });

  test('have no next page where the last one ends exactly', async () => {
    expect((await listDeliveries('blue', target, { limit: 120 })).next).toBeUndefined();
    expect((await listDeliveries('blue', target, { limit: 119 })).next).toBe(newestFirst[118]);
  });
});

test('a list with few matches among many deliveries stops after one read of each partition and says where to continue', async () => {
  dynamo.reset();
  const partitions = shardsOf('deliveries').map((shard) => deliveriesOf('blue', target, shard));
  dynamo.on(QueryCommand).callsFake(({ ExpressionAttributeValues: values }) => {
    const pk = values[':partition'];
    return { Items: [], LastEvaluatedKey: { pk, sk: `DELIVERY#id-${partitions.indexOf(pk)}` } };
  });
  const list = await listDeliveries('blue', target, { limit: 5, status: 'failed' });
  expect(list).toEqual({ deliveries: [], next: 'id-3' });
  expect(queries()).toHaveLength(4);
  await listDeliveries('blue', target, { limit: 5, status: 'failed', before: list.next });
  const begins = queries()
    .slice(4)
    .map(({ ExclusiveStartKey }) => ExclusiveStartKey);
  expect(begins).toEqual(partitions.map((pk) => ({ pk, sk: 'DELIVERY#id-3' })));
});
