import { randomBytes } from 'node:crypto';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { newDelivery } from '#domain/deliveries/delivery-items.ts';
import { parseMessage, readPayload } from '#domain/deliveries/delivery-messages.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import {
  createAndWake,
  createDelivery,
  listDeliveries,
  readDelivery,
  restart,
} from '#domain/deliveries/delivery-store.ts';
import { table } from '#platform/table/client.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { WriteConflict } from '#platform/table/writes.ts';
import { deliveryInMessage, handler } from '#test/kit/fan-out.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { itemsOf, listener, orderWithEvent, streamOf } from '#test/kit/outbox-records.ts';

/** Fan-out and the store of deliveries on a real table; the queue and the bucket are fakes. */

const sqs = mockClient(SQSClient);
const s3 = mockClient(S3Client);
const objects = new Map<string, Uint8Array>();

Object.assign(process.env, { DELIVERY_QUEUE_URL: 'https://deliveries', PAYLOAD_BUCKET: 'payloads' });

beforeEach(() => {
  memoryTable.renew();
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  s3.reset();
  objects.clear();
  s3.on(PutObjectCommand).callsFake(({ Key, Body }) => objects.set(Key, Body) && {});
  s3.on(GetObjectCommand).callsFake(({ Key }) => ({ Body: { transformToByteArray: () => objects.get(Key) } }));
});

const sentBodies = (): string[] =>
  sqs
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args }) => args[0].input.Entries!.map(({ MessageBody }) => MessageBody!));
const sentIds = () => sentBodies().map((body) => parseMessage(body)!.delivery_id);
const sent = (): Delivery[] => sentBodies().map(deliveryInMessage);

const all = async () => (await listDeliveries('blue', 'one', { limit: 100 })).deliveries;

async function given(...options: Parameters<typeof orderWithEvent>) {
  const given = orderWithEvent(...options);
  const shop = { ...keyOf.shop(given.slug), slug: given.slug, uuid: 'shop-blue', language: 'en' };
  memoryTable.put(shop, listener(given.slug, 'one'), ...itemsOf(given));
  return given;
}

describe('a stream record', () => {
  test('makes a message with the delivery, and stores the exact text to send', async () => {
    const event = await given('blue', 'A1');
    expect(await handler(streamOf(event))).toEqual({ batchItemFailures: [] });
    expect(await all()).toEqual([]);
    const [delivery] = sent();
    expect(delivery).toMatchObject({
      target: 'one',
      kind: 'webhook',
      event_id: event.event.id,
      ref: 'shipments/in_transit/SHIPMENT_EN_ROUTE',
      event_group: 'shipment_in_transit',
      status: 'pending',
      attempt_count: 0,
      attempts: [],
    });
    const payload = JSON.parse((await readPayload(delivery!))!);
    expect(payload).toMatchObject({ version: 1, shop_slug: 'blue', event_data: { tracking_number: 'A1-1' } });
  });

  test('that is repeated makes the same deliveries, and keeps the first payload', async () => {
    const event = await given('blue', 'A1', { parcels: 2 });
    await handler(streamOf(event));
    const before = sentIds();
    const [first] = sent();
    const payload = await readPayload(first!);
    const [shipment] = event.shipments;
    for (const item of itemsOf({ ...event, shipments: [{ ...shipment!, carrier_reference: 'ups' }] }))
      memoryTable.put(item);
    await handler(streamOf(event, event));
    expect(sentIds()).toEqual([...before, ...before, ...before]);
    expect(new Set(before).size).toBe(2);
    expect(await readPayload(first!)).toBe(payload);
  });

  test('whose run was interrupted between the table and the queue loses nothing', async () => {
    const event = await given('blue', 'A1');
    sqs.on(SendMessageBatchCommand).rejects(new Error('down'));
    expect(await handler(streamOf(event))).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    const [delivery] = sent();
    sqs.reset();
    sqs.on(SendMessageBatchCommand).resolves({});
    expect(await handler(streamOf(event))).toEqual({ batchItemFailures: [] });
    expect(sentIds()).toEqual([delivery!.id]);
  });

  test('of a finished delivery does not start it again', async () => {
    const event = await given('blue', 'A1');
    await handler(streamOf(event));
    const [delivery] = sent();
    memoryTable.put({ ...keyOf.delivery('blue', 'one', delivery!.id), ...delivery, status: 'delivered' });
    await handler(streamOf(event));
    expect((await readDelivery('blue', 'one', delivery!.id))!.status).toBe('delivered');
  });
});

