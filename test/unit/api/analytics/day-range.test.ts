import { describe, expect, test } from 'vitest';
import { dayRange, daysIn, firstToRead, isoWeek } from '#api/analytics/day-range.ts';
import { ServiceError } from '#platform/errors.ts';

const now = new Date('2026-11-17T00:30:00+02:00');

/** The error that the days are refused with. */
function refusal(query: { from?: string; to?: string }): ServiceError {
  try {
    dayRange(query, now);
  } catch (error) {
    if (error instanceof ServiceError) return error;
  }
  throw new Error('The days were not refused.');
}

describe('the days of a request', () => {
  test('are the last ninety by default, by the clock of UTC', () => {
    expect(dayRange({}, now)).toEqual({ from: '2026-08-19', to: '2026-11-16' });
    expect(daysIn(dayRange({}, now))).toHaveLength(90);
  });

  test('are the ninety up to the last one, if only that is given', () => {
    expect(dayRange({ to: '2024-03-01' }, now)).toEqual({ from: '2023-12-03', to: '2024-03-01' });
  });

  test('reach to today, if only the first one is given', () => {
    expect(dayRange({ from: '2026-11-10' }, now)).toEqual({ from: '2026-11-10', to: '2026-11-16' });
  });

  test('may be one, and may be in the future', () => {
    expect(dayRange({ from: '2027-02-01', to: '2027-02-01' }, now)).toEqual({ from: '2027-02-01', to: '2027-02-01' });
  });

  test('are 366 at most, which is a leap year', () => {
    expect(daysIn(dayRange({ from: '2024-01-01', to: '2024-12-31' }, now))).toHaveLength(366);
    const { key, details } = refusal({ from: '2023-12-31', to: '2024-12-31' });
    expect([key, details.errors]).toEqual([
      'invalid_payload',
      [{ loc: ['query', 'from'], msg: 'must be at most 366 days before the end of 2024-12-31', type: 'value_error' }],
    ]);
  });

  test('are refused if the first comes after the last', () => {
    const { key, details } = refusal({ from: '2026-11-12', to: '2026-11-11' });
    expect([key, details.errors]).toEqual([
      'invalid_payload',
      [{ loc: ['query', 'from'], msg: 'must not be after to, which is 2026-11-11', type: 'value_error' }],
    ]);
    expect(refusal({ from: '2026-11-17' }).details.errors?.[0]?.msg).toBe('must not be after to, which is 2026-11-16');
  });

  test('have no day before the year 0, and end with the year 9999', () => {
    expect(dayRange({ to: '0000-01-03' }, now)).toEqual({ from: '0000-01-01', to: '0000-01-03' });
    expect(daysIn(dayRange({ to: '9999-12-31' }, now)).at(-1)).toBe('9999-12-31');
  });
});

test('every day of a range comes once, also where a month ends', () => {
  expect(daysIn({ from: '2024-02-28', to: '2024-03-01' })).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
});

test.each([
  ['2026-11-16', '2026-W47'],
  ['2026-11-15', '2026-W46'],
  ['2026-01-01', '2026-W01'],
  ['2025-12-29', '2026-W01'],
  ['2025-12-28', '2025-W52'],
  ['2026-12-31', '2026-W53'],
  ['2027-01-01', '2026-W53'],
  ['2027-01-03', '2026-W53'],
  ['2027-01-04', '2027-W01'],
  ['2024-12-30', '2025-W01'],
  ['2023-01-01', '2022-W52'],
  ['2020-12-31', '2020-W53'],
  ['0050-06-01', '0050-W22'],
])('%s is a day of the week %s by ISO 8601', (day, week) => {
  expect(isoWeek(day)).toBe(week);
});

test('weeks sort as text in the order of their days', () => {
  const weeks = daysIn({ from: '2026-01-01', to: '2026-12-31' }).map(isoWeek);
  expect(weeks.toSorted()).toEqual(weeks);
  expect(new Set(weeks).size).toBe(53);
});

test.each([
  ['of a young range', '2026-11-10', '2026-11-16', '2026-10-13'],
  ['of a range that ends with young weeks', '2026-10-01', '2026-11-16', '2026-09-14'],
  ['of a long range, which has them', '2026-08-20', '2026-11-16', '2026-08-20'],
  ['of old weeks, which need nobody', '2026-08-20', '2026-09-20', '2026-08-20'],
])('the weeks before are read, too: %s', (_what, from, to, first) => {
  expect(firstToRead({ from, to }, new Date('2026-11-16T10:00:00Z'))).toBe(first);
});
