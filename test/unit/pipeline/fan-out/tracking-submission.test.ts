import { gzipSync } from 'node:zlib';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Shipment } from '#domain/orders/model.ts';
import {
  outboxWrites,
  type ShipmentOutboxEvent,
  trackingBacklogItem,
  trackingRequestItem,
} from '#domain/orders/outbox.ts';
import { causedBy } from '#platform/correlation.ts';
import { recordIn } from '#platform/put-aside.ts';
import type { TrackingRequest } from '#schemas/shapes/carrier-updates.ts';
import { handler } from '#test/kit/fan-out.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { orderWithEvent } from '#test/kit/outbox-records.ts';
import { shopItems } from '#test/kit/parcels.ts';
import { batchOf } from '#test/kit/queue-messages.ts';
import { tableWith } from '#test/kit/table.ts';
import { provider } from '#test/kit/tracking-providers.ts';

const sqs = mockClient(SQSClient);
process.env.TRACKING_REQUESTS_QUEUE_URL = 'https://queue';
process.env.REGISTRATION_QUEUE_URL = 'https://registrations';

beforeEach(() => {
  sqs.reset();
  tableWith(...shopItems('blue', true), ...shopItems('red', false));
});

/** Stream records `1`, `2`, …: each the request of one shop for some numbers. */
function stream(...requests: [slug: string, ...numbers: string[]][]): DynamoDBStreamEvent {
  const Records = requests.map(([slug, ...numbers], i) => {
    const shipments = numbers.map((number) => ({
      uuid: `shipment-${number}`,
      order_id: 'order',
      tracking_number: number,
      carrier_reference: number.startsWith('D') ? 'dhl' : null,
    })) as Shipment[];
    const item = trackingRequestItem({ slug, uuid: 'shop' }, shipments, '2026-11-14T12:00:00.000Z');
    return { eventName: 'INSERT', dynamodb: { SequenceNumber: String(i + 1), NewImage: marshall(item) } };
  });
  return { Records } as DynamoDBStreamEvent;
}

const failures = async (result: Promise<DynamoDBBatchResponse>) =>
  (await result).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

const sent = () => sqs.commandCalls(SendMessageBatchCommand).map(({ args }) => args[0].input.Entries!);

const sentTo = (queue: string) =>
  sqs
    .commandCalls(SendMessageBatchCommand)
    .filter(({ args }) => args[0].input.QueueUrl === queue)
    .flatMap(({ args }) => args[0].input.Entries!.map(({ MessageBody }) => JSON.parse(MessageBody!)));

describe('the parcels of a request', () => {
  test('are sent to the queue, one message each', async () => {
    sqs.on(SendMessageBatchCommand).resolves({});
    expect(await failures(handler(stream(['blue', 'D1', 'X2'])))).toEqual([]);
    const bodies: TrackingRequest[] = sent()
      .flat()
      .map(({ MessageBody }) => JSON.parse(MessageBody!));
    expect(bodies).toEqual([
      { shop_slug: 'blue', shipment_id: 'shipment-D1', tracking_number: 'D1', carrier_reference: 'dhl' },
      { shop_slug: 'blue', shipment_id: 'shipment-X2', tracking_number: 'X2', carrier_reference: null },
    ]);
  });

  test('of a shop with updates switched off are not sent', async () => {
    expect(await failures(handler(stream(['red', 'D1'])))).toEqual([]);
    expect(sent()).toEqual([]);
  });

  test('are sent ten at a time, also from different requests', async () => {
    sqs.on(SendMessageBatchCommand).resolves({});
    const numbers = Array.from({ length: 13 }, (_, i) => `N${i}`);
    await handler(stream(['blue', ...numbers], ['blue', 'D1']));
    expect(sent().map((entries) => entries.length)).toEqual([10, 4]);
  });
});

describe('the parcels of a write', () => {
  const { slug, order, shipments, event } = orderWithEvent('blue', 'A', { name: 'ORDER_PROCESSED', parcels: 2 });
  const written = (...events: ShipmentOutboxEvent[]) => {
    const submitted = { parcels: shipments, now: '2026-11-14T12:00:00.000Z' };
    const actions = outboxWrites({ slug, uuid: 'shop' }, events, { order, shipments }, submitted);
    return actions.map(({ Put }) => Put!.Item as { kind: string; submits?: boolean });
  };
  const recordsOf = (items: object[]) =>
    ({
      Records: items.map((item, i) => ({
        eventName: 'INSERT',
        dynamodb: { SequenceNumber: String(i + 1), NewImage: marshall(item, { removeUndefinedValues: true }) },
      })),
    }) as DynamoDBStreamEvent;
  const parcel = (shipment: Shipment) => ({
    shop_slug: 'blue',
    shipment_id: shipment.uuid,
    tracking_number: shipment.tracking_number,
    carrier_reference: 'dhl',
  });

  test('are submitted by the event that announces them, without an item of their own', async () => {
    sqs.on(SendMessageBatchCommand).resolves({});
    const items = written(event);
    expect(items).toMatchObject([{ kind: 'event', submits: true }]);
    expect(await failures(handler(recordsOf(items)))).toEqual([]);
    expect(sentTo('https://queue')).toEqual(shipments.map(parcel));
  });

  test.each([
    ['the event', () => written(event)],
    ['the item of their own', () => written()],
  ])('that go to a provider name the request that caused %s', async (_, itemsOfWrite) => {
    sqs.on(SendMessageBatchCommand).resolves({});
    memoryTable.put(provider('ship24', { carriers: ['dhl'] }));
    expect(await failures(handler(recordsOf(causedBy('request-1', itemsOfWrite))))).toEqual([]);
    const cause = 'request-1';
    expect(sentTo('https://registrations')).toEqual(shipments.map((shipment) => ({ ...parcel(shipment), cause })));
  });

  test('of a shop with updates switched off are not submitted by their event', async () => {
    const items = written(event).map((item) => ({ ...item, shop_slug: 'red' }));
    expect(await failures(handler(recordsOf(items)))).toEqual([]);
    expect(sentTo('https://queue')).toEqual([]);
  });

  test.each([
    ['no event announces', () => written()],
    ['an event announces only in part', () => written({ ...event, shipments: event.shipments.slice(1) })],
  ])('that %s are submitted by an item of their own', async (_, itemsOfWrite) => {
    sqs.on(SendMessageBatchCommand).resolves({});
    const items = itemsOfWrite();
    expect(items.filter(({ kind }) => kind === 'tracking_request')).toHaveLength(1);
    expect(items.filter(({ submits }) => submits)).toEqual([]);
    expect(await failures(handler(recordsOf(items)))).toEqual([]);
    expect(sentTo('https://queue')).toEqual(shipments.map(parcel));
  });
});

