import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#api/webhooks/handler.ts';
import { deliveryItem, newDelivery } from '#domain/deliveries/delivery-items.ts';
import { payloadItem } from '#domain/deliveries/delivery-messages.ts';
import type { DeliveryStatus } from '#domain/deliveries/delivery-rules.ts';
import { keyOf } from '#platform/table/keys.ts';
import { storeBody } from '#platform/table/stored-body.ts';
import { basic, type Call, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { dynamo, keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const admin = keyFor('blue', 'admin');
const own = '/v1/shops/{slug}/integrations/{integration}';
const list = `${own}/deliveries`;
const one = `${list}/{delivery_id}`;
const since = '2026-11-01T00:00:00Z';

beforeEach(() => {
  const target = { url: 'https://mail.example.com/', scheme: 'bearer' };
  vi.stubEnv('INTEGRATION_TARGETS', JSON.stringify({ integration_1: target }));
});
afterEach(() => void vi.unstubAllEnvs());

const call = (method: string, resource: string, { params, ...rest }: Partial<Call> = {}) =>
  invoke(handler, {
    method,
    resource,
    params: { slug: 'blue', integration: 'integration_1', ...params },
    headers: basic('blue', admin.secret),
    ...rest,
  });

const holds = (...items: object[]) => tableWith(admin.item, shopItem('blue'), ...items);

const storedKey = (integration = 'integration_1', origin: string | null = null) => ({
  ...keyOf.integrationKey('blue', integration),
  origin,
});

function delivery(status: DeliveryStatus, event_id = 'event', id = 'integration_1') {
  const now = new Date('2026-11-14T12:00:00Z');
  const source = {
    event_id,
    subject_id: 'parcel',
    ref: 'shipments/in_transit/SHIPMENT_EN_ROUTE',
    event_group: 'shipment_in_transit',
    triggered_at: now.toISOString(),
    shop_slug: 'blue',
  };
  return deliveryItem({ ...newDelivery(source, { id, kind: 'integration' }, now), status });
}

/** The ids of the deliveries that fan-out is told to queue. */
const sent = () =>
  dynamo
    .commandCalls(TransactWriteCommand)
    .flatMap(({ args }) => args[0].input.TransactItems!)
    .flatMap(({ Put }) => (Put?.Item?.kind === 'wake' ? [Put.Item.delivery_id] : []));

test('the deliveries of an integration are listed apart from those of others, also without a key', async () => {
  const item = delivery('failed');
  holds(item, delivery('failed', 'event', 'integration_2'));
  const { status, body } = await call('GET', list, { query: { status: 'failed' } });
  expect([status, body.map(({ id }: { id: string }) => id)]).toEqual([200, [item.id]]);
  expect((await call('GET', list, { params: { integration: 'integration_7' } })).body).toEqual([]);
});

test('one delivery is shown with its attempts and its payload', async () => {
  const attempts = [{ at: '2026-11-14T12:00:01.000Z', duration_ms: 12, status: 400, error: 'http_400' }];
  const item = { ...delivery('failed'), attempts };
  holds(item, payloadItem(item, await storeBody('{"ref":"x"}')));
  const { body } = await call('GET', one, { params: { delivery_id: item.id.toUpperCase() } });
  expect(body).toMatchObject({ id: item.id, attempts: [{ status: 400, response: null }], payload: { ref: 'x' } });
});

describe('sending again', () => {
  test('starts a new run of a delivery', async () => {
    const item = delivery('cancelled');
    holds(item, storedKey());
    const { status, body } = await call('POST', `${one}/redeliver`, { params: { delivery_id: item.id } });
    expect([status, body.status]).toEqual([200, 'pending']);
    expect(sent()).toEqual([item.id]);
    expect(memoryTable.read(keyOf.delivery('blue', 'integration_1', item.id))!.status).toBe('pending');
  });

  test('recovers what failed in a time range, and only that', async () => {
    const items = ['a', 'b'].map((event) => delivery('failed', event));
    holds(...items, delivery('delivered', 'c'), delivery('failed', 'a', 'integration_2'), storedKey());
    const { body } = await call('POST', `${own}/recover`, { body: { since } });
    expect(body).toEqual({ count: 2, has_more: false, until: null, retrying: 0 });
    expect(sent().toSorted()).toEqual(items.map(({ id }) => id).toSorted());
  });

  const at = (rest_endpoint: string) => ({
    ...keyOf.settings('blue'),
    trigger_settings: { integration_3: { rest_endpoint } },
  });

  test.each([
    ['without a key', 'integration_1', [], /set the key/],
    ['without an address', 'integration_2', [storedKey('integration_2')], /must have an address/],
    ['whose key is for another server', 'integration_3', [at('https://a.org/'), storedKey('integration_3')], /another/],
  ])('is refused for an integration %s, and changes nothing', async (_, integration, items, message) => {
    const item = delivery('failed', 'event', integration);
    holds(item, ...items);
    const params = { integration, delivery_id: item.id };
    const answers = await Promise.all([
      call('POST', `${one}/redeliver`, { params }),
      call('POST', `${own}/recover`, { params, body: { since } }),
    ]);
    for (const { status, body } of answers) {
      expect([status, body.errors[0].loc, body.errors[0].msg]).toEqual([
        422,
        ['path', 'integration'],
        expect.stringMatching(message),
      ]);
    }
    expect(sent()).toEqual([]);
  });
});

test('nothing is sent again to the shop system with a key for another server', async () => {
  const target = { url: 'https://fallback.example.com', dialect: 'shopify' };
  vi.stubEnv('INTEGRATION_TARGETS', JSON.stringify({ integration_1: target }));
  const failed = delivery('failed');
  holds(failed, storedKey('integration_1', 'https://red.myshopify.com'));
  memoryTable.put(shopItem('blue', { shop_admin_url: 'https://blue.myshopify.com/admin/' }));
  for (const [resource, more] of [
    [`${one}/redeliver`, { params: { delivery_id: failed.id } }],
    [`${own}/recover`, { body: { since } }],
  ] as const) {
    const { status, body } = await call('POST', resource, more);
    expect([status, body.errors[0].msg]).toEqual([422, expect.stringContaining('shop_admin_url')]);
  }
  expect(sent()).toEqual([]);
});

test('a delivery that does not exist is not found', async () => {
  holds(storedKey());
  const params = { delivery_id: delivery('failed').id };
  expect((await call('GET', one, { params })).body.key).toBe('webhook_delivery_not_found');
  expect((await call('POST', `${one}/redeliver`, { params })).body.key).toBe('webhook_delivery_not_found');
});

test.each(['integration_8', 'shop_system_2', 'webhook', '01930000-0000-7000-8000-00000000000a'])(
  'no operation takes %s for an integration',
  async (integration) => {
    holds();
    const params = { integration, delivery_id: delivery('failed').id };
    const answers = await Promise.all([
      call('GET', list, { params }),
      call('GET', one, { params }),
      call('POST', `${one}/redeliver`, { params }),
      call('POST', `${own}/recover`, { params, body: { since } }),
    ]);
    for (const { status, body } of answers) {
      expect([status, body.errors.map(({ loc }: { loc: string[] }) => loc)]).toEqual([422, [['path', 'integration']]]);
    }
  },
);
