import { isDeepStrictEqual } from 'node:util';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { BatchGetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readPayload } from '#domain/deliveries/delivery-messages.ts';
import { orderItem, type StoredItem, shipmentItem } from '#domain/orders/order-items.ts';
import { outboxEvents, outboxWrites } from '#domain/orders/outbox.ts';
import { byId, record } from '#domain/orders/record-event.ts';
import { reported as applied } from '#domain/orders/shipment-rules.ts';
import { tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { linesOf, packLines } from '#platform/table/packed-text.ts';
import type { Action } from '#platform/table/writes.ts';
import { UnknownForm } from '#platform/unknown-form.ts';
import { RecordFault } from '#platform/verdicts.ts';
import { fanOutLimits } from '#schemas/catalogues/limits.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { deliveryInMessage, handler } from '#test/kit/fan-out.ts';
import { aTrigger, triggersItem } from '#test/kit/internal-triggers.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { outgoingOf } from '#test/kit/order-writes.ts';
import { itemsOf, listener, orderWithEvent } from '#test/kit/outbox-records.ts';
import { batchOf } from '#test/kit/queue-messages.ts';
import { beforeNextRequest, beforeRequest, dynamo, shopItem, tableWith } from '#test/kit/table.ts';

const sqs = mockClient(SQSClient);
const queues = {
  deliveries: 'https://deliveries',
  parts: 'https://parts',
  deadParts: 'https://dead-parts',
  failures: 'https://failures',
};
Object.assign(process.env, {
  DELIVERY_QUEUE_URL: queues.deliveries,
  PARTS_QUEUE_URL: queues.parts,
  DEAD_PARTS_QUEUE_URL: queues.deadParts,
  STREAM_FAILURES_QUEUE_URL: queues.failures,
});

const shop = { slug: 'blue', uuid: 'shop-blue' };
const placed = orderWithEvent('blue', 'A', { name: 'ORDER_PROCESSED', parcels: 2 });
const { order, shipments } = placed;
const [parcel] = shipments as [(typeof shipments)[0]];
const now = new Date('2026-11-14T13:00:00.000Z');

const endpoints = (count: number) => Array.from({ length: count }, (_, i) => listener('blue', `endpoint-${i}`));

beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  tableWith(shopItem('blue'), ...endpoints(2), ...itemsOf(placed));
});

/** Records what a carrier reports of the first parcel, and returns the change as the stream shows it. */
async function reported(...names: ShipmentEventName[]): Promise<DynamoDBRecord> {
  const key = keyOf.shipment('blue', order.uuid, parcel.uuid);
  const before = memoryTable.read(key)!;
  const reports = names.map((event_name, i) => ({
    event: { event_name, time: new Date(now.getTime() + i * 1000).toISOString() },
  }));
  await record(shop, order.uuid, byId(parcel.uuid), reports, { notify: true, now });
  return change(memoryTable.read(key)!, before);
}

function change(after: object, before?: object): DynamoDBRecord {
  const images = { NewImage: imageOf(after), ...(before && { OldImage: imageOf(before) }) };
  return { eventName: 'MODIFY', dynamodb: { SequenceNumber: '1', ...images } } as DynamoDBRecord;
}

/** Lambda passes binary values as base64 text. */
const imageOf = (item: object) =>
  Object.fromEntries(
    Object.entries(marshall(item)).map(([name, value]) => [
      name,
      value.B ? { B: Buffer.from(value.B).toString('base64') } : value,
    ]),
  );

const handle = (...Records: DynamoDBRecord[]) => handler({ Records } as DynamoDBStreamEvent);

const messagesTo = (queue: string) =>
  sqs
    .commandCalls(SendMessageBatchCommand, { QueueUrl: queue })
    .flatMap(({ args }) => args[0].input.Entries!.map(({ MessageBody }) => MessageBody!));

const sent = () => messagesTo(queues.deliveries).map(deliveryInMessage);

