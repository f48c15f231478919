import { beforeEach, describe, expect, test } from 'vitest';
import type { Order, Shipment } from '#domain/orders/model.ts';
import { type StoredItem, toOrder, toShipment } from '#domain/orders/order-items.ts';
import { withoutShipment } from '#domain/orders/order-rules.ts';
import { loadOrder, saveOrder } from '#domain/orders/order-store.ts';
import { cancelOrder } from '#domain/orders/record-event.ts';
import { saidOrder } from '#domain/orders/told.ts';
import { upsert } from '#domain/orders/upsert.ts';
import type { Told } from '#domain/orders/upsert-rules.ts';
import type { OrderInput } from '#schemas/shapes/order-shapes.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { orderWrites, outgoingOf } from '#test/kit/order-writes.ts';
import { dynamo, shopItem, tableWith } from '#test/kit/table.ts';

const shop = { slug: 'blue', uuid: '01930000-0000-7000-8000-000000000000', shop_provider: 'shop_system_3' };
const noon = '2026-11-14T12:00:00.000Z';
const at = (minute: number) => `2026-11-14T12:${String(minute).padStart(2, '0')}:00.000Z`;

beforeEach(() => tableWith(shopItem('blue')));

interface State extends Partial<Told> {
  minute: number;
  fields?: OrderInput;
  parcels?: string[];
  areAll?: boolean;
}

/** What the shop's system tells as of a minute. It arrives at noon, or later. */
async function tell({ minute, fields = {}, parcels = [], areAll, ...rest }: State, now = noon): Promise<void> {
  const source = {
    asOf: `${at(minute)}#1`,
    ...(areAll !== undefined && { parcels: { count: parcels.length, areAll } }),
  };
  const placed_at = '2026-11-14T11:00:00Z';
  const trackings = parcels.map((tracking_number) => ({ tracking_number, tracking_placed_at: placed_at }));
  const item = { id: '1001', id_type: 'order_number' as const, order: { external_id: '77', ...fields }, trackings };
  const told = { source, ...rest };
  const { orderId, cancelledAt } = await upsert(shop, item, new Date(now), { told, leavesOutFullParcels: true });
  if (cancelledAt !== undefined) await cancelOrder(shop, orderId, cancelledAt, new Date(now));
}

const say = (order: OrderInput, now: string) =>
  upsert(shop, { id: '1001', id_type: 'order_number', order, trackings: [] }, new Date(now));

const stored = () => memoryTable.all('ORDER#') as unknown as StoredItem[];
const theOrder = (): Order => toOrder(stored().find(({ sk }) => sk === 'ORDER')!);
const theParcels = (): Shipment[] => stored().flatMap((item) => (item.sk === 'ORDER' ? [] : [toShipment(item)]));

/** What everybody sees of the order, whatever came first. */
function seen() {
  const { uuid: _, drafts, shipments: __, next_slot: ___, created_at: ____, updated_at: _____, ...rest } = theOrder();
  const { page_token: ______, listed_name: _______, enclosed: ________, unread = [], ...order } = rest;
  const parcels = theParcels().map(({ tracking_number, events }) => ({
    tracking_number,
    events: events.filter(({ event_name }) => event_name !== 'ORDER_CREATED'),
  }));
  return {
    order,
    unread: unread.map(({ field }) => field),
    drafts: drafts.length,
    parcels: parcels.sort((a, b) => (String(a.tracking_number) < String(b.tracking_number) ? -1 : 1)),
  };
}

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length <= 1) return [[...list]];
  return list.flatMap((one, i) => permutations(list.toSpliced(i, 1)).map((others) => [one, ...others]));
}

/** The service keeps fields of the analytics that it does not declare. */
const german: object = { language: 'de-DE' };

const address = (city: string) => ({ city, country_code: 'DE' });

