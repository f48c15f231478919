import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { keyOf } from '#platform/table/keys.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { type EventReceiver, startEventReceiver } from '#test/kit/event-receiver.ts';
import { itemsOf, orderWithEvent } from '#test/kit/outbox-records.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { newWebhookShop } from '#test/kit/webhook-shop.ts';
import { listFailures, type Place, replayFailures } from '../../../bin/operator/failures.ts';

let service: RunningService;
let receiver: EventReceiver;
let place: Place;
beforeAll(async () => {
  receiver = await startEventReceiver();
  service = await startService({ environment: { ALLOW_LOCAL_TARGETS: 'true' } });
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