describe('an event in the item of its shipment', () => {
  test('becomes a message for each endpoint, and again the same ones if the record comes again', async () => {
    const shown = await reported('SHIPMENT_EN_ROUTE');
    expect(await handle(shown)).toEqual({ batchItemFailures: [] });
    const first = sent();
    expect(first.map(({ ref }) => ref)).toEqual(Array(2).fill('shipments/in_transit/SHIPMENT_EN_ROUTE'));
    expect(first.map(({ event_id }) => event_id)).toEqual(Array(2).fill(outgoingOf('blue', order.uuid)[0]!.id));
    sqs.resetHistory();
    await handle(shown);
    expect(sent().map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  });

  test('is sent with the order as its write left it, though it has changed since', async () => {
    const shown = await reported('SHIPMENT_EN_ROUTE');
    await reported('SUCCESSFULLY_DELIVERED');
    memoryTable.put(orderItem('blue', { ...order, order_name: 'renamed' }, 2));
    await handle(shown);
    const { context } = JSON.parse((await readPayload(sent()[0]!))!);
    expect(context.order.order_name ?? null).toBeNull();
    const phases = context.shipments.map(({ phase }: { phase: string }) => phase);
    expect(phases).toEqual(['in_transit', 'order_processed']);
  });

  test('is sent with the version of its shipment after the write', async () => {
    await handle(await reported('SHIPMENT_EN_ROUTE'));
    await handle(await reported('SUCCESSFULLY_DELIVERED'));
    expect(sent().map(({ subject_version }) => subject_version)).toEqual([2, 2, 3, 3]);
  });

  test('is announced once: not by a later change of the shipment, nor in another region', async () => {
    const shown = await reported('SHIPMENT_EN_ROUTE');
    const { NewImage } = shown.dynamodb!;
    const same = { ...shown, dynamodb: { ...shown.dynamodb, OldImage: NewImage } } as DynamoDBRecord;
    expect(await handle(same)).toEqual({ batchItemFailures: [] });
    vi.stubEnv('AWS_REGION', 'eu-west-3');
    expect(await handle(shown)).toEqual({ batchItemFailures: [] });
    vi.unstubAllEnvs();
    expect(sent()).toEqual([]);
  });

  test('comes with the others of its write', async () => {
    await handle(await reported('SHIPMENT_EN_ROUTE', 'IN_DELIVERY', 'SUCCESSFULLY_DELIVERED'));
    expect(new Set(sent().map(({ ref }) => ref.split('/').at(-1)))).toEqual(
      new Set(['SHIPMENT_EN_ROUTE', 'IN_DELIVERY', 'SUCCESSFULLY_DELIVERED']),
    );
  });

  test('is done in parts if its write causes much, although the item is overwritten meanwhile', async () => {
    tableWith(shopItem('blue'), ...endpoints(fanOutLimits.unitsAtOnce / 2 + 1), ...itemsOf(placed));
    const shown = await reported('SHIPMENT_EN_ROUTE', 'IN_DELIVERY');
    expect(await handle(shown)).toEqual({ batchItemFailures: [] });
    expect(sent()).toEqual([]);
    const waiting = messagesTo(queues.parts);
    expect(waiting).toHaveLength(2);
    await reported('SUCCESSFULLY_DELIVERED');
    for (let rounds = 0; waiting.length > 0; rounds++) {
      expect(rounds).toBeLessThan(10);
      sqs.resetHistory();
      expect(await handler(batchOf([waiting.shift()!]))).toEqual({ batchItemFailures: [] });
      waiting.push(...messagesTo(queues.parts));
      for (const delivery of sent()) expect(await readPayload(delivery)).toBeDefined();
      if (sent().length > 0) expect(sent()).toHaveLength(fanOutLimits.unitsAtOnce / 2 + 1);
      for (const delivery of sent()) expect(delivery.subject_version).toBe(2);
    }
  });

  test('fails with its record, and the others are handled', async () => {
    const shown = await reported('SHIPMENT_EN_ROUTE');
    const other = orderWithEvent('blue', 'B');
    const broken = change({ ...(itemsOf(other)[1] as StoredItem), document: Buffer.from('broken') });
    broken.dynamodb!.SequenceNumber = '2';
    expect(await handle(shown, broken)).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
    expect(sent()).toHaveLength(2);
  });
});

describe('an event whose shipment has triggers that cannot be planned', () => {
  const planKey = keyOf.dueTriggers('blue', order.uuid, parcel.uuid);
  let fault: Error | undefined;

  beforeEach(() => {
    memoryTable.put(triggersItem('blue', 'webhook', aTrigger({ time_threshold_value: 24 })) as never);
    fault = undefined;
    beforeRequest(BatchGetCommand, ({ RequestItems }) => {
      if (fault && isDeepStrictEqual(RequestItems?.[tableName()]?.Keys, [planKey])) throw fault;
    });
  });

  /** Handles what was queued for later, and returns what failed. */
  async function handleParts() {
    const parts = messagesTo(queues.parts);
    expect(parts).toHaveLength(1);
    return handler(batchOf(parts, { group: 'blue', ageSeconds: 60 }));
  }

  test.each<[string, Error]>([
    ['an outage', Object.assign(new Error('no grant'), { name: 'AccessDeniedException', $metadata: {} })],
    ['an unknown fault', new TypeError('x is undefined')],
    ['a fault of the record', new RecordFault('Malformed')],
    ['what a newer version wrote', new UnknownForm('unknown')],
  ])('is sent once, and planning is done once it can be: %s', async (_, error) => {
    const shown = await reported('SHIPMENT_EN_ROUTE');
    fault = error;
    expect(await handle(shown)).toEqual({ batchItemFailures: [] });
    expect(sent()).toHaveLength(2);
    expect(memoryTable.read(planKey)).toBeUndefined();
    expect(messagesTo(queues.failures)).toEqual([]);
    fault = undefined;
    expect(await handleParts()).toEqual({ batchItemFailures: [] });
    const plan = memoryTable.read(planKey);
    expect(plan).toMatchObject({ version: 2, revision: 1 });
    expect(await handleParts()).toEqual({ batchItemFailures: [] });
    expect(memoryTable.read(planKey)).toEqual(plan);
    expect(sent()).toHaveLength(2);
  });

  test('is sent, and its planning waits by itself while the fault lasts', async () => {
    const shown = await reported('SHIPMENT_EN_ROUTE');
    fault = new TypeError('x is undefined');
    await handle(shown);
    expect(await handleParts()).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }] });
    expect([sent().length, messagesTo(queues.deadParts)]).toEqual([2, []]);
  });

  test('is sent although planning hangs', async () => {
    const shown = await reported('SHIPMENT_EN_ROUTE');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const hangs = Promise.withResolvers<void>();
    const RequestItems = { [tableName()]: { Keys: [planKey] } };
    dynamo.on(BatchGetCommand, { RequestItems }).callsFake(() => {
      hangs.resolve();
      return new Promise(() => {});
    });
    const handling = handle(shown);
    await hangs.promise;
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(44_000);
    expect(await handling).toEqual({ batchItemFailures: [] });
    vi.useRealTimers();
    expect([sent().length, messagesTo(queues.parts).length]).toEqual([2, 1]);
  });

  test('is sent although the queue refuses the planning, and the record is put aside', async () => {
    const shown = await reported('SHIPMENT_EN_ROUTE');
    fault = new TypeError('x is undefined');
    sqs.on(SendMessageBatchCommand, { QueueUrl: queues.parts }).rejects(new Error('no grant'));
    expect(await handle(shown)).toEqual({ batchItemFailures: [] });
    expect(sent()).toHaveLength(2);
    const kept = messagesTo(queues.failures);
    expect(kept.map((body) => JSON.parse(body))).toMatchObject([{ kind: 'event', reason: 'NotEnqueued' }]);
    fault = undefined;
    expect(await handler(batchOf(kept))).toEqual({ batchItemFailures: [] });
    expect(memoryTable.read(planKey)).toMatchObject({ version: 2 });
  });
});

