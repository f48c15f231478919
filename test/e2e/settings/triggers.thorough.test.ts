import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accepted, expectDone, type Merchant, newMerchant, newNumber, trackingsOf } from '#test/e2e/kit/orders.ts';
import { api, newSlug, superAdmin } from '#test/e2e/kit/shared-stack.ts';
import { connectShop } from '#test/e2e/kit/shop-system.ts';
import { type EventReceiver, startEventReceiver } from '#test/kit/event-receiver.ts';
import { shopOrder } from '#test/kit/shop-payloads.ts';

/** The effect of settings on the events that an endpoint and a push-messaging system receive. */

let receiver: EventReceiver;
beforeAll(async () => {
  receiver = await startEventReceiver();
});
afterAll(() => receiver.stop());

const credential = 'a-key-of-sixteen-characters';
const within = { timeout: 25_000, interval: 50 };
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

interface Told {
  id: string;
  event_name: string;
  event_group: string;
  ref: string;
  authorization: string | undefined;
}

/** A shop with a parcel, an endpoint and a push-messaging system whose switch is on. */
async function notifyingShop() {
  const shop = await newMerchant();
  const number = newNumber('T');
  await shop.order({}, trackingsOf(number));
  const [webhook, push] = [`/${shop.slug}/webhook`, `/${shop.slug}/push`];
  const { uuid } = await done(shop, 'POST', '/webhooks', { url: receiver.urlOf(webhook) });
  const set = (part: string, body: object) => done(shop, 'PATCH', `/settings/${part}`, body);
  await set('triggers/integration_3', { rest_endpoint: receiver.urlOf(push) });
  await done(shop, 'PUT', '/keys/integration_3', { api_key: credential });
  await set('triggers', { integration_3: true });
  return {
    set,
    sendTest: () => done(shop, 'POST', `/webhooks/${uuid}/test`),
    redeliver: (id: string) => done(shop, 'POST', `/webhooks/${uuid}/deliveries/${id}/redeliver`),
    happens: (event_name: string, event_time?: string) =>
      done(shop, 'POST', '/shipment-events', { id: number, event_name, event_time }, { notify: 'true' }),
    webhook: () => toldAt(webhook),
    push: () => toldAt(push),
  };
}

async function done(shop: Merchant, method: string, path: string, body?: object, query = {}) {
  return accepted(await shop.call(method, path, { ...(body && { body }), query }));
}

/** Without the event of the fulfilment, which may come before any setting. */
function toldAt(path: string): Told[] {
  const all = receiver.received(path).map(({ headers, body }): Told => {
    const { ref, event_group, event_data } = JSON.parse(body);
    const { authorization, 'webhook-id': id } = headers;
    return { id: String(id), event_name: event_data.event_name, event_group, ref, authorization };
  });
  return all.filter(({ event_name }) => event_name !== 'ORDER_PROCESSED');
}

const names = (told: Told[]) => told.map(({ event_name }) => event_name);
const tells = (told: () => Told[], ...expected: string[]) =>
  vi.waitFor(() => expect(names(told()).toSorted()).toEqual(expected.toSorted()), within);

describe('an integration gets events', () => {
  test('at the address that the shop set, while its switch is on', async () => {
    const shop = await notifyingShop();
    await shop.happens('SHIPMENT_EN_ROUTE');
    await tells(shop.push, 'SHIPMENT_EN_ROUTE');
    expect(shop.push()).toMatchObject([{ authorization: `Bearer ${credential}`, event_group: 'shipment_in_transit' }]);
    await shop.set('triggers', { integration_3: false });
    await shop.happens('IN_DELIVERY');
    await tells(shop.webhook, 'SHIPMENT_EN_ROUTE', 'IN_DELIVERY');
    await shop.set('triggers', { integration_3: true });
    await shop.happens('SUCCESSFULLY_DELIVERED');
    await tells(shop.push, 'SHIPMENT_EN_ROUTE', 'SUCCESSFULLY_DELIVERED');
  });

  test('while its status is on', async () => {
    const shop = await notifyingShop();
    await shop.set('triggers/integration_3', { status: false });
    await shop.happens('SHIPMENT_EN_ROUTE');
    await tells(shop.webhook, 'SHIPMENT_EN_ROUTE');
    await shop.set('triggers/integration_3', { status: true });
    await shop.happens('IN_DELIVERY');
    await tells(shop.push, 'IN_DELIVERY');
  });
});

