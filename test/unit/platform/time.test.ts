import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clockSince, dayAfter, dayAt, daysBetween, laterThan } from '#platform/time.ts';

const noon = new Date('2026-11-16T12:00:00.000Z');

describe('the time of a change', () => {
  test('is now, if the record was changed before now', () => {
    expect(laterThan('2026-11-16T11:59:59.999Z', noon)).toBe('2026-11-16T12:00:00.000Z');
  });

  test.each([
    ['at the same moment', '2026-11-16T12:00:00.000Z', '2026-11-16T12:00:00.001Z'],
    ['by somebody whose clock is ahead', '2026-11-16T12:00:07.500Z', '2026-11-16T12:00:07.501Z'],
  ])('is a millisecond later if the record was changed %s', (_, before, after) => {
    expect(laterThan(before, noon)).toBe(after);
  });
});

describe('the clock of who writes', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: noon });
  });
  afterEach(() => vi.useRealTimers());

  test.each([
    [0, '2026-11-16T09:00:00.000Z'],
    [999, '2026-11-16T09:00:00.000Z'],
    [1000, '2026-11-16T09:00:01.000Z'],
    [61_500, '2026-11-16T09:01:01.500Z'],
  ])('shows after %i ms a time that is less than a second late', (passedMs, shown) => {
    const clock = clockSince(new Date('2026-11-16T09:00:00.000Z'));
    vi.setSystemTime(noon.getTime() + passedMs);
    expect(clock().toISOString()).toBe(shown);
  });
});

describe('days', () => {
  test('are those of UTC', () => {
    expect(dayAt(new Date('2026-11-16T23:30:00-02:00'))).toBe('2026-11-17');
    expect(dayAt(Date.parse('2026-11-16T23:59:59.999Z'))).toBe('2026-11-16');
  });

  test.each([
    ['2026-11-16', 0, '2026-11-16'],
    ['2028-02-28', 2, '2028-03-01'],
    ['2026-12-31', 1, '2027-01-01'],
    ['2027-01-01', -1, '2026-12-31'],
    ['2026-03-28', 2, '2026-03-30'],
  ])('are counted from one to another: %s and %i are %s', (from, days, to) => {
    expect(dayAfter(from, days)).toBe(to);
    expect(daysBetween(from, to)).toBe(days);
  });
});
