import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import { expectInvalid } from '#test/e2e/kit/errors.ts';
import { expectDone, type Merchant, newMerchant, newNumber, numbersOf, trackingsOf } from '#test/e2e/kit/orders.ts';

let shop: Merchant;

beforeAll(async () => {
  shop = await newMerchant();
});

const bulk = (body: unknown) => shop.call('PUT', '/orders/bulk', { body });

describe('orders in bulk', () => {
  test('are created, updated and fulfilled', async () => {
    const known = await shop.order({ weight: 1 });
    const [a, b, c] = [newNumber(), newNumber(), newNumber()];
    expectDone(
      await bulk([
        { id: a, order: { financial_status: 'paid' }, trackings: [] },
        { id: b, id_type: 'external_id', order: { order_number: c }, trackings: trackingsOf(`T-${b}`) },
        { id: known.uuid, id_type: 'uuid', order: { weight: 2 }, trackings: trackingsOf(`T-${a}`) },
      ]),
    );
    expect(await shop.orderWith(a)).toMatchObject({ state: 'placed', financial_status: 'paid' });
    expect(await shop.orderWith(c)).toMatchObject({ state: 'fulfilled', external_id: b });
    expect(await shop.orderWith(known.order_number)).toMatchObject({ state: 'fulfilled', weight: 2 });
  });

  test('are all refused for an invalid field in one of them', async () => {
    const id = newNumber();
    const answer = await bulk([{ id, order: {}, trackings: [] }, { id: 7, order: { weight: 'heavy' } }, 'order']);
    expectInvalid(
      answer,
      ['body.1.id', 'type_error'],
      ['body.1.trackings', 'missing'],
      ['body.1.order.weight', 'type_error'],
      ['body.2', 'type_error'],
    );
    expect(await shop.orders({ order_number: id })).toEqual([]);
  });

  test('fail one by one, each with its place in the list, and the others are done', async () => {
    const taken = await shop.order();
    const [a, b, c, d, e] = Array.from({ length: 5 }, () => newNumber()) as [string, string, string, string, string];
    const answer = await bulk([
      { id: a, order: {}, trackings: [] },
      { id: newNumber('unknown'), trackings: [] },
      { id: randomUUID(), id_type: 'uuid', order: {}, trackings: [] },
      { id: b, order: { order_number: 'another' }, trackings: [] },
      { id: c, order: {}, trackings: [{ tracking_number: c }, { tracking_number: d, carrier_reference: 'pigeon' }] },
      { id: d, order: { external_id: taken.external_id }, trackings: [] },
      { id: e, order: {}, trackings: trackingsOf(e) },
    ]);
    expect(answer).toMatchObject({ status: 422, body: { key: 'invalid_payload' } });
    expect(answer.body.errors.map(({ loc }: FieldError) => loc)).toEqual([
      ['body', 1, expect.any(String)],
      ['body', 2, expect.any(String)],
      ['body', 3, 'order', 'order_number'],
      ['body', 4, 'trackings', 1, 'carrier_reference'],
      ['body', 5, expect.any(String)],
    ]);
    const found = await Promise.all([a, b, c, d, e].map((order_number) => shop.orders({ order_number })));
    expect(found.map((orders) => orders.length)).toEqual([1, 0, 0, 0, 1]);
  });

  test('can contain one order several times, which is done in the order of the list', async () => {
    const id = newNumber();
    const external_id = newNumber('E');
    const items = ['a', 'b', 'c'].map((part) => ({ id, trackings: trackingsOf(`${id}-${part}`) }));
    expectDone(
      await bulk([
        { id, order: { external_id, weight: 1 }, trackings: [] },
        ...items,
        { id, order: { weight: 2 }, trackings: [] },
      ]),
    );
    const order = await shop.orderWith(id);
    expect(order).toMatchObject({ weight: 2, external_id });
    expect(numbersOf(order)).toEqual(['a', 'b', 'c'].map((part) => `${id}-${part}`));
  });

  test('can contain one order by two of its ids', async () => {
    const { order_number: id, external_id, uuid } = await shop.order({ external_id: newNumber('E') });
    expectDone(
      await bulk([
        { id, trackings: trackingsOf(`${id}-a`) },
        { id: external_id, id_type: 'external_id', trackings: trackingsOf(`${id}-b`) },
        { id: uuid, id_type: 'uuid', trackings: trackingsOf(`${id}-c`) },
      ]),
    );
    expect(numbersOf(await shop.orderWith(id)).toSorted()).toEqual(['a', 'b', 'c'].map((part) => `${id}-${part}`));
  });

  test('can create an order by its number and fulfil it by its external id in the next item', async () => {
    const pairs = Array.from({ length: 5 }, () => [newNumber(), newNumber('E')] as const);
    expectDone(
      await bulk(
        pairs.flatMap(([id, external_id]) => [
          { id, order: { external_id }, trackings: [] },
          { id: external_id, id_type: 'external_id', trackings: trackingsOf(`T-${id}`) },
        ]),
      ),
    );
    for (const [id] of pairs) expect((await shop.orderWith(id)).state).toBe('fulfilled');
  });

  test('give one tracking number to each order that travels in the parcel', async () => {
    const ids = Array.from({ length: 6 }, () => newNumber());
    const tracking = newNumber('T');
    expectDone(await bulk(ids.map((id) => ({ id, order: {}, trackings: trackingsOf(tracking) }))));
    const orders = await Promise.all(ids.map((id) => shop.orderWith(id)));
    expect(orders.map(numbersOf)).toEqual(ids.map(() => [tracking]));
  });

  test('must be a list, which may be empty', async () => {
    expectDone(await bulk([]));
    expectInvalid(await bulk({ id: 'x', trackings: [] }), ['body', 'type_error']);
    expectInvalid(await bulk({}), ['body', 'type_error']);
    expectInvalid(await bulk('null'), ['body', 'value_error']);
  });

  test('are limited in number', async () => {
    const items = Array.from({ length: 501 }, (_, i) => ({ id: `many-${i}`, order: {}, trackings: [] }));
    expectInvalid(await bulk(items), ['body', 'value_error']);
    expectInvalid(await bulk([{ id: 'x', trackings: trackingsOf(...items.slice(0, 51).map(({ id }) => id)) }]), [
      'body.0.trackings',
      'value_error',
    ]);
    expect(await shop.orders({ order_number: 'many-0' })).toEqual([]);
  });
});
