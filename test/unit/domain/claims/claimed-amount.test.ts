import { expect, test } from 'vitest';
import { claimedAmount } from '#domain/claims/presentation.ts';

const order = {
  products: [
    { sku: 'SOCKS', title: 'Wool socks', price: 9.5, quantity: 2 },
    { title: 'Gift card', price: 0.1 },
    { sku: 'BAG', title: 'Bag' },
  ],
};
const item = (fields: object) => ({ image_urls: [], ...fields });
const amount = (...items: object[]) =>
  claimedAmount({ selected_items: items.map(item), damaged_product_items: [] }, order);

test('the amount of a claim is that of its items, not of the whole order', () => {
  expect(amount({ sku: 'SOCKS', quantity: 2 })).toBe(19);
  expect(amount({ sku: 'SOCKS', net_price: 7.99 })).toBe(7.99);
  expect(amount({ title: 'Gift card', quantity: 3 })).toBe(0.3);
  expect(amount({ sku: 'SOCKS' }, { title: 'Gift card' })).toBe(9.6);
});

test('the amount is not guessed', () => {
  expect(amount()).toBeNull();
  expect(amount({ sku: 'BAG' })).toBeNull();
  expect(amount({ sku: 'SOCKS' }, { sku: 'UNKNOWN' })).toBeNull();
  expect(amount({})).toBeNull();
});
