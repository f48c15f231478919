import { expect, test } from 'vitest';
import { withGroup } from '#lib/console/ui/chosen-events.ts';

const groups = ['shipments/in_transit', 'shipments/delivered', 'shipments/returned', 'claims'];
const refs = ['shipments/delivered/SUCCESSFULLY_DELIVERED'];

test('one group taken out of all shipments leaves the others', () => {
  expect(withGroup(['shipments', 'claims'], 'shipments/delivered', false, groups, refs)).toEqual([
    'claims',
    'shipments/in_transit',
    'shipments/returned',
  ]);
});

test('claims come and go without a change of the shipments', () => {
  expect(withGroup(['shipments', 'claims'], 'claims', false, groups, ['claims/created'])).toEqual(['shipments']);
  expect(withGroup(['shipments', 'claims/created'], 'claims', true, groups, ['claims/created'])).toEqual([
    'shipments',
    'claims',
  ]);
});

test('a whole group replaces its single events, and only those', () => {
  expect(withGroup([...refs, 'shipments/returned/X'], 'shipments/delivered', true, groups, refs)).toEqual([
    'shipments/returned/X',
    'shipments/delivered',
  ]);
});
