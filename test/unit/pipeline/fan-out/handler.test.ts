import { gzipSync } from 'node:zlib';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Claim, deleted, updated } from '#domain/claims/claim-rules.ts';
import { claimItem, historyItem } from '#domain/claims/claim-store.ts';
import type { contextOf } from '#domain/deliveries/event-payload.ts';
import type { Order } from '#domain/orders/model.ts';
import { orderItem } from '#domain/orders/order-items.ts';
import { claimEvent, outboxItem, withSnapshot } from '#domain/orders/outbox.ts';
import { handler as handlerWithContext } from '#pipeline/fan-out/handler.ts';
import { cause, causedBy, correlationIds } from '#platform/correlation.ts';
import { logger } from '#platform/logging.ts';
import { recordIn } from '#platform/put-aside.ts';
import { keyOf, shopPartition } from '#platform/table/keys.ts';
import { unpackText } from '#platform/table/packed-text.ts';
import { claimOf } from '#test/kit/claims.ts';
import { deliveryInMessage, handler } from '#test/kit/fan-out.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import {
  integrationKey,
  itemsOf,
  listener,
  type OrderWithEvent,
  orderWithEvent,
  streamOf,
  switches,
} from '#test/kit/outbox-records.ts';
import { batchOf } from '#test/kit/queue-messages.ts';
import { beforeRequest, dynamo, shopItem, tableWith } from '#test/kit/table.ts';

const sqs = mockClient(SQSClient);
process.env.DELIVERY_QUEUE_URL = 'https://deliveries';
process.env.STREAM_FAILURES_QUEUE_URL = 'https://failures';

const shops = [shopItem('blue'), listener('blue', 'one'), listener('blue', 'two'), shopItem('red')];
const given = (...events: OrderWithEvent[]) => tableWith(...shops, ...events.flatMap(itemsOf));

beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
});

const failures = async (result: Promise<DynamoDBBatchResponse>) =>
  (await result).batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

const sentBodies = () =>
  sqs
    .commandCalls(SendMessageBatchCommand, { QueueUrl: 'https://deliveries' })
    .flatMap(({ args }) => args[0].input.Entries!.map(({ MessageBody }) => MessageBody!));

const sentMessages = () => sentBodies().map((body) => JSON.parse(body));

const sent = () => sentBodies().map(deliveryInMessage);
const sentOf = ({ event }: OrderWithEvent) => sent().filter(({ event_id }) => event_id === event.id);

const puts = () => dynamo.commandCalls(PutCommand).map(({ args }) => args[0].input.Item!);
const isPayload = ({ pk }: Record<string, unknown>) => String(pk).startsWith('PAYLOADS#');
const payloads = () => puts().filter(isPayload);
const isPayloadOf = ({ event }: OrderWithEvent, item: Record<string, unknown> | undefined) =>
  item?.pk === keyOf.payload('blue', event.id).pk;

const readsOf = (prefix: string) =>
  dynamo.commandCalls(QueryCommand).filter(({ args }) => {
    const [partition] = Object.values(args[0].input.ExpressionAttributeValues!);
    return (partition as string).startsWith(prefix);
  });
const orderReads = () => readsOf('ORDER#');

