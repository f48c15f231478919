import { expect, test, vi } from 'vitest';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { accepted, type Merchant, newMerchant, newNumber, trackingsOf } from '#test/e2e/kit/orders.ts';
import { type Receiver, startReceiver } from '#test/e2e/kit/receiver.ts';

interface Listed {
  id: string;
  at: string;
  cursor: string;
  ref: string;
  simulation_id: string | null;
  payload: { triggered_at: string };
}

const within = { timeout: 20_000, interval: 100 };

async function merchantWithFeed(): Promise<Merchant> {
  const shop = await newMerchant();
  expectError(await shop.call('GET', '/events'), 409, 'feed_off');
  accepted(await shop.call('PATCH', '/settings/events', { body: { feed_enabled: true } }));
  return shop;
}

/** A parcel, and what its carrier reports of it. */
async function deliver(shop: Merchant, ...events: string[]): Promise<void> {
  const number = newNumber('T');
  await shop.order({}, trackingsOf(number));
  for (const event_name of events) {
    const call = { query: { notify: 'true' }, body: { id: number, event_name } };
    accepted(await shop.call('POST', '/shipment-events', call));
  }
}

const page = async (shop: Merchant, query: Record<string, string | number> = {}) =>
  accepted(await shop.call('GET', '/events', { query })) as { events: Listed[]; next: string; at_end: boolean };

async function readAll(shop: Merchant, query: Record<string, string | number> = {}): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let next: string | undefined, isEnd = false; !isEnd; ) {
    const answer = await page(shop, { ...query, ...(next && { after: next }) });
    all.push(...answer.events);
    ({ next, at_end: isEnd } = answer);
  }
  return all;
}

/**
 * Without cursors: one also says how far in time its reader has come, which depends on the pages when two events have other
 * times than places.
 */
const told = (events: readonly Listed[]) => events.map(({ cursor: _, ...event }) => event);

const cameIn = (shop: Merchant, count: number, query = {}) =>
  vi.waitFor(async () => {
    const events = await readAll(shop, query);
    expect(events.map(({ ref }) => ref)).toHaveLength(count);
    return events;
  }, within);

test('what happens is in the feed once, in one order for all pages, and an event that comes follows', async () => {
  const shop = await merchantWithFeed();
  await deliver(shop, 'IN_DELIVERY', 'SUCCESSFULLY_DELIVERED');
  await deliver(shop, 'SUCCESSFULLY_DELIVERED');
  const events = await cameIn(shop, 5);
  expect(events.map(({ ref }) => ref).toSorted()).toEqual([
    'shipments/delivered/SUCCESSFULLY_DELIVERED',
    'shipments/delivered/SUCCESSFULLY_DELIVERED',
    'shipments/in_delivery/IN_DELIVERY',
    'shipments/order_processed/ORDER_PROCESSED',
    'shipments/order_processed/ORDER_PROCESSED',
  ]);
  for (const limit of [1, 2, 3, 4, 5, 6]) {
    expect(told(await readAll(shop, { limit }))).toEqual(told(events));
  }
  for (const [i, { cursor }] of events.entries()) {
    expect(told((await page(shop, { after: cursor })).events)).toEqual(told(events.slice(i + 1)));
  }
  const ofCourier = events.filter(({ ref }) => ref.includes('IN_DELIVERY'));
  expect(told(await readAll(shop, { ref: 'shipments/in_delivery', limit: 1 }))).toEqual(told(ofCourier));
});

test('a request that waits answers when an event comes, and at once if it shall not wait', async () => {
  const shop = await merchantWithFeed();
  const { next, events } = await page(shop);
  expect(events).toEqual([]);
  const waiting = page(shop, { after: next, wait: 20 });
  await deliver(shop);
  const answer = await waiting;
  expect(answer.events).toMatchObject([{ ref: 'shipments/order_processed/ORDER_PROCESSED' }]);
  expect((await page(shop, { after: answer.next, wait: 0 })).events).toEqual([]);
});

async function deliveriesTo(receiver: Receiver, count: number) {
  const received = [];
  for (let i = 0; i < count; i++) received.push(await receiver.next());
  return received.map(({ headers, body }) => ({
    id: String(headers['webhook-id']),
    hour: String(headers['webhook-hour']),
    payload: JSON.parse(body),
  }));
}

test('an endpoint is sent what the feed shows of it, and the ledger sums it up', async () => {
  const shop = await merchantWithFeed();
  await using receiver = await startReceiver();
  const body = { url: receiver.url, enabled_events: ['shipments/delivered'] };
  const { uuid: endpoint } = accepted(await shop.call('POST', '/webhooks', { body }));
  await deliver(shop, 'IN_DELIVERY', 'SUCCESSFULLY_DELIVERED');
  await deliver(shop, 'SUCCESSFULLY_DELIVERED');
  const received = await deliveriesTo(receiver, 2);
  const events = await cameIn(shop, 2, { endpoint });
  const hourOf = (at: string) => `${at.slice(0, 13)}:00:00Z`;
  const told = events.map(({ id, at, payload }) => ({ id, hour: hourOf(at), payload }));
  expect(told.toSorted(byId)).toEqual(received.toSorted(byId));
  await cameIn(shop, 5);
  await vi.waitFor(async () => {
    const hours = accepted(await shop.call('GET', '/events/ledger', { query: { endpoint } })) as { count: number }[];
    expect(hours.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  }, within);
});

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

test('what a simulation makes is marked', async () => {
  const shop = await merchantWithFeed();
  await deliver(shop);
  const { uuid } = accepted(await shop.call('POST', '/simulations', { body: { journey: 'delivered' } }));
  accepted(await shop.call('POST', `/simulations/${uuid}/advance`, { body: { steps: 2 } }));
  await vi.waitFor(async () => {
    const made = (await readAll(shop)).map(({ simulation_id }) => simulation_id);
    expect(new Set(made)).toEqual(new Set([null, uuid]));
  }, within);
});

test('a cursor is refused in another shop, and after the feed was switched off and on', async () => {
  const [shop, other] = [await merchantWithFeed(), await merchantWithFeed()];
  const { next: after } = await page(shop);
  expectInvalid(await other.call('GET', '/events', { query: { after } }), ['query.after', 'value_error']);
  for (const feed_enabled of [false, true]) await shop.call('PATCH', '/settings/events', { body: { feed_enabled } });
  expectError(await shop.call('GET', '/events', { query: { after, wait: 20 } }), 410, 'cursor_expired');
});
