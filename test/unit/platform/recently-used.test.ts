import { expect, test, vi } from 'vitest';
import { remembered } from '#platform/recently-used.ts';

test('what is remembered is made once for each key, also if nothing comes of it', () => {
  const make = vi.fn((first: string, second?: string) => (second === 'nothing' ? undefined : { first, second }));
  const made = remembered(make);
  expect(made('a b', 'c')).toEqual({ first: 'a b', second: 'c' });
  expect(made('a b', 'c')).toBe(made('a b', 'c'));
  expect(made('a', 'b c')).toEqual({ first: 'a', second: 'b c' });
  expect([made('a', 'nothing'), made('a', 'nothing')]).toEqual([undefined, undefined]);
  expect(make).toHaveBeenCalledTimes(3);
});

test('what callers can ask for does not fill the memory: the oldest is made again', () => {
  const make = vi.fn((key: string) => ({ key }));
  const made = remembered(make, 2);
  const [first, second] = [made('1'), made('2')];
  made('3');
  expect(made('2')).toBe(second);
  expect(made('1')).not.toBe(first);
  expect(make).toHaveBeenCalledTimes(4);
});