describe('events of the stream', () => {
  test('become one message for each shipment and endpoint, and only their payloads are written', async () => {
    const event = orderWithEvent('blue', 'A', { parcels: 3 });
    given(event);
    expect(await failures(handler(streamOf(event)))).toEqual([]);
    expect(sent()).toHaveLength(6);
    expect(new Set(sent().map(({ id }) => id)).size).toBe(6);
    expect(puts()).toEqual(payloads());
    expect(payloads()).toHaveLength(1);
  });

  test('pass on which request caused them, and log it', async () => {
    const info = vi.spyOn(logger, 'info').mockImplementation(() => undefined);
    const id = '0198b1f0-6c3a-4d11-9a3e-5f0c7d2e8b41';
    const { event, ...order } = orderWithEvent('blue', 'A');
    const caused = { ...order, event: { ...event, ...causedBy(id, cause) } };
    given(caused);
    await handler(streamOf(caused));
    expect(sentMessages().map((message) => correlationIds([message]))).toEqual([[id], [id]]);
    expect(sentMessages()[0].cause).toHaveLength(22);
    expect(info).toHaveBeenCalledWith('events', expect.objectContaining({ correlation_ids: [id] }));
    info.mockRestore();
  });

  test('without a listener cost no read of their order', async () => {
    const event = orderWithEvent('red', 'A');
    given(event);
    expect(await failures(handler(streamOf(event)))).toEqual([]);
    expect(orderReads()).toHaveLength(0);
    expect([sent(), puts()]).toEqual([[], []]);
  });

  test('of a deleted shop are dropped', async () => {
    const event = orderWithEvent('gone', 'A');
    given(event);
    expect(await failures(handler(streamOf(event)))).toEqual([]);
    expect([sent(), puts()]).toEqual([[], []]);
  });

  test('of one shop share one read of it', async () => {
    const events = ['A', 'B', 'C'].map((number) => orderWithEvent('blue', number));
    given(...events);
    await handler(streamOf(...events));
    expect(readsOf('SHOP#')).toHaveLength(1);
    expect(orderReads()).toHaveLength(3);
  });
});

