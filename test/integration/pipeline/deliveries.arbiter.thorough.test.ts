import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { payloadOf } from '#domain/deliveries/event-payload.ts';
import { type Api, clientOf } from '#test/e2e/kit/client.ts';
import {
  accept,
  type EventReceiver,
  hang,
  type Received,
  refuse,
  startEventReceiver,
} from '#test/kit/event-receiver.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { serveVendor } from '#test/kit/vendors/fake-vendor.ts';
import { FakeKlaviyo, klaviyoKey } from '#test/kit/vendors/klaviyo.ts';
import { newWebhookShop } from '#test/kit/webhook-shop.ts';

/** From an order to the merchant's endpoint, on a running service. */

let service: RunningService;
let receiver: EventReceiver;
let vendor: Awaited<ReturnType<typeof serveVendor>>;
let api: Api;
let key: string;

beforeAll(async () => {
  receiver = await startEventReceiver();
  vendor = await serveVendor(klaviyo);
  const environment = { ALLOW_LOCAL_TARGETS: 'true', RETRY_BASE_SECONDS: '1', CIRCUIT_PROBE_SECONDS: '0' };
  service = await startService({ environment: { ...environment, INTEGRATION_TARGETS: JSON.stringify(targets()) } });
  api = clientOf(service.stack.url);
  key = `${service.operator.username}:${service.operator.secret}`;
});
afterAll(async () => {
  await service?.stop();
  await receiver?.stop();
  await vendor?.[Symbol.asyncDispose]();
});

const klaviyo = new FakeKlaviyo();
const within = { timeout: 25_000, interval: 100 };
const newShop = (settings = {}) => newWebhookShop(api, key, settings);
type Shop = Awaited<ReturnType<typeof newShop>>;
const idsOf = (requests: Received[]) => requests.map(({ headers }) => headers['webhook-id'] as string);

describe('an event', () => {
  test('is posted once to each endpoint that listens to it, signed over the bytes that are sent', async () => {
    const shop = await newShop();
    const [here, there] = [await shop.addEndpoint(receiver.urlOf('/a')), await shop.addEndpoint(receiver.urlOf('/b'))];
    await shop.fulfil();
    await vi.waitFor(() => {
      expect([receiver.received('/a').length, receiver.received('/b').length]).toEqual([1, 1]);
    }, within);
    for (const [path, { secret, uuid }] of [
      ['/a', here],
      ['/b', there],
    ] as const) {
      const [{ headers, body }] = receiver.received(path) as [Received];
      const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['service-signature']))!;
      expect(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')).toBe(signature);
      expect(JSON.parse(body)).toMatchObject({ source: 'shipments', version: 1, shop_slug: shop.slug });
      await vi.waitFor(async () => {
        const rows = await shop.deliveriesOf({ uuid, secret });
        expect(rows).toMatchObject([{ id: headers['webhook-id'], status: 'delivered', attempt_count: 1 }]);
      }, within);
    }
  });

  test('that fails is sent again with the same id and the same body until it is accepted', async () => {
    const shop = await newShop();
    const endpoint = await shop.addEndpoint(receiver.urlOf('/later'));
    let answers = 0;
    receiver.behave('/later', (response) => (++answers < 3 ? refuse(response) : accept(response)));
    await shop.fulfil();
    await vi.waitFor(() => expect(receiver.received('/later')).toHaveLength(3), within);
    const requests = receiver.received('/later');
    expect(new Set(idsOf(requests)).size).toBe(1);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    await vi.waitFor(async () => {
      expect(await shop.deliveriesOf(endpoint)).toMatchObject([{ status: 'delivered', attempt_count: 3 }]);
    }, within);
  });

  test('shows its order as it left it, even if the order was fulfilled, renamed and claimed right after', async () => {
    const shop = await newShop();
    await shop.addEndpoint(receiver.urlOf('/then'));
    const put = (body: object) => shop.call('PUT', '/orders', { body: { id: 'then', ...body } });
    await put({ order: { order_name: 'first' }, trackings: [] });
    await put({ order: { order_name: 'second' }, trackings: [{ tracking_number: 'T-then' }] });
    const { uuid } = await shop.call('POST', '/claims', { body: { tracking_number: 'T-then', reason: 'damage' } });
    await shop.call('PUT', `/claims/${uuid}`, { body: { status: 'accepted' } });
    await vi.waitFor(() => expect(receiver.received('/then')).toHaveLength(4), within);
    const told = receiver.received('/then').map(({ body }) => {
      const { ref, context } = JSON.parse(body) as ReturnType<typeof payloadOf>;
      const parcels = context.shipments.map(({ carrier }) => carrier.tracking_number);
      return [ref, context.order.order_name, parcels, context.claims.map(({ status }) => status)];
    });
    expect(told.sort()).toEqual([
      ['claims/created', 'second', ['T-then'], ['pending']],
      ['claims/updated', 'second', ['T-then'], ['accepted']],
      ['shipments/order_created/ORDER_CREATED', 'first', [null], []],
      ['shipments/order_processed/ORDER_PROCESSED', 'second', ['T-then'], []],
    ]);
  });
});

