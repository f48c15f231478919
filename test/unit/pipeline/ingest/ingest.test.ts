import { randomBytes } from 'node:crypto';
import { ChangeMessageVisibilityBatchCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { BatchGetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { contentOf } from '#domain/orders/enclosed-events.ts';
import { goneTrackingItem, pack, type StoredItem, toShipment } from '#domain/orders/order-items.ts';
import { handler } from '#pipeline/ingest/handler.ts';
import { type Caused, cause } from '#platform/correlation.ts';
import { logger } from '#platform/logging.ts';
import { keyOf, shipmentPrefix } from '#platform/table/keys.ts';
import { packText } from '#platform/table/packed-text.ts';
import type { Action } from '#platform/table/writes.ts';
import { enclosureLimits, orderLimits } from '#schemas/catalogues/limits.ts';
import { type Item, memoryTable } from '#test/kit/memory-table.ts';
import { beforeOrderWrite, orderWrites, outgoingOf } from '#test/kit/order-writes.ts';
import { eventsOf, parcelItems, shopItems } from '#test/kit/parcels.ts';
import { batchOf, context } from '#test/kit/queue-messages.ts';
import { beforeNextRequest, beforeRequest, dynamo, tableWith } from '#test/kit/table.ts';

afterEach(() => vi.restoreAllMocks());

const update = (tracking_number: string, event_name = 'PICKUP_SUCCESSFUL', more: object = {}) => ({
  tracking_number,
  event_name,
  event_time: '2026-11-02T08:00:00Z',
  ...more,
});

const sqs = mockClient(SQSClient);
Object.assign(process.env, {
  CARRIER_UPDATES_QUEUE_URL: 'https://updates',
  CARRIER_UPDATES_FAILURES_QUEUE_URL: 'https://failures',
});
beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  sqs.on(ChangeMessageVisibilityBatchCommand).resolves({});
});

/** Runs the handler on messages `m0`, `m1`, … and returns the ids of those that come again or were put aside. */
async function ingest(...bodies: (object | string)[]): Promise<string[]> {
  const { again, aside } = await ingestAged(0, ...bodies);
  return [...again, ...aside].toSorted();
}

/** The same, apart. */
async function ingestAged(ageSeconds: number, ...bodies: (object | string)[]) {
  sqs.resetHistory();
  const event = batchOf(bodies, { ageSeconds });
  const { batchItemFailures } = await handler(event, context);
  const kept = sqs.commandCalls(SendMessageBatchCommand).flatMap(({ args }) => args[0].input.Entries!);
  const isKept = (body: string) => kept.some(({ MessageBody }) => MessageBody === body);
  return {
    again: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
    aside: event.Records.filter(({ body }) => isKept(body)).map(({ messageId }) => messageId),
  };
}

const blue = () => [...shopItems('blue', true), ...parcelItems('blue', 'A'), ...parcelItems('blue', 'B')];

/** The newest event of the parcel, as the first write stored it. */
const recordedEvent = () => recordedShipment().events.at(-1)!;
const recordedShipment = () => toShipment(orderWrites()[0]![0]!.Put!.Item as StoredItem);

/** A write begins with the parcel. */
const firstOf = (actions: Action[]) => actions[0]!.Put!.Item as Item;

const longTime = `2026-11-02T08:00:00.${'1'.repeat(100_000)}Z`;

