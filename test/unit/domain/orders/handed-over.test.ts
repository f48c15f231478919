import { describe, expect, test } from 'vitest';
import { cohortOf, countedByCountry, countryOf, laneOf, shippedAt, withCountry } from '#domain/orders/handed-over.ts';
import type { Shipment } from '#domain/orders/model.ts';
import { parcelWith, type TimedEvent } from '#test/kit/counted-parcels.ts';

const created: TimedEvent = ['ORDER_CREATED', '01T08:00'];
const placed: TimedEvent = ['ORDER_PROCESSED', '02T08:00'];
const announced: TimedEvent = ['PARCEL_DATA_SUBMITTED_TO_CARRIER', '02T09:00'];
const estimated: TimedEvent = ['SHIPMENT_UPDATED_ETA', '02T10:00'];
const scanned: TimedEvent = ['SHIPMENT_EN_ROUTE', '03T08:00'];
const arrived: TimedEvent = ['SUCCESSFULLY_DELIVERED', '04T08:00'];
const scannedAfter: TimedEvent = ['PARCEL_DISPATCHED', '05T08:00'];
const placedAfter: TimedEvent = ['ORDER_PROCESSED', '05T08:00'];
const cancelled: TimedEvent = ['ORDER_CANCELLED', '02T12:00'];
const lost: TimedEvent = ['SHIPMENT_LOST', '03T08:00'];

describe('a carrier got a parcel', () => {
  test.each<[string, TimedEvent[], string | undefined]>([
    ['at its first scan on the way', [created, placed, announced, scanned, arrived], '03T08:00'],
    ['at its first scan, also before the shop knew its number', [scanned, placedAfter], '03T08:00'],
    ['when the shop gave it its number, if the first scan was the delivery', [placed, announced, arrived], '02T08:00'],
    ['then too, if the carrier reports a scan of after the delivery', [placed, arrived, scannedAfter], '02T08:00'],
    ['never, if the number came after the delivery', [arrived, placedAfter], undefined],
    ['never, if all that is known is the delivery', [arrived], undefined],
    ['never, if there is only a label', [created, placed, announced], undefined],
    ['never, if there are only remarks beside the label', [placed, estimated], undefined],
    ['never, if the label was cancelled', [placed, cancelled], undefined],
    ['at the latest when it lost it', [placed, lost], '03T08:00'],
    ['at the earliest of several scans of one moment', [placed, ['IN_DELIVERY', '03T08:00'], scanned], '03T08:00'],
  ])('%s', (_, events, expected) => {
    expect(shippedAt(parcelWith(events))).toBe(expected && parcelWith([['ORDER_CREATED', expected]]).events[0]!.time);
  });
});

