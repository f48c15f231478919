import { randomUUID } from 'node:crypto';
import { S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { keyOf } from '#platform/table/keys.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { type EventReceiver, startEventReceiver } from '#test/kit/event-receiver.ts';
import { itemsOf, orderWithEvent } from '#test/kit/outbox-records.ts';
import { queuedMessage } from '#test/kit/queue-messages.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { newWebhookShop } from '#test/kit/webhook-shop.ts';
import { listFailures, type Place, replayFailures } from '../../../bin/operator/failures.ts';

let service: RunningService;
let receiver: EventReceiver;
let place: Place;
beforeAll(async () => {
  receiver = await startEventReceiver();
  // The pauses of failed messages are a second long.
  service = await startService({ environment: { ALLOW_LOCAL_TARGETS: 'true', RETRY_BASE_SECONDS: '0.01' } });
  const { clientConfig, outputs } = service.stack;
  const s3 = new S3Client({ ...clientConfig, forcePathStyle: true });
  const { table } = service;
  place = { failures: JSON.parse(outputs.Failures!), sqs: new SQSClient(clientConfig), s3, table };
});
afterAll(async () => {
  place.sqs.destroy();
  place.s3.destroy();
  await service.stop();
  await receiver.stop();
});

const within = { timeout: 30_000, interval: 100 };
const newShop = () => {
  const { username, secret } = service.operator;
  return newWebhookShop(clientOf(service.stack.url), `${username}:${secret}`);
};
const put = (Item: object) => service.table.send(new PutCommand({ TableName: service.tableName, Item }));
const triesIn = (logs: readonly string[]) => logs.filter((line) => line.includes('NotEnqueued')).length;

test('while fan-out lacks its grant on the queue nothing is lost or put aside, and everything arrives when the grant is back', async () => {
  const shop = await newShop();
  await shop.addEndpoint(receiver.urlOf('/outage'));
  const statements = service.stack.statements('EventsFanOut');
  const whole = [...statements];
  const mayNotSend = whole.filter(({ actions }) => !actions.includes('sqs:SendMessage'));
  statements.splice(0, statements.length, ...mayNotSend);
  await shop.fulfil(1);
  await shop.fulfil(2);
  await vi.waitFor(() => expect(triesIn(service.stack.logs('EventsFanOut'))).toBeGreaterThanOrEqual(4), within);
  expect(receiver.received('/outage')).toEqual([]);
  expect(await listFailures(place)).toEqual([]);
  statements.splice(0, statements.length, ...whole);
  await vi.waitFor(() => {
    const ids = receiver.received('/outage').map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(3);
  }, within);
  expect(await listFailures(place)).toEqual([]);
});

test('while the delivery function lacks its grants to write, each delivery is posted once, and recorded when they are back', async () => {
  const shop = await newShop();
  const endpoint = await shop.addEndpoint(receiver.urlOf('/unrecorded'));
  const statements = service.stack.statements('DeliverySend');
  const whole = [...statements];
  const writes = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'];
  const mayOnlyRead = whole.map((statement) => ({
    ...statement,
    actions: statement.actions.filter((action) => !writes.includes(action)),
  }));
  statements.splice(0, statements.length, ...mayOnlyRead);
  const count = 10;
  await shop.fulfil(count);
  const refusals = () =>
    service.stack
      .logs('DeliverySend')
      .join()
      .match(/AccessDeniedException/g)?.length ?? 0;
  await vi.waitFor(() => expect(refusals()).toBeGreaterThanOrEqual(5 * count), within);
  const posts = () => receiver.received('/unrecorded').length;
  expect(posts()).toBe(count);
  statements.splice(0, statements.length, ...whole);
  await vi.waitFor(async () => {
    const rows = await shop.deliveriesOf(endpoint);
    expect(rows.map(({ status, attempt_count }) => [status, attempt_count])).toEqual(
      Array.from({ length: count }, () => ['delivered', 1]),
    );
  }, within);
  expect(posts()).toBe(count);
});

test('a record that can never be handled is kept and listed, holds up nothing, and arrives when it is replayed after the mend', async () => {
  const shop = await newShop();
  await shop.addEndpoint(receiver.urlOf('/mended'));
  const orphan = orderWithEvent(shop.slug, 'A', { time: new Date().toISOString() });
  const triggered_at = new Date().toISOString();
  await put({ ...orphan.event, triggered_at, ...keyOf.outbox(shop.slug, orphan.order.uuid, orphan.event.id) });
  await shop.fulfil(1);
  await vi.waitFor(() => expect(receiver.received('/mended')).toHaveLength(1), within);
  expect(await listFailures(place)).toMatchObject([{ queue: 'events', reason: 'OrderGone (event)', records: 1 }]);
  expect(await listFailures(place, 'carrier-updates')).toEqual([]);

  for (const item of itemsOf(orphan)) await put(item);
  expect(await replayFailures(place, 'events')).toBe(1);
  await vi.waitFor(() => expect(receiver.received('/mended')).toHaveLength(2), within);
  expect(await listFailures(place)).toEqual([]);
});

describe('a carrier update', () => {
  const ingest = 'CarrierUpdatesIngest';
  const QueueUrl = () => service.stack.outputs.CarrierUpdatesQueueUrl!;
  const bodyOf = (tracking_number: string, event_name: string) =>
    JSON.stringify({ tracking_number, event_name, event_time: '2030-11-02T08:00:00Z' });
  const send = (MessageBody: string) => place.sqs.send(new SendMessageCommand({ QueueUrl: QueueUrl(), MessageBody }));
  const failures = () => listFailures(place, 'carrier-updates');

  async function takingUpdates() {
    const shop = await newShop();
    await shop.call('PATCH', '/settings/carriers', { body: { shipment_updates: true } });
    const add = (id: string, tracking_number: string) =>
      shop.call('PUT', '/orders', { body: { id, order: {}, trackings: [{ tracking_number }] } });
    const remove = async (order_number: string) => {
      const [order] = await shop.call('GET', '/orders', { query: { order_number } });
      await shop.call('DELETE', `/orders/${order.uuid}/shipments/${order.trackings[0].carrier.tracking_number}`);
    };
    const events = async (order_number: string) => {
      const [order] = await shop.call('GET', '/orders', { query: { order_number } });
      return order.trackings[0].events.map(({ event_name }: { event_name: string }) => event_name);
    };
    return { add, remove, events };
  }

  test('waits while ingest lacks its grants, however often it is received, and is recorded when they are back', async () => {
    const { add, events } = await takingUpdates();
    const number = randomUUID();
    await add('1', number);
    const statements = service.stack.statements(ingest);
    const whole = [...statements];
    const mayNotUseTable = whole.filter(({ actions }) => !actions.some((action) => action.startsWith('dynamodb:')));
    statements.splice(0, statements.length, ...mayNotUseTable);
    await send(bodyOf(number, 'PICKUP_SUCCESSFUL'));
    const refusals = () => service.stack.logs(ingest).filter((line) => line.includes('"reasons":{')).length;
    // Until now the queue gave a message up after five receives.
    await vi.waitFor(() => expect(refusals()).toBeGreaterThanOrEqual(6), within);
    await send(bodyOf(number, 'OUT_FOR_DELIVERY'));
    expect(await failures()).toEqual([]);
    expect(service.stack.logs(ingest).join()).toContain('AccessDenied');
    statements.splice(0, statements.length, ...whole);
    const all = ['ORDER_PROCESSED', 'PICKUP_SUCCESSFUL', 'OUT_FOR_DELIVERY'];
    await vi.waitFor(async () => expect((await events('1')).toSorted()).toEqual(all.toSorted()), within);
    expect(await failures()).toEqual([]);
  });

  test('that comes between two orders of its number is recorded in the second', async () => {
    const { add, remove, events } = await takingUpdates();
    const rounds = Array.from({ length: 10 }, (_, round) => ({
      number: randomUUID(),
      first: `a${round}`,
      second: `b${round}`,
    }));
    for (const { number, first } of rounds) await add(first, number);
    for (const { first } of rounds) await remove(first);
    for (const { number } of rounds) await send(bodyOf(number, 'PICKUP_SUCCESSFUL'));
    const waiting = () => service.stack.logs(ingest).filter((line) => line.includes('"gone"')).length;
    await vi.waitFor(() => expect(waiting()).toBeGreaterThan(0), within);
    for (const { number, second } of rounds) await add(second, number);
    for (const { second } of rounds)
      await vi.waitFor(async () => expect(await events(second)).toContain('PICKUP_SUCCESSFUL'), within);
    expect(await failures()).toEqual([]);
  });

  test('that can never be recorded is kept and listed, and is recorded when it is replayed after the mend', async () => {
    const { add, events } = await takingUpdates();
    const number = randomUUID();
    await send('no JSON');
    const old = { ...queuedMessage('m', bodyOf(number, 'PICKUP_SUCCESSFUL'), { ageSeconds: 900 }) };
    expect(await service.stack.invoke(ingest, { Records: [old] })).toEqual({ batchItemFailures: [] });
    await vi.waitFor(async () => {
      const listed = await failures();
      expect(listed.map(({ reason }) => reason).toSorted()).toEqual(['malformed', 'unknown_number']);
    }, within);
    await add('1', number);
    expect(await replayFailures(place, 'carrier-updates')).toBe(2);
    await vi.waitFor(async () => expect(await events('1')).toContain('PICKUP_SUCCESSFUL'), within);
    await vi.waitFor(async () => expect(await failures()).toMatchObject([{ reason: 'malformed' }]), within);
  });
});
