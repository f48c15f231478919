import { expect, test } from 'vitest';
import { daysIn, shortened } from '#lib/console/views/admin/retention-rules.ts';

const stored = { orders_days: '730', claim_images_days: '', deliveries_days: '30' };

test('a number of days is a whole number, with spaces around it or without', () => {
  expect([' 90 ', '90', '', '9.5', '-1', 'ninety'].map(daysIn)).toEqual([
    90,
    90,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('a shorter limit, and one where there was none, would take something away', () => {
  expect(shortened({ orders_days: '365', claim_images_days: '90' }, stored)).toEqual([
    ['orders_days', 365],
    ['claim_images_days', 90],
  ]);
});

test('a longer limit, none, and one that the service refuses take nothing away', () => {
  expect(shortened({ orders_days: '800' }, stored)).toEqual([]);
  expect(shortened({ orders_days: '' }, stored)).toEqual([]);
  expect(shortened({ orders_days: '20', claim_images_days: 'soon', deliveries_days: '0' }, stored)).toEqual([]);
});