describe('a message fails alone, and the others are recorded, when it', () => {
  test.each([
    ['is no JSON', '{"tracking_number":'],
    ['is null', 'null'],
    ['is a list', '[]'],
    ['is empty', {}],
    ['has no number', { ...update('A'), tracking_number: undefined }],
    ['has an empty number', update('')],
    ['has a number of 256 characters', update('x'.repeat(256))],
    ['has a tracking number that is no text', update(7 as never)],
    ['has an unknown event', update('A', 'TELEPORTED')],
    ['has an inherited property as its event', update('A', 'constructor')],
    ['has no time', { ...update('A'), event_time: undefined }],
    ['has a time of 100,000 digits', update('A', 'PICKUP_SUCCESSFUL', { event_time: longTime })],
    ['has an invalid time', update('A', 'PICKUP_SUCCESSFUL', { event_time: 'yesterday' })],
    ['has an unknown carrier', update('A', 'PICKUP_SUCCESSFUL', { carrier_reference: 'pigeon' })],
    ['has a location that is a text', update('A', 'PICKUP_SUCCESSFUL', { location: 'Bonn' })],
  ])('%s', async (_, body) => {
    tableWith(...blue());
    expect(await ingest(update('B'), body)).toEqual(['m1']);
    expect(eventsOf('blue')).toEqual(['ORDER_PROCESSED', 'ORDER_PROCESSED', 'PICKUP_SUCCESSFUL']);
  });
});

test.each([
  ['a leap second', '2016-12-31T23:59:60Z'],
  ['an offset of hours only', '2026-11-02T08:00:00+01'],
  ['a time that is before the year 0 in UTC', '0000-01-01T00:00:00+01:00'],
])('%s is accepted as the time of an event', async (_, event_time) => {
  tableWith(...blue());
  expect(await ingest(update('A', 'PICKUP_SUCCESSFUL', { event_time }))).toEqual([]);
});

test('an update finds its parcel however the shop and the carrier write the number', async () => {
  tableWith(...shopItems('blue', true), ...parcelItems('blue', '1z 999 aa1'));
  const updates = [update('1Z999AA1'), update('1Z-999.aa1', 'OUT_FOR_DELIVERY')];
  expect(await ingest(...updates)).toEqual([]);
  expect(eventsOf('blue').toSorted()).toEqual(['ORDER_PROCESSED', 'OUT_FOR_DELIVERY', 'PICKUP_SUCCESSFUL']);
  expect(orderWrites()).toHaveLength(1);
  expect(recordedShipment().tracking_number).toBe('1z 999 aa1');
});

test('a number of dashes alone is no other number', async () => {
  tableWith(...shopItems('blue', true), ...parcelItems('blue', '---'));
  expect(await ingest(update('...'), update('---'))).toEqual(['m0']);
});

test('half of a character is replaced, because a carrier that cut a text would only send it again', async () => {
  tableWith(...blue());
  expect(await ingest(update('A', 'PICKUP_SUCCESSFUL', { location: { city: 'Bonn \ud83d' } }))).toEqual([]);
  expect(recordedEvent().location).toEqual({ city: 'Bonn \ufffd' });
});

test('a link that nobody should open is dropped, and the rest of the update is recorded', async () => {
  tableWith(...blue());
  const additional_info = { tracking_link: 'javascript:alert(1)', pickup_point_url: 'https://a.example/', date: 'x' };
  const pickup = { name: 'Kiosk', url: 'data:text/html,x', opening_hours: { constructor: '9', toString: '10' } };
  expect(await ingest(update('A', 'PICKUP_SUCCESSFUL', { additional_info, pickup }))).toEqual([]);
  expect(recordedEvent().additional_info).toEqual({ pickup_point_url: 'https://a.example/', date: 'x' });
  expect(recordedShipment().pickup).toEqual({ name: 'Kiosk', opening_hours: pickup.opening_hours });
});

describe('a message whose number no shop knows', () => {
  const minute = 60;

  test('waits for a quarter of an hour, because a carrier may be faster than the shop', async () => {
    tableWith(...blue());
    const updates = [update('Z'), update('A'), update('Z', 'OUT_FOR_DELIVERY')];
    expect(await ingestAged(14 * minute, ...updates)).toEqual({ again: ['m0', 'm2'], aside: [] });
    expect(await ingestAged(15 * minute, ...updates)).toEqual({ again: [], aside: ['m0', 'm2'] });
  });
});

