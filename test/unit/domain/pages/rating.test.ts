import { expect, test } from 'vitest';
import { canBeRated, ratingsIn } from '#domain/pages/rating.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { parcel } from '#test/kit/claims.ts';

const withEvents = (...events: [ShipmentEventName, string][]) => ({
  ...parcel.shipment,
  events: events.map(([event_name, time]) => ({ event_name, time })),
});
const placed: [ShipmentEventName, string] = ['PARCEL_DATA_SUBMITTED_TO_CARRIER', '2026-11-01T23:30:00.000Z'];
const scanned: [ShipmentEventName, string] = ['SHIPMENT_EN_ROUTE', '2026-11-03T08:00:00.000Z'];
const arrived: [ShipmentEventName, string] = ['SUCCESSFULLY_DELIVERED', '2026-11-04T08:00:00.000Z'];

test('only a parcel that has arrived at the customer can be rated', () => {
  expect(canBeRated(withEvents(placed, scanned))).toBe(false);
  expect(canBeRated(withEvents(placed, scanned, arrived))).toBe(true);
  expect(canBeRated({ ...withEvents(placed, arrived), direction: 'customer_merchant' })).toBe(false);
});

test('the ratings of a page are those of its items that are ratings', () => {
  const items = [
    { sk: 'REF' },
    { sk: 'RATING#parcel', at: '2026-11-04T08:00:00.000Z', stars: 4 },
    { sk: 'CLAIM#1', at: '2026-11-04T08:00:00.000Z' },
  ];
  expect(ratingsIn(items)).toEqual([{ shipment_id: 'parcel', at: '2026-11-04T08:00:00.000Z', stars: 4, text: null }]);
});
