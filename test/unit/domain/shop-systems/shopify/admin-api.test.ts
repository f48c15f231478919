import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AdminApi } from '#domain/shop-systems/admin-api.ts';
import { adminApi } from '#domain/shop-systems/shopify/admin-api.ts';
import { createCall } from '#platform/outgoing/call.ts';
import {
  busy,
  type FakeShopSystem,
  fakeToken,
  hangs,
  startFakeShopSystem,
  type Trouble,
  unwell,
} from '#test/kit/fake-shop-system.ts';

const topic = 'orders/create';
const address = 'https://service.example.com/hook';

let shop: FakeShopSystem;
const pause = vi.fn(async () => {});

beforeEach(async () => {
  pause.mockClear();
  shop = await startFakeShopSystem({ outOfScope: ['products/create'] });
});
afterEach(() => shop.stop());

const api = (token = fakeToken, url = shop.adminUrl, deadlineMs = 10_000): AdminApi =>
  adminApi(url, token, { call: createCall({ deadlineMs, allowLocal: true }), pause, now: Date.now });

/** For an answer that never comes. */
const impatient = () => api(fakeToken, shop.adminUrl, 300);

describe('registering a hook', () => {
  test('creates it in the shop system', async () => {
    const { hook, isNew } = await api().register(topic, address);
    expect(isNew).toBe(true);
    expect(shop.hooks).toEqual([{ id: hook.id, topic, address, format: 'json', fields: [] }]);
    expect(shop.asked).toEqual([{ method: 'POST', path: '/admin/webhooks.json', token: fakeToken }]);
  });

  test('takes over an existing hook, for example after a lost answer', async () => {
    shop.loseAnswer(unwell);
    await expect(api().register(topic, address)).rejects.toMatchObject({ key: 'bad_gateway' });
    await api().register('orders/updated', address);
    await api().register(topic, `${address}/other`);
    const [first] = shop.hooks;
    expect(await api().register(topic, address)).toMatchObject({ hook: { id: first!.id }, isNew: false });
    expect(shop.hooks).toHaveLength(3);
  });

  test('waits as long as the shop system asks', async () => {
    shop.meet(busy('2.0'), busy(), { status: 429 });
    await api().register(topic, address);
    expect(pause.mock.calls).toEqual([[2000], [10], [1000]]);
    expect(shop.hooks).toHaveLength(1);
  });

  const answers: [string, Trouble[], string][] = [
    ['401', [{ status: 401, body: '{"errors":"[API] Invalid API key"}' }], 'partner_key_missing_permissions'],
    [
      '403',
      [{ status: 403, body: '{"errors":"[API] requires merchant approval"}' }],
      'partner_key_missing_permissions',
    ],
    ['429 four times', [busy(), busy(), busy(), busy()], 'bad_gateway'],
    ['429 with a pause of an hour', [busy('3600')], 'bad_gateway'],
    ['500', [unwell], 'bad_gateway'],
    ['503', [{ status: 503 }], 'bad_gateway'],
    ['a redirect', [{ status: 302, headers: { location: 'https://elsewhere.example.com' } }], 'bad_gateway'],
    ['402 of a frozen shop', [{ status: 402, body: '{"errors":"Unavailable Shop"}' }], 'bad_gateway'],
    ['404 of a wrong address', [{ status: 404, body: '{"errors":"Not Found"}' }], 'bad_gateway'],
    ['422 for another reason', [{ status: 422, body: '{"errors":{"address":["is invalid"]}}' }], 'bad_gateway'],
    ['201 with a body that is no JSON', [{ status: 201, body: '<html>' }], 'bad_gateway'],
    ['201 without an id', [{ status: 201, body: '{"webhook":{}}' }], 'bad_gateway'],
    ['201 with null', [{ status: 201, body: 'null' }], 'bad_gateway'],
    ['that never comes', [hangs], 'bad_gateway'],
  ];

  test.each(answers)('fails after the answer %s', async (_, troubles, key) => {
    shop.meet(...troubles);
    const registering = (troubles.includes(hangs) ? impatient() : api()).register(topic, address);
    await expect(registering).rejects.toMatchObject({ key });
    expect(shop.hooks).toEqual([]);
    expect(shop.asked).toHaveLength(troubles.length);
  });

  test('with a wrong token or a topic out of its scope answers that the key lacks permission', async () => {
    const lacking = { key: 'partner_key_missing_permissions' };
    await expect(api('wrong-token').register(topic, address)).rejects.toMatchObject(lacking);
    await expect(api().register('products/create', address)).rejects.toMatchObject(lacking);
  });

  test('of an unreachable shop system or one at a private address answers bad gateway', async () => {
    const { adminUrl } = shop;
    await shop.stop();
    await expect(api(fakeToken, adminUrl).register(topic, address)).rejects.toMatchObject({ key: 'bad_gateway' });
    const guarded = adminApi('https://10.0.0.1/admin', fakeToken, { call: createCall(), pause, now: Date.now });
    await expect(guarded.register(topic, address)).rejects.toMatchObject({ key: 'bad_gateway' });
  });

  test('ends in time, however slow the answer is', async () => {
    let clock = 0;
    const deadlines: (number | undefined)[] = [];
    const slow = adminApi('https://shop.example.com', fakeToken, {
      call: async ({ deadlineMs }) => {
        deadlines.push(deadlineMs);
        clock += 9_000;
        return { status: 429, headers: {} };
      },
      pause: async (ms) => {
        clock += ms;
      },
      now: () => clock,
    });
    await expect(slow.register(topic, address)).rejects.toMatchObject({ key: 'bad_gateway' });
    expect(deadlines).toEqual([10_000, 10_000, 2_000]);
  });
});

describe('removing a hook', () => {
  test('removes it, and succeeds when it is already gone', async () => {
    const { hook } = await api().register(topic, address);
    await api().remove(hook.id);
    expect(shop.hooks).toEqual([]);
    await api().remove(hook.id);
  });

  test.each<[string, Trouble, string]>([
    ['403', { status: 403 }, 'partner_key_missing_permissions'],
    ['500', unwell, 'bad_gateway'],
    ['that never comes', hangs, 'bad_gateway'],
  ])('fails after the answer %s', async (_, trouble, key) => {
    const { hook } = await api().register(topic, address);
    shop.meet(trouble);
    const removing = (trouble === hangs ? impatient() : api()).remove(hook.id);
    await expect(removing).rejects.toMatchObject({ key });
    expect(shop.hooks).toHaveLength(1);
  });
});