describe('the order in a payload', () => {
  const then = orderWithEvent('blue', 'A');
  const changed = {
    ...then,
    order: { ...then.order, email_id: 'later@example.com' },
    shipments: then.shipments.map((shipment) => ({ ...shipment, tracking_number: 'later' })),
  };
  const [carrying] = withSnapshot([then.event], then);
  const referring = { ...then.event, snapshot_in: then.event.id };
  const contexts = () =>
    payloads().map(
      ({ body }) => JSON.parse(unpackText(body).toString().split('\n')[0]!) as ReturnType<typeof contextOf>,
    );
  const told = () =>
    contexts().map(({ customer, shipments }) => [customer.email, shipments[0]!.carrier.tracking_number]);

  test('is as the event left it, even if it has changed since', async () => {
    given(changed);
    expect(await failures(handler(streamOf({ event: carrying! })))).toEqual([]);
    expect(told()).toEqual([['a@example.com', 'A-1']]);
    expect(orderReads()).toHaveLength(0);
  });

  test('is read from bytes that Lambda passes as text', async () => {
    given(changed);
    const { Records } = streamOf({ event: carrying! });
    Records[0]!.dynamodb!.NewImage!.snapshot = { B: Buffer.from(carrying!.snapshot!).toString('base64') };
    expect(await failures(handler({ Records }))).toEqual([]);
    expect(told()).toEqual([['a@example.com', 'A-1']]);
  });

  test('is read from another event of the same write that carries it', async () => {
    tableWith(...shops, ...itemsOf(changed), carrying!);
    expect(await failures(handler(streamOf({ event: referring })))).toEqual([]);
    expect(told()).toEqual([['a@example.com', 'A-1']]);
  });

  test('is as the event left it, even if it was deleted', async () => {
    tableWith(...shops);
    expect(await failures(handler(streamOf({ event: carrying! })))).toEqual([]);
    expect(told()).toHaveLength(1);
  });

  test.each([
    ['it was too large to be carried', then.event],
    ['the event that carries it is gone', referring],
  ])('is as it is now when %s', async (_case, event) => {
    given(changed);
    expect(await failures(handler(streamOf({ event })))).toEqual([]);
    expect(told()).toEqual([['later@example.com', 'later']]);
  });

  test('has no claims that were made after the event', async () => {
    const [before, after] = ['2026-11-14T12:00:00.000Z', '2026-11-14T12:00:00.001Z'];
    const claims = [before, after].map((created_at) =>
      claimItem('blue', claimOf({ uuid: created_at, order_id: then.order.uuid, created_at }), 1),
    );
    tableWith(...shops, ...itemsOf(then), ...claims);
    await handler(streamOf({ event: carrying! }));
    expect(contexts()[0]!.claims.map(({ uuid }) => uuid)).toEqual([before]);
  });

  test('has its claims as they were', async () => {
    const made = claimOf({ order_id: then.order.uuid });
    const { claim, action, changes } = updated(made, { status: 'closed' }, '2026-11-14T12:00:01.000Z')!;
    const entries = [
      historyItem('blue', claim, 2, { at: claim.updated_at, by: 'k', action, changes }),
      historyItem('blue', claim, 1, { at: made.created_at, by: 'k', action: 'created', changes: [] }),
    ];
    tableWith(...shops, ...itemsOf(then), claimItem('blue', claim, 2), ...entries);
    await handler(streamOf({ event: carrying! }));
    expect(contexts()[0]!.claims).toMatchObject([{ status: 'pending', updated_at: made.updated_at }]);
  });

  test('has the history of a claim read only from the event on', async () => {
    const made = claimOf({ order_id: then.order.uuid });
    const { claim, action, changes } = updated(made, { status: 'closed' }, '2026-11-14T12:00:01.000Z')!;
    tableWith(...shops, ...itemsOf(then), claimItem('blue', claim, 900));
    const steps = Array.from({ length: 60 }, (_, i) => {
      const at = i === 0 ? claim.updated_at : made.created_at;
      return historyItem('blue', claim, 900 - i, { at, by: 'k', action, changes });
    });
    memoryTable.put(...steps);
    await handler(streamOf({ event: carrying! }));
    expect(contexts()[0]!.claims).toMatchObject([{ status: 'pending' }]);
    expect(dynamo.commandCalls(QueryCommand, { Limit: 25 })).toHaveLength(1);
  });

  describe('of a claim event has that claim as the event carries it', () => {
    const made = claimOf({ order_id: then.order.uuid });
    const shop = { slug: 'blue', uuid: 'shop-blue' };
    const eventOf = (claim: Claim) => ({
      event: { ...outboxItem(shop, claimEvent('updated', claim, 2, 'k')), snapshot: carrying!.snapshot },
    });

    test.each([
      ['another step has the same time', made.updated_at, made.updated_at],
      ['another step has an earlier time', made.updated_at, '2026-11-14T11:59:59.999Z'],
      ['the clock at its creation was ahead', '2026-11-14T11:59:59.999Z', made.updated_at],
    ])('when %s', async (_case, at, nextAt) => {
      const { claim } = updated(made, { status: 'accepted' }, at)!;
      const next = updated(claim, { status: 'closed' }, nextAt)!;
      tableWith(...shops, ...itemsOf(then), claimItem('blue', next.claim, 3));
      expect(await failures(handler(streamOf(eventOf(claim))))).toEqual([]);
      expect(contexts()[0]!.claims).toMatchObject([{ status: 'accepted', updated_at: at, deleted_at: null }]);
    });

    test('when it was deleted within the same millisecond', async () => {
      const { claim } = updated(made, { status: 'accepted' }, made.updated_at)!;
      tableWith(...shops, ...itemsOf(then), claimItem('blue', deleted(claim, claim.updated_at).claim, 3));
      expect(await failures(handler(streamOf(eventOf(claim))))).toEqual([]);
      expect(contexts()[0]!.claims).toMatchObject([{ status: 'accepted', deleted_at: null }]);
    });
  });
});

describe('a record is tried again', () => {
  const [a, b, c] = ['A', 'B', 'C'].map((number) => orderWithEvent('blue', number)) as [
    OrderWithEvent,
    OrderWithEvent,
    OrderWithEvent,
  ];
  const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

  test('when its payloads cannot be written, and later records wait', async () => {
    given(a, b, c);
    beforeRequest(PutCommand, ({ Item }) => {
      if (isPayloadOf(b, Item)) throw throttled;
    });
    expect(await failures(handler(streamOf(a, b, c)))).toEqual(['2']);
    expect(sent()).toHaveLength(2);
    expect(sentOf(a)).toEqual(sent());
  });

  test('when it loses every race, because nothing shows that its payloads are stored', async () => {
    const conflict = Object.assign(new Error(), { name: 'TransactionConflictException' });
    given(a);
    dynamo.on(PutCommand).rejects(conflict);
    expect(await failures(handler(streamOf(a)))).toEqual(['1']);
    expect(sent()).toEqual([]);
  });

  test('when its shop cannot be read', async () => {
    given(a);
    beforeRequest(QueryCommand, ({ ExpressionAttributeValues }) => {
      if (ExpressionAttributeValues?.[':partition'] === shopPartition('blue')) throw throttled;
    });
    expect(await failures(handler(streamOf(a)))).toEqual(['1']);
    expect(sent()).toEqual([]);
  });

  test('when the queue refuses one of its messages', async () => {
    given(a, b);
    sqs.on(SendMessageBatchCommand).resolves({ Failed: [{ Id: '2', Code: 'InternalError', SenderFault: false }] });
    expect(await failures(handler(streamOf(a, b)))).toEqual(['2']);
  });
});

