import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '#schemas/shapes/order-shapes.ts';
import { expectInvalid } from '#test/e2e/kit/errors.ts';
import { accepted, expectDone, type Merchant, newMerchant, type Query, trackingsOf } from '#test/e2e/kit/orders.ts';

const day = (number: number) => `2026-01-0${number}T12:00:00.000Z`;

interface Sample {
  order_number: string;
  external_id: string;
  order_name: string;
  email_id: string;
  order_placed_at: string;
  address: { zip_code: string };
}

/** Two values of each field in every combination that a pair of filters can tell apart. */
const samples: Sample[] = Array.from({ length: 8 }, (_, i) => ({
  order_number: `number-${i}`,
  external_id: `external-${i}`,
  order_name: i & 1 ? 'Name odd' : 'Name even',
  email_id: i & 2 ? 'Anna@Example.com' : 'bert@example.com',
  address: { zip_code: i & 4 ? 'SW1A 1AA' : '50667' },
  order_placed_at: day(i + 1),
}));

let shop: Merchant;
let other: Merchant;
let stored: Order[];

beforeAll(async () => {
  [shop, other] = await Promise.all([newMerchant(), newMerchant()]);
  for (const merchant of [shop, other]) {
    const body = samples.map((order) => ({ id: order.order_number, order, trackings: [] }));
    expectDone(await merchant.call('PUT', '/orders/bulk', { body }));
  }
  stored = await shop.orders();
});

const numbersOf = (orders: readonly { order_number: string }[]) => orders.map(({ order_number }) => order_number);
const newestFirst = [...samples].reverse();

type Test = (order: Sample) => boolean;

/** Each filter with a value, and the orders that it must find. */
const filters: Record<string, { value: () => string; finds: Test }> = {
  uuid: {
    value: () => stored.find(({ order_number }) => order_number === 'number-6')!.uuid,
    finds: ({ order_number }) => order_number === 'number-6',
  },
  order_number: { value: () => 'number-6', finds: ({ order_number }) => order_number === 'number-6' },
  external_id: { value: () => 'external-6', finds: ({ external_id }) => external_id === 'external-6' },
  order_name: { value: () => 'Name even', finds: ({ order_name }) => order_name === 'Name even' },
  email_id: { value: () => 'ANNA@example.COM', finds: ({ email_id }) => email_id === 'Anna@Example.com' },
  zip_code: { value: () => 'sw1a1aa', finds: ({ address }) => address.zip_code === 'SW1A 1AA' },
  order_placed_from: { value: () => day(3), finds: ({ order_placed_at }) => order_placed_at >= day(3) },
  order_placed_to: { value: () => day(7), finds: ({ order_placed_at }) => order_placed_at <= day(7) },
  shipment_updated_since: { value: () => '2026-01-01T00:00:00Z', finds: () => true },
};

const names = Object.keys(filters);
const queryOf = (chosen: readonly string[]) => Object.fromEntries(chosen.map((name) => [name, filters[name]!.value()]));
const expected = (chosen: readonly string[]) =>
  numbersOf(newestFirst.filter((order) => chosen.every((name) => filters[name]!.finds(order))));

