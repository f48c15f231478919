import { expect, test } from 'vitest';
import { lastAttempt, lastRound } from '#domain/orders/rounds.ts';
import { inNovember, parcelWith, type TimedEvent } from '#test/kit/counted-parcels.ts';

const scanned: TimedEvent = ['SHIPMENT_EN_ROUTE', '17T08:00'];
const out: TimedEvent = ['OUT_FOR_DELIVERY', '18T06:00'];
const missed: TimedEvent = ['DELIVERY_ATTEMPTED', '18T15:00'];
const back: TimedEvent = ['AT_SORTING_CENTER', '18T20:00'];
const again: TimedEvent = ['OUT_FOR_DELIVERY', '19T06:00'];
const delivered: TimedEvent = ['SUCCESSFULLY_DELIVERED', '19T11:00'];

test.each<[string, TimedEvent[], round: TimedEvent | undefined, attempt: TimedEvent | undefined]>([
  ['before the first round', [scanned], undefined, undefined],
  ['on the first round', [scanned, out], out, undefined],
  ['after an attempt', [scanned, out, missed], out, missed],
  ['back in the network after an attempt', [scanned, out, missed, back], out, missed],
  ['back in the network without an attempt', [scanned, out, back], out, out],
  ['of which something was remarked', [scanned, out, ['SHIPMENT_UPDATED_ETA', '18T20:00']], out, undefined],
  ['on the second round', [scanned, out, missed, again], again, missed],
  ['on the second round without an attempt', [scanned, out, back, again], again, out],
  [
    'that the courier brought back',
    [scanned, out, ['RETURNED_TO_DELIVERY_DEPOT', '18T19:00']],
    out,
    ['RETURNED_TO_DELIVERY_DEPOT', '18T19:00'],
  ],
  ['that waits to be collected', [scanned, out, ['ARRIVED_AT_PARCEL_SHOP', '18T16:00']], out, undefined],
  ['that is delivered', [scanned, out, missed, again, delivered], again, missed],
])('the last round and the last attempt of a parcel %s', (_, events, round, attempt) => {
  const parcel = parcelWith(events);
  const found = (event: { event_name: string; time: string } | undefined) => event && [event.event_name, event.time];
  const expected = (event: TimedEvent | undefined) => event && [event[0], inNovember(event[1])];
  expect(found(lastRound(parcel))).toEqual(expected(round));
  expect(found(lastAttempt(parcel))).toEqual(expected(attempt));
});

test('what came after an event does not count before it', () => {
  const later: TimedEvent[] = [
    ['OUT_FOR_DELIVERY', '20T06:00'],
    ['DELIVERY_ATTEMPTED', '20T15:00'],
  ];
  const parcel = parcelWith([scanned, out, missed, again, delivered, ...later]);
  const delivery = parcel.events.find(({ event_name }) => event_name === delivered[0])!;
  expect(lastRound(parcel, delivery)).toMatchObject({ time: inNovember(again[1]) });
  expect(lastAttempt(parcel, delivery)).toMatchObject({ time: inNovember(missed[1]) });
});

test('a round that begins and ends in the same minute is before its delivery', () => {
  const parcel = parcelWith([scanned, ['OUT_FOR_DELIVERY', delivered[1]], delivered]);
  expect(lastRound(parcel, parcel.events.at(-1)!)).toBeDefined();
});