describe('a record of a newer version', () => {
  const a = orderWithEvent('blue', 'A');
  const hoursAgo = (hours: number, record: object) => {
    const [made] = streamOf({ event: record }).Records;
    made!.dynamodb!.ApproximateCreationDateTime = Date.now() / 1000 - hours * 3600;
    return made!;
  };
  const [order] = itemsOf(a);
  const packedAnew = { ...order!, document: Buffer.from([0x78, 0xf9, 1, 2, 3, 4, 5, 6]) };
  const removed = {
    eventName: 'REMOVE',
    dynamodb: { SequenceNumber: '1', Keys: marshall({ pk: 'ORDER#blue#1', sk: '~RETURN#1' }) },
  } as never;

  test.each<[string, DynamoDBStreamEvent['Records'][number]]>([
    ['an item of an unknown kind', hoursAgo(10, { kind: 'survey', shop_slug: 'blue' })],
    ['an event of an unknown source', hoursAgo(10, { ...a.event, source: 'returns' })],
    ['the change of an unknown kind', hoursAgo(10, { pk: 'ORDER#blue#1', sk: '~RETURN#1' })],
    ['the removal of an unknown kind', removed],
    ['a document that is packed in an unknown way', hoursAgo(10, packedAnew)],
  ])('waits for that version: %s', async (_, record) => {
    given(a);
    const [known] = streamOf(a).Records;
    known!.dynamodb!.SequenceNumber = '2';
    expect(await failures(handler({ Records: [record, known!] }))).toEqual(['1']);
    expect(sqs.commandCalls(SendMessageBatchCommand)).toHaveLength(0);
  });
});