describe('a search for orders', () => {
  test('without filters lists all orders of the shop, newest first', async () => {
    expect(numbersOf(await shop.orders())).toEqual(numbersOf(newestFirst));
    expect(stored.map(({ shop_slug }) => shop_slug)).toEqual(samples.map(() => shop.slug));
  });

  test.each(names)('by %s finds the matching orders', async (name) => {
    const found = numbersOf(await shop.orders(queryOf([name])));
    if (name === 'shipment_updated_since') found.sort().reverse(); // in the order of changes
    expect(found).toEqual(expected([name]));
    expect(found.length).toBeGreaterThan(0);
  });

  const pairs = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as const));

  test('by any two filters finds the orders that match both', async () => {
    for (const pair of pairs) {
      const found = numbersOf(await shop.orders(queryOf(pair)));
      expect(found.toSorted(), pair.join(' and ')).toEqual(expected(pair).toSorted());
    }
  });

  test('by all filters at once finds the one order that matches', async () => {
    expect(numbersOf(await shop.orders(queryOf(names)))).toEqual(['number-6']);
  });

  test('by two filters that contradict each other finds nothing', async () => {
    const contradictions: Query[] = [
      { order_number: 'number-6', external_id: 'external-5' },
      { order_number: 'number-6', email_id: 'bert@example.com' },
      { uuid: stored[0]!.uuid, order_number: stored[1]!.order_number },
      { order_placed_from: day(5), order_placed_to: day(4) },
      { email_id: 'anna@example.com', order_placed_to: '2020-01-01T00:00:00Z' },
      { shipment_updated_since: '2099-01-01T00:00:00Z' },
      { shipment_updated_since: '2099-01-01T00:00:00Z', zip_code: '50667' },
    ];
    for (const query of contradictions) expect(await shop.orders(query), JSON.stringify(query)).toEqual([]);
  });

  test('finds nothing by an id of another shop', async () => {
    const [theirs] = await other.orders({ order_number: 'number-1' });
    expect(await shop.orders({ uuid: theirs!.uuid })).toEqual([]);
    expect(await shop.orders({ uuid: randomUUID() })).toEqual([]);
  });

  test('includes the ends of a time range, whatever the offset', async () => {
    const range = { order_placed_from: '2026-01-03T14:00:00+02:00', order_placed_to: '2026-01-05T07:00:00-05:00' };
    expect(numbersOf(await shop.orders(range))).toEqual(['number-4', 'number-3', 'number-2']);
    const within = { order_placed_from: '2026-01-03T12:00:00.001Z', order_placed_to: '2026-01-05T11:59:59.999Z' };
    expect(numbersOf(await shop.orders(within))).toEqual(['number-3']);
    expect(numbersOf(await shop.orders({ ...within, email_id: 'anna@example.com' }))).toEqual(['number-3']);
  });

  test('reads a date alone as its first or last millisecond in UTC, and a time without an offset as UTC', async () => {
    const days = { order_placed_from: '2026-01-03', order_placed_to: '2026-01-05' };
    expect(numbersOf(await shop.orders(days))).toEqual(['number-4', 'number-3', 'number-2']);
    const oneDay = { order_placed_from: '2026-01-04', order_placed_to: '2026-01-04' };
    expect(numbersOf(await shop.orders(oneDay))).toEqual(['number-3']);
    const withoutOffset = { order_placed_from: '2026-01-03T12:00:00', order_placed_to: '2026-01-05 11:59:59.999' };
    expect(numbersOf(await shop.orders(withoutOffset))).toEqual(['number-3', 'number-2']);
  });

  test('accepts an e-mail address and a zip code as people write them', async () => {
    for (const email_id of ['anna@example.com', ' ANNA@EXAMPLE.COM ']) {
      expect(await shop.orders({ email_id })).toHaveLength(4);
    }
    for (const zip_code of ['SW1A 1AA', 'SW1A1AA', 'sw1a 1aa', ' S W1A1AA']) {
      expect(await shop.orders({ zip_code })).toHaveLength(4);
    }
  });

  test('finds an id only as it was given, with its case and spaces', async () => {
    for (const query of [{ order_number: 'NUMBER-6' }, { external_id: 'external-6 ' }, { order_name: 'name even' }]) {
      expect(await shop.orders(query as Query)).toEqual([]);
    }
  });

  test('finds an order by its changed values', async () => {
    const changing = await newMerchant();
    const { order_number: id, uuid } = await changing.order({
      email_id: 'old@x.org',
      order_name: 'old',
      address: { zip_code: '1' },
    });
    expectDone(
      await changing.upsert({ id, order: { email_id: 'new@x.org', order_name: 'new', order_placed_at: day(1) } }),
    );
    accepted(await changing.call('PATCH', `/orders/${uuid}`, { body: { address: { zip_code: '2' } } }));
    for (const query of [
      { email_id: 'old@x.org' },
      { order_name: 'old' },
      { zip_code: '1' },
      { order_placed_from: day(2) },
    ]) {
      expect(await changing.orders(query as Query), JSON.stringify(query)).toEqual([]);
    }
    for (const query of [
      { email_id: 'new@x.org' },
      { order_name: 'new' },
      { zip_code: '2' },
      { order_placed_to: day(1) },
    ]) {
      expect(await changing.orders(query as Query), JSON.stringify(query)).toHaveLength(1);
    }
  });

  test('is refused with every wrong filter', async () => {
    const query = {
      uuid: 'x',
      order_placed_from: 'yesterday',
      order_placed_to: '2026-02-30',
      shipment_updated_since: '0',
      page: 0,
      per_page: 101,
      order_number: 'x'.repeat(256),
    };
    const answer = await shop.call('GET', '/orders', { query });
    expectInvalid(answer, ...Object.keys(query).map((name) => [`query.${name}`, 'value_error'] as const));
  });

  test('by an empty text causes no error', async () => {
    for (const name of ['email_id', 'zip_code', 'order_name', 'order_number', 'external_id']) {
      expect(await shop.orders({ [name]: '' })).toEqual([]);
    }
  });
});

describe('a search for orders by changes of their shipments', () => {
  test('lists each order once, the oldest change first, so that a reader misses none', async () => {
    const merchant = await newMerchant();
    const [a, b, c] = ['a', 'b', 'c'] as const;
    for (const id of [a, b, c]) {
      await merchant.order({ order_number: id, expected_number_of_shipments: 3 }, trackingsOf(`${id}-1`, `${id}-2`));
    }
    const since = { shipment_updated_since: '2026-01-01T00:00:00Z' };
    expect(numbersOf(await merchant.orders(since))).toEqual([a, b, c]);
    const body = { id: 'a-1', event_name: 'IN_DELIVERY' };
    accepted(await merchant.call('POST', '/shipment-events', { body }));
    const changed = await merchant.orders(since);
    expect(numbersOf(changed)).toEqual([b, c, a]);
    const { updated_at } = changed[2]!.trackings[0]!;
    expect(numbersOf(await merchant.orders({ shipment_updated_since: updated_at }))).toEqual([a]);
    const later = new Date(Date.parse(updated_at) + 1).toISOString();
    expect(await merchant.orders({ shipment_updated_since: later })).toEqual([]);

    const pages = [1, 2, 3, 4].map((page) => ({ ...since, per_page: 1, page }));
    const paged: Order[] = [];
    for (const query of pages) paged.push(...(await merchant.orders(query)));
    expect(numbersOf(paged)).toEqual([b, c, a]);
    const [third] = await merchant.orders({ ...since, per_page: 2, page: 2 });
    expect(third!.order_number).toBe(a);
  });

  test('includes new drafts, and not changes of the order alone', async () => {
    const merchant = await newMerchant();
    const { order_number: id, trackings, uuid } = await merchant.order();
    const made = trackings[0]!.updated_at;
    const later = { shipment_updated_since: new Date(Date.parse(made) + 1).toISOString() };
    expectDone(await merchant.upsert({ id, order: { weight: 1 } }));
    expect(await merchant.orders({ shipment_updated_since: made })).toHaveLength(1);
    expect(await merchant.orders(later)).toEqual([]);
    accepted(await merchant.call('PATCH', `/orders/${uuid}`, { body: { expected_number_of_shipments: 2 } }));
    expect(await merchant.orders(later)).toHaveLength(1);
  });
});