/** Each list is the history of one order. */
const histories: [string, [State, State, State, State]][] = [
  [
    'that is placed, paid, sent in part and sent',
    [
      { minute: 1, fields: { email_id: 'a@example.com', financial_status: 'pending', currency: 'USD' } },
      { minute: 2, fields: { financial_status: 'paid', address: address('Bonn'), discounts: [{ code: 'A' }] } },
      { minute: 3, fields: { financial_status: 'paid', address: address('Ulm') }, parcels: ['A'], areAll: false },
      { minute: 4, fields: { discounts: [], total_order_price: 3 }, parcels: ['A', 'B', 'C'], areAll: true },
    ],
  ],
  [
    'whose fields come and go',
    [
      { minute: 1, fields: { email_id: 'one@example.com', products: [{ title: 'x' }], segments: ['a'] } },
      { minute: 2, fields: { email_id: 'two@example.com', order_analytics: { ...german, landing_site: '/2' } } },
      { minute: 3, fields: { order_analytics: { landing_site: '/3' }, segments: ['b'], weight: 3 } },
      { minute: 4, fields: { order_name: '#4' } },
    ],
  ],
  [
    'that is cancelled after two parcels were announced',
    [
      { minute: 1, fields: { email_id: 'a@example.com' } },
      { minute: 2, fields: {}, parcels: ['A'], areAll: false },
      { minute: 3, fields: {}, parcels: ['A', 'B'], areAll: true },
      { minute: 4, fields: { financial_status: 'voided' }, parcels: ['A', 'B'], cancelledAt: at(4) },
    ],
  ],
  [
    'that is cancelled, and changed after that',
    [
      { minute: 1, fields: { email_id: 'a@example.com' }, parcels: ['A'] },
      { minute: 2, fields: { email_id: 'b@example.com' }, cancelledAt: at(2) },
      { minute: 3, fields: { email_id: 'b@example.com', weight: 1 }, cancelledAt: at(3) },
      { minute: 4, fields: { weight: 2 }, parcels: ['A', 'B'], unread: [{ field: 'total' }], cancelledAt: at(4) },
    ],
  ],
  [
    'that is cancelled, and sent after that was taken back',
    [
      { minute: 1, fields: { email_id: 'a@example.com' } },
      { minute: 2, fields: { email_id: 'b@example.com' }, cancelledAt: at(2) },
      { minute: 3, fields: { weight: 1 } },
      { minute: 4, fields: { weight: 2 }, parcels: ['A', 'B'], areAll: true },
    ],
  ],
  [
    'whose attribution becomes known in parts',
    [
      { minute: 1, fields: { order_analytics: { source: 'mail' } } },
      { minute: 2, fields: { order_analytics: { source: 'mail', campaign: 'old' } } },
      { minute: 3, fields: { order_analytics: { campaign: 'new', landing_site: '/' } } },
      { minute: 4, fields: { order_analytics: { landing_site: '/4' } } },
    ],
  ],
  [
    'of which the shop takes a parcel back',
    [
      { minute: 1, fields: { weight: 1 } },
      { minute: 2, fields: {}, parcels: ['A', 'B', 'C'], areAll: false },
      { minute: 3, fields: {}, parcels: ['A', 'B'], areAll: false },
      { minute: 4, fields: { weight: 2 } },
    ],
  ],
  [
    'whose tracking number was mistyped',
    [
      { minute: 1, fields: { weight: 1 } },
      { minute: 2, fields: {}, parcels: ['A'], areAll: true },
      { minute: 3, fields: {}, parcels: ['B'], areAll: true },
      { minute: 4, fields: { weight: 2 }, parcels: ['B'], areAll: true },
    ],
  ],
];

describe.each(histories)('an order %s', (_, history) => {
  test('is the same, in whichever order its four states arrive', async () => {
    const results = [];
    for (const arrival of permutations(history)) {
      tableWith(shopItem('blue'));
      for (const state of arrival) await tell(state);
      results.push(seen());
    }
    expect(results).toHaveLength(24);
    // The first is the order in which they happened.
    for (const result of results) expect(result).toEqual(results[0]);
  });

  test('is not written when a state comes again', async () => {
    for (const state of [history[2], history[0], history[3], history[1]]) await tell(state);
    dynamo.resetHistory();
    for (const state of history) await tell(state, '2026-11-14T13:00:00.000Z');
    expect(orderWrites()).toEqual([]);
  });
});

test('in order of arrival, each field has the last value that was given', async () => {
  for (const state of histories[0]![1]) await tell(state);
  expect(theOrder()).toMatchObject({
    email_id: 'a@example.com',
    currency: 'USD',
    financial_status: 'paid',
    address: { city: 'Ulm' },
    discounts: [],
    total_order_price: 3,
    expected_number_of_shipments: 3,
  });
});

test('a cancellation that the shop took back does not cancel the parcels that come then', async () => {
  await tell({ minute: 1, parcels: ['A'], areAll: false });
  await tell({ minute: 2, parcels: ['A'], areAll: false, cancelledAt: at(2) });
  await tell({ minute: 3, parcels: ['A', 'B', 'C'], areAll: true });
  const cancelled = theParcels().filter(({ events }) =>
    events.some(({ event_name }) => event_name === 'ORDER_CANCELLED'),
  );
  expect(cancelled.map(({ tracking_number }) => tracking_number)).toEqual(['A']);
  expect(theOrder()).not.toHaveProperty('cancelled_at');
});

test('a cancellation is told once, although an earlier time of it comes later', async () => {
  await tell({ minute: 3, cancelledAt: at(3) });
  await tell({ minute: 2, cancelledAt: at(2) });
  const cancelled = outgoingOf('blue').filter(({ event_name }) => event_name === 'ORDER_CANCELLED');
  expect(cancelled).toHaveLength(1);
  expect(theParcels()[0]!.events.filter(({ event_name }) => event_name === 'ORDER_CANCELLED')).toMatchObject([
    { time: at(2) },
  ]);
});

