import { describe, expect, test } from 'vitest';
import { isoWeek } from '#api/analytics/day-range.ts';
import { mondayOf, provisional, weeksOf } from '#lib/console/views/figures/weeks.ts';

const row = (week: string | null, shipped = 10, under_way = 0) => ({ week, shipped, under_way });

describe('a week of handing over', () => {
  test.each([
    ['2026-W01', '2025-12-29'],
    ['2026-W46', '2026-11-09'],
    ['2026-W53', '2026-12-28'],
    ['2027-W01', '2027-01-04'],
  ])('%s begins on Monday, %s', (week, monday) => {
    expect(mondayOf(week)).toBe(monday);
    expect(isoWeek(monday)).toBe(week);
  });

  test('has the parcels of all carriers, and one without parcels is no gap', () => {
    const weeks = weeksOf([row('2027-W01', 5, 1), row('2026-W52', 10), row('2026-W52', 20, 3), row(null)]);
    expect(weeks.map(({ monday, shipped, underWay }) => [monday, shipped, underWay])).toEqual([
      ['2026-12-21', 30, 3],
      ['2026-12-28', 0, 0],
      ['2027-01-04', 5, 1],
    ]);
    expect(weeksOf([])).toEqual([]);
  });

  test('is provisional while more than one in ten of its parcels are under way, if no later one is settled', () => {
    const weeks = weeksOf([
      row('2026-W43', 10, 9),
      row('2026-W44', 10, 1),
      row('2026-W45', 10, 2),
      row('2026-W46', 10, 9),
    ]);
    expect(provisional(weeks).map(({ week }) => week)).toEqual(['2026-W45', '2026-W46']);
    expect(provisional(weeksOf([row('2026-W44')]))).toEqual([]);
  });
});
