import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { expectDone, type Merchant, newMerchant, newNumber, numbersOf, trackingsOf } from '#test/e2e/kit/orders.ts';

let shop: Merchant;

beforeAll(async () => {
  shop = await newMerchant();
});

const numbers = (count: number) => Array.from({ length: count }, () => newNumber('T'));

const fulfil = async (id: string, trackings: object[]) => {
  expectDone(await shop.upsert({ id, trackings }));
  return shop.orderWith(id);
};

describe('fulfilling an order', () => {
  test('gives its draft the number, and the shipment keeps its id', async () => {
    const placed = await shop.order();
    const [number] = numbers(1) as [string];
    const order = await fulfil(placed.order_number, trackingsOf(number));
    expect(order.state).toBe('fulfilled');
    expect(order.trackings.map(({ uuid }) => uuid)).toEqual(placed.trackings.map(({ uuid }) => uuid));
    expect(order.trackings[0]).toMatchObject({ carrier: { tracking_number: number }, phase: 'order_processed' });
    expect(order.trackings[0]!.events.map(({ event_name }) => event_name)).toEqual([
      'ORDER_CREATED',
      'ORDER_PROCESSED',
    ]);
  });

  test('can happen together with its creation, which leaves no draft behind', async () => {
    const [number] = numbers(1) as [string];
    const order = await shop.order({}, trackingsOf(number));
    expect(order.state).toBe('fulfilled');
    expect(numbersOf(order)).toEqual([number]);
    expect(order.trackings[0]!.events.map(({ event_name }) => event_name)).toEqual(['ORDER_PROCESSED']);
  });

  test('uses the drafts in their order and adds shipments beyond them', async () => {
    const placed = await shop.order({ expected_number_of_shipments: 3 });
    const [a, b, c, d, e] = numbers(5) as [string, string, string, string, string];
    const id = placed.order_number;
    const first = await fulfil(id, trackingsOf(a));
    expect(first.state).toBe('partially_fulfilled');
    expect(numbersOf(first)).toEqual([a, null, null]);
    const second = await fulfil(id, trackingsOf(b, c));
    expect(second.state).toBe('fulfilled');
    expect(numbersOf(second)).toEqual([a, b, c]);
    const third = await fulfil(id, trackingsOf(d, e));
    expect(third).toMatchObject({ state: 'fulfilled', expected_number_of_shipments: 3 });
    expect(numbersOf(third)).toEqual([a, b, c, d, e]);
    expect(third.trackings.slice(0, 3).map(({ uuid }) => uuid)).toEqual(placed.trackings.map(({ uuid }) => uuid));
  });

  test('of an order that expects one shipment is never partial', async () => {
    const order = await shop.order({}, trackingsOf(...numbers(2)));
    expect(order.state).toBe('fulfilled');
    expect(order.trackings).toHaveLength(2);
    const expected = await shop.order({ expected_number_of_shipments: 0 });
    expect(expected.state).toBe('placed');
    expect((await fulfil(expected.order_number, trackingsOf(...numbers(1)))).state).toBe('fulfilled');
  });

  test('updates the order too if the request contains one', async () => {
    const { order_number } = await shop.order({ order_name: 'before', weight: 1 });
    expectDone(
      await shop.upsert({ id: order_number, order: { order_name: 'after' }, trackings: trackingsOf(...numbers(1)) }),
    );
    expect(await shop.orderWith(order_number)).toMatchObject({ order_name: 'after', weight: 1, state: 'fulfilled' });
  });

  test('ignores a number that the request repeats, and keeps the first one at its place', async () => {
    const [a, b] = numbers(2) as [string, string];
    const products = [{ title: 'only the first' }];
    const trackings = [{ tracking_number: a, products }, { tracking_number: b }, { tracking_number: a, products: [] }];
    const order = await shop.order({ expected_number_of_shipments: 2 }, trackings);
    expect(numbersOf(order)).toEqual([a, b]);
    expect(order.trackings[0]!.products).toEqual(products);
  });

  test('ignores a number that the order already has, and shares one that another order has', async () => {
    const [a, b, c] = numbers(3) as [string, string, string];
    const first = await shop.order({}, trackingsOf(a));
    const again = await fulfil(first.order_number, [{ tracking_number: a, carrier_reference: 'ups', products: [] }]);
    expect(again).toEqual(first);
    const second = await shop.order({ expected_number_of_shipments: 2 }, trackingsOf(a, b));
    expect(numbersOf(second)).toEqual([a, b]);
    expect(numbersOf(await fulfil(first.order_number, trackingsOf(b, a, c)))).toEqual([a, b, c]);
  });

  test('accepts fifty trackings, and no more', async () => {
    const { order_number } = await shop.order();
    const all = numbers(50);
    const order = await fulfil(order_number, trackingsOf(...all));
    expect(numbersOf(order)).toEqual(all);
    const tooMany = await shop.upsert({ id: order_number, trackings: trackingsOf(...numbers(51)) });
    expectInvalid(tooMany, ['body.trackings', 'value_error']);
    expect((await shop.orderWith(order_number)).trackings).toHaveLength(50);
  });

  test('of fifty drafts at once uses each of them', async () => {
    const placed = await shop.order({ expected_number_of_shipments: 50 });
    const all = numbers(50);
    const order = await fulfil(placed.order_number, trackingsOf(...all));
    expect(order.state).toBe('fulfilled');
    expect(numbersOf(order)).toEqual(all);
    expect(order.trackings.map(({ uuid }) => uuid)).toEqual(placed.trackings.map(({ uuid }) => uuid));
  });

  test('accepts numbers that would mean something in a path or a key', async () => {
    const odd = ['a/b', 'a#b', '../x', '%2F', 'ü ß', '?', '"', '🧦', '1'].map((number) => `${newNumber('T')}${number}`);
    const order = await shop.order({}, trackingsOf(...odd));
    expect(numbersOf(order)).toEqual(odd);
    for (const tracking_number of odd) {
      expect((await shop.shipments({ tracking_number })).shipments).toHaveLength(1);
    }
  });
});

