import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { clientOf } from '#test/e2e/kit/client.ts';
import { openCircuit } from '#test/e2e/kit/operations-tour.ts';
import { postWebhook, setProvider, strangeCheckpoint } from '#test/e2e/kit/tracking-providers-tour.ts';
import { type RunningService, startService } from '#test/kit/service.ts';

let service: RunningService;
let sqs: SQSClient;
beforeAll(async () => {
  service = await startService({ environment: { ALLOW_LOCAL_TARGETS: 'true', RETRY_BASE_SECONDS: '0.01' } });
  sqs = new SQSClient(service.stack.clientConfig);
});
afterAll(async () => {
  sqs.destroy();
  await service.stop();
});

const key = () => `${service.operator.username}:${service.operator.secret}`;
const api: ReturnType<typeof clientOf> = (...call) => clientOf(service.stack.url)(...call);
const operations = async () => (await api('GET', '/v1/operations', { key: key() })).body;
const within = { timeout: 30_000, interval: 100 };

test('an operator sees messages that were given up, receivers that do not answer, and providers with their webhooks', async () => {
  const QueueUrl = service.stack.outputs.CarrierUpdatesQueueUrl!;
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{ "tracking_number": 7 }', MessageGroupId: 'x' }));
  await vi.waitFor(async () => {
    expect((await operations()).queues[0]).toEqual({ name: 'carrier-updates', waiting: 0, given_up: 1 });
  }, within);

  const began = new Date().toISOString();
  const slug = 'shop-with-open-circuit';
  const target = await openCircuit(api, key(), slug);
  const { circuits, providers } = await operations();
  expect(circuits).toEqual([
    { shop_slug: slug, target, state: 'open', since: expect.any(String), parked: expect.any(Number) },
  ]);
  expect(circuits[0].parked).toBeGreaterThanOrEqual(1);
  expect(circuits[0].since >= began).toBe(true);
  expect(providers).toEqual([]);

  await setProvider(api, key());
  const unheard = { provider: 'aftership', last_webhook_at: null, unmapped: 0, refused: 0 };
  expect((await operations()).providers).toEqual([unheard]);
  await postWebhook(api, 'a-parcel', [strangeCheckpoint('Weighed_001')]);
  expect((await postWebhook(api, 'a-parcel', [], 'a-wrong-secret')).status).toBe(401);
  const heard = { provider: 'aftership', last_webhook_at: expect.any(String), unmapped: 1, refused: 1 };
  expect((await operations()).providers).toEqual([heard]);
});

test('the age of a reader of the stream is that of the last heartbeat that it has read', async () => {
  await service.stack.invoke('DueWork', {});
  await vi.waitFor(async () => {
    const { streams } = await operations();
    expect(streams).toContainEqual({ name: 'fan-out', age_seconds: expect.any(Number) });
  }, within);
});

test('nobody but an operator sees it', async () => {
  const slug = 'shop-of-a-merchant';
  await api('POST', '/v1/shops', { key: key(), body: { name: 'A shop', slug } });
  const { body } = await api('POST', `/v1/shops/${slug}/api-keys`, { key: key(), body: { role: 'admin' } });
  expect((await api('GET', '/v1/operations', { key: `${body.username}:${body.secret}` })).status).toBe(403);
});