describe('an internal trigger', () => {
  test('fires once for a stuck parcel, however old its last event is', async () => {
    const shop = await newShop();
    await shop.addEndpoint(receiver.urlOf('/stuck'));
    const { id } = await shop.addTrigger('webhook', {
      name: 'Stuck',
      phase_in: ['in_transit'],
      operator: 'AND',
      time_threshold_type: 'latest_event_time',
      time_threshold_value: 24,
    });
    const [stuck, moving] = (await shop.fulfil(2)) as [string, string];
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    await shop.report(stuck, 'SHIPMENT_EN_ROUTE', hoursAgo(30));
    await shop.report(moving, 'SHIPMENT_EN_ROUTE', hoursAgo(2));
    const timers = () => service.stack.invoke('DueWork', {});
    const fired = () =>
      receiver
        .received('/stuck')
        .map(({ body }) => JSON.parse(body))
        .filter(({ event_group }) => event_group === 'shipment_internal_trigger');
    await vi.waitFor(async () => {
      await timers();
      expect(fired()).toHaveLength(1);
    }, within);
    expect(fired()[0]).toMatchObject({
      ref: 'shipments/in_transit/SHIPMENT_EN_ROUTE',
      event_data: { tracking_number: stuck, phase: 'in_transit', internal_trigger: { id, name: 'Stuck' } },
    });
    await Promise.all([timers(), timers()]);
    await shop.report(stuck, 'SHIPMENT_EN_ROUTE', hoursAgo(28));
    await shop.fulfil();
    await vi.waitFor(() => expect(receiver.received('/stuck')).toHaveLength(4), within);
    await timers();
    expect(fired()).toHaveLength(1);
  });
});

const client = { client_id: 'the-client', client_secret: 'the-secret-of-it' };
const login = { username: 'mary', password: 'her-password' };
const apiKey = { api_key: 'a-key-of-sixteen-characters' };
const basicOf = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
const bearer = { authorization: `Bearer ${apiKey.api_key}` };