test('a message that is no update is put aside at once, whole and with the reason', async () => {
  tableWith(...blue());
  expect(await ingestAged(0, 'no JSON', update('A'))).toEqual({ again: [], aside: ['m0'] });
  const [call] = sqs.commandCalls(SendMessageBatchCommand);
  expect(call!.args[0].input).toEqual({
    QueueUrl: 'https://failures',
    Entries: [
      {
        Id: '0',
        MessageBody: 'no JSON',
        MessageAttributes: { reason: { DataType: 'String', StringValue: 'malformed' } },
      },
    ],
  });
});

test('a message that cannot even be looked up makes no other fail', async () => {
  tableWith(...blue());
  beforeRequest(QueryCommand, ({ ExpressionAttributeValues: values }) => {
    if (JSON.stringify(values).includes('STRANGE')) throw new TypeError('strange');
  });
  expect(await ingestAged(0, update('STRANGE'), update('A'))).toEqual({ again: ['m0'], aside: [] });
  expect(eventsOf('blue')).toContain('PICKUP_SUCCESSFUL');
  expect(await ingestAged(15 * 60, update('STRANGE'), update('B'))).toEqual({ again: [], aside: ['m0'] });
});

describe('an update of a parcel that was deleted', () => {
  const old = 15 * 60;
  const logged = () => vi.spyOn(logger, 'info').mockImplementation(() => undefined);

  test('comes again for a quarter of an hour, and finds the order that the parcel was added to', async () => {
    const added = parcelItems('blue', 'Z');
    tableWith(...blue(), goneTrackingItem('blue', 'Z', '2026-11-02T08:00:00.000Z'));
    expect(await ingestAged(old - 10, update('Z'), update('A'))).toEqual({ again: ['m0'], aside: [] });
    for (const item of added) memoryTable.put(item as Item);
    expect(await ingestAged(old, update('Z'))).toEqual({ again: [], aside: [] });
    expect(eventsOf('blue').filter((name) => name === 'PICKUP_SUCCESSFUL')).toHaveLength(2);
  });

  test('comes again if it was deleted after it was found', async () => {
    tableWith(...blue().filter((item) => !(item as Item).pk.startsWith('ORDER#')));
    expect(await ingestAged(old - 10, update('A'))).toEqual({ again: ['m0'], aside: [] });
    expect(await ingestAged(old, update('A'))).toEqual({ again: [], aside: [] });
  });

  test('is then done, and fails nothing, when only the mark of the deleted parcel is left', async () => {
    const info = logged();
    tableWith(...blue(), goneTrackingItem('blue', 'Z', '2026-11-02T08:00:00.000Z'));
    expect(await ingestAged(old, update('Z'), update('A'))).toEqual({ again: [], aside: [] });
    expect(info).toHaveBeenCalledWith('carrier updates', expect.objectContaining({ gone: 1, recorded: 1 }));
  });

  test('is then done when only the index still knows its number', async () => {
    tableWith(...blue());
    beforeNextRequest(BatchGetCommand, () => memoryTable.remove(keyOf.tracking('blue', 'A', 0)));
    expect(await ingestAged(old, update('A'))).toEqual({ again: [], aside: [] });
  });

  test('reaches the parcel of another order with the same number at once', async () => {
    tableWith(...blue(), goneTrackingItem('blue', 'A', '2026-11-02T08:00:00.000Z'));
    expect(await ingest(update('A'))).toEqual([]);
    expect(eventsOf('blue')).toContain('PICKUP_SUCCESSFUL');
  });
});

test('messages of one parcel are recorded in one item, each with its outgoing event', async () => {
  tableWith(...blue());
  const names = ['PICKUP_SUCCESSFUL', 'ARRIVED_AT_SORTING_CENTER', 'OUT_FOR_DELIVERY'];
  expect(await ingest(...names.map((name) => update('A', name)), update('A'))).toEqual([]);
  expect(orderWrites()).toHaveLength(1);
  expect(orderWrites()[0]).toHaveLength(1);
  expect(outgoingOf('blue').map(({ event_name }) => event_name)).toEqual(names);
});

