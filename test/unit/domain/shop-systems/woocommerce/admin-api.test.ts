import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AdminApi } from '#domain/shop-systems/admin-api.ts';
import { adminApi } from '#domain/shop-systems/woocommerce/admin-api.ts';
import { createCall } from '#platform/outgoing/call.ts';
import { busy, hangs, type Trouble, unwell } from '#test/kit/fake-shop-system.ts';
import { consumerKey, type FakeWooCommerce, startFakeWooCommerce } from '#test/kit/fake-woocommerce.ts';

const topic = 'order.updated';
const address = 'https://service.example.com/v1/shops/one/shop-system/inbound/order-update';
const secret = 'ab12'.repeat(16);

let shop: FakeWooCommerce;
const pause = vi.fn(async () => {});

beforeEach(async () => {
  pause.mockClear();
  shop = await startFakeWooCommerce({ folder: '/store' });
});
afterEach(() => shop.stop());

const api = ({ key = consumerKey, url = shop.shopUrl, deadlineMs = 10_000, signsWith = secret } = {}): AdminApi =>
  adminApi(url, key, signsWith, { call: createCall({ deadlineMs, allowLocal: true }), pause, now: Date.now });

const impatient = () => api({ deadlineMs: 300 });

/** That a merchant made by hand, with a name that the search for ours finds. */
const otherHook = (id: number, name: string) => ({
  id,
  name,
  status: 'active' as const,
  topic,
  delivery_url: `${address}/elsewhere`,
  secret: 'other',
});

