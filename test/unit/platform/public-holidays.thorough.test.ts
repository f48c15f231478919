import Holidays from 'date-holidays';
import { describe, expect, test } from 'vitest';
import { countriesWithHolidays, dayOf, holidaysOf, workingDayFrom } from '#platform/public-holidays.ts';

const years = Array.from({ length: 22 }, (_, i) => 2024 + i);
const dayMs = 24 * 3_600_000;
const dateOf = (day: number) => new Date(day).toISOString().slice(0, 10);
const isWeekday = (date: string) => new Date(date).getUTCDay() % 6 !== 0;

/** A holiday of the package may last several days. */
function weekdaysOf(country: string, year: number): string[] {
  const found = new Holidays(country, { types: ['public'] }).getHolidays(year).flatMap(({ date, start, end }) => {
    const days = Math.max(1, Math.round((end.getTime() - start.getTime()) / dayMs));
    return Array.from({ length: days }, (_, i) => dateOf(dayOf(date.slice(0, 10)) + i * dayMs));
  });
  return [...new Set(found)].filter((date) => date.startsWith(String(year)) && isWeekday(date)).sort();
}

/** In Liechtenstein the package counts bridge days of banks; in Cyprus it has Green Monday on a Tuesday and no Whit Monday. */
const otherwise = ['LI', 'CY'];

/** By Article 154 of the Bulgarian Labour Code. The package does not have it. */
const missed = (country: string, date: string) => country === 'BG' && date.endsWith('-12-26');

describe('public holidays', () => {
  test.each(countriesWithHolidays.filter((country) => !otherwise.includes(country)))(
    'of %s are those that others compute, for 22 years',
    (country) => {
      for (const year of years) {
        const ours = [...holidaysOf(country, year)]
          .map(dateOf)
          .filter((date) => isWeekday(date) && !missed(country, date));
        expect([...new Set(ours)].sort(), String(year)).toEqual(weekdaysOf(country, year));
      }
    },
  );

  test('of Liechtenstein are those of its law', () => {
    const ours = [...holidaysOf('LI', 2026)].map(dateOf);
    expect(ours).toEqual(expect.arrayContaining(['2026-01-06', '2026-08-15', '2026-09-08', '2026-12-08']));
  });

  test('of Cyprus are those of Greece and two of its own', () => {
    const [ours, greek] = ['CY', 'GR'].map((country) => [...holidaysOf(country, 2026)].map(dateOf));
    expect(ours!.filter((date) => !greek!.includes(date))).toEqual(['2026-04-01', '2026-10-01']);
    expect(greek!.filter((date) => !ours!.includes(date))).toEqual([]);
  });

  test.each([
    ['2026-11-16', 'DE', '2026-11-16'], // a Monday
    ['2026-11-14', 'DE', '2026-11-16'], // a Saturday
    ['2026-11-15', 'DE', '2026-11-16'], // a Sunday
    ['2026-12-25', 'DE', '2026-12-28'], // two holidays, a Friday and a Saturday, and a Sunday
    ['2026-12-31', 'LV', '2027-01-04'], // the last day of the year, New Year and a weekend
    ['2026-04-03', 'DE', '2026-04-07'], // Good Friday to Easter Monday
    ['2026-04-10', 'GR', '2026-04-14'], // the same by the Orthodox calendar
    ['2026-04-03', 'GR', '2026-04-03'],
    ['2027-12-25', 'GB', '2027-12-29'], // both days of Christmas are made up for
    ['2026-07-14', 'fr', '2026-07-15'],
    ['2026-07-14', 'US', '2026-07-14'],
    ['2026-07-18', null, '2026-07-20'],
  ])('a period that would end on %s in %s ends on %s', (date, country, end) => {
    expect(dateOf(workingDayFrom(dayOf(date), country))).toBe(end);
  });

  test('of a country whose name is that of a property of objects are none', () => {
    expect(holidaysOf('constructor', 2026).size).toBe(0);
  });
});
