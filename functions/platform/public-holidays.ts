import { dayMs } from '#platform/time.ts';

/**
 * The public holidays of whole countries, computed. Only those on a weekday are named: a Saturday and a Sunday are no
 * working days anyway. Those of a region are left out, because the country of an address does not tell its region. A test
 * holds the table against the package `date-holidays`.
 *
 * `05-01` is a date, `E+1` so many days after Easter, `O-2` before the Orthodox one, `1-mon-05` the first Monday of May and
 * `-1-mon-05` the last. After that: `@2026` since that year, `<2026` until the year before; `>mon` adds the
 * Monday after a weekend, `>sun` the Monday after a Sunday, `>2` the day two days after a weekend. `brigid` is 1 February on a
 * Friday, otherwise the first Monday of the month.
 */
const rules: Readonly<Record<string, string>> = {
  AT: '01-01 01-06 E+1 05-01 E+39 E+50 E+60 08-15 10-26 11-01 12-08 12-25 12-26',
  BE: '01-01 E+1 05-01 E+39 E+50 07-21 08-15 11-01 11-11 12-25',
  BG: '01-01 03-03 O-2 O+1 05-01 05-06 05-24 09-06 09-22 12-24 12-25 12-26',
  CH: '01-01 E-2 E+1 E+39 E+50 08-01 12-25 12-26',
  CY: '01-01 01-06 O-48 03-25 04-01 O-2 O+1 05-01 O+50 08-15 10-01 10-28 12-25 12-26',
  CZ: '01-01 E-2 E+1 05-01 05-08 07-05 07-06 09-28 10-28 11-17 12-24 12-25 12-26',
  DE: '01-01 E-2 E+1 05-01 E+39 E+50 10-03 12-25 12-26',
  DK: '01-01 E-3 E-2 E+1 E+39 E+50 12-25 12-26',
  EE: '01-01 02-24 E-2 05-01 06-23 06-24 08-20 12-24 12-25 12-26',
  ES: '01-01 01-06 E-2 05-01 08-15 10-12 11-01 12-06 12-08 12-25>sun',
  FI: '01-01 01-06 E-2 E+1 05-01 E+39 12-06 12-25 12-26',
  FR: '01-01 E+1 05-01 05-08 E+39 E+50 07-14 08-15 11-01 11-11 12-25',
  GB: '01-01>mon E-2 E+1 1-mon-05 -1-mon-05 12-25>2 12-26>2',
  GR: '01-01 01-06 O-48 03-25 O-2 O+1 05-01 O+50 08-15 10-28 12-25 12-26',
  HR: '01-01 01-06 E+1 05-01 05-30 E+60 06-22 08-05 08-15 11-01 11-18 12-25 12-26',
  HU: '01-01 03-15 E-2 E+1 05-01 E+50 08-20 10-23 11-01 12-25 12-26',
  IE: '01-01 brigid 03-17 E+1 1-mon-05 1-mon-06 1-mon-08 -1-mon-10 12-25 12-26',
  IT: '01-01 01-06 E+1 04-25 05-01 06-02 08-15 10-04@2026 11-01 12-08 12-25 12-26',
  LI: '01-01 01-06 E+1 05-01 E+39 E+50 E+60 08-15 09-08 11-01 12-08 12-25 12-26',
  LT: '01-01 02-16 03-11 E+1 05-01 06-24 07-06 08-15 11-01 11-02 12-24 12-25 12-26',
  LU: '01-01 E+1 05-01 05-09 E+39 E+50 06-23 08-15 11-01 12-25 12-26',
  LV: '01-01 E-2 E+1 05-01 05-04>mon 06-23 06-24 11-18>mon 12-24 12-25 12-26 12-31',
  MT: '01-01 02-10 03-19 03-31 E-2 05-01 06-07 06-29 08-15 09-08 09-21 12-08 12-13 12-25',
  NL: '01-01 E+1 04-27 E+39 E+50 12-25 12-26',
  NO: '01-01 E-3 E-2 E+1 05-01 05-17 E+39 E+50 12-25 12-26',
  PL: '01-01 01-06 E+1 05-01 05-03 E+60 08-15 11-01 11-11 12-24@2025 12-25 12-26',
  PT: '01-01 E-2 04-25 05-01 E+60 06-10 08-15 10-05 11-01 12-01 12-08 12-25',
  RO: '01-01 01-02 01-06 01-07 01-24 O-2 O+1 05-01 06-01 O+50 08-15 11-30 12-01 12-25 12-26',
  SE: '01-01 01-06 E-2 E+1 05-01 E+39 06-06 12-25 12-26',
  SI: '01-01 01-02 02-08 E+1 04-27 05-01 05-02 06-25 08-15 10-31 11-01 12-25 12-26',
  SK: '01-01 01-06 E-2 E+1 05-01 05-08<2026 07-05 08-29 09-15<2026 11-01 12-24 12-25 12-26',
};

