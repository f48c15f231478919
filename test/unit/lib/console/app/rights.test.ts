import { expect, test } from 'vitest';
import { isEnough } from '#lib/console/app/rights.ts';

test('a role may do what it and the roles below it may do', () => {
  expect(['viewer', 'editor', 'admin'].map((needed) => isEnough('editor', needed))).toEqual([true, true, false]);
});

test('no role of a shop may do what only the operator may do', () => {
  expect(isEnough('admin', 'superadmin')).toBe(false);
  expect(isEnough('admin', 'signed')).toBe(false);
});

test('whoever is logged in may do what needs no role, also without a shop', () => {
  expect(['open', 'session', 'key'].map((needed) => isEnough(undefined, needed))).toEqual([true, true, true]);
  expect(isEnough(undefined, 'viewer')).toBe(false);
});