const moment = (minute: number) => new Date(Date.UTC(2026, 10, 14, 12, minute));

/** A delivery of the event of that minute. */
function deliveryAt(minute: number, fields: Partial<Delivery> = {}): Delivery {
  const event = { event_id: `event-${minute}`, subject_id: 'shipment', ref: 'shipments/a/B', event_group: null };
  const source = { ...event, triggered_at: moment(minute).toISOString(), shop_slug: 'blue' };
  return { ...newDelivery(source, { id: 'one', kind: 'webhook' }, moment(minute)), ...fields };
}

describe('a payload', () => {
  const body = (bytes: number) => JSON.stringify({ text: randomBytes(bytes).toString('base64'), umlaut: 'Zürich' });

  test('is stored beside its delivery, byte for byte', async () => {
    const delivery = deliveryAt(1);
    const text = `{ "spaces":  "kept", "text": "Zürich 📦" }`;
    expect(await createAndWake(delivery, text, { probe: false })).toBe(true);
    expect(await readPayload(delivery!)).toBe(text);
    expect(objects.size).toBe(0);
  });

  test('that is too big for an item is stored in the bucket, byte for byte', async () => {
    const delivery = deliveryAt(1);
    const text = body(400 * 1024);
    await createAndWake(delivery, text, { probe: false });
    expect(objects.size).toBe(1);
    expect(await readPayload(delivery!)).toBe(text);
  });

  test('in the bucket is not replaced by another body of a replay', async () => {
    const delivery = deliveryAt(1);
    const text = body(400 * 1024);
    await createAndWake(delivery, text, { probe: false });
    expect(await createAndWake(delivery, body(400 * 1024), { probe: false })).toBe(false);
    expect(await readPayload(delivery!)).toBe(text);
  });

  test('is kept for 30 days, like its delivery', async () => {
    const delivery = deliveryAt(1);
    await createAndWake(delivery, '{}', { probe: false });
    const items = [keyOf.delivery('blue', 'one', delivery.id), keyOf.payload('blue', delivery.id)].map(
      memoryTable.read,
    );
    expect(items.map((item) => Number(item!.expires_at) - moment(1).getTime() / 1000)).toEqual([2_592_000, 2_592_000]);
  });

  test('that does not exist is undefined, like its delivery', async () => {
    expect(await readPayload(deliveryAt(2))).toBeUndefined();
    expect(await readDelivery('blue', 'one', 'none')).toBeUndefined();
  });
});

describe('the list of deliveries', () => {
  const minutes = [0, 1, 2, 3, 4, 5, 6];
  const ids = (deliveries: Delivery[]) => deliveries.map(({ event_id }) => event_id);

  beforeEach(async () => {
    for (const minute of minutes) {
      await createDelivery(deliveryAt(minute, { status: minute % 3 === 0 ? 'failed' : 'delivered' }));
    }
  });

  test('is newest first, in whatever order they were created', async () => {
    expect(ids(await all())).toEqual(['event-6', 'event-5', 'event-4', 'event-3', 'event-2', 'event-1', 'event-0']);
  });

  test('continues where a page ended, up to its end', async () => {
    const pages: string[][] = [];
    let next: string | undefined;
    do {
      const page = await listDeliveries('blue', 'one', { limit: 3, before: next });
      pages.push(ids(page.deliveries));
      next = page.next;
    } while (next !== undefined && pages.length < 10);
    expect(pages).toEqual([['event-6', 'event-5', 'event-4'], ['event-3', 'event-2', 'event-1'], ['event-0']]);
  });

  test('has no next page when it ends with this one', async () => {
    expect((await listDeliveries('blue', 'one', { limit: 7 })).next).toBeUndefined();
    expect((await listDeliveries('blue', 'one', { limit: 2, status: 'failed' })).next).toBeDefined();
    expect((await listDeliveries('blue', 'one', { limit: 3, status: 'failed' })).next).toBeUndefined();
  });

  test('contains those of one status, page by page', async () => {
    const first = await listDeliveries('blue', 'one', { limit: 2, status: 'failed' });
    expect(ids(first.deliveries)).toEqual(['event-6', 'event-3']);
    const second = await listDeliveries('blue', 'one', { limit: 2, status: 'failed', before: first.next });
    expect(ids(second.deliveries)).toEqual(['event-0']);
  });

  test('contains those of a time range, both ends included, also from a later page on', async () => {
    const span = { since: moment(2), until: moment(5) };
    const { deliveries, next } = await listDeliveries('blue', 'one', { limit: 2, ...span });
    expect(ids(deliveries)).toEqual(['event-5', 'event-4']);
    const rest = await listDeliveries('blue', 'one', { limit: 5, ...span, before: next });
    expect(ids(rest.deliveries)).toEqual(['event-3', 'event-2']);
  });

  test('contains nothing of another target', async () => {
    expect((await listDeliveries('blue', 'two', { limit: 5 })).deliveries).toEqual([]);
  });

  test('shows deliveries without their keys', async () => {
    expect(Object.keys((await all())[0]!).filter((name) => /pk|sk/.test(name))).toEqual([]);
  });
});

