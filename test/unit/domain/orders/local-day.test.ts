import { describe, expect, test } from 'vitest';
import { localDay, timeIn, zoneOf } from '#domain/orders/local-day.ts';
import type { ShipmentEvent } from '#domain/orders/model.ts';

const scan = (fields: Partial<ShipmentEvent>): ShipmentEvent => ({
  event_name: 'SHIPMENT_EN_ROUTE',
  time: '2026-11-04T08:00:00.000Z',
  ...fields,
});

describe('the clock of a recipient', () => {
  test.each<[string, { country?: string; events?: ShipmentEvent[] }, string]>([
    [
      'is that of the country, whatever the carrier says',
      { country: 'DE', events: [scan({ timezone: 'Asia/Tokyo' })] },
      'Europe/Berlin',
    ],
    [
      'is that of the newest event that names one, where a country has several',
      {
        country: 'US',
        events: [scan({ timezone: 'America/New_York' }), scan({ timezone: 'America/Denver' }), scan({})],
      },
      'America/Denver',
    ],
    [
      'may be that of the place of the event',
      { events: [scan({ location: { timezone: 'Asia/Tokyo' } })] },
      'Asia/Tokyo',
    ],
    ['may be an offset', { country: '-', events: [scan({ timezone: '+05:30' })] }, '+05:30'],
    [
      'is an earlier one, if the newest event names what is none',
      { country: 'ES', events: [scan({ timezone: 'Atlantic/Canary' }), scan({ timezone: 'Las Palmas' })] },
      'Atlantic/Canary',
    ],
    ['is UTC if nothing tells it', { country: 'US', events: [scan({ timezone: 'noon' })] }, 'UTC'],
  ])('%s', (_, { events = [], ...parcel }, zone) => {
    expect(zoneOf({ ...parcel, events })).toBe(zone);
  });

  test('is read right after more zones than are remembered', () => {
    const zones = Array.from({ length: 450 }, (_, i) => `nowhere/${i}`);
    for (const timezone of zones) expect(zoneOf({ events: [scan({ timezone })] })).toBe('UTC');
    expect(zoneOf({ events: [scan({ timezone: 'Europe/Athens' })] })).toBe('Europe/Athens');
  });
});

describe('the day of a recipient', () => {
  test.each([
    ['2026-11-17T22:59:59.999Z', 'DE', '2026-11-17'],
    ['2026-11-17T23:00:00.000Z', 'DE', '2026-11-18'],
    ['2026-07-17T22:00:00.000Z', 'DE', '2026-07-18'],
    ['2026-12-31T22:00:00.000Z', 'FI', '2027-01-01'],
    ['2026-11-17T23:30:00.000Z', 'GB', '2026-11-17'],
    ['2026-11-17T23:30:00.000Z', '-', '2026-11-17'],
  ])('that had the time %s in %s is %s', (time, country, day) => {
    expect(localDay(time, { country, events: [] })).toBe(day);
  });
});

describe('a time of the day has the offset', () => {
  test.each([
    ['of the winter', 'Europe/Berlin', '2026-11-18', '2026-11-18T00:00:00+01:00', '2026-11-18T23:59:59+01:00'],
    ['of the summer', 'Europe/Berlin', '2026-07-18', '2026-07-18T00:00:00+02:00', '2026-07-18T23:59:59+02:00'],
    [
      'of its own side of the night in which summer ends',
      'Europe/Berlin',
      '2026-10-25',
      '2026-10-25T00:00:00+02:00',
      '2026-10-25T23:59:59+01:00',
    ],
    [
      'of its own side of the night in which it begins',
      'Europe/Berlin',
      '2026-03-29',
      '2026-03-29T00:00:00+01:00',
      '2026-03-29T23:59:59+02:00',
    ],
    ['zero in UTC', 'UTC', '2026-11-18', '2026-11-18T00:00:00+00:00', '2026-11-18T23:59:59+00:00'],
    [
      'of a place with half hours',
      'America/St_Johns',
      '2026-11-18',
      '2026-11-18T00:00:00-03:30',
      '2026-11-18T23:59:59-03:30',
    ],
    ['that a carrier names', '+05:30', '2026-11-18', '2026-11-18T00:00:00+05:30', '2026-11-18T23:59:59+05:30'],
  ])('%s', (_, zone, day, begin, end) => {
    expect([timeIn(zone, day, '00:00:00'), timeIn(zone, day, '23:59:59')]).toEqual([begin, end]);
  });
});
