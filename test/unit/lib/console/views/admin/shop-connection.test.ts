import { describe, expect, test } from 'vitest';
import {
  type Connection,
  callAddress,
  registeredAt,
  stepStates,
  systemOf,
  typesOf,
} from '#lib/console/views/admin/shop-connection.ts';
import { type ShopSystem, shopSystems, topicOf } from '#schemas/catalogues/shop-webhooks.ts';

const nothing: Connection = {
  provider: null,
  isConnected: false,
  isKeyOutdated: false,
  hasAddress: false,
  registered: [],
  lastReceivedAt: null,
  isAppSaved: false,
};

const all = (system: ShopSystem) =>
  typesOf(system).map((type) => ({ webhook_type: type, topic: topicOf(system, type)! }));

const complete = (system: ShopSystem): Connection => ({
  ...nothing,
  provider: system,
  isConnected: true,
  hasAddress: true,
  registered: all(system),
  lastReceivedAt: '2026-11-27T10:00:00.000Z',
});

describe('the system of a shop', () => {
  test('is the one that was chosen', () => {
    for (const provider of shopSystems) expect(systemOf({ ...nothing, provider })).toBe(provider);
  });

  test.each([
    ['a key is stored', { isConnected: true }],
    ['a webhook is registered', { registered: all('shop_system_1').slice(0, 1) }],
    ['a webhook came', { lastReceivedAt: '2026-11-27T10:00:00.000Z' }],
  ])('is Shopify without a choice, if %s', (_, more) => {
    expect(systemOf({ ...nothing, ...more })).toBe('shop_system_1');
    expect(systemOf({ ...nothing, provider: 'api', ...more })).toBe('shop_system_1');
  });

  test('is not known in a new shop without a choice', () => {
    expect(systemOf(nothing)).toBeUndefined();
    expect(systemOf({ ...nothing, provider: 'api' })).toBeUndefined();
  });
});

describe('the four steps', () => {
  test('begin with the choice of the system', () => {
    expect(stepStates(nothing)).toEqual(['next', 'later', 'later', 'later']);
  });

  test.each(shopSystems)('are all done when a webhook of %s came', (system) => {
    expect(stepStates(complete(system))).toEqual(['done', 'done', 'done', 'done']);
  });

  test.each(['shop_system_1', 'shop_system_3'] as const)('of %s need the key and its address', (provider) => {
    const chosen = { ...nothing, provider };
    expect(stepStates({ ...chosen, isConnected: true })[1]).toBe('next');
    expect(stepStates({ ...chosen, hasAddress: true })[1]).toBe('next');
    expect(stepStates({ ...chosen, isConnected: true, hasAddress: true })[1]).toBe('done');
    // Who may not see the address sees that the key is stored.
    expect(stepStates({ ...chosen, isConnected: true, hasAddress: undefined })[1]).toBe('done');
  });

  test('ask for the key again when the address leads to another server', () => {
    expect(stepStates({ ...complete('shop_system_3'), isKeyOutdated: true })).toEqual(['done', 'next', 'done', 'done']);
  });

  test('of Shopware go on when the app was saved, and are done when it is installed', () => {
    const chosen = { ...nothing, provider: 'shop_system_2', hasAddress: undefined };
    expect(stepStates(chosen)).toEqual(['done', 'next', 'later', 'later']);
    expect(stepStates({ ...chosen, isAppSaved: true })).toEqual(['done', 'done', 'next', 'later']);
    expect(stepStates({ ...chosen, isConnected: true })).toEqual(['done', 'done', 'done', 'next']);
  });

  test('need all webhooks that the system has, and no others', () => {
    const shop = complete('shop_system_3');
    expect(stepStates({ ...shop, registered: shop.registered.slice(1) })[2]).toBe('next');
    expect(typesOf('shop_system_3')).not.toContain('order-cancelled');
    expect(typesOf('shop_system_1')).toHaveLength(10);
  });

  test('do not count webhooks of a system that the shop had before', () => {
    const moved = { ...complete('shop_system_3'), registered: all('shop_system_1') };
    expect(registeredAt('shop_system_3', moved)).toEqual([]);
    expect(stepStates(moved)[2]).toBe('next');
  });
});

describe('the address for calls', () => {
  test.each<[ShopSystem, string, string]>([
    ['shop_system_1', 'my-shop.myshopify.com', 'https://my-shop.myshopify.com/admin/api/2026-10'],
    [
      'shop_system_1',
      'https://my-shop.myshopify.com/admin/orders?x=1',
      'https://my-shop.myshopify.com/admin/api/2026-10',
    ],
    [
      'shop_system_1',
      'https://admin.shopify.com/store/my-shop/orders',
      'https://my-shop.myshopify.com/admin/api/2026-10',
    ],
    [
      'shop_system_1',
      'https://my-shop.myshopify.com/admin/api/2025-01',
      'https://my-shop.myshopify.com/admin/api/2025-01',
    ],
    ['shop_system_1', 'https://proxy.example/shop', 'https://proxy.example/shop'],
    ['shop_system_3', ' shop.example ', 'https://shop.example'],
    ['shop_system_3', 'https://shop.example/', 'https://shop.example'],
    ['shop_system_3', 'https://shop.example/blog/wp-admin/admin.php?page=wc-settings', 'https://shop.example/blog'],
    ['shop_system_3', 'https://shop.example/wp-json/wc/v3/', 'https://shop.example'],
    ['shop_system_3', 'http://shop.example:8080/de/', 'http://shop.example:8080/de'],
  ])('of %s is made of %s', (system, typed, address) => {
    expect(callAddress(system, typed)).toBe(address);
    // What was made once stays as it is.
    expect(callAddress(system, address)).toBe(address);
  });

  test('stays what it is if it is none, so that the service can say what is wrong', () => {
    expect(callAddress('shop_system_3', 'no address')).toBe('no address');
    expect(callAddress('shop_system_1', '')).toBe('');
  });
});
