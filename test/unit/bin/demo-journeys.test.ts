import { describe, expect, test } from 'vitest';
import { localTime } from '../../../bin/demo/hours.ts';
import { planOrders } from '../../../bin/demo/orders.ts';
import { detailsOf } from '../../../bin/demo/places.ts';

const zone = 'Europe/Berlin';
const hourOf = (time: number) => Number(localTime(time, zone).slice(11, 13));
const isSunday = (time: number) => new Date(`${localTime(time, zone)}Z`).getUTCDay() === 0;

/** In the day, in the evening, at night, on a Sunday, and in the week in which clocks change. */
const nows = ['2026-11-17T10:00', '2026-11-16T20:30', '2026-11-19T02:00', '2026-11-15T12:00', '2026-10-27T07:00'];

describe.each(nows.map((now) => new Date(`${now}Z`)))('in a demo that is made at %o', (now) => {
  const planned = planOrders(60, now).filter(({ tracking }) => tracking !== undefined);
  const events = planned.flatMap(({ steps, also }) => [...steps, ...also]);
  const timesOf = (name: RegExp) => events.filter(({ event }) => name.test(event)).map(({ at }) => at);

  test('nothing happens before what it follows, or after now', () => {
    for (const { placedAt, readyAt, steps, also, back } of planned) {
      for (const parcel of [[...steps, ...back], also]) {
        const times = [placedAt, readyAt, ...parcel.map(({ at }) => at)];
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(times.at(-1)).toBeLessThan(now.getTime());
      }
    }
  });

  test.each([
    ['parcels are picked up in the late afternoon', /^PICKUP/, [16, 17, 18]],
    ['they reach the sorting centre at night', /SORTING_CENTER/, [21, 22, 23, 0, 1, 2]],
    ['they reach the hub early in the morning', /HUB/, [3, 4, 5]],
    ['couriers start in the morning', /^OUT_FOR/, [7, 8]],
    ['and deliver in the day', /^(SUCCESSFULLY|DELIVERY_ATTEMPTED)/, [9, 10, 11, 12, 13, 14, 15, 16, 17]],
  ])('%s', (_, name, hours) => {
    const times = timesOf(name);
    expect(times.length).toBeGreaterThan(5);
    expect(times.map(hourOf).filter((hour) => !hours.includes(hour))).toEqual([]);
  });

  test('nobody delivers on a Sunday', () => {
    expect(timesOf(/^(OUT_FOR|SUCCESSFULLY|DELIVERY_ATTEMPTED)/).filter(isSunday)).toEqual([]);
  });

  test('what is out for delivery comes to the city of the customer, in hours to come in which couriers work', () => {
    const home = { city: 'Lyon', zip_code: '69001', country_code: 'FR' };
    const told = {
      event: 'OUT_FOR_DELIVERY',
      at: now.getTime() - 3_600_000,
      home,
      isReturn: false,
      isLast: true,
      hasArrived: false,
    };
    const details = detailsOf(told, now) as { location: object; expected_delivery: { start: string; end: string } };
    const { start, end } = details.expected_delivery;
    expect(details.location).toMatchObject({ city: 'Lyon', country_code: 'FR' });
    expect(Date.parse(start)).toBeGreaterThan(now.getTime());
    expect(hourOf(Date.parse(start))).toBeGreaterThanOrEqual(9);
    expect(hourOf(Date.parse(end))).toBeLessThanOrEqual(20);
    expect(isSunday(Date.parse(start))).toBe(false);
  });
});
