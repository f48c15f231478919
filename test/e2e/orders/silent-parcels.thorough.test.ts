import { expect, test, vi } from 'vitest';
import { mapConcurrently } from '#platform/batches.ts';
import { silenceLimits } from '#schemas/catalogues/limits.ts';
import { accepted, expectDone, type Merchant, newMerchant } from '../kit/orders.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000).toISOString();

/** Orders of one parcel each that its carrier got so many days ago, and that have had no event since. */
async function hand(merchant: Merchant, carrier_reference: string, days: number, numbers: readonly string[]) {
  const address = { country_code: 'DE' };
  const tracking_placed_at = daysAgo(days);
  const body = numbers.map((number) => ({
    id: number,
    order: { order_number: number, address },
    trackings: [{ tracking_number: number, carrier_reference, tracking_placed_at }],
  }));
  expectDone(await merchant.call('PUT', '/orders/bulk', { body }));
}

const report = async (merchant: Merchant, id: string, event_name: string, days: number) =>
  accepted(await merchant.call('POST', '/shipment-events', { body: { id, event_name, event_time: daysAgo(days) } }));

/** So many parcels that the lane is known, each delivered after this many days without an event. */
async function teach(merchant: Merchant, carrier: string, days: number) {
  const numbers = Array.from({ length: silenceLimits.knownParcels }, (_, i) => `${carrier}-${i}`);
  await hand(merchant, carrier, 20, numbers);
  // Of days that are rounded up, a little less is safe.
  await mapConcurrently(numbers, (number) => report(merchant, number, 'SUCCESSFULLY_DELIVERED', 20.1 - days), 8);
}

test('a parcel is listed as silent, and found, by what the parcels of its lane have taught, until it moves', async () => {
  const merchant = await newMerchant();
  await teach(merchant, 'dhl', 2);
  await teach(merchant, 'ups', 9);
  await hand(merchant, 'dhl', 1, ['dhl after 1']);
  await hand(merchant, 'dhl', 3, ['dhl after 3']);
  await hand(merchant, 'ups', 8, ['ups after 8']);
  await hand(merchant, 'gls', 4, ['gls after 4']);
  await hand(merchant, 'gls', 7, ['gls after 7']);
  await vi.waitFor(
    async () => {
      const rows = accepted(await merchant.call('GET', '/analytics/delivery-times'));
      const delivered = rows.filter((row: { delivered: number }) => row.delivered === silenceLimits.knownParcels);
      expect(delivered).toHaveLength(2);
    },
    { timeout: 30_000, interval: 200 },
  );
  // What was learned is remembered for ten minutes, so it is asked for the first time when all is counted.
  const silent = async () => {
    const { no_movement } = accepted(await merchant.call('GET', '/attention'));
    const listed = no_movement.parcels.map((parcel: { order_number: string }) => parcel.order_number);
    const found = (await merchant.orders({ attention: 'no_movement' })).map(({ order_number }) => order_number);
    expect(found.toReversed()).toEqual(listed);
    expect(no_movement.count).toBe(listed.length);
    return listed;
  };
  expect(await silent()).toEqual(['gls after 7', 'dhl after 3']);
  await report(merchant, 'dhl after 3', 'ARRIVED_AT_SORTING_CENTER', 0);
  expect(await silent()).toEqual(['gls after 7']);
}, 120_000);