describe('the products of a shipment', () => {
  const products = [{ title: 'A', sku: 'a', quantity: 1 }, { title: 'B' }];

  test('are all those of the order when the tracking names none', async () => {
    const [a, b, c] = numbers(3) as [string, string, string];
    const own = [{ title: 'A', sku: 'a', quantity: 1 }];
    const order = await shop.order({ products, expected_number_of_shipments: 4 }, [
      { tracking_number: a },
      { tracking_number: b, products: own },
      { tracking_number: c, products: [] },
    ]);
    expect(order.trackings.map((tracking) => tracking.products)).toEqual([products, own, [], products]);
  });

  test('follow the products of the order as long as the shipment has none of its own', async () => {
    const { order_number } = await shop.order({ products }, trackingsOf(...numbers(1)));
    expectDone(await shop.upsert({ id: order_number, order: { products: [{ title: 'C' }] } }));
    expect((await shop.orderWith(order_number)).trackings[0]!.products).toEqual([{ title: 'C' }]);
  });
});

describe('the carrier of a shipment', () => {
  test('is detected from the number, with the URL of its tracking page', async () => {
    const { trackings } = await shop.order(
      {},
      trackingsOf('1Z5R89390357567127', '9400111206206406260787', 'no-such-form'),
    );
    expect(trackings.map(({ carrier }) => carrier.carrier_reference)).toEqual(['ups', 'usps', null]);
    expect(trackings[0]!.carrier.tracking_url).toMatch(/^https:\/\/.*ups.*1Z5R89390357567127/);
    expect(trackings[2]!.carrier.tracking_url).toBeNull();
  });

  test('is the one that the caller names, by reference or by name', async () => {
    const [a, b] = numbers(2) as [string, string];
    const { trackings } = await shop.order({}, [
      { tracking_number: a, carrier_reference: 'gls' },
      { tracking_number: b, tracking_company: 'DHL Express' },
    ]);
    expect(trackings.map(({ carrier }) => carrier.carrier_reference)).toEqual(['gls', 'dhlexp']);
    expect(trackings[0]!.carrier.tracking_url).toContain(a);
  });

  test('is refused when its reference is unknown, and nothing is done', async () => {
    const [a, b] = numbers(2) as [string, string];
    const id = newNumber();
    const trackings = [{ tracking_number: a }, { tracking_number: b, carrier_reference: 'pigeon' }];
    expectError(await shop.upsert({ id, order: {}, trackings }), 422, 'carrier_reference_invalid', [
      { loc: ['body', 'trackings', 1, 'carrier_reference'], msg: expect.any(String), type: 'value_error' },
    ]);
    expect(await shop.orders({ order_number: id })).toEqual([]);
  });

  test('is never an empty text', async () => {
    const id = newNumber();
    const trackings = [{ tracking_number: newNumber('T'), carrier_reference: '' }];
    const answer = await shop.upsert({ id, order: {}, trackings });
    expectInvalid(answer, ['body.trackings.0.carrier_reference', 'value_error']);
  });

  test('can be null, like the company and the products', async () => {
    const nothing = { tracking_company: null, carrier_reference: null, products: null };
    const { trackings } = await shop.order({ products: [{ title: 'A' }] }, [
      { tracking_number: newNumber('T'), ...nothing },
    ]);
    expect(trackings[0]).toMatchObject({ carrier: { carrier_reference: null }, products: [{ title: 'A' }] });
  });
});

describe('the time when a tracking was placed', () => {
  test('is the time of its ORDER_PROCESSED', async () => {
    const [a, b] = numbers(2) as [string, string];
    const before = Date.now();
    const { trackings } = await shop.order({}, [
      { tracking_number: a, tracking_placed_at: '2026-03-01T10:00:00+02:00' },
      { tracking_number: b },
    ]);
    const times = trackings.map(({ events }) => events.find(({ event_key }) => event_key === 'ORDER_PROCESSED')!.time);
    expect(times[0]).toBe('2026-03-01T08:00:00.000Z');
    expect(Date.parse(times[1]!)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(times[1]!)).toBeLessThanOrEqual(Date.now());
  });

  test('does not move the shipment back when it is before the creation of the draft', async () => {
    const { order_number } = await shop.order();
    const tracking = { tracking_number: newNumber('T'), tracking_placed_at: '2020-01-01T00:00:00Z' };
    const { trackings } = await fulfil(order_number, [tracking]);
    expect(trackings[0]).toMatchObject({ phase: 'order_processed', flag: 'normal' });
  });

  test('must be a valid time', async () => {
    const tracking = { tracking_number: newNumber('T'), tracking_placed_at: 'today' };
    const answer = await shop.upsert({ id: newNumber(), order: {}, trackings: [tracking] });
    expectInvalid(answer, ['body.trackings.0.tracking_placed_at', 'value_error']);
  });
});
