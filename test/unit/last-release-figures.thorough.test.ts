import { KMSClient } from '@aws-sdk/client-kms';
import { SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type StoredClaim, toClaim } from '#domain/claims/claim-store.ts';
import { type StoredItem, toShipment } from '#domain/orders/order-items.ts';
import { table } from '#platform/table/client.ts';
import { keyOf, statisticsOf } from '#platform/table/keys.ts';
import { changeKindOf } from '#schemas/catalogues/stream-kinds.ts';
import { fakeKms } from '#test/kit/fake-kms.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { context } from '#test/kit/queue-messages.ts';
import { operator, tableWith } from '#test/kit/table.ts';
import { call, recordsBetween } from '#test/last-release/mixed-world.ts';
import { lastRelease, thisVersion, type Version } from '#test/last-release/versions.ts';
import { recount } from '../../bin/operator/recount.ts';

/**
 * The functions of the last release are replaced one after the other, and may come back.
 */

const slug = 'blue';
const shop = `/v1/shops/${slug}`;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-16T12:00:00.000Z') });
  vi.stubEnv('CREDENTIALS_KEY_ID', 'key');
  fakeKms(mockClient(KMSClient));
  mockClient(SQSClient).resolves({});
  tableWith(operator.item);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const hours = (count: number) => vi.setSystemTime(Date.now() + count * 3_600_000);

interface Versions {
  api: Version;
  counts: Version;
}

/** A request that one version answers, counted by one. No counter may be below zero after it. */
async function make({ api, counts }: Versions, method: string, path: string, body?: object) {
  const before = memoryTable.wireItems();
  const answer = await call(api, method, path, body);
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  await count(counts, before);
  return answer.body;
}

async function count({ functions }: Version, before: ReturnType<typeof memoryTable.wireItems>): Promise<void> {
  const records = recordsBetween(before, memoryTable.wireItems()).filter(({ sk }) => changeKindOf('counts', sk));
  if (records.length === 0) return;
  const event = { Records: records.map(({ record }) => record) };
  expect(await functions.counts!(event, context)).toEqual({ batchItemFailures: [] });
}

const figures = () =>
  Object.fromEntries(
    memoryTable.all(statisticsOf(slug)).map(({ pk: _, sk, expires_at: __, ...counters }) => [sk, counters]),
  );
const belowZero = () =>
  Object.entries(figures()).flatMap(([sk, counters]) =>
    Object.entries(counters).flatMap(([name, value]) => (value < 0 ? [`${sk} ${name} ${value}`] : [])),
  );
const recounted = () =>
  recount({ table, tableName: 'table', catchUp: async () => {} }, slug, { now: new Date(), countedSince: undefined });

const before = { api: lastRelease, counts: lastRelease };
const now = { api: thisVersion, counts: thisVersion };

const address = { name: 'Ada Berg', zip_code: '20095', city: 'Hamburg', country_code: 'DE' };
const numberOf = (n: number) => `0034043416100000000${n}`;

async function makeParcel(versions: Versions, n: number, events: readonly string[]): Promise<void> {
  const trackings = [{ tracking_number: numberOf(n), carrier_reference: 'dhl' }];
  await make(versions, 'PUT', `${shop}/orders`, { id: `${n}`, order: { address }, trackings });
  for (const event_name of events) await report(versions, n, event_name);
}

const report = (versions: Versions, n: number, event_name: string, more: object = {}) => {
  hours(1);
  const event_time = new Date().toISOString();
  return make(versions, 'POST', `/v1/shop/${slug}/shipment-events`, {
    id: numberOf(n),
    event_name,
    event_time,
    ...more,
  });
};

const claimAbout = (versions: Versions, n: number) =>
  make(versions, 'POST', `${shop}/claims`, { tracking_number: numberOf(n), reason: 'damage' });

const parcels = () => memoryTable.all(`ORDER#${slug}`).filter(({ sk }) => sk.startsWith('SHIPMENT#'));
const deleteParcel = (versions: Versions, n: number) => {
  const item = parcels().find(({ tracking_number }) => tracking_number === numberOf(n))!;
  const { uuid, order_id } = toShipment(item as unknown as StoredItem);
  return make(versions, 'DELETE', `${shop}/orders/${order_id}/shipments/${uuid}`);
};

test('while functions are replaced, it does not matter which version writes and which counts', async () => {
  await make(before, 'POST', '/v1/shops', { name: 'Blue', slug });
  const between = { api: thisVersion, counts: lastRelease };
  for (const n of [1, 2]) await makeParcel(before, n, ['SHIPMENT_EN_ROUTE']);
  for (const n of [3, 4]) await makeParcel(between, n, ['SHIPMENT_EN_ROUTE']);
  const claim = await claimAbout(before, 1);
  await claimAbout(between, 3);

  await report(now, 1, 'SUCCESSFULLY_DELIVERED');
  await report(now, 3, 'SUCCESSFULLY_DELIVERED');
  await deleteParcel(now, 2);
  await deleteParcel(now, 4);
  await make(now, 'DELETE', `${shop}/claims/${claim.uuid}`);
  expect(belowZero()).toEqual([]);
  expect(figures()[keyOf.dayCounts(slug, '2026-11-16').sk]).toMatchObject({ orders: 4, delivered: 2, claims: 1 });
  expect(await recounted()).toMatchObject({ wrong: 0, moving: [] });
});

test('the last release reads and changes what this version writes, and keeps what this one counts by', async () => {
  await make(now, 'POST', '/v1/shops', { name: 'Blue', slug });
  await makeParcel(now, 1, []);
  const window = { expected_delivery: { end: '2026-11-18T18:00:00Z' } };
  await report(now, 1, 'SHIPMENT_EN_ROUTE', window);
  const claim = await claimAbout(now, 1);
  const ownOf = () => {
    const [shipment] = parcels().map((item) => toShipment(item as unknown as StoredItem));
    const { order_id } = shipment!;
    const stored = memoryTable.read(keyOf.claim(slug, order_id, claim.uuid)) as unknown as StoredClaim;
    return { country: shipment!.country, promise: shipment!.promise, cohort: toClaim(stored).cohort };
  };
  const own = ownOf();
  expect(own).toMatchObject({ country: 'DE', promise: { end: expect.any(String) }, cohort: { carrier: 'dhl' } });

  for (const path of ['/orders', '/shipments', '/claims', `/claims/${claim.uuid}`, '/statistics']) {
    const answer = await call(lastRelease, 'GET', shop + path);
    expect([path, answer.status]).toEqual([path, 200]);
    expect(JSON.stringify(answer.body)).not.toMatch(/"(country|promise|cohort)":/);
  }
  // It is deployed again: what it writes, this version goes on counting.
  const back = { api: lastRelease, counts: thisVersion };
  await report(back, 1, 'IN_DELIVERY');
  await make(back, 'PUT', `${shop}/orders`, { id: '1', order: { order_name: '#1' }, trackings: [] });
  await make(back, 'PUT', `${shop}/claims/${claim.uuid}`, { status: 'accepted' });
  expect(ownOf()).toEqual(own);
  await report(now, 1, 'SUCCESSFULLY_DELIVERED');
  expect(belowZero()).toEqual([]);
  expect(await recounted()).toMatchObject({ wrong: 0, moving: [] });
});
