import { describe, expect, test } from 'vitest';
import { daysWithoutSundays } from '#domain/arrival/lane-days.ts';
import { bandLevels, packBands, type StoredPrediction } from '#domain/arrival/prediction.ts';
import { figuresOf } from '#domain/figures/parcel-figures.ts';
import type { DeliveryPromise, Shipment } from '#domain/orders/model.ts';
import { dayAfter } from '#platform/time.ts';
import { inNovember, parcelWith, type TimedEvent } from '#test/kit/counted-parcels.ts';

// The 3rd is a Tuesday.
const scanned: TimedEvent = ['SHIPMENT_EN_ROUTE', '03T08:00'];
const out = (time: string): TimedEvent => ['OUT_FOR_DELIVERY', time];
const missed = (time: string): TimedEvent => ['DELIVERY_ATTEMPTED', time];
const delivered = (time: string): TimedEvent => ['SUCCESSFULLY_DELIVERED', time];

const arrivalOf = (events: readonly TimedEvent[], changes: Partial<Shipment> = {}) =>
  figuresOf(parcelWith([scanned, ...events], changes))!.arrival;

test('a parcel that is not delivered tells nothing about arrivals', () => {
  expect(arrivalOf([out('04T08:00'), missed('04T12:00')], { area: '2' })).toBeUndefined();
});

describe('the days of a delivery', () => {
  test.each<[string, string, Partial<Shipment>, string]>([
    ['are none on the day of handing over', '03T15:00', {}, 'z-0'],
    ['are those of the calendar, Sundays too', '09T10:00', {}, 'z-6'],
    ['end with the day of the recipient’s clock', '05T23:30', {}, 'z-3'],
    ['are those of UTC where nobody knows the clock', '05T23:30', { country: 'US' }, 'z-2'],
    ['have the area of the postcode', '05T10:00', { area: '2' }, 'z22'],
    ['have the area of a postcode with letters', '05T10:00', { area: 'S' }, 'zS2'],
    ['have no area that only few alphabets know', '05T10:00', { area: 'é' }, 'z-2'],
    ['have no area of several letters', '05T10:00', { area: '20' }, 'z-2'],
  ])('%s', (_, time, changes, name) => {
    expect(arrivalOf([delivered(time)], changes)).toEqual({ [name]: 1 });
  });

  test('are at most sixty, and never below zero', () => {
    const late = parcelWith([scanned], { area: '1' });
    late.events.push({ event_name: 'SUCCESSFULLY_DELIVERED', time: '2027-03-03T08:00:00.000Z' });
    expect(figuresOf(late)!.arrival).toEqual({ z160: 1 });
    const never = parcelWith([scanned], { area: '1' });
    never.events.push({ event_name: 'SUCCESSFULLY_DELIVERED', time: '9999-12-31T23:59:59.999Z' });
    expect(figuresOf(never)!.arrival).toEqual({ z160: 1 });
    const west = parcelWith([['SHIPMENT_EN_ROUTE', '03T01:00']], { country: 'US' });
    const timezone = 'America/Los_Angeles';
    west.events.push({ event_name: 'SUCCESSFULLY_DELIVERED', time: inNovember('03T02:00'), timezone });
    expect(figuresOf(west)!.arrival).toEqual({ 'z-0': 1 });
  });
});

describe('the days after the courier last left with it', () => {
  test.each<[string, TimedEvent[], Record<string, number>]>([
    ['are none on the same day', [out('04T08:00'), delivered('04T15:00')], { o0: 1 }],
    ['are counted from the last time', [out('04T08:00'), out('05T08:00'), delivered('06T15:00')], { o1: 1 }],
    ['are without the Sunday', [out('07T08:00'), delivered('09T15:00')], { o1: 1 }],
    ['are at most nine', [out('04T08:00'), delivered('29T15:00')], { o9: 1 }],
    ['are not counted if he left after the delivery', [delivered('04T15:00'), out('05T08:00')], {}],
    [
      'are counted beside those after the last failed attempt',
      [out('04T08:00'), missed('05T12:00'), missed('06T12:00'), delivered('07T10:00')],
      { o3: 1, e1: 1 },
    ],
    [
      'are counted beside those after a round that did not come by',
      [out('04T08:00'), ['NO_DELIVERY_ATTEMPT_ON_ROUTE', '04T18:00'], out('06T08:00'), delivered('06T10:00')],
      { o0: 1, e2: 1 },
    ],
    [
      'are not counted from what came after the delivery',
      [out('04T08:00'), delivered('05T10:00'), missed('06T12:00')],
      { o1: 1 },
    ],
    ['are not needed for those after a failed attempt', [missed('06T12:00'), delivered('09T10:00')], { e2: 1 }],
    [
      'say nothing of a parcel that waited in a shop',
      [['ARRIVED_AT_PARCEL_SHOP', '04T08:00'], delivered('05T10:00')],
      {},
    ],
  ])('%s', (_, events, expected) => {
    const afterStages = Object.entries(arrivalOf(events)!).filter(([name]) => !name.startsWith('z'));
    expect(Object.fromEntries(afterStages)).toEqual(expected);
  });
});

