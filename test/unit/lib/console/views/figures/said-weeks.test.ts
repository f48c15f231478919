import { describe, expect, test } from 'vitest';
import { heldOf, lastFinal, type Said, saidWeeks, verdictOf } from '#lib/console/views/figures/said-weeks.ts';

/** The Tuesday of week 47. */
const now = new Date('2026-11-17T12:00:00Z');

const row = (fields: Partial<Said>): Said => ({
  week: '2026-W45',
  source: 'prediction',
  carrier_reference: 'dhl',
  level: 0.9,
  n: 100,
  covered: 0.9,
  mean_width_hours: 72,
  under_way: 0,
  ...fields,
});

test('windows of several carriers count by how many they are', () => {
  const held = heldOf([
    row({ n: 300, covered: 0.92, mean_width_hours: 48, under_way: 3 }),
    row({ carrier_reference: 'gls', n: 100, covered: 0.8, mean_width_hours: 96, under_way: 4 }),
  ]);
  expect(held).toMatchObject({ n: 400, hours: 60, underWay: 7 });
  expect(held.share).toBeCloseTo(0.89);
});

describe('a week of windows', () => {
  const isFinal = (fields: Partial<Said>) => saidWeeks([row(fields)], now)[0]!.isFinal;

  test('comes by its Monday, with all carriers', () => {
    const weeks = saidWeeks(
      [row({ week: '2027-W01' }), row({ week: '2026-W53' }), row({ week: '2026-W53', carrier_reference: null })],
      new Date('2027-03-01'),
    );
    expect(weeks.map(({ monday, n }) => [monday, n])).toEqual([
      ['2026-12-28', 200],
      ['2027-01-04', 100],
    ]);
  });

  test('is final when hardly a parcel is under way', () => {
    expect(isFinal({ n: 98, under_way: 2 })).toBe(true);
    expect(isFinal({ n: 97, under_way: 3 })).toBe(false);
  });

  test('is not final before it is over, whatever has arrived', () => {
    expect(isFinal({ week: '2026-W46' })).toBe(true);
    expect(isFinal({ week: '2026-W47' })).toBe(false);
  });

  test('is final after eight weeks, because what is under way then does not come', () => {
    expect(isFinal({ week: '2026-W38', under_way: 90 })).toBe(true);
    expect(isFinal({ week: '2026-W39', under_way: 90 })).toBe(false);
  });

  test('the last eight that are final speak', () => {
    const weeks = saidWeeks(
      Array.from({ length: 12 }, (_, i) => row({ week: `2026-W${36 + i}`, under_way: i === 9 ? 50 : 0 })),
      now,
    );
    expect(lastFinal(weeks).map(({ rows }) => rows[0]!.week.slice(-2))).toEqual([
      ...['38', '39', '40', '41', '42', '43', '44', '46'],
    ]);
    expect(lastFinal([])).toEqual([]);
  });
});

describe('windows hold', () => {
  const verdict = (n: number, share: number) => verdictOf({ n, share, hours: 60, underWay: 0 }, 0.9);

  test.each([
    [1000, 0.91, 'asSaid'],
    [1000, 0.865, 'asSaid'],
    [1000, 0.85, 'fewer'],
    [1000, 0.95, 'more'],
    // Of ten parcels eight may be chance.
    [10, 0.8, 'asSaid'],
    [10, 0.6, 'fewer'],
  ])('%i windows of which a share of %f held: %s', (n, share, expected) => {
    expect(verdict(n, share)).toBe(expected);
  });
});