test('what an earlier release stored in the document itself is announced as well', async () => {
  const shown = await reported('SHIPMENT_EN_ROUTE');
  const item = memoryTable.read(keyOf.shipment('blue', order.uuid, parcel.uuid)) as unknown as StoredItem;
  const { announced, ...rest } = item;
  const lines = [...linesOf(item.document), ...linesOf(announced!)];
  const earlier = change({ ...rest, document: packLines(lines, 100_000)! });
  expect(await handle(earlier)).toEqual({ batchItemFailures: [] });
  const ids = sent().map(({ id }) => id);
  sqs.resetHistory();
  await handle(shown);
  expect(ids).toEqual(sent().map(({ id }) => id));
  expect(ids).toHaveLength(2);
});

describe('of two changes of an order at once, of which neither knew the other,', () => {
  const [, other] = shipments as [(typeof shipments)[0], (typeof shipments)[0]];
  const base = () => tableWith(shopItem('blue'), ...endpoints(1), ...itemsOf(placed));

  const phasesIn = async (position: number) => {
    const { context } = JSON.parse((await readPayload(sent()[position]!))!);
    return context.shipments.map(({ phase }: { phase: string }) => phase);
  };

  /** Both on the order as it was before, and then both in the table. */
  async function delivered(...uuids: string[]): Promise<DynamoDBRecord[]> {
    const records: DynamoDBRecord[] = [];
    const items: object[] = [];
    for (const uuid of uuids) {
      base();
      const key = keyOf.shipment('blue', order.uuid, uuid);
      const before = memoryTable.read(key)!;
      const report = { event: { event_name: 'SUCCESSFULLY_DELIVERED' as const, time: now.toISOString() } };
      await record(shop, order.uuid, byId(uuid), [report], { notify: true, now });
      items.push(memoryTable.read(key)!);
      records.push(change(items.at(-1)!, before));
    }
    memoryTable.put(...items);
    return records;
  }

  test('the event that is sent last shows both', async () => {
    const [first, second] = await delivered(parcel.uuid, other.uuid);
    await handle(first!);
    await handle(second!);
    expect(await phasesIn(1)).toEqual(['delivered', 'delivered']);
  });

  test('those of one batch show both, and read the order once', async () => {
    const [first, second] = await delivered(parcel.uuid, other.uuid);
    second!.dynamodb!.SequenceNumber = '2';
    dynamo.resetHistory();
    await handle(first!, second!);
    expect(await phasesIn(0)).toEqual(['delivered', 'delivered']);
    expect(await phasesIn(1)).toEqual(['delivered', 'delivered']);
    const reads = dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input.ExpressionAttributeValues!);
    expect(reads.filter((values) => values[':partition'] === keyOf.order('blue', order.uuid).pk)).toHaveLength(1);
  });

  test('an event with an item of its own shows the parcels too', async () => {
    base();
    const at = '2026-11-14T13:07:00.000Z';
    const report = { event: { event_name: 'SHIPMENT_EN_ROUTE' as const, time: at } };
    const [event] = outboxEvents('SHIPMENT_EN_ROUTE', [applied(parcel, report, at).shipment], at);
    const [{ Put }] = outboxWrites(shop, [event!], placed) as [Action];
    memoryTable.put(shipmentItem('blue', applied(other, report, at).shipment, 2));
    const shown = { eventName: 'INSERT', dynamodb: { SequenceNumber: '1', NewImage: marshall(Put!.Item) } };
    expect(await handle(shown as DynamoDBRecord)).toEqual({ batchItemFailures: [] });
    expect(await phasesIn(0)).toEqual(['order_processed', 'in_transit']);
  });

  test('the event of an order with one parcel reads nothing more', async () => {
    const single = orderWithEvent('blue', 'ONE', { name: 'ORDER_PROCESSED' });
    tableWith(shopItem('blue'), ...endpoints(1), ...itemsOf(single));
    const key = keyOf.shipment('blue', single.order.uuid, single.shipments[0]!.uuid);
    const before = memoryTable.read(key)!;
    const report = { event: { event_name: 'SHIPMENT_EN_ROUTE' as const, time: now.toISOString() } };
    await record(shop, single.order.uuid, byId(single.shipments[0]!.uuid), [report], { notify: true, now });
    dynamo.resetHistory();
    await handle(change(memoryTable.read(key)!, before));
    const reads = dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input.ExpressionAttributeValues!);
    expect(reads.map((values) => values[':partition'])).not.toContain(keyOf.order('blue', single.order.uuid).pk);
    expect(sent()).toHaveLength(1);
  });
});

