import { describe, expect, test } from 'vitest';
import { daysIn, firstToRead } from '#api/analytics/day-range.ts';
import { deliveryTimes, dimensionsOf, overviewOf } from '#api/analytics/figure-rules.ts';
import type { Cohort } from '#domain/figures/cohort.ts';
import { cohort, deliveredAfter } from '#test/kit/cohort.ts';

const now = new Date('2026-11-17T12:00:00Z');

const by = (text: string | undefined, ...cohorts: Cohort[]) => deliveryTimes(cohorts, dimensionsOf(text), now);

test('`by` is any of its words, each once, and the carrier by default', () => {
  expect([...dimensionsOf(undefined)]).toEqual(['carrier']);
  expect([...dimensionsOf('week,carrier,week')]).toEqual(['week', 'carrier']);
});

describe('delivery times', () => {
  test('have every figure of a row', () => {
    const counted = {
      shipped: 10,
      delivered: deliveredAfter([24, 4], [48, 4]),
      endedOtherwise: 1,
      attempted: 9,
      firstAttempts: 7,
      promised: 6,
      kept: 5,
      claims: 2,
      ratings: 3,
      stars: 13,
    };
    expect(by('carrier,country,week', cohort(counted))).toEqual([
      {
        carrier_reference: 'dhl',
        country: 'DE',
        week: '2026-W41',
        shipped: 10,
        delivered: 8,
        ended_otherwise: 1,
        under_way: 1,
        median_hours: 48.8,
        p90_hours: null,
        first_attempt_rate: 0.7778,
        promised: { n: 6, kept: 5 },
        claims: 2,
        rating: { n: 3, mean: 4.3333 },
        definition: 1,
      },
    ]);
  });

  test('add up over what `by` does not name, which is null', () => {
    const cohorts = [
      cohort({ shipped: 5, country: 'DE' }),
      cohort({ shipped: 2, country: 'AT', day: '2026-10-13' }),
      cohort({ shipped: 9, carrier: 'ups' }),
    ];
    const rows = (dimensions: string) =>
      by(dimensions, ...cohorts).map((row) => [row.carrier_reference, row.country, row.week, row.shipped]);
    expect(rows('carrier')).toEqual([
      ['ups', null, null, 9],
      ['dhl', null, null, 7],
    ]);
    expect(rows('country')).toEqual([
      [null, 'DE', null, 14],
      [null, 'AT', null, 2],
    ]);
    expect(rows('week')).toEqual([
      [null, null, '2026-W41', 14],
      [null, null, '2026-W42', 2],
    ]);
    expect(rows('week,country')).toEqual(rows('country,week'));
  });

  test('put days of two years into the week that they share', () => {
    const cohorts = [cohort({ day: '2026-12-31', shipped: 1 }), cohort({ day: '2027-01-01', shipped: 1 })];
    expect(by('week', ...cohorts)).toMatchObject([{ week: '2026-W53', shipped: 2 }]);
  });

  test('show an unknown carrier and country as null, and apart from those that are known', () => {
    const rows = by('carrier,country', cohort({ shipped: 1 }), cohort({ shipped: 1, carrier: '-', country: '-' }));
    expect(rows.map(({ carrier_reference, country }) => [carrier_reference, country])).toEqual([
      ['dhl', 'DE'],
      [null, null],
    ]);
  });

  test('are sorted by week, then by size, then by names, the unknown last', () => {
    const place = (day: string, carrier: string, country: string, shipped: number) =>
      cohort({ day, carrier, country, shipped });
    const rows = by(
      'carrier,country,week',
      place('2026-10-12', 'ups', 'DE', 50),
      place('2026-10-05', '-', 'DE', 3),
      place('2026-10-05', 'ups', 'DE', 3),
      place('2026-10-05', 'dhl', '-', 3),
      place('2026-10-05', 'dhl', 'FR', 3),
      place('2026-10-05', 'dhl', 'AT', 3),
      place('2026-10-05', 'gls', 'AT', 8),
    );
    expect(rows.map(({ week, carrier_reference, country }) => [week, carrier_reference, country])).toEqual([
      ['2026-W41', 'gls', 'AT'],
      ['2026-W41', 'dhl', 'AT'],
      ['2026-W41', 'dhl', 'FR'],
      ['2026-W41', 'dhl', null],
      ['2026-W41', 'ups', 'DE'],
      ['2026-W41', null, 'DE'],
      ['2026-W42', 'ups', 'DE'],
    ]);
  });

  test('have no row of what was taken back', () => {
    expect(by('carrier', cohort({ shipped: 0, delivered: deliveredAfter([24, 0]) }))).toEqual([]);
    expect(by('carrier')).toEqual([]);
  });

  test.each<[string, Partial<Cohort>]>([
    ['shipped', { shipped: 1 }],
    ['delivered', { delivered: deliveredAfter([3, 1]) }],
    ['ended otherwise', { endedOtherwise: 1 }],
    ['claimed', { claims: 1 }],
    ['rated', { ratings: 1, stars: 4 }],
  ])('have a row for what was only %s', (_, counted) => {
    expect(by('carrier', cohort(counted))).toHaveLength(1);
  });

  test('have nothing below zero, and no more under way than were shipped', () => {
    const [row] = by(
      'carrier',
      cohort({ shipped: 1, delivered: deliveredAfter([3, 2]) }),
      cohort({ day: '2026-10-06', claims: 1, kept: -1, endedOtherwise: -1 }),
    );
    expect(row).toMatchObject({ under_way: 0, ended_otherwise: 0, promised: { n: 0, kept: 0 } });
  });

  test('have no rate without attempts and no mean without ratings', () => {
    expect(by('carrier', cohort({ shipped: 3 }))).toMatchObject([
      { first_attempt_rate: null, rating: { n: 0, mean: null }, median_hours: null, p90_hours: null },
    ]);
  });

  test('take the days of a group together, each for as long as it was watched', () => {
    // The quick ones of yesterday say nothing of how long its slow ones will take.
    const old = cohort({ day: '2026-10-05', shipped: 100, delivered: deliveredAfter([10, 30], [72, 70]) });
    const young = cohort({ day: '2026-11-16', shipped: 100, delivered: deliveredAfter([10, 30]) });
    const [row] = by('carrier', old, young);
    expect(row).toMatchObject({ delivered: 130, under_way: 70, median_hours: 72.9, p90_hours: 74.6 });
  });

  test('of a young week go on as the weeks before did, also where these are in no row', () => {
    const day = (name: string, ...counts: [hours: number, count: number][]) =>
      cohort({ day: name, shipped: 100, delivered: deliveredAfter(...counts) });
    const earlier = [day('2026-10-26', [10, 30], [72, 70])];
    const young = day('2026-11-16', [10, 30]);
    const weeks = (...all: Cohort[]) => deliveryTimes(all, dimensionsOf('week'), now, earlier);
    expect(weeks(young)).toMatchObject([{ week: '2026-W47', median_hours: 72.9, p90_hours: 74.6 }]);
    // Those of another carrier say nothing about it.
    const byCarrier = deliveryTimes([{ ...young, carrier: 'ups' }], dimensionsOf('carrier,week'), now, earlier);
    expect(byCarrier).toMatchObject([{ carrier_reference: 'ups', median_hours: null }]);
  });

  test('take what ended otherwise as never delivered', () => {
    const [row] = by('carrier', cohort({ shipped: 10, delivered: deliveredAfter([24, 4]), endedOtherwise: 6 }));
    expect(row).toMatchObject({ under_way: 0, median_hours: null });
  });
});

