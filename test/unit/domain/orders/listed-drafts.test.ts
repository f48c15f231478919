import { expect, test } from 'vitest';
import { type Draft, newOrderId, type Order } from '#domain/orders/model.ts';
import { draftsIn, listedDrafts } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';

const now = new Date('2026-11-14T12:00:00.000Z');
const placed = newOrder(newOrderId(now), { order_number: 'A1' }, now);
const orderWith = (...drafts: Draft[]): Order => ({ ...placed, drafts });
const at = (slot: number, created_at = now.toISOString()): Draft => ({ slot, created_at });
const earlier = '2026-11-13T12:00:00.000Z';

test('drafts of one time take few bytes of the item of their order', () => {
  expect(listedDrafts('blue', orderWith(at(1), at(2), at(12)))?.drafts).toBe('1,2,12');
});

test('the drafts of an order stand in the list at the place of the newest', () => {
  expect(listedDrafts('blue', orderWith(at(1, earlier), at(2), at(3)))).toMatchObject({
    activity_pk: 'DRAFTS#blue',
    activity_sk: `${now.toISOString()}#${placed.uuid.replace(/000$/, '003')}`,
  });
});

test('an order without drafts is not in the list', () => {
  expect(listedDrafts('blue', orderWith())).toBeUndefined();
  expect(draftsIn({})).toEqual([]);
});

test.each([[[at(1)]], [[at(1, earlier), at(7)]], [[at(2, earlier), at(3, earlier), at(5), at(4095)]]])(
  'what is listed says which drafts there are: %j',
  (drafts) => {
    expect(draftsIn(listedDrafts('blue', orderWith(...drafts))!)).toEqual(drafts);
  },
);