test.each([
  ['2026-11-03', '2026-11-03', 0],
  ['2026-11-07', '2026-11-08', 0],
  ['2026-11-08', '2026-11-09', 1],
  ['2026-11-01', '2026-11-15', 12],
  ['2026-11-05', '2026-11-03', 0],
])('from %s to %s it is %d days without Sundays', (from, to, days) => {
  expect(daysWithoutSundays(from, to)).toBe(days);
});

describe('what we said', () => {
  const since = '2026-11-03';
  /** The bands are one day each, from the second day on. */
  const bands = packBands(
    bandLevels.map((_, i) => ({ from: dayAfter(since, 1), to: dayAfter(since, 1 + i) })),
    since,
  );
  const told = (time: string, prediction: Partial<StoredPrediction> = {}) =>
    arrivalOf([delivered(time)], { prediction: { since, bands, ...prediction } });

  test('is measured by the first band that holds the day', () => {
    expect(told('04T10:00')).toEqual({ 'z-1': 1, q0: 1 });
    expect(told('07T10:00')).toEqual({ 'z-4': 1, q3: 1 });
    expect(told('29T10:00')).toEqual({ 'z-26': 1, q12: 1 });
    expect(told('03T10:00')).toEqual({ 'z-0': 1, q12: 1 });
  });

  test('is measured by the first window that was shown, not by the last', () => {
    const shown = { window: '4-4', first: '1-3' };
    expect(told('06T10:00', shown)).toEqual({ 'z-3': 1, q2: 1, pn: 1, pc: 1, pw: 3 });
    expect(told('07T10:00', shown)).toEqual({ 'z-4': 1, q3: 1, pn: 1, pc: 0, pw: 3 });
  });

  test('counts by the calendar of the recipient', () => {
    expect(told('06T23:30', { first: '1-3' })).toMatchObject({ 'z-4': 1, pc: 0 });
    expect(told('06T22:30', { first: '1-3' })).toMatchObject({ 'z-3': 1, pc: 1 });
  });
});

describe('what the carrier said', () => {
  const event = { event_name: 'SHIPMENT_EN_ROUTE', time: inNovember('03T08:00') } as const;
  const promised = (promise: Omit<DeliveryPromise, 'event'>) =>
    arrivalOf([delivered('05T14:30')], { promise: { ...promise, event } });

  test.each<[string, Omit<DeliveryPromise, 'event'>, { cc: number; cw: number }]>([
    ['holds within its window', { start: inNovember('05T14:00'), end: inNovember('05T16:00') }, { cc: 1, cw: 2 }],
    [
      'does not hold before its window',
      { start: inNovember('05T15:00'), end: inNovember('05T17:00') },
      { cc: 0, cw: 2 },
    ],
    [
      'does not hold after its window',
      { start: inNovember('05T08:00'), end: inNovember('05T12:00') },
      { cc: 0, cw: 4 },
    ],
    ['begins when it was said, without a beginning', { end: inNovember('05T16:00') }, { cc: 1, cw: 56 }],
    ['lasts for all of a day', { start: '2026-11-05', end: '2026-11-05' }, { cc: 1, cw: 24 }],
    [
      'has no hours if it ends before it begins',
      { start: inNovember('06T08:00'), end: inNovember('05T08:00') },
      { cc: 0, cw: 0 },
    ],
    ['has the hours of sixty days at most', { end: '9999-12-31T12:00:00Z' }, { cc: 1, cw: 1440 }],
  ])('%s', (_, promise, expected) => {
    expect(promised(promise)).toEqual({ 'z-2': 1, cn: 1, ...expected });
  });
});