test('messages of one parcel with many events are recorded in one transaction, each with its outgoing event', async () => {
  tableWith(...blue());
  const times = Array.from({ length: enclosureLimits.events + 1 }, (_, i) => `2026-11-02T08:0${i}:00Z`);
  expect(await ingest(...times.map((event_time) => update('A', 'SHIPMENT_EN_ROUTE', { event_time })))).toEqual([]);
  const kinds = orderWrites().map((actions) => actions.map(({ Put }) => Put!.Item!.kind ?? 'shipment'));
  expect(kinds).toEqual([['shipment', ...times.map(() => 'event')]]);
});

test('a batch of the largest size on one parcel fits into one transaction', async () => {
  tableWith(...blue());
  const updates = Array.from({ length: 25 }, (_, i) =>
    update('A', 'SHIPMENT_EN_ROUTE', { event_time: new Date(Date.UTC(2026, 10, 2, 8, i)).toISOString() }),
  );
  expect(await ingest(...updates)).toEqual([]);
  expect(orderWrites().map((actions) => actions.length)).toEqual([26]);
});

test('the last event of a batch that delivers several parcels is sent with the delivery of each of them', async () => {
  tableWith(...shopItems('blue', true), ...parcelItems('blue', 'A', 'B'));
  expect(await ingest(update('A', 'SUCCESSFULLY_DELIVERED'), update('B', 'SUCCESSFULLY_DELIVERED'))).toEqual([]);
  const { fullOrder } = contentOf(orderWrites().at(-1)!.at(-1)!.Put!.Item as StoredItem).announcement!;
  const known = fullOrder.shipments.map(({ events }) => events.at(-1)!.event_name);
  expect(known).toEqual(['SUCCESSFULLY_DELIVERED', 'SUCCESSFULLY_DELIVERED']);
});

test('an event that the parcel already has causes no write', async () => {
  tableWith(...blue());
  await ingest(update('A'));
  expect(await ingest(update('A'), update('A'))).toEqual([]);
  expect(orderWrites()).toHaveLength(1);
});

test('a failed write fails only the messages of its parcel', async () => {
  const broken = Object.assign(new Error('full'), { name: 'ThrottlingException' });
  tableWith(...blue());
  beforeOrderWrite((actions) => {
    if (firstOf(actions).tracking_number === 'A') throw broken;
  });
  expect(await ingest(update('A'), update('B'), update('A', 'OUT_FOR_DELIVERY'))).toEqual(['m0', 'm2']);
  expect(eventsOf('blue')).toEqual(['ORDER_PROCESSED', 'ORDER_PROCESSED', 'PICKUP_SUCCESSFUL']);
});

test('a lost race is tried again', async () => {
  let lost = 0;
  const cancelled = Object.assign(new Error('cancelled'), { name: 'ConditionalCheckFailedException' });
  tableWith(...blue());
  beforeOrderWrite(() => {
    if (lost++ < 2) throw cancelled;
  });
  expect(await ingest(update('A'))).toEqual([]);
  expect(lost).toBe(3);
});

test('a message for two shops of which one fails is repeated without a second event for the other shop', async () => {
  const items = ['blue', 'red'].flatMap((slug) => [...shopItems(slug, true), ...parcelItems(slug, 'A')]);
  let redIsBroken = true;
  tableWith(...items);
  beforeOrderWrite((actions) => {
    if (redIsBroken && firstOf(actions).pk.includes('red')) throw new Error('down');
  });
  expect(await ingest(update('A'))).toEqual(['m0']);
  redIsBroken = false;
  expect(await ingest(update('A'))).toEqual([]);
  for (const slug of ['blue', 'red']) {
    expect(eventsOf(slug)).toEqual(['ORDER_PROCESSED', 'PICKUP_SUCCESSFUL']);
  }
  const written = orderWrites().map(([{ Put } = {}]) => Put!.Item!.pk as string);
  expect(written.filter((pk) => pk.includes('blue'))).toHaveLength(1);
});