describe('a parcel is compared with others', () => {
  const lane = (changes: Partial<Shipment>) => Object.values(laneOf({ ...parcelWith([]), ...changes })).join(' ');

  test('of its carrier, if the catalogue has that, and its country', () => {
    expect([
      lane({ carrier_reference: 'dhl', country: 'DE' }),
      lane({ carrier_reference: 'some#thing', country: 'FR' }),
      lane({ carrier_reference: 'toString', country: 'FR' }),
      lane({ carrier_reference: null, country: '-' }),
    ]).toEqual(['dhl DE', '- FR', '- FR', '- -']);
  });

  test.each([
    ['de', 'DE'],
    [' at ', 'AT'],
    ['DEU', '-'],
    ['D#', '-'],
    ['', '-'],
    [undefined, '-'],
  ])('in the country %j as %s', (country_code, expected) => {
    expect(countryOf({ address: country_code === undefined ? {} : { country_code } })).toBe(expected);
  });

  test('in the country that the order says, or that it had when its order was erased', () => {
    const parcel = { ...parcelWith([]), country: 'AT' };
    expect(withCountry(parcel, { address: { country_code: 'CH' } }).country).toBe('CH');
    expect(withCountry(parcel, {})).toBe(parcel);
    const { country: _, ...before } = parcel;
    expect(withCountry(before, {}).country).toBe('-');
  });

  test('without the window of another country or carrier, which is remembered as told', () => {
    const prediction = { since: '2026-11-03', window: '1-3', first: '1-4', bands: 'x' };
    const stored = { ...parcelWith([placed, scanned]), area: '8', prediction };
    const home = { address: { country_code: 'DE', zip_code: '80331' } };
    const abroad = { address: { country_code: 'AT' } };
    const after = { since: '2026-11-03', first: '1-4', told: '1-3', bands: 'x' };
    expect(countedByCountry(stored, home, stored)).toBe(stored);
    expect(countedByCountry(stored, abroad, stored).prediction).toEqual(after);
    expect(countedByCountry({ ...stored, carrier_reference: 'ups' }, home, stored).prediction).toEqual(after);
    const told = { ...stored, prediction: { ...prediction, told: '1-5' } };
    expect(countedByCountry(told, abroad, told).prediction).toEqual({ ...after, told: '1-5' });
    // It is of the country that it has now.
    const anew = { ...stored, prediction: { ...prediction, window: '2-4' } };
    expect(countedByCountry(anew, abroad, stored).prediction).toBe(anew.prediction);
  });

  test('in no country for good, if it had its number before parcels were counted', () => {
    const order = { address: { country_code: 'CH' } };
    const { country: _, ...older } = parcelWith([]);
    expect(countedByCountry(older, order, older)).toBe(older);
    const countryAfter = (stored: Shipment | undefined) => countedByCountry(older, order, stored).country;
    const countries = [undefined, { ...older, tracking_number: null }, { ...older, country: '-' }].map(countryAfter);
    expect(countries).toEqual(['CH', 'CH', 'CH']);
  });
});

describe('the area that a parcel goes to', () => {
  const areaFor = (zip_code: string | undefined, country_code = 'DE') =>
    withCountry(parcelWith([]), { address: { country_code, ...(zip_code !== undefined && { zip_code }) } }).area;

  test.each([
    ['80331', 'DE', '8'],
    [' 04103', 'DE', '0'],
    ['D-80331', 'DE', '8'],
    ['sw1a 1aa', 'GB', 'S'],
    ['D02 AF30', 'IE', 'D'],
    ['LV-1050', 'LV', '1'],
    ['LV1050', 'LV', '1'],
    ['SE 111 22', 'SE', '1'],
    ['1012 AB', 'NL', '1'],
    ['', 'DE', undefined],
    ['–', 'DE', undefined],
    [undefined, 'DE', undefined],
  ])('of the postcode %j in %s is %s', (zip, country, area) => {
    expect(areaFor(zip, country)).toBe(area);
  });

  test('stays when the address of its order is erased, and follows another postcode', () => {
    const parcel = { ...parcelWith([]), area: '8' };
    expect(withCountry(parcel, {})).toBe(parcel);
    expect(withCountry(parcel, { address: { country_code: 'DE', zip_code: '80333' } })).toBe(parcel);
    expect(withCountry(parcel, { address: { country_code: 'DE', zip_code: '10115' } }).area).toBe('1');
    expect(withCountry(parcel, { address: { country_code: 'AT' } })).not.toHaveProperty('area');
  });
});

describe('a parcel is in a cohort', () => {
  const onItsWay = parcelWith([placed, scanned]);

  test('of the day on which the carrier got it', () => {
    expect(cohortOf(onItsWay)).toEqual({ day: '2026-11-03', carrier: 'dhl', country: 'DE' });
  });

  const { country: _, ...ofReleaseBefore } = onItsWay;

  test.each<[string, Shipment]>([
    ['if it is simulated', { ...onItsWay, simulation_id: 'simulation' }],
    ['if it goes to the merchant', { ...onItsWay, direction: 'customer_merchant' }],
    ['without a number', { ...onItsWay, tracking_number: null }],
    ['if it is older than the figures', ofReleaseBefore],
    ['if no carrier got it', parcelWith([placed])],
    ['of a day long before it was made', { ...onItsWay, created_at: '2029-01-01T00:00:00.000Z' }],
    ['of a day long after it was made', { ...onItsWay, created_at: '2024-01-01T00:00:00.000Z' }],
  ])('but not %s', (_, parcel) => {
    expect(cohortOf(parcel)).toBeUndefined();
  });
});
