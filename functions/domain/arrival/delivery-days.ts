import { holidaysOf } from '#platform/public-holidays.ts';
import { dayAt, dayMs } from '#platform/time.ts';

/** A day of the calendar as the number of days since 1970. */
export type Day = number;

export const dayOfDate = (date: string): Day => Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / dayMs;

/** Few days are ever asked for, each of them often. */
const dates = new Map<Day, string>();
export function dateOfDay(day: Day): string {
  const date = dates.get(day) ?? dayAt(day * dayMs);
  dates.set(day, date);
  return date;
}

/** 0 is Sunday, as of `Date`. 1 January 1970 was a Thursday. */
export const weekdayOf = (day: Day): number => (day + 4) % 7;

/**
 * What is believed about a weekday before anything was delivered: the share of a busy day's deliveries that it has. Who
 * pays for it gets parcels on a Saturday from nearly every carrier, many bring all of them, and few come on a Sunday.
 */
const believedShares: readonly number[] = [0.05, 1, 1, 1, 1, 1, 0.5];
/** The belief speaks with so many parcels of a busy weekday, and other shops with as many. */
const strength = 10;
/** What has a smaller share is no delivery day. It is small, because a day too few is one that no window can end on. */
const leastShare = 0.15;

/** @param groups how many parcels were delivered on each weekday, from the widest group to the narrowest */
export function deliveryWeekdays(groups: readonly (readonly number[])[]): number[] {
  const shares = groups.reduce((wider, counts) => {
    const busiest = Math.max(...counts);
    return wider.map((share, weekday) => (counts[weekday]! + strength * share) / (busiest + strength));
  }, believedShares);
  return shares.flatMap((share, weekday) => (share >= leastShare ? [weekday] : []));
}

/** Whether parcels are delivered on a day. */
export type Delivers = (day: Day) => boolean;

/** Holidays of a region are not known: an address does not say its region. */
export const deliveriesOn =
  (weekdays: readonly number[], country: string): Delivers =>
  (day) =>
    weekdays.includes(weekdayOf(day)) && !isHoliday(country, day);

/** Of each country the days that were asked for: few, and each of them often. */
const holidays = new Map<string, Map<Day, boolean>>();

function isHoliday(country: string, day: Day): boolean {
  const ofCountry = holidays.get(country) ?? new Map<Day, boolean>();
  holidays.set(country, ofCountry);
  const known = ofCountry.get(day);
  if (known !== undefined) return known;
  const at = day * dayMs;
  const isOne = holidaysOf(country, new Date(at).getUTCFullYear()).has(at);
  ofCountry.set(day, isOne);
  return isOne;
}

/**
 * How many delivery days after the first day the second one is. What arrives on a day without deliveries counts for the
 * next delivery day, so that every day after the first has a number of at least one.
 */
export function deliveryDaysUntil(from: Day, to: Day, delivers: Delivers): number {
  if (to <= from) return 0;
  let days = 1;
  for (let day = from + 1; day < to; day++) if (delivers(day)) days++;
  return days;
}

/** The same for many days of one span, each of which is looked at once. */
export function deliveryDaysWithin(first: Day, last: Day, delivers: Delivers): (from: Day, to: Day) => number {
  // How many delivery days there are before each day.
  const before = [0];
  for (let day = first; day <= last; day++) before.push(before.at(-1)! + (delivers(day) ? 1 : 0));
  return (from, to) => (to <= from ? 0 : 1 + before[to - first]! - before[from + 1 - first]!);
}

/** The day that is so many delivery days after another, or one after weeks in which there was no delivery day. */
export function deliveryDayAfter(from: Day, deliveryDays: number, delivers: Delivers): Day {
  let day = from;
  for (let left = deliveryDays, resting = 0; left > 0 && resting < mostDaysOfRest; ) {
    const isDeliveryDay = delivers(++day);
    if (isDeliveryDay) left--;
    resting = isDeliveryDay ? 0 : resting + 1;
  }
  return day;
}

const mostDaysOfRest = 30;
