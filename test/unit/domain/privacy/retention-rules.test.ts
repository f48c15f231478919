import { expect, test } from 'vitest';
import { cutoffOf, isWalkOver, lastChange, nextNight } from '#domain/privacy/retention-rules.ts';

const now = new Date('2026-11-17T12:00:00.000Z');

test('A night begins between midnight and four, always at the same minute of a shop', () => {
  for (const slug of ['blue', 'green', 'a-shop', 'another']) {
    const night = nextNight(slug, now);
    expect(night.toISOString()).toMatch(/^2026-11-18T0[0-3]:\d\d:00.000Z$/);
    expect(nextNight(slug, night).getTime() - night.getTime()).toBe(24 * 3_600_000);
  }
});

test('The nights of shops are spread', () => {
  const nights = Array.from({ length: 100 }, (_, i) => nextNight(`shop-${i}`, now).getTime());
  expect(new Set(nights).size).toBeGreaterThan(60);
});

test('The last change is that of the order, a parcel or a claim', () => {
  const at = (day: number) => ({ updated_at: `2026-11-0${day}T00:00:00.000Z` });
  expect(lastChange(at(3), [])).toBe(at(3).updated_at);
  expect(lastChange(at(3), [at(1), at(7), at(2)])).toBe(at(7).updated_at);
});

test('What is as old as the days is over', () => {
  expect(cutoffOf(30, now)).toBe('2026-10-18T12:00:00.000Z');
  expect(isWalkOver('2026-11-02T12:00:00.000Z', 15, now)).toBe(true);
  expect(isWalkOver('2026-11-02T12:00:00.001Z', 15, now)).toBe(false);
});
