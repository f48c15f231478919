import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rangeEnd, rangeOf, rangeStarts } from '#domain/figures/durations.ts';
import { deliveryQuantiles, quantileOf, survivalOf, type Watched } from '#domain/figures/survival.ts';

const dayMs = 24 * 3600 * 1000;
const longAfter = new Date('2027-06-01');
const monday = '2026-09-07';
const later = (days: number, from = monday) => new Date(Date.parse(from) + days * dayMs);
const dayAfter = (days: number) => later(days).toISOString().slice(0, 10);

/** Parcels of a day, of which some were delivered after so many hours each. */
const cohort = (day: string, shipped: number, ...hours: number[]) => ({ day, shipped, delivered: counted(hours) });

function counted(hours: readonly number[]): Map<number, number> {
  const ranges = hours.map(rangeOf);
  return new Map(ranges.map((range) => [range, ranges.filter((other) => other === range).length]));
}

const times = (count: number, hours: number) => Array.from({ length: count }, () => hours);
const widthAt = (hours: number) => rangeEnd(rangeOf(hours)) - rangeStarts[rangeOf(hours)]!;

/**
 * Weeks in remission of two groups of patients with leukaemia: E. J. Freireich et al., "The Effect of 6-Mercaptopurine on the
 * Duration of Steroid-Induced Remissions in Acute Leukemia", Blood 21 (1963), 699–716. A week is the number of a range, and
 * each patient a cohort.
 */
const relapsed = (week: number): Watched => ({
  size: 1,
  delivered: new Map([[week, 1]]),
  hours: Number.POSITIVE_INFINITY,
});
const leftInRemission = (week: number): Watched => ({ size: 1, delivered: new Map(), hours: rangeEnd(week) });
const treated = [
  ...[6, 6, 6, 7, 10, 13, 16, 22, 23].map(relapsed),
  ...[6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35].map(leftInRemission),
];
const placebo = [1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23].map(relapsed);

describe('published remissions', () => {
  test.each([
    [6, 0.857],
    [7, 0.807],
    [10, 0.753],
    [13, 0.69],
    [16, 0.627],
    [22, 0.538],
    [23, 0.448],
  ])('of the treated patients in week %d have the published curve', (week, published) => {
    expect(survivalOf(treated)[week]).toBeCloseTo(published, 3);
    expect(survivalOf(treated)[week - 1]).toBeGreaterThan(published);
  });

  test.each([
    ['treated patients', treated, 23],
    ['patients with a placebo', placebo, 8],
  ])('of %s have the published median', (_, patients, week) => {
    const median = quantileOf(survivalOf(patients), 0.5)!;
    expect(median).toBeGreaterThan(rangeStarts[week]!);
    expect(median).toBeLessThanOrEqual(rangeEnd(week));
  });

  test('end where the last patient was seen', () => {
    expect(survivalOf(treated)).toHaveLength(36);
    expect(quantileOf(survivalOf(treated), 0.9)).toBeNull();
    expect(survivalOf(placebo)[23]).toBe(0);
  });
});