test('an overview has every day, with zeros where nothing was counted', () => {
  const counts = { orders: 5, shipped: 4, delivered: 3, claims: 1, pages_opened: 9 };
  const counted = { ...counts, mails_sent: 8, promotions_shown: 7, promotions_clicked: 6, day: '2026-11-15' };
  const [before, day, ...others] = overviewOf(['2026-11-14', '2026-11-15', '2026-11-16'], [counted]);
  expect(day).toEqual(counted);
  expect(before).toEqual({ ...Object.fromEntries(Object.keys(counted).map((name) => [name, 0])), day: '2026-11-14' });
  expect(others.map((other) => other.day)).toEqual(['2026-11-16']);
});

test('a young week has the same figures wherever the range begins', () => {
  // Deliveries became slower from month to month.
  const all = daysIn({ from: '2026-07-01', to: '2026-11-17' }).map((day, i) =>
    cohort({ day, shipped: 100, delivered: deliveredAfter([20 + i / 4, 40], [60 + i / 2, 40], [140, 15]) }),
  );
  const youngest = (from: string) => {
    const range = { from, to: '2026-11-17' };
    const read = all.filter(({ day }) => day >= firstToRead(range, now));
    const { earlier = [], asked = [] } = Object.groupBy(read, ({ day }) => (day < from ? 'earlier' : 'asked'));
    const row = deliveryTimes(asked, dimensionsOf('carrier,week'), now, earlier).find(
      ({ week }) => week === '2026-W46',
    );
    return [row!.median_hours, row!.p90_hours];
  };
  const figures = ['2026-07-01', '2026-08-20', '2026-10-05', '2026-11-09'].map(youngest);
  expect(figures[0]![1]).not.toBeNull();
  expect(new Set(figures.map(String)).size).toBe(1);
});