describe('a delivery that is sent again', () => {
  const attempts = Array.from({ length: 15 }, (_, i) => ({ at: moment(i).toISOString(), duration_ms: i, status: 500 }));
  const failed = deliveryAt(1, { status: 'failed', attempt_count: 15, attempts });

  test('begins a new run under its id and keeps its log', async () => {
    await createAndWake(failed, '{"a":1}', { probe: false });
    const restarted = await restart(failed, moment(30));
    expect(restarted).toMatchObject({ id: failed.id, status: 'pending', attempt_count: 0, attempts });
    expect(await readDelivery('blue', 'one', failed.id)).toEqual(restarted);
  });

  test('keeps one earlier run in its log, however often it is sent', async () => {
    const often = { ...failed, attempts: [...attempts, ...attempts] };
    await createDelivery(often);
    expect((await restart(often, moment(30))).attempts).toHaveLength(15);
  });

  test('leaves the list of parked deliveries', async () => {
    const parked = deliveryAt(2, { status: 'parked' });
    await createDelivery(parked);
    const waiting = async () =>
      (
        await table.send(
          new QueryCommand({
            TableName: process.env.TABLE_NAME,
            IndexName: 'lists',
            KeyConditionExpression: 'list_pk = :list',
            ExpressionAttributeValues: { ':list': indexKeyOf.parkedDeliveries('blue', 'one', parked.id).list_pk },
          }),
        )
      ).Items;
    expect(await waiting()).toMatchObject([indexKeyOf.parkedDeliveries('blue', 'one', parked.id)]);
    await restart(parked, moment(30));
    expect(await waiting()).toEqual([]);
  });

  test('is refused when it changed in the meantime, and when it is gone', async () => {
    await createDelivery(failed);
    await table.send(
      new UpdateCommand({
        TableName: process.env.TABLE_NAME,
        Key: keyOf.delivery('blue', 'one', failed.id),
        UpdateExpression: 'SET attempt_count = :one',
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );
    await expect(restart(failed, moment(30))).rejects.toBeInstanceOf(WriteConflict);
    await expect(restart(deliveryAt(9), moment(30))).rejects.toBeInstanceOf(WriteConflict);
    expect(sentIds()).toEqual([]);
  });

  test('is queued by fan-out, from an item that is written with the change', async () => {
    await createDelivery(failed);
    await restart(failed, moment(30));
    const { Items } = await table.send(
      new QueryCommand({
        TableName: process.env.TABLE_NAME,
        KeyConditionExpression: 'pk = :outbox',
        ExpressionAttributeValues: { ':outbox': keyOf.wake('blue', 'one', '', '').pk },
      }),
    );
    expect(sentIds()).toEqual([]);
    const record = { dynamodb: { SequenceNumber: '1', NewImage: marshall(Items![0]!) } } as never;
    expect(await handler({ Records: [record, record] })).toEqual({ batchItemFailures: [] });
    expect(sentIds()).toEqual([failed.id, failed.id]); // a repeated message is harmless, because delivery reads the status first
  });
});
