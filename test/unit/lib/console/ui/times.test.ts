import { afterEach, beforeEach, expect, test } from 'vitest';
import { isFar, relative, toIso, toLocal } from '#lib/console/ui/times.ts';

const zone = process.env.TZ;
beforeEach(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

test('a time is shown in the zone of the user, and kept in UTC', () => {
  expect(toLocal('2026-07-01T22:30:00.000Z')).toBe('2026-07-02T00:30');
  expect(toIso('2026-07-02T00:30')).toBe('2026-07-01T22:30:00.000Z');
});

test('a year of few digits, and a zone whose offset had seconds, stay as they are', () => {
  for (const local of ['0033-02-03T04:05', '1880-01-01T00:00', '9999-12-31T23:59']) {
    expect(toLocal(toIso(local))).toBe(local);
  }
});

test('what is no time is empty', () => {
  expect([toLocal('soon'), toLocal(''), toIso(''), toIso('2026-13-01T00:00'), toIso('275761-01-01T00:00')]).toEqual(
    Array(5).fill(''),
  );
});

const now = Date.parse('2026-11-16T10:00:00.000Z');
const inMs = (ms: number) => relative(now + ms, now, 'en');

test('what happened after the clock was last read happened now, and not in the future', () => {
  expect([inMs(1), inMs(1000), inMs(59_999), inMs(0)]).toEqual(['now', 'now', 'now', 'now']);
});

test('other times are relative in their largest unit', () => {
  expect([inMs(-5000), inMs(-3 * 3_600_000), inMs(120_000)]).toEqual(['5 sec. ago', '3 hr. ago', 'in 2 min.']);
});

test('what is more than a month away is a date', () => {
  const at = (days: number) => new Date(now + days * 86_400_000).toISOString();
  expect([at(-31), at(31), at(-29), at(29)].map((one) => isFar(one, now))).toEqual([true, true, false, false]);
});