/** How the deployment reaches each integration, what a shop stores and sets for it, and what it then receives. */
const integrations = {
  integration_1: { scheme: 'bearer', stored: apiKey, set: {}, headers: bearer },
  integration_2: {
    scheme: 'header:X-Key',
    stored: apiKey,
    set: { use_proxy: true },
    headers: { 'x-key': apiKey.api_key, 'x-integration-use-proxy': 'true' },
  },
  integration_4: {
    scheme: 'bearer',
    stored: apiKey,
    set: { portal_id: 'p-1' },
    headers: { ...bearer, 'x-integration-portal-id': 'p-1' },
  },
  integration_5: {
    scheme: 'basic',
    stored: client,
    set: {},
    headers: { authorization: basicOf(`${client.client_id}:${client.client_secret}`) },
  },
  integration_6: {
    scheme: 'basic',
    stored: login,
    set: { instance_id: 'i-1' },
    headers: { authorization: basicOf('mary:her-password'), 'x-integration-instance-id': 'i-1' },
  },
  integration_7: { scheme: 'bearer', stored: apiKey, set: {}, headers: bearer },
};
type Reached = keyof typeof integrations;
const reached = Object.keys(integrations) as Reached[];
const targets = () => ({
  ...Object.fromEntries(reached.map((id) => [id, { url: receiver.urlOf(`/${id}`), scheme: integrations[id].scheme }])),
  integration_3: { url: vendor.url, dialect: 'klaviyo' },
});

describe('an integration with an address in the deployment', () => {
  /** The events of the shop that each integration has received. */
  const heard = ({ slug }: Shop) =>
    Object.fromEntries(
      reached.map((id) => {
        const told = receiver.received(`/${id}`).map(({ body }) => JSON.parse(body));
        return [id, told.filter(({ shop_slug }) => shop_slug === slug).map(({ event_data }) => event_data.event_name)];
      }),
    );
  const all = (events: string[]) => Object.fromEntries(reached.map((id) => [id, events]));
  const storeKeys = ({ call }: Shop) =>
    Promise.all(reached.map((id) => call('PUT', `/keys/${id}`, { body: integrations[id].stored })));

  test('gets events from the first one on if its shop was created with it on, and otherwise none', async () => {
    const [asking, silent] = [
      await newShop({ integration_1_enabled: true, integration_7_enabled: true }),
      await newShop(),
    ];
    for (const shop of [silent, asking]) {
      await storeKeys(shop);
      await shop.addEndpoint(receiver.urlOf(`/${shop.slug}`));
      await shop.fulfil();
    }
    const events = ['ORDER_PROCESSED'];
    await vi.waitFor(() => {
      expect(heard(asking)).toEqual({ ...all([]), integration_1: events, integration_7: events });
      for (const { slug } of [silent, asking]) expect(receiver.received(`/${slug}`)).toHaveLength(1);
    }, within);
    expect(heard(silent)).toEqual(all([]));
  });

  test('gets its credential, the settings of the shop, and only events within its age limit', async () => {
    const shop = await newShop();
    await storeKeys(shop);
    for (const id of reached) await shop.call('PATCH', `/settings/triggers/${id}`, { body: integrations[id].set });
    await shop.call('PATCH', '/settings/triggers', { body: Object.fromEntries(reached.map((id) => [id, true])) });
    const [number] = await shop.fulfil();
    await vi.waitFor(() => expect(heard(shop)).toEqual(all(['ORDER_PROCESSED'])), within);
    for (const id of reached) {
      const own = receiver.received(`/${id}`).find(({ body }) => body.includes(shop.slug));
      expect(own!.headers).toMatchObject(integrations[id].headers);
    }
    const event_time = new Date(Date.now() - 47 * 3_600_000).toISOString();
    const body = { id: number, event_name: 'SHIPMENT_EN_ROUTE', event_time };
    await shop.call('POST', '/shipment-events', { body, query: { notify: 'true' } });
    const patient = ['ORDER_PROCESSED', 'SHIPMENT_EN_ROUTE'];
    await vi.waitFor(
      () => expect(heard(shop)).toEqual({ ...all(['ORDER_PROCESSED']), integration_7: patient }),
      within,
    );
  });
});