describe('a report whose answer was lost', () => {
  const report = { event: { event_name: 'SHIPMENT_EN_ROUTE' as const, time: now.toISOString() } };
  const refused = { name: 'ConditionalCheckFailedException' };
  const lost = Object.assign(new Error('lost'), { ...refused, $metadata: { attempts: 2 } });

  // The second is older than the figures.
  test.each([{ country: 'DE' }, {}])('is known to have been recorded, when it is sent again (%j)', async (country) => {
    memoryTable.put(shipmentItem('blue', { ...parcel, ...country }, 1));
    beforeNextRequest(PutCommand, ({ Item }) => {
      memoryTable.put(Item!);
      throw lost;
    });
    const { fresh } = await record(shop, order.uuid, byId(parcel.uuid), [report], { notify: true, now });
    expect(fresh).toHaveLength(1);
    expect(dynamo.commandCalls(PutCommand)).toHaveLength(1);
    expect(outgoingOf('blue', order.uuid)).toHaveLength(1);
  });

  test('is no news if another caller recorded the same in the same millisecond', async () => {
    beforeNextRequest(PutCommand, ({ Item }) => {
      memoryTable.put(Item!);
      throw Object.assign(new Error('refused'), { ...refused, $metadata: { attempts: 1 } });
    });
    const { fresh } = await record(shop, order.uuid, byId(parcel.uuid), [report], { notify: true, now });
    expect(fresh).toEqual([]);
  });

  test('is no news if another caller recorded the same before', async () => {
    const { shipment } = applied(parcel, report, '2026-11-14T12:59:00.000Z');
    beforeNextRequest(PutCommand, () => memoryTable.put(shipmentItem('blue', shipment, 2)));
    const { fresh } = await record(shop, order.uuid, byId(parcel.uuid), [report], { notify: true, now });
    expect(fresh).toEqual([]);
  });
});
