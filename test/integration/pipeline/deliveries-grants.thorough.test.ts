import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { closedCircuit } from '#domain/deliveries/circuit-rules.ts';
import { deliveryItem, newDelivery } from '#domain/deliveries/delivery-items.ts';
import { firstMessageOf, messageOf } from '#domain/deliveries/delivery-messages.ts';
import type { LocalStack } from '#lib/local/stack.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { type Grant, grantsOf } from '#test/e2e/kit/grants.ts';
import { idleGrants } from '#test/e2e/kit/idle-grants.ts';
import { startInProcess } from '#test/e2e/kit/in-process-stack.ts';
import { superAdmin } from '#test/e2e/kit/local-stack.ts';
import { fillStorefront } from '#test/e2e/kit/pages-tour.ts';
import { withdraw } from '#test/e2e/kit/withdrawals-tour.ts';
import { assemblyIn } from '#test/kit/assembly.ts';
import { dueWork } from '#test/kit/due-work.ts';
import { refuse, startEventReceiver } from '#test/kit/event-receiver.ts';
import { newWebhookShop } from '#test/kit/webhook-shop.ts';

const folder = mkdtempSync(join(tmpdir(), 'grants-'));
const assembly = await assemblyIn(folder);
const receiver = await startEventReceiver();
receiver.behave('/fails', refuse);
receiver.behave('/later', (response) => response.writeHead(503, { 'retry-after': '1800' }).end());
receiver.behave('/busy/api/events', (response) => response.writeHead(429, { 'retry-after': '60' }).end());
let stack: LocalStack & AsyncDisposable;
beforeAll(async () => {
  const targets = { integration_1: { url: receiver.urlOf('/busy'), dialect: 'klaviyo' } };
  const INTEGRATION_TARGETS = JSON.stringify(targets);
  stack = await startInProcess(assembly, { ALLOW_LOCAL_TARGETS: 'true', INTEGRATION_TARGETS });
  stack.usage.start();
});
afterAll(async () => {
  await stack.stop();
  await receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

const functions = ['EventsFanOut', 'DeliverySend', 'DeliveryDeadLetters', 'DeliveryDrain', 'DueWork'];
const mappingAction = /^(dynamodb:(DescribeStream|GetRecords|GetShardIterator|ListStreams)|s3:ListBucket)$/;
const functionOf = (policy: string) => functions.find((name) => policy.startsWith(name));

/** Without those that Lambda itself uses the mapping is refused, which the tests of the local stack cover. */
const grants = grantsOf(assembly).filter(({ policy, action }) => functionOf(policy) && !mappingAction.test(action));
const within = { timeout: 25_000, interval: 100 };

describe('the grants of the functions that deliver', () => {
  test('are sufficient', async () => {
    const { shop, endpoint } = await work(stack);
    const large = await eventInParts(stack);
    await mails(stack);
    await vi.waitFor(async () => {
      expect(await large.shop.deliveriesOf(large.endpoint)).not.toEqual([]);
      expect(stack.logs('EventsFanOut').join()).toContain('parts of events');
      expect(stack.logs('DeliverySend').join()).toContain('not_recorded_yet');
      expect(receiver.received('/later')).not.toEqual([]);
      expect(stack.logs('EventsFanOut').join()).toContain('record put aside');
      expect(receiver.received('/busy/api/events')).not.toEqual([]);
      // Also one that was queued without an event.
      expect(await shop.deliveriesOf(endpoint)).toHaveLength(events + 1);
    }, within);
    expect(
      stack
        .logs('DeliveryDeadLetters')
        .join()
        .match(/"recorded":true/g),
    ).toHaveLength(2);
    expect(stack.logs('DeliveryDrain').join()).toMatch(/"probes":1,.*"retries":1/);
    await timers(stack);
    // The lines of a sandbox arrive after the answer of its function.
    await vi.waitFor(() => expect(stack.logs('DueWork').join()).toContain('"done":'), within);
    expect(functions.flatMap((name) => stack.logs(name)).join()).not.toContain('AccessDenied');
  });

  test('are all needed', async () => {
    expect(grants).not.toEqual([]);
    // The readers of the stream note the heartbeat of the last round a moment later.
    await vi.waitFor(() => expect(idleGrants(stack, grants.filter(isOfFunction))).toEqual([]), within);
  });
});

/** Lambda itself keeps in the bucket what it gives up. */
const isOfFunction = (grant: Grant): boolean =>
  !JSON.stringify(stack.statements(functionOf(grant.policy)!)[grant.statement]).includes('/aws/lambda/*');

async function timers(stack: LocalStack): Promise<void> {
  await dueWork(stack);
  await stack.invoke('DueWork', {}).catch(() => {});
}

/** Of `work`: a parcel and the expected one beside it, a claim, and an order that is too large to go with its event. */
const events = 4;

/** Work for each of the functions, which log every missing grant. */
async function work(stack: LocalStack) {
  const shop = await newWebhookShop(clientOf(stack.url), superAdmin, { integration_1_enabled: true });
  const endpoint = await shop.addEndpoint(receiver.urlOf('/fails'));
  await shop.addEndpoint(receiver.urlOf('/later'));
  await shop.call('PUT', '/keys/integration_1', { body: { api_key: 'a-key-of-sixteen-characters' } });
  await shop.addAutomation(receiver.urlOf('/fails'));
  await shop.call('PATCH', '/settings/segments', { body: { integration_1: true } });
  await shop.call('PATCH', '/settings/carriers', { body: { shipment_updates: true } });
  await shop.call('PATCH', '/settings/events', { body: { feed_enabled: true } });
  const tracking_number = randomUUID();
  const order = { expected_number_of_shipments: 2, email_id: 'ada@example.com' };
  await shop.call('PUT', '/orders', { body: { id: randomUUID(), order, trackings: [{ tracking_number }] } });
  await shop.call('POST', '/claims', { body: { tracking_number, reason: 'damage' } });
  const simulating = await newWebhookShop(clientOf(stack.url), superAdmin);
  await simulating.addEndpoint(receiver.urlOf('/fails'));
  const { uuid, order_id } = await simulating.call('POST', '/simulations', { body: { journey: 'lost' } });
  const actions = [{ type: 'webhook', params: { url: receiver.urlOf('/fails') } }];
  const later = { name: 'Later', trigger: { ref: 'claims' }, actions, delay_minutes: 60 };
  await simulating.call('POST', '/automations', { body: later });
  await simulating.call('POST', '/automations', { body: { ...later, name: 'Now', delay_minutes: 0 } });
  const simulatedParcel = order_id.replace(/000$/, '001');
  await simulating.call('POST', '/claims', { body: { shipment_id: simulatedParcel, reason: 'damage' } });
  const products = Array.from({ length: 500 }, () => ({ sku: randomBytes(180).toString('base64') }));
  await shop.call('PUT', '/orders', { body: { id: randomUUID(), order: { products }, trackings: [] } });
  const letter = await parkedAndPending(stack, shop.slug, endpoint.uuid);
  const early = { ...letter, retry: { id: 'r', attempts: 5 } };
  const received = { messageId: 'e', receiptHandle: 'none', attributes: { ApproximateReceiveCount: '1' } };
  await stack.invoke('DeliverySend', { Records: [{ ...received, body: JSON.stringify(early) }] }).catch(() => {});
  const attributes = { SentTimestamp: String(Date.now()) };
  // Its attempt was made, and is recorded without its texts if the order was erased.
  const ended = { at: new Date().toISOString(), duration_ms: 1, result: { status: 500, error: 'http_500' } };
  const unwritten = { ...firstMessageOf(made(simulating.slug, 'endpoint', { simulation_id: uuid })), ended };
  const letters = [letter, unwritten].map((message) => JSON.stringify(message));
  const Records = letters.map((body, i) => ({ messageId: `m${i}`, body, attributes }));
  await stack.invoke('DeliveryDeadLetters', { Records }).catch(() => {});
  await stack.invoke('DeliveryDrain', {}).catch(() => {});
  return { shop, endpoint };
}

/** An event with so many parcels that it is done in parts. */
async function eventInParts(stack: LocalStack) {
  const shop = await newWebhookShop(clientOf(stack.url), superAdmin);
  const endpoint = await shop.addEndpoint(receiver.urlOf('/many'));
  await shop.addAutomation(receiver.urlOf('/many'));
  const order = { expected_number_of_shipments: 30 };
  await shop.call('PUT', '/orders', { body: { id: randomUUID(), order, trackings: [] } });
  return { shop, endpoint };
}

/** One mail of each kind, and one of a simulation. The first is made before anybody opens a page of the shop. */
async function mails(stack: LocalStack): Promise<void> {
  const api = clientOf(stack.url);
  const shop = await newWebhookShop(api, superAdmin);
  await fillStorefront((method, path, body) => shop.call(method, path, body && { body }));
  await shop.call('PATCH', '/settings/emails', { body: { enabled: true } });
  await shop.call('PATCH', '/settings/tracking-page', { body: { withdrawal_enabled: true } });
  const mailed = (count: number) =>
    vi.waitFor(async () => {
      const log: { status: string }[] = await shop.call('GET', '/integrations/email/deliveries');
      expect(log.filter(({ status }) => status === 'delivered').length).toBeGreaterThanOrEqual(count);
    }, within);
  const [id, tracking_number] = [randomUUID(), randomUUID()];
  const order = { email_id: 'ada@example.com', products: [{ title: 'Shirt', quantity: 1 }] };
  await shop.call('PUT', '/orders', { body: { id, order, trackings: [{ tracking_number }] } });
  const arrived = { id: tracking_number, event_name: 'SUCCESSFULLY_DELIVERED' };
  await shop.call('POST', '/shipment-events', { body: arrived, query: { notify: 'true' } });
  await mailed(1);
  const { uuid } = await shop.call('POST', '/claims', { body: { tracking_number, reason: 'damage' } });
  await shop.call('POST', `/claims/${uuid}/messages`, { body: { text: 'We send you a new one.' } });
  const [{ tracking_page_url }] = await shop.call('GET', '/orders', { query: { order_number: id } });
  await withdraw(api, new URL(tracking_page_url).pathname);
  await mailed(4);
  const simulation = await shop.call('POST', '/simulations', { body: { journey: 'delivered', emails: true } });
  await shop.call('POST', `/simulations/${simulation.uuid}/advance`, { body: { steps: 9 } });
  await mailed(5);
}

function made(shop_slug: string, id: string, more: { simulation_id?: string } = {}) {
  const now = new Date();
  const source = { event_id: randomUUID(), subject_id: 's', ref: 'r', event_group: null, shop_slug, ...more };
  return newDelivery({ ...source, triggered_at: now.toISOString() }, { id, kind: 'webhook' }, now);
}

/** A parked delivery of a target that is down, and a pending one; returns the message of the latter. */
async function parkedAndPending(stack: LocalStack, slug: string, target: string) {
  const client = new DynamoDBClient(stack.clientConfig);
  const table = DynamoDBDocumentClient.from(client);
  const [pending, parked] = [made(slug, target), { ...made(slug, 'down'), status: 'parked' as const }];
  // Not the parked one, which could be sent by the retry before the probe of its target looks for it.
  const waiting = made(slug, 'waiting');
  const probe_at = new Date().toISOString();
  const circuit = {
    ...keyOf.circuit(slug, 'down'),
    ...indexKeyOf.openCircuits(probe_at, slug, 'down'),
    ...{ ...closedCircuit, state: 'open', probe_at, shop_slug: slug, target: 'down', version: 1 },
  };
  const retry = {
    ...keyOf.retry(slug, 'r', probe_at),
    ...indexKeyOf.retries(0, probe_at),
    message: messageOf(waiting),
  };
  const malformed = { ...keyOf.outbox(slug, 'none', randomUUID()), kind: 'event', region: stack.clientConfig.region };
  for (const Item of [...[pending, parked, waiting].map(deliveryItem), circuit, retry, malformed]) {
    await table.send(new PutCommand({ TableName: stack.outputs.TableName, Item }));
  }
  client.destroy();
  return messageOf(pending);
}