describe('a record that can never be handled', () => {
  const [a, b] = ['A', 'B'].map((number) => orderWithEvent('blue', number)) as [OrderWithEvent, OrderWithEvent];
  const keptRecords = () =>
    sqs
      .commandCalls(SendMessageBatchCommand, { QueueUrl: 'https://failures' })
      .flatMap(({ args }) => args[0].input.Entries!.map(({ MessageBody }) => MessageBody!));

  test('is put aside whole, and the stream goes on', async () => {
    given(a);
    const event = streamOf({ event: { kind: 'event', shop_slug: 'blue' } }, a);
    expect(await failures(handler(event))).toEqual([]);
    expect(keptRecords().map((body) => JSON.parse(body))).toMatchObject([
      { kind: 'event', reason: 'MalformedEvent', sequence_number: '1' },
    ]);
    expect(await recordIn(keptRecords()[0]!)).toEqual(event.Records[0]);
    expect(sentOf(a)).toHaveLength(2);
  });

  test('names the request that caused it when it is put aside, and when it is sent again', async () => {
    const error = vi.spyOn(logger, 'error').mockImplementation(() => undefined);
    const info = vi.spyOn(logger, 'info').mockImplementation(() => undefined);
    given(b);
    const caused = { ...a, event: { ...a.event, cause: 'request-1' } };
    expect(await failures(handler(streamOf(caused)))).toEqual([]);
    const correlation_ids = ['request-1'];
    expect(error).toHaveBeenCalledWith('record put aside', expect.objectContaining({ correlation_ids }));
    memoryTable.put(...itemsOf(a));
    expect(await handler(batchOf([keptRecords()[0]!]))).toEqual({ batchItemFailures: [] });
    expect(info).toHaveBeenLastCalledWith('parts of events', expect.objectContaining({ messages: 1, correlation_ids }));
    vi.restoreAllMocks();
  });

  test('stays in the stream if it cannot be kept', async () => {
    given(a);
    sqs.on(SendMessageBatchCommand, { QueueUrl: 'https://failures' }).rejects(new Error('refused'));
    expect(await failures(handler(streamOf(a, { event: { kind: 'event', shop_slug: 'blue' } })))).toEqual(['2']);
  });

  test('that is to come again is logged with the request that caused it', async () => {
    const warn = vi.spyOn(logger, 'warn').mockImplementation(() => undefined);
    given(a, b);
    const caused = ({ event, ...order }: OrderWithEvent, cause: string) => ({ ...order, event: { ...event, cause } });
    beforeRequest(PutCommand, ({ Item }) => {
      if (isPayloadOf(b, Item)) throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    });
    const event = streamOf(caused(a, 'request-a'), caused(b, 'request-b'));
    expect(await failures(handler(event))).toEqual(['2']);
    expect(warn).toHaveBeenCalledWith(
      'events',
      expect.objectContaining({
        failures: { 2: 'ThrottlingException' },
        failed_correlation_ids: ['request-b'],
        correlation_ids: ['request-a', 'request-b'],
      }),
    );
    warn.mockRestore();
  });

  test('is put aside only when the records before it are done, so that there are no copies of it', async () => {
    given(a);
    const event = streamOf(a, { event: { kind: 'event', shop_slug: 'blue' } });
    beforeRequest(PutCommand, () => {
      throw Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    });
    expect(await failures(handler(event))).toEqual(['1', '2']);
    expect(keptRecords()).toEqual([]);
  });

  test('is put aside too if its queue has refused it for most of a day', async () => {
    given(a);
    const event = streamOf(a);
    const hoursAgo = (hours: number) => {
      event.Records[0]!.dynamodb!.ApproximateCreationDateTime = Date.now() / 1000 - hours * 3600;
      return event;
    };
    sqs.on(SendMessageBatchCommand, { QueueUrl: 'https://deliveries' }).rejects(new Error('refused'));
    expect(await failures(handler(hoursAgo(21)))).toEqual(['1']);
    expect(await failures(handler(hoursAgo(22.1)))).toEqual([]);
    expect(keptRecords().map((body) => JSON.parse(body))).toMatchObject([{ kind: 'event', reason: 'NotEnqueued' }]);
  });

  test('for an unknown reason, alone in its batch, waits as in an outage', async () => {
    given(a);
    const event = streamOf(a);
    event.Records[0]!.dynamodb!.ApproximateCreationDateTime = Date.now() / 1000 - 21 * 3600;
    dynamo.on(PutCommand).rejects(new TypeError('x is undefined'));
    expect(await failures(handler(event))).toEqual(['1']);
    expect(keptRecords()).toEqual([]);
  });

  test('is handled when it is sent again after the mend', async () => {
    given(b);
    expect(await failures(handler(streamOf(a, b)))).toEqual([]);
    const [body] = keptRecords();
    expect(JSON.parse(body!)).toMatchObject({ reason: 'OrderGone' });
    memoryTable.put(...itemsOf(a));
    const replayed = batchOf([body!]);
    expect(await handler(replayed)).toEqual({ batchItemFailures: [] });
    expect(sentOf(a)).toHaveLength(2);
  });

  test('that is sent again comes again while an outage lasts, however old it is itself', async () => {
    given(a);
    const [record] = streamOf(a).Records;
    record!.dynamodb!.ApproximateCreationDateTime = Date.now() / 1000 - 7 * 24 * 3600;
    const body = JSON.stringify({ packed: gzipSync(JSON.stringify(record)).toString('base64') });
    sqs.on(SendMessageBatchCommand, { QueueUrl: 'https://deliveries' }).rejects(new Error('refused'));
    const replayed = batchOf([body], { ageSeconds: 21 * 3600, receives: 60 });
    expect(await handler(replayed)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }] });
    expect(keptRecords()).toEqual([]);
  });
});