describe('registering a hook', () => {
  test('creates one in the shop that signs with our secret', async () => {
    const { hook, isNew } = await api().register(topic, address);
    expect({ hook, isNew }).toEqual({ hook: { id: 142, topic, address, fields: [] }, isNew: true });
    expect(shop.hooks).toMatchObject([{ id: 142, topic, delivery_url: address, secret, status: 'active' }]);
    expect(shop.asked.map(({ method }) => method)).toEqual(['GET', 'POST']);
    const { client_id, client_secret } = consumerKey;
    const expected = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
    expect(new Set(shop.asked.map(({ authorization }) => authorization))).toEqual(new Set([expected]));
  });

  test.each(['wp-admin/', 'wp-admin/admin.php', 'wp-json/wc/v3/', ''])(
    'finds the shop at its address with %j',
    async (end) => {
      await api({ url: shop.shopUrl + end }).register(topic, address);
      expect(shop.hooks).toHaveLength(1);
    },
  );

  test('takes over an existing one after a lost answer, and makes it active with the present secret', async () => {
    shop.meet({ status: 200, body: '[]' });
    shop.loseAnswer(unwell);
    await expect(api({ signsWith: 'an earlier secret' }).register(topic, address)).rejects.toMatchObject({
      key: 'bad_gateway',
    });
    await api().register('order.created', address);
    await api().register(topic, `${address}/other`);
    shop.hooks[0]!.status = 'disabled';
    expect(await api().register(topic, address)).toMatchObject({ hook: { id: 142 }, isNew: false });
    expect(shop.hooks).toHaveLength(3);
    expect(shop.hooks[0]).toMatchObject({ secret, status: 'active' });
  });

  test('finds its hook on a later page, and gives up after some pages', async () => {
    await api().register(topic, address);
    const { name } = shop.hooks[0]!;
    shop.hooks.push(...Array.from({ length: 25 }, (_, i) => otherHook(1000 + i, `${name} ${i}`)));
    expect(await api().register(topic, address)).toMatchObject({ hook: { id: 142 }, isNew: false });
    shop.hooks.push(...Array.from({ length: 100 }, (_, i) => otherHook(2000 + i, `${name} ${i}`)));
    shop.asked.length = 0;
    expect(await api().register(topic, address)).toMatchObject({ isNew: true });
    expect(shop.asked.map(({ method }) => method)).toEqual([...Array(5).fill('GET'), 'POST']);
  });

  test('waits as long as the server asks', async () => {
    shop.meet(busy('2'), busy());
    await api().register(topic, address);
    expect(pause.mock.calls).toEqual([[2000], [10]]);
    expect(shop.hooks).toHaveLength(1);
  });

  const answers: [string, Trouble, string][] = [
    ['401', { status: 401, body: '{"code":"woocommerce_rest_cannot_create"}' }, 'partner_key_missing_permissions'],
    ['403', { status: 403, body: '{"code":"woocommerce_rest_cannot_create"}' }, 'partner_key_missing_permissions'],
    ['429 with a pause of an hour', busy('3600'), 'bad_gateway'],
    ['500', unwell, 'bad_gateway'],
    ['503', { status: 503 }, 'bad_gateway'],
    ['a redirect', { status: 302, headers: { location: 'https://elsewhere.example.com' } }, 'bad_gateway'],
    ['404 of a shop without WooCommerce', { status: 404, body: '{"code":"rest_no_route"}' }, 'bad_gateway'],
    ['200 with a page', { status: 200, body: '<html>' }, 'bad_gateway'],
    ['200 with null', { status: 200, body: 'null' }, 'bad_gateway'],
    ['that never comes', hangs, 'bad_gateway'],
  ];

  test.each(answers)('fails after the answer %s to the search', async (_, trouble, key) => {
    shop.meet(trouble);
    await expect((trouble === hangs ? impatient() : api()).register(topic, address)).rejects.toMatchObject({ key });
    expect(shop.hooks).toEqual([]);
    expect(shop.asked).toHaveLength(1);
  });

  test.each(answers)('fails after the answer %s to the creation', async (_, trouble, key) => {
    shop.meet({ status: 200, body: '[]' }, trouble);
    await expect((trouble === hangs ? impatient() : api()).register(topic, address)).rejects.toMatchObject({ key });
    expect(shop.hooks).toEqual([]);
  });

  test('of a topic that WooCommerce does not have answers bad gateway', async () => {
    await expect(api().register('order.shipped', address)).rejects.toMatchObject({ key: 'bad_gateway' });
  });

  test.each([
    ['an unknown key', { ...consumerKey, client_id: 'ck_other' }],
    ['a wrong secret', { ...consumerKey, client_secret: 'cs_other' }],
  ])('with %s answers that the key lacks permission', async (_, key) => {
    const lacking = { key: 'partner_key_missing_permissions' };
    await expect(api({ key }).register(topic, address)).rejects.toMatchObject(lacking);
  });

  test('with a key that may only read answers that the key lacks permission', async () => {
    await using readOnly = await startFakeWooCommerce({ isReadOnly: true });
    const registering = api({ url: readOnly.shopUrl }).register(topic, address);
    await expect(registering).rejects.toMatchObject({ key: 'partner_key_missing_permissions' });
  });

  test('of an unreachable shop or one at a private address answers bad gateway', async () => {
    const { shopUrl: url } = shop;
    await shop.stop();
    await expect(api({ url }).register(topic, address)).rejects.toMatchObject({ key: 'bad_gateway' });
    const ports = { call: createCall(), pause, now: Date.now };
    const guarded = adminApi('https://10.0.0.1', consumerKey, secret, ports);
    await expect(guarded.register(topic, address)).rejects.toMatchObject({ key: 'bad_gateway' });
  });
});

describe('removing a hook', () => {
  test('removes it, and succeeds when it is already gone', async () => {
    const { hook } = await api().register(topic, address);
    await api().remove(String(hook.id));
    expect(shop.hooks).toEqual([]);
    await api().remove(hook.id);
  });

  test('succeeds when the shop has no WooCommerce any more', async () => {
    shop.meet({ status: 404, body: '{"code":"rest_no_route"}' });
    await api().remove(142);
    expect(shop.asked).toHaveLength(1);
  });

  test.each<[string, Trouble, string]>([
    ['403', { status: 403 }, 'partner_key_missing_permissions'],
    ['404 with a page', { status: 404, body: '<html>' }, 'bad_gateway'],
    ['500', unwell, 'bad_gateway'],
    ['that never comes', hangs, 'bad_gateway'],
  ])('fails after the answer %s', async (_, trouble, key) => {
    const { hook } = await api().register(topic, address);
    shop.meet(trouble);
    await expect((trouble === hangs ? impatient() : api()).remove(hook.id)).rejects.toMatchObject({ key });
    expect(shop.hooks).toHaveLength(1);
  });
});