describe('what the merchant says', () => {
  test('wins over a webhook that is older, and loses against one that is newer', async () => {
    await tell({ minute: 1, fields: { email_id: 'shop1@example.com', weight: 1 } });
    await say({ email_id: 'merchant@example.com' }, at(10));
    await tell({ minute: 5, fields: { email_id: 'shop5@example.com', weight: 5 } }, at(11));
    // The merchant said nothing of the weight.
    expect(theOrder()).toMatchObject({ email_id: 'merchant@example.com', weight: 5 });
    await tell({ minute: 12, fields: { email_id: 'shop12@example.com' } }, at(13));
    expect(theOrder()).toMatchObject({ email_id: 'shop12@example.com', weight: 5 });
  });

  test('wins by the time of its order, if a webhook of before is the first that comes', async () => {
    await say({ email_id: 'merchant@example.com', products: [] }, at(10));
    const fields = { email_id: 'shop@example.com', weight: 5, products: [{ title: 'x' }], order_placed_at: at(4) };
    await tell({ minute: 5, fields, parcels: ['A'] }, at(11));
    expect(theOrder()).toMatchObject({
      ...fields,
      email_id: 'merchant@example.com',
      external_id: '77',
      shipments: [1],
    });
  });

  test('is nothing where the order has a default, so that a webhook of before gives it', async () => {
    await say({ weight: 1 }, at(10));
    const fields = { currency: 'CHF', total_order_price: 9, discount_price: 2, discounts: [{ code: 'A' }] };
    await tell({ minute: 5, fields }, at(11));
    expect(theOrder()).toMatchObject({ ...fields, weight: 1 });
  });

  test('is the currency of its prices, although it is the default', async () => {
    await say({ total_order_price: 8, discount_price: 1 }, at(10));
    await tell({ minute: 5, fields: { currency: 'CHF', total_order_price: 9, discount_price: 2 } }, at(11));
    expect(theOrder()).toMatchObject({ currency: 'EUR', total_order_price: 8, discount_price: 1 });
  });

  test('wins also after the order was placed', async () => {
    await say({ email_id: 'first@example.com', weight: 1 }, at(1));
    await say({ weight: 2 }, at(10));
    await tell({ minute: 5, fields: { email_id: 'shop@example.com', weight: 5, order_name: '#1' } }, at(11));
    // The e-mail address was said before.
    expect(theOrder()).toMatchObject({ email_id: 'shop@example.com', weight: 2, order_name: '#1' });
    await tell({ minute: 12, fields: { weight: 12 } }, at(13));
    expect(theOrder()).toMatchObject({ email_id: 'shop@example.com', weight: 12 });
  });

  test('is also that there are no discounts any more', async () => {
    await say({ discounts: [{ code: 'A' }] }, at(3));
    await say({ discounts: [] }, at(9));
    await tell({ minute: 6, fields: { discounts: [{ code: 'A' }], products: [{ title: 'x' }] } }, at(10));
    expect(theOrder()).toMatchObject({ discounts: [], products: [{ title: 'x' }] });
  });

  test('of its attribution stays, also if the shop tells another one later', async () => {
    await say({ order_analytics: { source: 'merchant' } }, at(1));
    await tell({ minute: 5, fields: { order_analytics: { source: 'shop', campaign: 'shop', landing_site: '/' } } });
    expect(theOrder().order_analytics).toEqual({ source: 'merchant', landing_site: '/' });
  });

  test('of how many parcels there will be counts while the shop has sent a part', async () => {
    await say({ expected_number_of_shipments: 3 }, '2026-11-14T11:00:00.000Z');
    await tell({ minute: 1, parcels: ['A'], areAll: false });
    await tell({ minute: 2, parcels: ['A'], areAll: false });
    expect(theOrder()).toMatchObject({ expected_number_of_shipments: 3, drafts: [{}, {}] });
    await tell({ minute: 3, parcels: ['A', 'B', 'C'], areAll: false });
    expect(theOrder()).toMatchObject({ expected_number_of_shipments: 4 });
    await tell({ minute: 4, parcels: ['A', 'B', 'C'], areAll: true });
    expect(theOrder()).toMatchObject({ expected_number_of_shipments: 3, drafts: [] });
  });

  test('of a deleted parcel counts: an older state does not bring it back, and a newer one does', async () => {
    await tell({ minute: 1, parcels: ['A', 'B'] });
    const before = (await loadOrder('blue', theOrder().uuid))!;
    const deleted = before.shipments.find(({ tracking_number }) => tracking_number === 'A')!;
    const { order } = withoutShipment(before, deleted, at(10));
    await saveOrder({ shop, before, order, removed: [deleted], now: at(10) });
    for (const minute of [1, 5]) await tell({ minute, parcels: ['a', 'B', 'C'] }, at(11));
    expect(theParcels().map(({ tracking_number }) => tracking_number)).toEqual(['B', 'C']);
    await tell({ minute: 12, parcels: ['A'] }, at(13));
    expect(theParcels().map(({ tracking_number }) => tracking_number)).toEqual(['B', 'C', 'A']);
  });

  test('keeps an external id that the merchant gave from a webhook that is older', async () => {
    await say({ external_id: 'mine' }, at(10));
    await tell({ minute: 5 }, at(11));
    expect(theOrder().external_id).toBe('mine');
  });

  test('leaves no mark on an order if it gives no field', async () => {
    await say({ weight: 1 }, at(1));
    await say({}, at(2));
    expect(theOrder()).not.toHaveProperty('said_at');
    expect(theOrder()).not.toHaveProperty('told_before');
  });

  test('leaves the language of the order as it is, if it does not name it', async () => {
    await tell({ minute: 1, fields: { order_analytics: german } });
    await say({ order_analytics: { landing_site: '/' } }, at(10));
    expect(theOrder().order_analytics).toEqual({ ...german, landing_site: '/' });
  });
});