describe('a record that hangs', () => {
  const [a, b] = ['A', 'B'].map((number) => orderWithEvent('blue', number)) as [OrderWithEvent, OrderWithEvent];
  const context = { getRemainingTimeInMillis: () => 60_000 } as Context;
  const keptReasons = () =>
    sqs
      .commandCalls(SendMessageBatchCommand, { QueueUrl: 'https://failures' })
      .flatMap(({ args }) => args[0].input.Entries!.map(({ MessageBody }) => JSON.parse(MessageBody!).reason));

  function streamOfAge(seconds: number) {
    const event = streamOf(b, a);
    event.Records[0]!.dynamodb!.ApproximateCreationDateTime = Date.now() / 1000 - seconds;
    return event;
  }

  /** Lets the time of the function run out when everything is done but the record that hangs. */
  async function handleUntilLate(event: DynamoDBStreamEvent): Promise<string[]> {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const handling = handlerWithContext(event, context);
    do await new Promise((resolve) => setImmediate(resolve));
    while (!puts().some((item) => isPayloadOf(a, item)));
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(45_000);
    return failures(handling);
  }

  beforeEach(() => {
    given(a, b);
    dynamo.on(PutCommand).callsFake(({ Item }) => (isPayloadOf(b, Item) ? new Promise(() => {}) : {}));
  });
  afterEach(() => vi.useRealTimers());

  test('comes again at first, and its function ends in time', async () => {
    expect(await handleUntilLate(streamOfAge(60))).toEqual(['1']);
    expect(keptReasons()).toEqual([]);
  });

  test('is put aside after a quarter of an hour, because another is handled', async () => {
    expect(await handleUntilLate(streamOfAge(901))).toEqual([]);
    expect(keptReasons()).toEqual(['TookTooLong']);
    expect(new Set(sentMessages().map(({ payload_id }) => payload_id))).toContain(a.event.id);
  });

  test('does not make those fail for which no time was left', async () => {
    const noTime = { getRemainingTimeInMillis: () => 15_000 } as Context;
    expect(await failures(handlerWithContext(streamOfAge(3600), noTime))).toEqual(['1', '2']);
    expect(keptReasons()).toEqual([]);
  });
});

describe('an integration gets events', () => {
  const event = orderWithEvent('red', 'A');
  const targets = async (configured: string, ...items: object[]) => {
    process.env.INTEGRATION_TARGETS = configured;
    tableWith(...shops, ...itemsOf(event), ...items);
    await handler(streamOf(event));
    const targets = sent().map(({ target, kind }) => `${kind} ${target}`);
    sqs.resetHistory();
    return targets;
  };

  test('once it has an address, a key and its switch on', async () => {
    const key = integrationKey('red', 'integration_1');
    const on = switches('red', { integration_1: true });
    const off = switches('red', { integration_1: false });
    const address = JSON.stringify({ integration_1: { url: 'https://integration.example', scheme: 'bearer' } });
    expect(await targets(address, key, on)).toEqual(['integration integration_1']);
    expect(await targets(address, key, off)).toEqual([]);
    expect(await targets(address, key)).toEqual([]);
    expect(await targets(address, on)).toEqual([]);
    expect(await targets('', key, on)).toEqual([]);
  });

  test('at the address of the shop, if the integration is reached that way', async () => {
    const key = integrationKey('red', 'integration_3', 'https://push.example');
    const on = switches('red', { integration_3: true });
    const own = { ...on, trigger_settings: { integration_3: { rest_endpoint: 'https://push.example' } } };
    expect(await targets('', key, own)).toEqual(['integration integration_3']);
    expect(await targets('', key, on)).toEqual([]);
    expect(await targets('', own)).toEqual([]);
  });

  test('at the address of the shop, only if its key was given for that server', async () => {
    const on = switches('red', { integration_3: true });
    const own = { ...on, trigger_settings: { integration_3: { rest_endpoint: 'https://push.example' } } };
    for (const origin of [null, 'https://other.example', 'http://push.example', 'https://push.example:8443']) {
      expect(await targets('', integrationKey('red', 'integration_3', origin), own)).toEqual([]);
    }
  });
});

