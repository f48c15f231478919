import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { table } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { laneCounters } from '#test/kit/lane-counters.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { storeItems } from '#test/kit/store-items.ts';
import { learnShop } from '../../../bin/operator/recount-arrivals.ts';

const lane = { carrier: 'dhl', country: 'DE' };
const today = new Date().toISOString().slice(0, 10);

let service: RunningService;
beforeAll(async () => {
  service = await startService({ hasNoSchedules: true });
});
afterAll(() => service?.stop());

const call = (method: string, path: string, body: unknown) => {
  const { username, secret } = service.operator;
  return clientOf(service.stack.url)(method, path, { key: `${username}:${secret}`, body });
};

/** A shop with a parcel that the carrier has. */
async function shopWithParcel(slug: string): Promise<void> {
  await call('POST', '/v1/shops', { name: slug, slug });
  const tracking = { tracking_number: `T-${slug}`, carrier_reference: 'dhl' };
  const order = { order_number: '1', address: { country_code: 'DE', zip_code: '10115' } };
  const placed = await call('PUT', `/v1/shops/${slug}/orders/bulk`, [{ id: '1', order, trackings: [tracking] }]);
  expect(placed.status).toBe(200);
  const event = { id: tracking.tracking_number, event_name: 'SHIPMENT_EN_ROUTE', event_time: new Date().toISOString() };
  expect((await call('POST', `/v1/shops/${slug}/shipment-events`, event)).status).toBeLessThan(300);
}

const read = async (Key: object) =>
  (await service.table.send(new GetCommand({ TableName: service.tableName, Key: Key as never }))).Item;

const learned = (slug: string) =>
  vi.waitFor(
    async () => {
      const item = await read(keyOf.arrivalModel(slug, lane));
      expect(item).toBeDefined();
      return { ...(item as { made_at: string }), model: JSON.parse(item!.model) };
    },
    { timeout: 60_000, interval: 250 },
  );

test('the first parcel of a lane has it learned from all that was counted, and another shop learns from that', async () => {
  await storeItems(service, laneCounters({ slug: 'large', lane, today, days: 80, parcels: 50 }));
  await shopWithParcel('large');
  expect(await learned('large')).toMatchObject({ parcels: 78 * 50, form: 1 });
  expect(await read(keyOf.sharedArrivals(lane, 'large'))).toMatchObject({ parcels: 78 * 50, form: 1 });
  await shopWithParcel('small');
  const small = await learned('small');
  expect(small).toMatchObject({ parcels: 0, form: 1 });
  // A single other shop is heard, and is not enough for a window.
  expect(small.model.parcels).toBe(10);
  expect(small.model.hazards).not.toEqual([]);
  expect(await read(keyOf.sharedArrivals(lane, 'small'))).toBeUndefined();
}, 120_000);

test('the command that counts a shop anew learns with the client of the functions', async () => {
  const { region, endpoint, credentials } = service.stack.clientConfig;
  const { accessKeyId, secretAccessKey } = credentials;
  vi.stubEnv('TABLE_NAME', service.tableName);
  vi.stubEnv('AWS_REGION', region);
  vi.stubEnv('AWS_ENDPOINT_URL', endpoint);
  vi.stubEnv('AWS_ACCESS_KEY_ID', accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', secretAccessKey);
  const before = await learned('large');
  expect(await learnShop('large', new Date())).toBe(1);
  const after = await learned('large');
  expect(Date.parse(after.made_at)).toBeGreaterThan(Date.parse(before.made_at));
  table.destroy();
  vi.unstubAllEnvs();
});
