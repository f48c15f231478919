import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Journey, journeys } from '#schemas/catalogues/journeys.ts';
import { shipmentEvents } from '#schemas/catalogues/shipment-events.ts';
import { type Api, clientOf } from '#test/e2e/kit/client.ts';
import { type EventReceiver, type Received, refuse, startEventReceiver } from '#test/kit/event-receiver.ts';
import { wholeImages } from '#test/kit/images.ts';
import { upload } from '#test/kit/multipart.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { newWebhookShop } from '#test/kit/webhook-shop.ts';

/** From a simulated parcel to the merchant's systems, and back to nothing, on a running service. */

let service: RunningService;
let receiver: EventReceiver;
let api: Api;
let key: string;

beforeAll(async () => {
  receiver = await startEventReceiver();
  const targets = { integration_1: { url: receiver.urlOf('/integration'), scheme: 'bearer' } };
  service = await startService({
    environment: {
      ALLOW_LOCAL_TARGETS: 'true',
      RETRY_BASE_SECONDS: '1',
      INTEGRATION_TARGETS: JSON.stringify(targets),
    },
  });
  api = clientOf(service.stack.url);
  key = `${service.operator.username}:${service.operator.secret}`;
});
afterAll(async () => {
  await service?.stop();
  await receiver?.stop();
});

const within = { timeout: 40_000, interval: 200 };
vi.setConfig({ testTimeout: 180_000 });

/** A shop whose integration gets events, and which sends a webhook when a parcel arrives. */
async function newShop(path: string) {
  const shop = await newWebhookShop(api, key);
  const endpoint = await shop.addEndpoint(receiver.urlOf(path));
  await shop.call('PUT', '/keys/integration_1', { body: { api_key: 'a-key-of-the-integration' } });
  await shop.call('PATCH', '/settings/triggers', { body: { integration_1: true } });
  const { uuid } = await shop.addAutomation(receiver.urlOf(`${path}-automation`));
  return {
    ...shop,
    endpoint,
    automation: uuid,
    start: (body: object) => shop.call('POST', '/simulations', { body }),
    /** One request stops after a time, so a slow machine needs several. */
    playToEnd: async (simulation: string): Promise<{ kind: string }[]> => {
      const happened = [];
      for (let requests = 0; requests < 20; requests++) {
        const body = { steps: 200 };
        const answer = await shop.call('POST', `/simulations/${simulation}/advance`, { body });
        happened.push(...answer.happened);
        if (answer.complete) break;
      }
      return happened;
    },
    advance: (simulation: string, body: object) => shop.call('POST', `/simulations/${simulation}/advance`, { body }),
    remove: (simulation: string) => shop.call('DELETE', `/simulations/${simulation}`),
  };
}

const refsOf = (requests: Received[]) => requests.map(({ body }) => JSON.parse(body).ref as string);

test('endpoints get signed deliveries that name the simulation, integrations and statistics get nothing', async () => {
  const shop = await newShop('/played');
  const began = new Date();
  const start_at = new Date(began.getTime() - 30 * 24 * 3_600_000).toISOString();
  const { uuid, order_number, tracking_page_url } = await shop.start({ journey: 'delivered', start_at });
  const happened = await shop.playToEnd(uuid);
  expect(happened.filter(({ kind }) => kind === 'event')).toHaveLength(8);
  await vi.waitFor(() => expect(receiver.received('/played')).toHaveLength(9), within);
  for (const { headers, body } of receiver.received('/played')) {
    expect(headers['webhook-simulation']).toBe(uuid);
    const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['service-signature']))!;
    expect(createHmac('sha256', shop.endpoint.secret).update(`${time}.${body}`).digest('hex')).toBe(signature);
  }
  expect(refsOf(receiver.received('/played'))).toContain('shipments/delivered/SUCCESSFULLY_DELIVERED');
  await vi.waitFor(() => expect(receiver.received('/played-automation')).toHaveLength(9), within);
  const [order] = await shop.call('GET', '/orders', { query: { order_number } });
  expect(order).toMatchObject({ simulation_id: uuid, tracking_page_url });
  const { shipments } = await shop.call('GET', '/shipments', {
    query: { tracking_number: order.trackings[0].carrier.tracking_number },
  });
  expect(shipments).toMatchObject([{ simulation_id: uuid, phase: 'delivered' }]);
  await vi.waitFor(async () => {
    // The log is in the order of real times, whatever the clock says.
    const query = { since: began.toISOString(), per_page: 100 };
    const rows: { status: string }[] = await shop.call('GET', `/webhooks/${shop.endpoint.uuid}/deliveries`, { query });
    expect(rows.filter(({ status }) => status === 'delivered')).toHaveLength(9);
  }, within);
  expect(receiver.received('/integration')).toEqual([]);
  const counts = JSON.stringify(await shop.call('GET', '/statistics'));
  const untouched = await newWebhookShop(api, key);
  expect(counts.replaceAll(shop.slug, untouched.slug)).not.toMatch(/"delivered":[1-9]/);
  const asked = await shop.start({ journey: 'cancelled', integrations: true });
  await shop.playToEnd(asked.uuid);
  await vi.waitFor(() => expect(receiver.received('/integration').length).toBeGreaterThan(0), within);
});