describe('delivery times', () => {
  test('of parcels that all arrived are those of the parcels', () => {
    const hours = Array.from({ length: 101 }, (_, i) => 20 + i);
    const { median, p90 } = deliveryQuantiles([cohort(monday, 101, ...hours)], longAfter);
    expect(Math.abs(median! - 70)).toBeLessThanOrEqual(widthAt(70));
    expect(Math.abs(p90! - 110)).toBeLessThanOrEqual(widthAt(110));
  });

  test('are unknown without parcels, and on their first day', () => {
    expect(deliveryQuantiles([], longAfter)).toEqual({ median: null, p90: null });
    expect(deliveryQuantiles([cohort(monday, 0)], longAfter)).toEqual({ median: null, p90: null });
    expect(deliveryQuantiles([cohort(monday, 2, 1, 1)], later(0.5))).toEqual({ median: null, p90: null });
  });

  test('of which only the quick are known are not those of the quick', () => {
    const { median, p90 } = deliveryQuantiles([cohort(monday, 100, ...times(40, 30))], later(7));
    expect(median).toBeNull();
    expect(p90).toBeNull();
  });

  test('count what was lost or sent back as never delivered', () => {
    const cohorts = [cohort(monday, 100, ...times(60, 30))];
    expect(rangeOf(deliveryQuantiles(cohorts, longAfter).median!)).toBe(rangeOf(30));
    expect(deliveryQuantiles(cohorts, longAfter).p90).toBeNull();
  });

  test('leave out what came after the last parcel of the day was watched for so long', () => {
    const early = cohort(monday, 10, ...times(6, 50));
    // The last parcel of Monday may be 48 hours old now, and the first 72.
    expect(deliveryQuantiles([early], later(3)).median).toBeNull();
    expect(rangeOf(deliveryQuantiles([early], later(4)).median!)).toBe(rangeOf(50));
  });

  test('of parcels after a weekday go on like those of the same weekday', () => {
    const old = cohort(monday, 100, ...times(50, 30), ...times(50, 150));
    const young = cohort(dayAfter(7), 100, ...times(40, 30));
    // 90 of 200 after the first days; of the 60 and 50 that are left, only those who were watched arrive.
    const { median } = deliveryQuantiles([old, young], later(10));
    expect(Math.abs(median! - 150)).toBeLessThanOrEqual(widthAt(150));
  });

  /** Parcels of Mondays take a day and a half, those of Fridays four. */
  const weekOf = (week: number, until = 7) =>
    [0, 4]
      .filter((day) => day < until)
      .map((day) => cohort(dayAfter(7 * week + day), 100, ...times(90, day === 0 ? 36 : 96)));

  test('of a week wait for its Friday, if nothing else tells how a Friday goes on', () => {
    expect(deliveryQuantiles([...weekOf(0, 1), cohort(dayAfter(4), 100)], later(7)).median).toBeNull();
    expect(rangeOf(deliveryQuantiles(weekOf(0), later(11)).median!)).toBe(rangeOf(96));
  });

  test('of a young week are completed by the Fridays of the weeks before', () => {
    const week = [...weekOf(0, 1), cohort(dayAfter(4), 100)];
    const before = [...weekOf(-3), ...weekOf(-2), ...weekOf(-1)];
    const final = deliveryQuantiles(weekOf(0), longAfter);
    expect(deliveryQuantiles(week, later(7), before).median).toBeCloseTo(final.median!, 6);
    expect(deliveryQuantiles(week, later(7), [...before, ...week]).median).toBeCloseTo(final.median!, 6);
  });

  test('take nothing from weeks that are long ago, and nothing where the week itself was watched', () => {
    const slow = (week: number) => cohort(dayAfter(7 * week), 100, ...times(100, 500));
    const own = deliveryQuantiles(weekOf(0), longAfter);
    expect(deliveryQuantiles(weekOf(0), longAfter, [slow(-1)])).toEqual(own);
    const young = [cohort(monday, 100)];
    expect(deliveryQuantiles(young, later(2), [cohort(dayAfter(-7), 100, ...times(100, 50))]).median).not.toBeNull();
    expect(deliveryQuantiles(young, later(2), [cohort(dayAfter(-70), 100, ...times(100, 50))]).median).toBeNull();
  });

  test('do not wait for the few parcels of a Sunday', () => {
    const cohorts = (sundays: number) => [cohort(monday, 95, ...times(95, 30)), cohort(dayAfter(6), sundays)];
    expect(deliveryQuantiles(cohorts(5), later(7)).median).not.toBeNull();
    expect(deliveryQuantiles(cohorts(50), later(7)).median).toBeNull();
  });

  test('have no end after the longest duration that is counted', () => {
    const late = cohort(monday, 10, ...times(10, 5000));
    expect(deliveryQuantiles([late], longAfter)).toEqual({ median: null, p90: null });
  });

  test('bear counters of hand-overs that come after those of deliveries', () => {
    const { median, p90 } = deliveryQuantiles([cohort(monday, 1, ...times(10, 30))], longAfter);
    expect(rangeOf(median!)).toBe(rangeOf(30));
    expect(p90).toBeLessThanOrEqual(rangeEnd(rangeOf(30)));
  });

  test('are numbers in their order for all counters', () => {
    const counters = fc.array(fc.tuple(fc.nat(rangeStarts.length - 1), fc.integer({ min: -3, max: 50 })), {
      maxLength: 8,
    });
    const cohorts = fc.array(fc.record({ days: fc.nat(40), shipped: fc.integer({ min: -2, max: 100 }), counters }));
    const made = (given: { days: number; shipped: number; counters: [number, number][] }[]) =>
      given.map(({ days, shipped, counters: entries }) => ({
        day: dayAfter(days),
        shipped,
        delivered: new Map(entries),
      }));
    fc.assert(
      fc.property(cohorts, cohorts, fc.integer({ min: -2, max: 200 }), (given, others, days) => {
        const { median, p90 } = deliveryQuantiles(made(given), later(days), made(others));
        if (median === null) return p90 === null;
        return median >= 0 && median <= 90 * 24 && (p90 === null || (p90 >= median && p90 <= 90 * 24));
      }),
    );
  });
});
