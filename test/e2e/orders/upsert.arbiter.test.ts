import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import { expectDone, type Merchant, newMerchant, newNumber, numbersOf, trackingsOf } from '#test/e2e/kit/orders.ts';

let shop: Merchant;

beforeAll(async () => {
  shop = await newMerchant();
});

describe('an upsert that creates an order', () => {
  test('takes the order number from the id, unless the request names another type of id', async () => {
    const id = newNumber();
    expectDone(await shop.upsert({ id, order: {} }));
    expectDone(await shop.upsert({ id: `${id}-b`, id_type: 'order_number', order: { order_number: `${id}-b` } }));
    expect(await shop.orderWith(id)).toMatchObject({ order_number: id, external_id: id, state: 'placed' });
    expect(await shop.orderWith(`${id}-b`)).toMatchObject({ order_number: `${id}-b` });
  });

  test.each(['external_id', 'order_name'] as const)(
    'stores the %s, by which the order is found again',
    async (id_type) => {
      const number = newNumber();
      const id = newNumber('id');
      expectDone(await shop.upsert({ id, id_type, order: { order_number: number, [id_type]: id } }));
      expect(await shop.orderWith(number)).toMatchObject({ order_number: number, [id_type]: id });
      expectDone(await shop.upsert({ id, id_type, trackings: trackingsOf(`T-${id}`) }));
      expect(numbersOf(await shop.orderWith(number))).toEqual([`T-${id}`]);
    },
  );

  test('needs an order number, whatever else identifies the order', async () => {
    for (const id_type of ['external_id', 'order_name']) {
      const answer = await shop.upsert({ id: newNumber(), id_type, order: {} });
      expectInvalid(answer, ['body.order.order_number', 'missing']);
    }
  });

  test('does not accept a uuid: an unknown one is not found, with or without an order', async () => {
    const id = randomUUID();
    expectError(
      await shop.upsert({ id, id_type: 'uuid', order: { order_number: newNumber() } }),
      404,
      'order_not_found',
    );
    expectError(await shop.upsert({ id, id_type: 'uuid', trackings: trackingsOf('T') }), 404, 'order_not_found');
    expectError(await shop.upsert({ id: 'no uuid', id_type: 'uuid', order: {} }), 404, 'order_not_found');
  });

  test('needs the order: without it the order is not found, and nothing is created', async () => {
    const id = newNumber();
    for (const id_type of ['order_number', 'external_id', 'order_name']) {
      expectError(await shop.upsert({ id, id_type, trackings: trackingsOf(id) }), 404, 'order_not_found');
    }
    expect(await shop.orders({ order_number: id })).toEqual([]);
    expect((await shop.shipments({ tracking_number: id })).shipments).toEqual([]);
  });

  test.each(['order_number', 'external_id', 'order_name'])('refuses an id that differs from %s', async (id_type) => {
    const id = newNumber();
    const order = { order_number: id, external_id: id, order_name: id, [id_type]: 'another' };
    expectInvalid(await shop.upsert({ id, id_type, order }), [`body.order.${id_type}`, 'value_error']);
    expect(await shop.orders({ external_id: id })).toEqual([]);
  });

  test('ignores unknown fields, also in nested objects', async () => {
    const inside = {
      uuid: randomUUID(),
      state: 'fulfilled',
      drafts: [],
      shipments: [7],
      next_slot: 9,
      version: 7,
      pk: 'x',
    };
    const order = await shop.order({ ...inside, created_at: 'x', trackings: trackingsOf('X'), merchant_slug: 'other' });
    expect(order).toMatchObject({ state: 'placed', merchant_slug: shop.slug, shop_slug: shop.slug });
    expect(order.uuid).not.toBe(inside.uuid);
    expect(numbersOf(order)).toEqual([null]);
    for (const field of ['drafts', 'shipments', 'next_slot', 'version', 'pk', 'created_at']) {
      expect(order).not.toHaveProperty(field);
    }
  });

  test('refuses an unknown type of id and all other faults in one answer', async () => {
    const body = { id: 7, id_type: 'tracking_number', order: [], trackings: [{}, { tracking_number: '' }, 'x'] };
    expectInvalid(
      await shop.upsert(body),
      ['body.id', 'type_error'],
      ['body.id_type', 'value_error'],
      ['body.order', 'type_error'],
      ['body.trackings.0.tracking_number', 'missing'],
      ['body.trackings.1.tracking_number', 'value_error'],
      ['body.trackings.2', 'type_error'],
    );
    const empty = await shop.call('PUT', '/orders', { body: {} });
    expectInvalid(empty, ['body.id', 'missing'], ['body.trackings', 'missing']);
  });
});