describe('a webhook gets events', () => {
  test('while its status is on, and always gets tests and deliveries that are sent again', async () => {
    const shop = await notifyingShop();
    await shop.happens('SHIPMENT_EN_ROUTE');
    await tells(shop.webhook, 'SHIPMENT_EN_ROUTE');
    await shop.set('triggers/webhook', { status: false });
    await shop.happens('IN_DELIVERY');
    await tells(shop.push, 'SHIPMENT_EN_ROUTE', 'IN_DELIVERY');
    const [{ id }] = shop.webhook() as [Told];
    await shop.redeliver(id);
    const { delivery_id } = await shop.sendTest();
    await vi.waitFor(() => {
      expect(shop.webhook().map((told) => told.id)).toEqual(expect.arrayContaining([id, delivery_id]));
      expect(shop.webhook()).toHaveLength(3);
    }, within);
    expect(names(shop.webhook())).not.toContain('IN_DELIVERY');
  });
});

describe('an event is sent', () => {
  test('while it is younger than the threshold of each integration', async () => {
    const shop = await notifyingShop();
    await shop.happens('SHIPMENT_EN_ROUTE', hoursAgo(5));
    await tells(shop.webhook, 'SHIPMENT_EN_ROUTE');
    await shop.set('triggers/webhook', { stale_event_threshold: 3 });
    await shop.set('triggers/integration_3', { stale_event_threshold: 30 });
    await shop.happens('SHIPMENT_EN_ROUTE', hoursAgo(29));
    await tells(shop.push, 'SHIPMENT_EN_ROUTE');
    expect(shop.webhook()).toHaveLength(1);
  });

  test('only if it has a group', async () => {
    const shop = await notifyingShop();
    await shop.happens('CARRIER_UNKNOWN');
    await shop.happens('SHIPMENT_EN_ROUTE');
    await tells(shop.push, 'SHIPMENT_EN_ROUTE');
    await tells(shop.webhook, 'SHIPMENT_EN_ROUTE');
  });

  test('again as any kind of delivery, to integrations with that setting', async () => {
    const shop = await notifyingShop();
    await shop.set('triggers/integration_3', { trigger_delivered_all_events: true });
    await shop.happens('SUCCESSFULLY_DELIVERED_TO_NEIGHBOR');
    await vi.waitFor(() => expect(shop.push()).toHaveLength(2), within);
    const [one, other] = shop.push() as [Told, Told];
    expect([one.event_group, other.event_group].toSorted()).toEqual([
      'shipment_delivered_all_events',
      'shipment_delivered_to_neighbour',
    ]);
    expect(one.ref).toBe(other.ref);
    expect(one.id).not.toBe(other.id);
    await tells(shop.webhook, 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR');
  });
});

test('an order of the shop system is sent as the mapping rules read it, and its cancellation once', async () => {
  const shop = await connectShop(api, superAdmin, newSlug(), 'https://shop.example.com/admin');
  const place = `/${shop.slug}/webhook`;
  accepted(await shop.call('POST', '/webhooks', { url: receiver.urlOf(place) }));
  const rule = { source: { key: 'marketplace', type: 'note_attribute' }, target: 'marketplace_order_number' };
  accepted(await shop.call('PUT', '/settings/mappings', { data: { 'shop_system_1.order': [rule] } }));
  const cancelled_at = hoursAgo(0);
  const cancelled = shopOrder({ cancelled_at, updated_at: cancelled_at });
  for (const type of ['order-cancelled', 'order-cancelled', 'order-update'])
    expectDone(await shop.send(type, cancelled));
  expectDone(await shop.send('order-creation', shopOrder()));
  await tells(() => toldAt(place), 'ORDER_CREATED', 'ORDER_CANCELLED');
  for (const { body } of receiver.received(place)) {
    const { note_attributes } = JSON.parse(body).context.order.order_analytics;
    expect(note_attributes).toContainEqual({ name: 'marketplace_order_number', value: 'M-77' });
  }
});