export const countriesWithHolidays: readonly string[] = Object.keys(rules);

const daysAfter = (at: number, days: number) => at + days * dayMs;
const weekday = (at: number) => new Date(at).getUTCDay();
const isWeekend = (at: number) => weekday(at) % 6 === 0;

/** A day of the calendar, such as `2026-12-24`, as the milliseconds at which it begins in UTC. */
export const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/**
 * The last day of a period that would end on this day: the next working day if it is a Saturday, a Sunday or a public
 * holiday (Regulation (EEC, Euratom) No 1182/71, Article 3(4)). Of a country without rules only weekends are known.
 */
export function workingDayFrom(day: number, country: string | null): number {
  let last = day;
  while (isWeekend(last) || holidaysOf(country, new Date(last).getUTCFullYear()).has(last)) last = daysAfter(last, 1);
  return last;
}

const known = new Map<string, ReadonlySet<number>>();

export function holidaysOf(country: string | null, year: number): ReadonlySet<number> {
  const code = country?.toUpperCase() ?? '';
  const text = Object.hasOwn(rules, code) ? rules[code]! : '';
  const name = `${code}${year}`;
  const found = known.get(name) ?? new Set(text.split(' ').flatMap((rule) => daysOf(rule, year)));
  if (text) known.set(name, found);
  return found;
}

const form = /^(?:(\d\d)-(\d\d)|([EO])([+-]\d+)|(-?1)-mon-(\d\d))(?:([@<])(\d{4}))?(?:>(mon|sun|2))?$/;

function daysOf(rule: string, year: number): number[] {
  const [, month, date, easter, offset, nth, monthOfMonday, bound, boundYear, moved] = form.exec(rule) ?? [];
  if (bound === '@' && year < Number(boundYear)) return [];
  if (bound === '<' && year >= Number(boundYear)) return [];
  if (easter) return [daysAfter(easter === 'E' ? easterOf(year) : orthodoxEasterOf(year), Number(offset))];
  if (nth) return [mondayIn(year, Number(monthOfMonday), nth === '1')];
  if (rule === 'brigid') {
    const first = Date.UTC(year, 1, 1);
    return [weekday(first) === 5 ? first : mondayIn(year, 2, true)];
  }
  if (!month) return [];
  const day = Date.UTC(year, Number(month) - 1, Number(date));
  if (!moved || !isWeekend(day) || (moved === 'sun' && weekday(day) === 6)) return [day];
  return [day, daysAfter(day, moved !== '2' && weekday(day) === 0 ? 1 : 2)];
}

function mondayIn(year: number, month: number, isFirst: boolean): number {
  const edge = isFirst ? Date.UTC(year, month - 1, 1) : Date.UTC(year, month, 0);
  return daysAfter(edge, isFirst ? (8 - weekday(edge)) % 7 : -((weekday(edge) + 6) % 7));
}

/** By the algorithm of Meeus, Jones and Butcher, which holds for every year of the Gregorian calendar. */
function easterOf(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1);
}

/** Easter of the Julian calendar, by Meeus, as a day of the Gregorian one. */
function orthodoxEasterOf(year: number): number {
  const d = (19 * (year % 19) + 15) % 30;
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7;
  const n = d + e + 114;
  const behind = Math.floor(year / 100) - Math.floor(year / 400) - 2;
  return daysAfter(Date.UTC(year, Math.floor(n / 31) - 1, (n % 31) + 1), behind);
}
