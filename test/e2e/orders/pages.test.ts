import { beforeAll, describe, expect, test } from 'vitest';
import type { Order } from '#schemas/shapes/order-shapes.ts';
import { expectInvalid } from '#test/e2e/kit/errors.ts';
import { expectDone, type Merchant, newMerchant, type Query } from '#test/e2e/kit/orders.ts';
import { keyFor } from '#test/e2e/kit/shared-stack.ts';

const total = 250;
const start = Date.parse('2026-01-01T00:00:00Z');
/** Ten orders share each time, so that pages end between orders of the same time. */
const placedAt = (i: number) => new Date(start + Math.floor(i / 10) * 1000).toISOString();
const numberOf = (i: number) => `order-${String(i).padStart(3, '0')}`;

let shop: Merchant;

async function add(from: number, to: number): Promise<void> {
  const body = Array.from({ length: to - from }, (_, i) => ({
    id: numberOf(from + i),
    order: { order_placed_at: placedAt(from + i), email_id: 'anna@example.com' },
    trackings: [],
  }));
  expectDone(await shop.call('PUT', '/orders/bulk', { body }));
}

beforeAll(async () => {
  shop = await newMerchant();
  await add(0, total);
});

const numbersOf = (orders: readonly Order[]) => orders.map(({ order_number }) => order_number);
const all = Array.from({ length: total }, (_, i) => numberOf(i));

function expectNewestFirst(orders: readonly Order[]) {
  const times = orders.map(({ order_placed_at }) => order_placed_at);
  expect(times).toEqual(times.toSorted().reverse());
}

const read = (query: Query) => shop.orders({ per_page: 100, ...query });

describe('the pages of 250 orders', () => {
  test('contain each order once, newest first', async () => {
    const pages = [await read({ page: 1 }), await read({ page: 2 }), await read({ page: 3 }), await read({ page: 4 })];
    expect(pages.map((page) => page.length)).toEqual([100, 100, 50, 0]);
    expect(numbersOf(pages.flat()).toSorted()).toEqual(all);
    expectNewestFirst(pages.flat());
  });

  test('are the same in whatever order they are requested', async () => {
    const key = await keyFor(shop.slug, 'viewer');
    const page = async (number: number) =>
      (await shop.call('GET', '/orders', { key, query: { per_page: 100, page: number } })).body as Order[];
    const [third, first, second] = [await page(3), await page(1), await page(2)];
    expect(numbersOf([...first, ...second, ...third]).toSorted()).toEqual(all);
    expect(await page(3)).toEqual(third);
    expect(await page(1)).toEqual(first);
  });

  test('contain 30 orders unless the request says otherwise', async () => {
    expect(await shop.orders()).toHaveLength(30);
    expect(await shop.orders({ page: 9, per_page: 30 })).toHaveLength(10);
  });

  test('repeat no order and omit none while orders are added', async () => {
    const query = { email_id: 'anna@example.com' };
    const first = await read({ ...query, page: 1 });
    await add(total, total + 15);
    const second = await read({ ...query, page: 2 });
    await add(total + 15, total + 30);
    const third = await read({ ...query, page: 3 });
    expect(await read({ ...query, page: 4 })).toEqual([]);
    const seen = numbersOf([...first, ...second, ...third]);
    expect(seen.toSorted()).toEqual(all);
    expectNewestFirst([...first, ...second, ...third]);
    expect(numbersOf(await read({ ...query, page: 1 })).filter((number) => !all.includes(number))).toHaveLength(30);
  });

  test.each([
    ['page', 0, 'value_error'],
    ['page', 1.5, 'type_error'],
    ['page', 'two', 'type_error'],
    ['per_page', 0, 'value_error'],
    ['per_page', 101, 'value_error'],
    ['per_page', '', 'type_error'],
  ] as const)('are refused with %s %j', async (name, value, type) => {
    expectInvalid(await shop.call('GET', '/orders', { query: { [name]: value } }), [`query.${name}`, type]);
  });

  test('are empty far behind the end', async () => {
    expect(await read({ page: 1_000_000 })).toEqual([]);
  });
});
