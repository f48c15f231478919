import { expect, test } from 'vitest';
import { filterChanges } from '#lib/console/ui/filter-changes.ts';

const fields = new Map([
  ['q', ' socks '],
  ['status', ''],
]);

test('a filter that changes opens the first page', () => {
  const changes = filterChanges(['q', 'status'], fields, new URLSearchParams('q=hat&page=3'));
  expect(changes).toEqual({ q: 'socks', status: '', page: undefined });
  expect(changes).toHaveProperty('page');
});

test('nothing changes if the address has the filters already, whatever the page', () => {
  expect(filterChanges(['q', 'status'], fields, new URLSearchParams('q=socks&page=3'))).toBeUndefined();
});