test.each([
  ['with updates switched off', shopItems('red', false)],
  ['without settings', shopItems('red', true).slice(0, 1)],
])('a shop %s is skipped, and the message succeeds', async (_, shop) => {
  tableWith(...shop, ...parcelItems('red', 'A'));
  expect(await ingest(update('A'))).toEqual([]);
  expect(orderWrites()).toEqual([]);
});

test('shops and settings are read once per batch', async () => {
  tableWith(...blue());
  await ingest(update('A'), update('B'), update('A', 'OUT_FOR_DELIVERY'));
  const read = dynamo.commandCalls(BatchGetCommand).flatMap(({ args }) => args[0].input.RequestItems!.table!.Keys!);
  expect(read.map(({ sk }) => sk).sort()).toEqual(['REF', 'REF', 'SETTINGS', 'SHOP']);
});

/** The parcel with so much text that a short event fits into its item, and no long one. */
function almostFull(item: object): object {
  const { sk } = item as StoredItem;
  if (!sk.startsWith(shipmentPrefix)) return item;
  const parcel = toShipment(item as StoredItem);
  const text = randomText(472_000);
  const withText = (length: number) => ({
    ...parcel,
    events: parcel.events.map((event) => ({ ...event, additional_info: { text: text.slice(0, length) } })),
  });
  let { length } = text;
  while (packText(JSON.stringify(withText(length))).length > orderLimits.storedBytes - 2000) length -= 1000;
  return { ...item, document: pack(withText(length)) };
}

test('a report that no longer fits into its parcel fails alone', async () => {
  const days = Array.from({ length: 20 }, (_, i) => [`day ${i}`, randomText(250)]);
  const additional_info = { pickup_opening_hours: Object.fromEntries(days) };
  tableWith(...shopItems('blue', true), ...parcelItems('blue', 'A').map(almostFull));
  expect(await ingest(update('A'), update('A', 'OUT_FOR_DELIVERY', { additional_info }))).toEqual(['m1']);
  expect(eventsOf('blue')).toEqual(['ORDER_PROCESSED', 'PICKUP_SUCCESSFUL']);
});

test('of two reports of the same event at the same time the one that says more stays, whichever came first', async () => {
  const reports = [
    update('A'),
    update('A', 'PICKUP_SUCCESSFUL', { location: { city: 'Bonn' } }),
    update('A', 'PICKUP_SUCCESSFUL', { location: { city: 'Köln' } }),
  ];
  for (const order of [reports, reports.toReversed()]) {
    tableWith(...blue());
    for (const report of order) expect(await ingest(report)).toEqual([]);
    expect(eventsOf('blue').filter((name) => name === 'PICKUP_SUCCESSFUL')).toHaveLength(1);
    expect(outgoingOf('blue')).toHaveLength(1);
    const items = memoryTable.all('ORDER#').filter(({ sk }) => sk.startsWith('SHIPMENT#'));
    const cities = items.flatMap((item) => toShipment(item as StoredItem).events.map(({ location }) => location?.city));
    expect(cities.filter(Boolean)).toEqual(['Bonn']);
  }
});