test('an endpoint gets every event of every stock journey that notifies somebody, each once', async () => {
  const shop = await newWebhookShop(api, key);
  await shop.addEndpoint(receiver.urlOf('/journeys'));
  const expected = new Map<string, Set<string>>();
  for (const { id, steps } of journeys as readonly Journey[]) {
    const { uuid } = await shop.call('POST', '/simulations', { body: { journey: id } });
    const heard = steps.filter(({ event_name, is_return = false }) => {
      const { towardsCustomer, towardsMerchant } = shipmentEvents[event_name];
      return (is_return ? towardsMerchant : towardsCustomer) !== null;
    });
    expected.set(uuid, new Set(heard.map(({ event_name }) => event_name)));
    const { complete } = await shop.call('POST', `/simulations/${uuid}/advance`, { body: { steps: 200 } });
    expect(complete, id).toBe(true);
  }
  const receivedBy = (simulation: string) =>
    receiver.received('/journeys').filter(({ headers }) => headers['webhook-simulation'] === simulation);
  await vi.waitFor(() => {
    for (const [uuid, names] of expected) {
      const received = new Set(refsOf(receivedBy(uuid)).map((ref) => ref.split('/').at(-1)!));
      expect([...names].filter((name) => !received.has(name))).toEqual([]);
    }
  }, within);
  const ids = receiver.received('/journeys').map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a simulation that is removed leaves nothing behind, in the table and in the buckets', async () => {
  const shop = await newShop('/removed');
  // Its payloads are too big for the table.
  const products = Array.from({ length: 300 }, () => ({ title: randomBytes(600).toString('base64') }));
  const steps = [
    { event_name: 'ORDER_PROCESSED', after_minutes: 1 },
    { event_name: 'OUT_FOR_DELIVERY', after_minutes: 2 },
    { event_name: 'SUCCESSFULLY_DELIVERED', after_minutes: 3 },
  ];
  const { uuid, order_id, order_number, tracking_page_url } = await shop.start({ steps, order: { products } });
  await shop.advance(uuid, { steps: 1 });
  const [{ trackings }] = await shop.call('GET', '/orders', { query: { order_number } });
  const { tracking_number } = trackings[0].carrier;
  const uploaded = await api('POST', `/v1/shops/${shop.slug}/images`, {
    key,
    ...upload('claim', wholeImages.jpeg),
  });
  const image = uploaded.body.image_url ?? uploaded.body.url;
  const claim = await shop.call('POST', '/claims', {
    body: { tracking_number, reason: 'damage', image_urls: [image] },
  });
  await shop.advance(uuid, { steps: 2 });
  await vi.waitFor(() => expect(receiver.received('/removed').length).toBeGreaterThanOrEqual(5), within);
  const token = tracking_page_url.slice(tracking_page_url.lastIndexOf('/') + 1);
  const photo = new URL(image).pathname.split('/').at(-1)!;
  const names = [uuid, order_id, order_id.slice(0, -3), order_number, token, tracking_number, claim.uuid];
  expect(await found(names)).not.toEqual([]);
  expect(await shop.remove(uuid)).toEqual({ uuid, removed: true });
  expect((await api('GET', `/v1/shops/${shop.slug}/simulations/${uuid}`, { key })).status).toBe(404);
  await settled(shop);
  await vi.waitFor(async () => expect(await found(names)).toEqual([]), within);
  // The merchant uploaded it, and may have named it in other claims.
  expect(await found([photo])).toHaveLength(1);
  expect((await api('GET', tracking_page_url.slice(service.stack.url.length))).status).toBe(404);
});

test('what is on its way when a simulation is removed writes nothing back', async () => {
  const shop = await newShop('/hasty');
  receiver.behave('/hasty', refuse);
  const { uuid, order_id, order_number } = await shop.start({ journey: 'split' });
  await shop.playToEnd(uuid);
  await shop.remove(uuid);
  await settled(shop);
  const names = [uuid, order_id.slice(0, -3), order_number];
  await vi.waitFor(async () => expect(await found(names)).toEqual([]), within);
});

/** The event of a later order has reached a new endpoint, so the stream has passed everything before it. */
async function settled(shop: Pick<Awaited<ReturnType<typeof newShop>>, 'addEndpoint' | 'fulfil'>): Promise<void> {
  const path = `/${randomUUID()}`;
  await shop.addEndpoint(receiver.urlOf(path));
  await shop.fulfil();
  await vi.waitFor(() => expect(receiver.received(path)).not.toEqual([]), within);
}

/** The keys of the items and objects that have one of these texts in them, also in what they hold compressed. */
async function found(names: string[]): Promise<string[]> {
  const has = (text: string) => names.some((name) => text.includes(name));
  return [...(await itemsWith(has)), ...(await objectsWith(has))];
}

async function itemsWith(has: (text: string) => boolean): Promise<string[]> {
  const keys: string[] = [];
  for await (const { Items = [] } of paginateScan({ client: service.table }, { TableName: service.tableName })) {
    for (const item of Items) if (has(textOf(item))) keys.push(`${item.pk} ${item.sk}`);
  }
  // Where a list was read up to: it expires in a quarter of an hour.
  return keys.filter((place) => !place.startsWith('PAGES#'));
}

const textOf = (item: Record<string, unknown>): string =>
  JSON.stringify(item, (_name, value) => value) +
  Object.values(item)
    .map((value) => (value instanceof Uint8Array ? unpacked(value) : ''))
    .join();

function unpacked(bytes: Uint8Array): string {
  try {
    return gunzipSync(bytes).toString();
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}

async function objectsWith(has: (text: string) => boolean): Promise<string[]> {
  const s3 = new S3Client({ ...service.stack.clientConfig, forcePathStyle: true });
  const { ImageBucketName, Failures } = service.stack.outputs;
  const keys: string[] = [];
  for (const Bucket of [ImageBucketName, JSON.parse(Failures!).bucket]) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    for (const { Key } of Contents) {
      if (!/^(payloads|private)\//.test(Key!)) continue;
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      if (has(Key!) || has(unpacked(await Body!.transformToByteArray()))) keys.push(`${Bucket} ${Key}`);
    }
  }
  s3.destroy();
  return keys;
}
