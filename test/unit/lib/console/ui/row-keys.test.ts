import { expect, test } from 'vitest';
import { RowKeys } from '#lib/console/ui/row-keys.ts';

test('a row keeps its key when one before it is removed, and a new row gets one that no row had', () => {
  const keys = new RowKeys();
  const [first, second, third] = [...keys.of(3)];
  keys.removed(1);
  expect([...keys.of(2)]).toEqual([first, third]);
  const added = keys.of(3)[2];
  expect([first, second, third]).not.toContain(added);
});

test('fewer rows than before keep the first keys', () => {
  const keys = new RowKeys();
  const before = [...keys.of(3)];
  expect([...keys.of(1)]).toEqual(before.slice(0, 1));
});
