import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonLongerThan } from '#platform/http/json-length.ts';

test('a value is never taken for longer than its JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(isJsonLongerThan(value, JSON.stringify(value).length)).toBe(false);
    }),
  );
});

test('a value whose texts alone are too long is recognised, also if undefined fields would add to it', () => {
  expect(isJsonLongerThan({ texts: ['x'.repeat(60), 'y'.repeat(60)] }, 100)).toBe(true);
  expect(isJsonLongerThan({ ['x'.repeat(200)]: undefined }, 100)).toBe(false);
});

test('a part that repeats itself a million times is counted only as often as it fits', () => {
  let counted = 0;
  const part = {
    get text() {
      counted++;
      return 'x'.repeat(1000);
    },
  };
  expect(isJsonLongerThan({ parts: new Array(1_000_000).fill(part) }, 100_000)).toBe(true);
  expect(counted).toBeLessThanOrEqual(100);
});