describe('a request is tried again', () => {
  test('when the queue refuses one of its parcels', async () => {
    sqs.on(SendMessageBatchCommand).resolves({ Failed: [{ Id: '2', Code: 'InternalError', SenderFault: false }] });
    expect(await failures(handler(stream(['blue', 'D1'], ['red', 'D9'], ['blue', 'D2', 'D3'])))).toEqual(['3']);
  });

  test('when the queue does not answer', async () => {
    sqs.on(SendMessageBatchCommand).rejects(new Error('down'));
    expect(await failures(handler(stream(['red', 'D9'], ['blue', 'D1'])))).toEqual(['2']);
    expect(await failures(handler(stream(['blue', 'D1'], ['red', 'D9'])))).toEqual(['1']);
  });
});

test('a malformed request is put aside whole, does not hold up the others, and is submitted when it is sent again', async () => {
  process.env.STREAM_FAILURES_QUEUE_URL = 'https://failures';
  sqs.on(SendMessageBatchCommand).resolves({});
  const event = stream(['blue', 'D1'], ['blue', 'D2']);
  const [first] = event.Records;
  const whole = { ...first!, dynamodb: { ...first!.dynamodb } };
  first!.dynamodb!.NewImage = { kind: { S: 'tracking_request' } };
  expect(await failures(handler(event))).toEqual([]);
  expect(sentTo('https://queue')).toMatchObject([{ tracking_number: 'D2' }]);
  const [kept] = sentTo('https://failures');
  expect(kept).toMatchObject({ kind: 'tracking_request', reason: 'MalformedRequest', sequence_number: '1' });
  expect(await recordIn(JSON.stringify(kept))).toEqual(first);

  const body = JSON.stringify({ packed: gzipSync(JSON.stringify(whole)).toString('base64') });
  const replayed = batchOf([body]);
  expect(await handler(replayed)).toEqual({ batchItemFailures: [] });
  expect(sentTo('https://queue')).toMatchObject([{ tracking_number: 'D2' }, { tracking_number: 'D1' }]);
});

describe('a parcel whose carrier a provider takes', () => {
  test('goes to the queue of registrations, and the others to the queue of tracking requests', async () => {
    memoryTable.put(provider('ship24', { carriers: ['dhl'] }));
    sqs.on(SendMessageBatchCommand).resolves({});
    expect(await failures(handler(stream(['blue', 'D1', 'X2'])))).toEqual([]);
    expect(sentTo('https://registrations')).toEqual([expect.objectContaining({ tracking_number: 'D1' })]);
    expect(sentTo('https://queue')).toEqual([expect.objectContaining({ tracking_number: 'X2' })]);
  });

  test('is tried again if the queue of registrations refuses it', async () => {
    memoryTable.put(provider('ship24'));
    sqs.on(SendMessageBatchCommand).rejects(new Error('down'));
    expect(await failures(handler(stream(['red', 'D9'], ['blue', 'D1'])))).toEqual(['2']);
  });
});

describe('a shop that switched updates on', () => {
  const now = new Date('2026-11-14T12:00:00.000Z');
  const switched = (slug: string) =>
    ({
      Records: [
        {
          eventName: 'INSERT',
          dynamodb: { SequenceNumber: '1', NewImage: marshall(trackingBacklogItem(slug, 4, now)) },
        },
      ],
    }) as DynamoDBStreamEvent;

  test('gets the first page of its parcels under way queued, of the last 90 days', async () => {
    sqs.on(SendMessageBatchCommand).resolves({});
    expect(await failures(handler(switched('blue')))).toEqual([]);
    const backlog = { generation: 4, since: '2026-08-16T12:00:00.000Z' };
    expect(sentTo('https://registrations')).toEqual([{ shop_slug: 'blue', backlog }]);
  });

  test('gets nothing queued if it has switched them off again', async () => {
    expect(await failures(handler(switched('red')))).toEqual([]);
    expect(sent()).toEqual([]);
  });
});
