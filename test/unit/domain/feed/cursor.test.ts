import { expect, test } from 'vitest';
import { readCursor, writeCursor } from '#domain/feed/cursor.ts';
import { hourOf } from '#domain/feed/mark.ts';
import { keptSince } from '#domain/feed/retention.ts';

const cursor = { generation: 3, block: 12, index: 36, told: 2, at: 1_794_974_399_999 };

test('A cursor is read as it was written', () => {
  for (const one of [cursor, { ...cursor, block: 0, index: 0, told: 0 }])
    expect(readCursor('blue', writeCursor('blue', one))).toEqual(one);
});

test('Who changed a cursor, or has one of another shop, has none', () => {
  const text = writeCursor('blue', cursor);
  const numbers = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
  const changed = (position: number, value: unknown) =>
    Buffer.from(JSON.stringify(numbers.with(position, value))).toString('base64url');
  expect(readCursor('red', text)).toBeUndefined();
  for (const [position, value] of [
    [1, 13],
    [2, -1],
    [2, 35.5],
    [3, null],
    [4, '1'],
    [5, ''],
  ] as const)
    expect(readCursor('blue', changed(position, value))).toBeUndefined();
  for (const none of ['', 'x', '{}', 'W10', text.slice(0, -4), `${text}${text}`])
    expect(readCursor('blue', none)).toBeUndefined();
});

test('What is kept goes by whole hours', () => {
  const last = new Date('2026-11-18T03:59:59.999Z');
  expect(hourOf(keptSince(last))).toBe('2026-10-19T03:00:00Z');
  expect(keptSince(last)).toBe(Date.parse('2026-10-19T03:00:00.000Z'));
  const next = new Date('2026-11-18T04:00:00.000Z');
  expect(hourOf(keptSince(next))).toBe('2026-10-19T04:00:00Z');
  expect(keptSince(next)).toBe(Date.parse('2026-10-19T04:00:00.000Z'));
});