describe('a message with several events', () => {
  const history = (...events: object[]) => ({ tracking_number: 'A', events });
  const at = (event_name: string, minute: number) => ({
    event_name,
    event_time: new Date(Date.UTC(2026, 10, 2, 8, minute)).toISOString(),
  });

  test('is recorded in one write, each event once', async () => {
    tableWith(...blue());
    const body = history(at('OUT_FOR_DELIVERY', 5), at('PICKUP_SUCCESSFUL', 1), at('OUT_FOR_DELIVERY', 5));
    expect(await ingest(body, body)).toEqual([]);
    expect(orderWrites()).toHaveLength(1);
    expect(eventsOf('blue').filter((name) => name !== 'ORDER_PROCESSED')).toEqual([
      ...['PICKUP_SUCCESSFUL', 'OUT_FOR_DELIVERY'],
    ]);
  });

  test('is recorded in as few writes as transactions allow if a batch holds very many', async () => {
    tableWith(...blue());
    const events = Array.from({ length: 250 }, (_, i) => at('SHIPMENT_EN_ROUTE', i));
    const bodies = [0, 50, 100, 150, 200].map((from) => history(...events.slice(from, from + 50)));
    expect(await ingest(...bodies)).toEqual([]);
    expect(orderWrites().map((actions) => actions.length)).toEqual([91, 91, 71]);
    expect(eventsOf('blue').filter((name) => name === 'SHIPMENT_EN_ROUTE')).toHaveLength(250);
  });

  test.each([
    ['no events', history()],
    ['too many events', history(...Array.from({ length: 51 }, (_, i) => at('SHIPMENT_EN_ROUTE', i)))],
    ['an unknown event', history(at('PICKUP_SUCCESSFUL', 1), at('TELEPORTED', 2))],
    ['an invalid time', history({ event_name: 'PICKUP_SUCCESSFUL', event_time: 'soon' })],
    ['an unknown carrier', { ...history(at('PICKUP_SUCCESSFUL', 1)), carrier_reference: 'pigeon' }],
    ['events that are no list', { tracking_number: 'A', events: 'all' }],
  ])('fails as a whole with %s', async (_, body) => {
    tableWith(...blue());
    expect(await ingest(body)).toEqual(['m0']);
    expect(orderWrites()).toEqual([]);
  });
});

test('while the table cannot be read all messages come again, for almost two weeks, and the function does not fail', async () => {
  const denied = Object.assign(new Error('no grant'), { name: 'AccessDeniedException', $metadata: {} });
  tableWith(...blue());
  dynamo.on(BatchGetCommand).rejects(denied);
  const day = 24 * 3600;
  expect(await ingestAged(12 * day, update('A'), update('B'))).toEqual({ again: ['m0', 'm1'], aside: [] });
  expect(await ingestAged(13 * day, update('A'))).toEqual({ again: [], aside: ['m0'] });
});

test('the log contains counts, ids and reasons, and nothing of the reports', async () => {
  const warn = vi.spyOn(logger, 'warn').mockImplementation(() => undefined);
  tableWith(...blue());
  const caused = { cause: 'request-1' };
  await ingest(
    update('A', 'OUT_FOR_DELIVERY', { location: { city: 'Bonn' }, ...caused }),
    update('ZZZ-404', 'OUT_FOR_DELIVERY', { cause: 'Jane Doe' }),
    'Jane Doe',
  );
  expect(warn.mock.calls).toEqual([
    [
      'carrier updates',
      {
        messages: 3,
        recorded: 1,
        passed_over: 0,
        gone: 0,
        again: 1,
        put_aside: 1,
        correlation_ids: ['request-1'],
        reasons: { m1: 'unknown_number', m2: 'malformed' },
      },
    ],
  ]);
});

test('what a provider reports is caused by its request, of several by the last', async () => {
  tableWith(...blue());
  const causes: (string | undefined)[] = [];
  beforeOrderWrite(() => void causes.push(cause().cause));
  const scanned = (number: string, time: string, caused: Caused = {}) =>
    update(number, 'OUT_FOR_DELIVERY', { event_time: `2026-11-02T${time}:00Z`, ...caused });
  const ofParcel = [scanned('A', '08:00', { cause: 'first' }), scanned('A', '09:00', { cause: 'last' })];
  await ingest(...ofParcel, scanned('A', '10:00'), scanned('B', '08:00'));
  expect(causes.sort()).toEqual(['last', undefined]);
});

const randomText = (length: number) => randomBytes(length).toString('base64').slice(0, length);