test('an order whose fields all have one time remembers no others', async () => {
  const fields = {
    order_placed_at: at(0),
    discount_price: 0,
    products: [],
    discounts: [],
    currency: 'EUR',
    email_id: 'a@example.com',
  };
  await tell({ minute: 1, fields });
  expect(theOrder()).toMatchObject({ told_at: `${at(1)}#1` });
  expect(theOrder()).not.toHaveProperty('told_before');
  await tell({ minute: 2, fields, parcels: ['A'], areAll: true });
  expect(theOrder().told_before).toEqual({ [`${at(2)}#1`]: ['expected_number_of_shipments'] });
});

test('how many parcels an order has is not said by one that gets a number', async () => {
  await tell({ minute: 1 });
  const tracking = { tracking_number: 'of-the-merchant' };
  await upsert(
    shop,
    { id: '1001', id_type: 'order_number', order: { weight: 2 }, trackings: [tracking] },
    new Date(at(9)),
  );
  expect(theOrder().expected_number_of_shipments).toBe(1);
  await tell({ minute: 2, parcels: ['A', 'B'], areAll: true });
  expect(theOrder().expected_number_of_shipments).toBe(2);
});

test('what could not be read is noted once for each field, with the time at which it first came', async () => {
  const many = Array.from({ length: 30 }, (_, i) => ({ field: `line_items.${i}.price` }));
  await tell({ minute: 1, unread: [{ field: 'total' }] }, at(1));
  await tell({ minute: 2, unread: [{ field: 'total' }, { field: 'date_paid' }] }, at(2));
  expect(theOrder().unread).toEqual([
    { at: at(1), field: 'total' },
    { at: at(2), field: 'date_paid' },
  ]);
  await tell({ minute: 3, unread: many }, at(3));
  expect(theOrder().unread).toHaveLength(20);
});

test('what nobody has ordered yet changes an order that is known, and makes none', async () => {
  await expect(tell({ minute: 1, onlyIfKnown: true })).rejects.toMatchObject({ key: 'order_not_found' });
  await tell({ minute: 2 });
  await tell({ minute: 3, fields: { weight: 3 }, onlyIfKnown: true });
  expect(theOrder().weight).toBe(3);
});

test('an update of the order by the merchant counts as said', () => {
  const order = { order_number: '1', told_at: at(1), told_before: { '': ['weight'] }, weight: 1, email_id: 'a' };
  const loaded = { order: { ...order, drafts: [], shipments: [] } as unknown as Order, shipments: [] };
  expect(saidOrder({}, loaded, { weight: 2 }, new Date(at(5)))).toMatchObject({
    told_at: at(5),
    told_before: { [at(1)]: ['cancelled_at', 'email_id'] },
  });
});

test('nothing is remembered of what the merchant says where no shop system tells of orders', () => {
  const order = { order_number: '1', weight: 1, created_at: at(1), drafts: [], shipments: [] } as unknown as Order;
  const weighed = (shop_provider: string | null) =>
    saidOrder({ shop_provider }, { order, shipments: [] }, { weight: 2 }, new Date(at(5)));
  expect(weighed('shop_system_1')).toMatchObject({ weight: 2, said_at: at(5) });
  for (const provider of ['api', null]) {
    expect(weighed(provider)).toMatchObject({ weight: 2 });
    expect(Object.keys(weighed(provider))).not.toEqual(expect.arrayContaining(['said_at']));
  }
});
