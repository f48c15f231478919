import { expect, test } from 'vitest';
import {
  dateOfDay,
  dayOfDate as day,
  deliveriesOn,
  deliveryDayAfter,
  deliveryDaysUntil,
  deliveryDaysWithin,
  deliveryWeekdays,
  weekdayOf,
} from '#domain/arrival/delivery-days.ts';

const mondayToSaturday = deliveriesOn([1, 2, 3, 4, 5, 6], 'DE');
const mondayToFriday = deliveriesOn([1, 2, 3, 4, 5], 'DE');

test('a weekday is that of the calendar', () => {
  for (const date of ['1970-01-01', '2026-11-15', '2028-02-29']) {
    expect(weekdayOf(day(date))).toBe(new Date(date).getUTCDay());
    expect(dateOfDay(day(date))).toBe(date);
  }
});

test.each([
  ['2026-11-14', true, false], // a Saturday
  ['2026-11-15', false, false], // a Sunday
  ['2026-11-16', true, true],
  ['2026-12-25', false, false], // Christmas Day, a Friday
  ['2026-12-26', false, false], // a holiday on a Saturday
])('on %s who delivers from Monday to Saturday in Germany does: %s, and until Friday: %s', (date, saturdays, not) => {
  expect(mondayToSaturday(day(date))).toBe(saturdays);
  expect(mondayToFriday(day(date))).toBe(not);
});

test('holidays are those of the country of the recipient, and of an unknown one there are none', () => {
  const national = day('2026-07-14');
  expect(deliveriesOn([2], 'FR')(national)).toBe(false);
  expect(deliveriesOn([2], 'DE')(national)).toBe(true);
  expect(deliveriesOn([2], '-')(national)).toBe(true);
});

const week = (sunday: number, working: number, saturday: number) => [
  sunday,
  ...[1, 2, 3, 4, 5].map(() => working),
  saturday,
];

test.each([
  ['before anything is known all but Sunday', week(0, 0, 0), '123456'],
  ['Saturday too while none of few parcels came on one', week(0, 20, 0), '123456'],
  ['no Saturday when none of many did', week(0, 40, 0), '12345'],
  ['Saturday with half a crew', week(0, 400, 80), '123456'],
  ['no Sunday for a single parcel', week(1, 20, 10), '123456'],
  ['Sunday when many come on one', week(100, 200, 200), '0123456'],
  ['no Friday where that is the day of rest', [200, 200, 200, 200, 200, 0, 200], '012346'],
])('delivery days are learned: %s', (_, counts, expected) => {
  expect(deliveryWeekdays([counts]).join('')).toBe(expected);
});

test('a shop that knows little of a lane has the weekdays of others', () => {
  const others = week(300, 400, 0);
  expect(deliveryWeekdays([others, week(0, 1, 0)]).join('')).toBe('012345');
  expect(deliveryWeekdays([others, week(0, 400, 300)]).join('')).toBe('123456');
});

test.each([
  ['2026-11-13', '2026-11-13', 0, 0],
  ['2026-11-13', '2026-11-12', 0, 0],
  ['2026-11-13', '2026-11-14', 1, 1],
  ['2026-11-13', '2026-11-15', 2, 1], // on a Sunday: as on the Monday
  ['2026-11-13', '2026-11-16', 2, 1],
  ['2026-12-23', '2026-12-28', 2, 2], // over Christmas
])('from %s to %s there are %i delivery days with Saturdays and %i without', (from, to, withThem, without) => {
  expect(deliveryDaysUntil(day(from), day(to), mondayToSaturday)).toBe(withThem);
  expect(deliveryDaysUntil(day(from), day(to), mondayToFriday)).toBe(without);
});

test('the days of a span are counted as each of them alone', () => {
  const [first, last] = [day('2026-12-01'), day('2027-01-10')];
  const within = deliveryDaysWithin(first, last, mondayToFriday);
  for (let from = first; from <= last; from++)
    for (let to = first; to <= last; to++) expect(within(from, to)).toBe(deliveryDaysUntil(from, to, mondayToFriday));
});

test('the day after so many delivery days is the delivery day with that number', () => {
  for (const delivers of [mondayToSaturday, mondayToFriday]) {
    for (let from = day('2026-12-01'); from < day('2027-01-10'); from++) {
      for (let n = 1; n < 12; n++) {
        const to = deliveryDayAfter(from, n, delivers);
        expect(delivers(to)).toBe(true);
        expect(deliveryDaysUntil(from, to, delivers)).toBe(n);
      }
    }
  }
  expect(deliveryDayAfter(day('2026-11-15'), 0, mondayToSaturday)).toBe(day('2026-11-15'));
});