describe('an upsert of an existing order', () => {
  test('changes the given fields and keeps the others', async () => {
    const before = await shop.order({ order_name: 'first', email_id: 'a@example.com', weight: 5, segments: ['a'] });
    const order = { weight: 6, segments: [], address: { city: 'Ulm' } };
    expectDone(await shop.upsert({ id: before.order_number, order }));
    expect(await shop.orderWith(before.order_number)).toEqual({ ...before, ...order });
  });

  test('finds it by its uuid, in upper or lower case', async () => {
    const { uuid, order_number } = await shop.order();
    expectDone(await shop.upsert({ id: uuid, id_type: 'uuid', order: { weight: 1 } }));
    expectDone(
      await shop.upsert({ id: uuid.toUpperCase(), id_type: 'uuid', order: { order_number, shipping_price: 2 } }),
    );
    expect(await shop.orderWith(order_number)).toMatchObject({ uuid, weight: 1, shipping_price: 2 });
  });

  test('refuses another order number, which is fixed', async () => {
    const { uuid, order_number, external_id } = await shop.order();
    const order = { order_number: newNumber() };
    for (const [id, id_type] of [
      [uuid, 'uuid'],
      [external_id, 'external_id'],
    ]) {
      expectInvalid(await shop.upsert({ id, id_type, order }), ['body.order.order_number', 'value_error']);
    }
    expect(await shop.orders({ order_number: order.order_number })).toEqual([]);
    expect((await shop.orderWith(order_number)).uuid).toBe(uuid);
  });

  test('changes nothing when it contains nothing new', async () => {
    const before = await shop.order({}, trackingsOf(newNumber('T')));
    const id = before.order_number;
    expectDone(await shop.upsert({ id }));
    expectDone(await shop.upsert({ id, order: {} }));
    expect(await shop.orderWith(id)).toEqual(before);
  });

  test('is limited to its shop, and another shop can have the same numbers', async () => {
    const other = await newMerchant();
    const tracking = newNumber('T');
    const mine = await shop.order({ order_name: 'mine' }, trackingsOf(tracking));
    const theirs = await other.order({ order_number: mine.order_number, order_name: 'theirs' }, trackingsOf(tracking));
    expect(theirs.uuid).not.toBe(mine.uuid);
    expect(await shop.orderWith(mine.order_number)).toEqual(mine);
    expectError(await other.upsert({ id: mine.uuid, id_type: 'uuid', order: { weight: 9 } }), 404, 'order_not_found');
  });
});

describe('the external id', () => {
  test('defaults to the order number, and stays when a later upsert does not name it', async () => {
    const plain = await shop.order();
    expect(plain.external_id).toBe(plain.order_number);
    const given = await shop.order({ external_id: newNumber('E') });
    expectDone(await shop.upsert({ id: given.order_number, order: { weight: 3 } }));
    expect((await shop.orderWith(given.order_number)).external_id).toBe(given.external_id);
  });

  test('can change, and the former one is free again', async () => {
    const [former, next] = [newNumber('E'), newNumber('E')];
    const { order_number, uuid } = await shop.order({ external_id: former });
    expectDone(await shop.upsert({ id: order_number, order: { external_id: next } }));
    expect((await shop.orders({ external_id: next })).map((order) => order.uuid)).toEqual([uuid]);
    expect(await shop.orders({ external_id: former })).toEqual([]);
    expect((await shop.order({ external_id: former })).external_id).toBe(former);
  });

  test('of another order is refused, on creation and on update', async () => {
    const owner = await shop.order({ external_id: newNumber('E') });
    const other = await shop.order();
    const { external_id } = owner;
    const id = newNumber();
    expectError(await shop.upsert({ id, order: { external_id } }), 409, 'order_exists');
    expectError(await shop.upsert({ id: other.order_number, order: { external_id } }), 409, 'order_exists');
    expect(await shop.orders({ order_number: id })).toEqual([]);
    expect(await shop.orderWith(other.order_number)).toEqual(other);
    expect(await shop.orderWith(owner.order_number)).toEqual(owner);
  });

  test('is refused when it defaults to a number that is the external id of another order', async () => {
    const id = newNumber();
    await shop.order({ external_id: id });
    expectError(await shop.upsert({ id, order: {} }), 409, 'order_exists');
  });

  test('lets an order change even if its number is the external id of another order', async () => {
    const mine = await shop.order({ external_id: newNumber('E') });
    await shop.order({ external_id: mine.order_number });
    expectDone(await shop.upsert({ id: mine.order_number, order: { weight: 8 } }));
    expect(await shop.orderWith(mine.order_number)).toEqual({ ...mine, weight: 8 });
  });

  test('and the order number of two orders are never confused', async () => {
    const [a, b] = [newNumber(), newNumber()];
    const first = await shop.order({ order_number: a, external_id: b });
    const second = await shop.order({ order_number: b, external_id: a });
    expectDone(await shop.upsert({ id: a, id_type: 'external_id', order: { weight: 2 } }));
    expect(await shop.orderWith(b)).toEqual({ ...second, weight: 2 });
    expect(await shop.orderWith(a)).toEqual(first);
  });
});

describe('the name of an order', () => {
  test('need not be unique, and means the newest order with it', async () => {
    const order_name = newNumber('name');
    const older = await shop.order({ order_name, order_placed_at: '2026-01-01T00:00:00Z' });
    const newer = await shop.order({ order_name, order_placed_at: '2026-01-02T00:00:00Z' });
    expectDone(await shop.upsert({ id: order_name, id_type: 'order_name', order: { weight: 1 } }));
    expect(await shop.orderWith(older.order_number)).toEqual(older);
    expect(await shop.orderWith(newer.order_number)).toEqual({ ...newer, weight: 1 });
  });
});