describe('an integration of a vendor', () => {
  test('gets events in the form of the vendor, once, also after the vendor has asked for fewer requests', async () => {
    const shop = await newShop();
    await shop.call('PUT', '/keys/integration_3', { body: { api_key: klaviyoKey } });
    await shop.call('PATCH', '/settings/triggers', { body: { integration_3: true } });
    klaviyo.meet({ status: 429, headers: { 'retry-after': '1' } });
    const order = { email_id: 'ada@example.com', external_customer_id: shop.slug };
    const trackings = [{ tracking_number: `T-${shop.slug}` }];
    await shop.call('PUT', '/orders', { body: { id: 'of-nobody', order: {}, trackings: [] } });
    await shop.call('PUT', '/orders', { body: { id: 'of-ada', order, trackings } });
    await vi.waitFor(() => expect(klaviyo.events.size).toBe(1), within);
    expect([...klaviyo.events.values()]).toMatchObject([
      {
        metric: { data: { attributes: { name: 'shipment_pre_transit' } } },
        profile: { data: { attributes: { email: 'ada@example.com', external_id: shop.slug } } },
        properties: { event_name: 'ORDER_PROCESSED', order_number: 'of-ada', tracking_number: `T-${shop.slug}` },
      },
    ]);
    expect(klaviyo.requests).toHaveLength(2);
    expect(service.stack.logs('DeliverySend').join()).not.toContain(klaviyoKey);
  });
});

describe('an endpoint that hangs', () => {
  test('does not delay another endpoint, which gets each event once', async () => {
    const shop = await newShop();
    await shop.addEndpoint(receiver.urlOf('/hangs'));
    const healthy = await shop.addEndpoint(receiver.urlOf('/healthy'));
    receiver.behave('/hangs', hang);
    await shop.fulfil(20);
    // One after the other, the hanging attempts would take 200 seconds.
    await vi.waitFor(() => expect(receiver.received('/healthy')).toHaveLength(20), within);
    expect(receiver.received('/hangs').length).toBeGreaterThan(0);
    await vi.waitFor(async () => {
      const rows = await shop.deliveriesOf(healthy);
      expect(rows.filter(({ status }) => status === 'delivered')).toHaveLength(20);
    }, within);
    expect(new Set(idsOf(receiver.received('/healthy'))).size).toBe(20);
  });
});

describe('an endpoint that is down', () => {
  test('has its deliveries parked, and gets all of them when it is up again, without used-up attempts', async () => {
    const shop = await newShop();
    const endpoint = await shop.addEndpoint(receiver.urlOf('/down'));
    receiver.behave('/down', refuse);
    const parked = async () => (await shop.deliveriesOf(endpoint)).filter(({ status }) => status === 'parked');
    await shop.fulfil(12);
    await vi.waitFor(async () => expect(await parked()).toHaveLength(12), within);
    const tried = new Set((await parked()).map(({ id }) => id));
    await shop.fulfil(28);
    await vi.waitFor(async () => expect(await parked()).toHaveLength(40), within);
    const untried = (await parked()).filter(({ id }) => !tried.has(id));
    expect(untried.map(({ attempt_count }) => attempt_count)).toEqual(Array(28).fill(0));
    const spent = receiver.received('/down').length;
    // A round of the schedule may have sent a probe, and that takes the oldest.
    expect(idsOf(receiver.received('/down')).filter((id) => !tried.has(id))).toEqual([]);

    await probe();
    await vi.waitFor(() => expect(receiver.received('/down').length).toBeGreaterThan(spent), within);
    expect((await shop.deliveriesOf(endpoint)).filter(({ status }) => status === 'delivered')).toEqual([]);

    receiver.behave('/down', accept);
    await vi.waitFor(
      async () => {
        await probe();
        const rows = await shop.deliveriesOf(endpoint);
        expect(rows.filter(({ status }) => status === 'delivered')).toHaveLength(40);
      },
      { ...within, interval: 500 },
    );
    const rows = await shop.deliveriesOf(endpoint);
    const attempts = rows.filter(({ id }) => !tried.has(id)).map(({ attempt_count }) => attempt_count);
    expect(attempts).toEqual(Array(28).fill(1));
  });

  /** As the schedule does once a minute. */
  const probe = () => service.stack.invoke('DeliveryDrain', {});
});
