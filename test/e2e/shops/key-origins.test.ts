import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { expectError } from '#test/e2e/kit/errors.ts';
import { accepted, newMerchant, newNumber, trackingsOf } from '#test/e2e/kit/orders.ts';
import { api, newSlug, superAdmin } from '#test/e2e/kit/shared-stack.ts';
import { connectShop } from '#test/e2e/kit/shop-system.ts';
import { type EventReceiver, startEventReceiver } from '#test/kit/event-receiver.ts';
import { type FakeShopSystem, fakeToken, startFakeShopSystem } from '#test/kit/fake-shop-system.ts';

/** Whoever may change an address must not learn the stored key by pointing the address at a server of their own. */

let receiver: EventReceiver;
let otherReceiver: EventReceiver;
let system: FakeShopSystem;
let otherSystem: FakeShopSystem;
beforeAll(async () => {
  [receiver, otherReceiver] = await Promise.all([startEventReceiver(), startEventReceiver()]);
  [system, otherSystem] = await Promise.all([startFakeShopSystem(), startFakeShopSystem()]);
});
afterAll(() => Promise.all([receiver, otherReceiver, system, otherSystem].map((server) => server.stop())));

const within = { timeout: 25_000, interval: 50 };

describe('the key of an integration', () => {
  test('is not sent to another server until it is set again', async () => {
    const shop = await newMerchant();
    const done = async (method: string, path: string, body?: object, query = {}) =>
      accepted(await shop.call(method, path, { ...(body && { body }), query }));
    const number = newNumber('K');
    await shop.order({}, trackingsOf(number));
    const [path, seen] = [`/${shop.slug}/push`, `/${shop.slug}/seen`];
    const setAddress = (rest_endpoint: string | null) =>
      done('PATCH', '/settings/triggers/integration_3', { rest_endpoint });
    const setKey = (api_key: string) => done('PUT', '/keys/integration_3', { api_key });
    const keysAt = ({ received }: EventReceiver) => received(path).map(({ headers }) => headers.authorization);
    /** The endpoint gets every event, so it shows when an event is through. */
    const happens = async (event_name: string) => {
      await done('POST', '/shipment-events', { id: number, event_name }, { notify: 'true' });
      await vi.waitFor(
        () =>
          expect(
            receiver
              .received(seen)
              .map(({ body }) => body)
              .join(),
          ).toContain(event_name),
        within,
      );
    };
    await done('POST', '/webhooks', { url: receiver.urlOf(seen) });
    await setAddress(receiver.urlOf(path));
    await setKey('the-first-key-of-the-shop');
    await done('PATCH', '/settings/triggers', { integration_3: true });
    await happens('SHIPMENT_EN_ROUTE');
    await vi.waitFor(() => expect(keysAt(receiver)).toEqual(['Bearer the-first-key-of-the-shop']), within);

    await setAddress(otherReceiver.urlOf(path));
    expect((await done('GET', '/keys')).set_again).toEqual(['integration_3']);
    await happens('IN_DELIVERY');
    await setAddress(null);
    await setAddress(otherReceiver.urlOf(path));
    await happens('DELIVERY_ATTEMPTED_FORWARDING_TO_PICKUP_LOCATION');

    await setKey('the-second-key-of-the-shop');
    expect(await done('GET', '/keys')).not.toHaveProperty('set_again');
    await happens('SUCCESSFULLY_DELIVERED');
    await vi.waitFor(() => expect(keysAt(otherReceiver)).toEqual(['Bearer the-second-key-of-the-shop']), within);
    expect(keysAt(receiver)).toEqual(['Bearer the-first-key-of-the-shop']);
  });
});

describe('the key of the shop system', () => {
  test('is not sent to another server until it is set again', async () => {
    const { call } = await connectShop(api, superAdmin, newSlug(), system.adminUrl);
    const register = (webhook_type: string) => call('POST', '/shop-system/webhooks', { webhook_type });
    const setAddress = async (shop_admin_url: string | null) => accepted(await call('PATCH', '', { shop_admin_url }));
    const { body: first } = await register('order-creation');

    for (const between of [[], [null], [system.adminUrl, null]]) {
      for (const address of [...between, otherSystem.adminUrl]) await setAddress(address);
      expect((await call('GET', '/keys')).body.set_again).toEqual(['integration_7']);
      expectError(await register('order-update'), 404, 'partner_key_not_found');
      expectError(await call('DELETE', `/shop-system/webhooks/${first.uuid}`), 404, 'partner_key_not_found');
    }
    expect(otherSystem.asked).toEqual([]);

    accepted(await call('PUT', '/keys/integration_7', { api_key: fakeToken }));
    expect((await register('order-update')).status).toBe(200);
    expect(otherSystem.hooks).toHaveLength(1);
  });

  test('stays valid for another path of the same server', async () => {
    const { call } = await connectShop(api, superAdmin, newSlug(), `${new URL(system.adminUrl).origin}/elsewhere`);
    accepted(await call('PATCH', '', { shop_admin_url: system.adminUrl }));
    expect((await call('GET', '/keys')).body).not.toHaveProperty('set_again');
    expect((await call('POST', '/shop-system/webhooks', { webhook_type: 'order-creation' })).status).toBe(200);
  });
});
