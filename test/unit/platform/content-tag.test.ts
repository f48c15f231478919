import { expect, test } from 'vitest';
import { contentTag } from '#platform/content-tag.ts';

test('Equal content has an equal tag, in whatever order the table returns its fields', () => {
  expect(contentTag({ a: 1, b: { c: [1, { d: 2, e: 3 }], f: null } })).toBe(
    contentTag({ b: { f: null, c: [1, { e: 3, d: 2 }] }, a: 1 }),
  );
});

test('Other content has another tag, also if only the order of a list differs', () => {
  const tags = [{ a: [1, 2] }, { a: [2, 1] }, { a: ['1', 2] }, { a: null }, {}].map(contentTag);
  expect(new Set(tags).size).toBe(tags.length);
});