describe('a new order', () => {
  const { order } = orderWithEvent('red', 'A');
  const created = (fields: Partial<Order> = {}) => ({ event: orderItem('red', { ...order, ...fields }, 1) });
  const key = integrationKey('red', 'integration_1');
  const on = { ...keyOf.settings('red'), segments: { integration_1: true } };
  const requests = () =>
    sqs
      .commandCalls(SendMessageBatchCommand)
      .flatMap(({ args: [{ input }] }) => input.Entries!.map((entry) => [input.QueueUrl, entry] as const))
      .map(([queue, { MessageBody, MessageGroupId }]) => [queue, MessageGroupId, JSON.parse(MessageBody!)]);

  beforeEach(() => {
    process.env.SEGMENTS_QUEUE_URL = 'https://segments';
    const target = { url: 'https://a.klaviyo.com', dialect: 'klaviyo' };
    process.env.INTEGRATION_TARGETS = JSON.stringify({ integration_1: target });
  });

  test.each([{}, { email_id: '', external_customer_id: '7' }])(
    'asks for the segments of its customer where the shop wants them: %j',
    async (fields) => {
      tableWith(...shops, key, on);
      expect(await failures(handler(streamOf(created(fields))))).toEqual([]);
      const message = { shop_slug: 'red', order_id: order.uuid, integration: 'integration_1', since: order.created_at };
      expect(requests()).toEqual([['https://segments', 'red', message]]);
    },
  );

  test('asks for nothing if it has no customer, and reads nothing', async () => {
    tableWith(...shops, key, on);
    await handler(streamOf(created({ email_id: '' })));
    expect([requests(), dynamo.calls()]).toEqual([[], []]);
  });

  test.each([
    ['the switch is off', [key]],
    ['there is no key', [on]],
    ['the integration is paused', [key, { ...on, trigger_settings: { integration_1: { segments_enabled: false } } }]],
  ])('asks for nothing if %s', async (_, items) => {
    tableWith(...shops, ...items);
    expect(await failures(handler(streamOf(created())))).toEqual([]);
    expect(requests()).toEqual([]);
  });

  test('asks for nothing at a vendor that knows no segments', async () => {
    process.env.INTEGRATION_TARGETS = JSON.stringify({ integration_1: { url: 'https://a.example', scheme: 'bearer' } });
    tableWith(...shops, key, on);
    await handler(streamOf(created()));
    expect(requests()).toEqual([]);
  });

  test('is put aside if only the queue of segments refuses its request, and holds up nothing', async () => {
    const event = orderWithEvent('blue', 'B');
    tableWith(...shops, key, on, ...itemsOf(event));
    sqs.on(SendMessageBatchCommand, { QueueUrl: 'https://segments' }).rejects(new Error('no grant'));
    expect(await failures(handler(streamOf(created(), event)))).toEqual([]);
    expect(sentOf(event)).toHaveLength(2);
    expect(requests().filter(([queue]) => queue === 'https://failures')).toMatchObject([
      ['https://failures', 'order_change', { reason: 'NotEnqueued', sequence_number: '1' }],
    ]);
  });

  test('comes again if no queue can be reached', async () => {
    tableWith(...shops, key, on);
    sqs.on(SendMessageBatchCommand).rejects(new Error('unreachable'));
    expect(await failures(handler(streamOf(created())))).toEqual(['1']);
  });
});

test('the catch-all group has a delivery of its own, with the same event and a payload that names the group', async () => {
  const event = orderWithEvent('blue', 'A', { name: 'SUCCESSFULLY_DELIVERED' });
  const settings = { ...switches('blue', {}), trigger_settings: { webhook: { trigger_delivered_all_events: true } } };
  tableWith(shopItem('blue'), listener('blue', 'one'), settings, ...itemsOf(event));
  await handler(streamOf(event));
  const [own, catchAll] = sent();
  expect(own).toMatchObject({ event_group: 'shipment_delivered' });
  expect(catchAll).toMatchObject({
    event_group: 'shipment_delivered_all_events',
    event_id: own!.event_id,
    ref: own!.ref,
  });
  expect(catchAll!.id).not.toBe(own!.id);
  sqs.resetHistory();
  await handler(streamOf(event));
  expect(sent().map(({ id }) => id)).toEqual([own!.id, catchAll!.id]);
});
