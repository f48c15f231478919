import { BatchGetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Count } from '#domain/figures/count-rules.ts';
import { shippedCounter } from '#domain/figures/counter-names.ts';
import { parcelCounts } from '#domain/figures/parcel-figures.ts';
import { learnLanes } from '#pipeline/counts/learn-lanes.ts';
import { logger } from '#platform/logging.ts';
import { keyOf, type Lane } from '#platform/table/keys.ts';
import { dayAfter } from '#platform/time.ts';
import { parcelWith } from '#test/kit/counted-parcels.ts';
import { laneCounters } from '#test/kit/lane-counters.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { dynamo, tableWith } from '#test/kit/table.ts';

const now = new Date('2026-11-09T12:00:00.000Z');
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);
const lane = { carrier: 'dhl', country: 'DE' };
const enough = () => 60_000;

/** Each test has a shop of its own, because lanes are remembered. */
let slug = '';
let shops = 0;
beforeEach(() => {
  slug = `shop-${++shops}`;
  tableWith(...laneCounters({ slug, lane, today: '2026-11-09', days: 84, parcels: 40 }));
});

afterEach(() => vi.restoreAllMocks());

const delivered = parcelWith([
  ['SHIPMENT_EN_ROUTE', '03T08:00'],
  ['SUCCESSFULLY_DELIVERED', '05T14:30'],
]);
const changed = ({ carrier, country }: Lane = lane): Count[] =>
  parcelCounts(slug, { after: { ...delivered, carrier_reference: carrier, country } });

/** The shop has handed over a parcel. */
function shipped(...lanes: readonly Lane[]): void {
  const key = keyOf.dayCounts(slug, '2026-11-03');
  const counters = Object.fromEntries(lanes.map((one) => [shippedCounter(one), 1]));
  memoryTable.put({ ...memoryTable.read(key), ...key, ...counters });
}

const learnedAt = (of: Lane = lane) => memoryTable.read(keyOf.arrivalModel(slug, of))?.made_at;
const requests = () =>
  [BatchGetCommand, QueryCommand, PutCommand].map((one) => dynamo.commandCalls(one as never).length);

test('a lane that a batch touched is learned, and then not looked at until it is due', async () => {
  await learnLanes(changed(), now, enough);
  expect(learnedAt()).toBe(now.toISOString());
  dynamo.resetHistory();
  await learnLanes(changed(), hours(23), enough);
  expect(requests()).toEqual([0, 0, 0]);
  await learnLanes(changed(), hours(24), enough);
  expect(learnedAt()).toBe(hours(24).toISOString());
});

test('a parcel that a carrier has just got is enough, and what is older than the days that speak is nothing', async () => {
  const moving = { ...delivered, events: delivered.events.slice(0, 1) };
  await learnLanes(parcelCounts(slug, { after: moving }), new Date('2027-03-01T00:00:00.000Z'), enough);
  expect(learnedAt()).toBeUndefined();
  await learnLanes(parcelCounts(slug, { after: moving }), now, enough);
  expect(learnedAt()).toBeDefined();
});

test('a lane that another run of the function has learned is not learned again', async () => {
  const made_at = hours(-1).toISOString();
  const usable = { form: 1, expires_at: Date.parse('2027-01-01') / 1000 };
  memoryTable.put({ ...keyOf.arrivalModel(slug, lane), made_at, parcels: 3000, ...usable });
  await learnLanes(changed(), now, enough);
  expect(learnedAt()).toBe(made_at);
  await learnLanes(changed(), hours(23), enough);
  expect(learnedAt()).toBe(hours(23).toISOString());
});

test('a lane that grows is learned at once with each ten parcels, although nothing was known about it before', async () => {
  const growing = { carrier: 'dhl', country: 'AT' };
  shipped(growing);
  await learnLanes(changed(growing), now, enough);
  for (let i = 0; i < 9; i++) await learnLanes(changed(growing), hours(1), enough);
  await learnLanes([], hours(2), enough);
  expect(learnedAt(growing)).toBe(now.toISOString());
  await learnLanes(changed(growing), hours(3), enough);
  expect(learnedAt(growing)).toBe(hours(3).toISOString());
});

test('of very many lanes some are learned with each batch', async () => {
  const lanes = Array.from({ length: 26 }, (_, i) => ({ carrier: 'dhl', country: `A${String.fromCharCode(65 + i)}` }));
  shipped(...lanes);
  const learned = () => lanes.filter((one) => learnedAt(one) !== undefined).length;
  await learnLanes(
    lanes.flatMap((one) => changed(one)),
    now,
    enough,
  );
  expect(learned()).toBe(20);
  // One read for those of a shop, and one for those of the carrier elsewhere for each.
  const daysRead = dynamo.commandCalls(QueryCommand).filter(({ args }) => args[0].input.ExpressionAttributeNames);
  expect(daysRead).toHaveLength(1);
  await learnLanes([], hours(0.1), enough);
  expect(learned()).toBe(26);
});

test('nothing is begun when the function has to end, and it is done with the next batch', async () => {
  let left = 30_000;
  const ending = () => (left -= 10_000);
  const france = { carrier: 'ups', country: 'FR' };
  shipped(france);
  await learnLanes([...changed(), ...changed(france)], now, ending);
  expect(learnedAt()).toBeUndefined();
  await learnLanes([], now, enough);
  expect([learnedAt(), learnedAt(france)]).toEqual([now.toISOString(), now.toISOString()]);
});

test('what does not end is left, before the function has to end, and waits for some minutes', async () => {
  const warned = vi.spyOn(logger, 'warn').mockReturnValue(undefined);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const asked = Promise.withResolvers<void>();
  dynamo.on(PutCommand).callsFakeOnce(() => {
    asked.resolve();
    return new Promise(() => undefined);
  });
  const learning = learnLanes(changed(), now, enough);
  await asked.promise;
  await vi.advanceTimersByTimeAsync(50_000);
  await learning;
  expect(warned.mock.calls).toEqual([['lanes not learned', { waiting: 0, error: 'TimeoutError' }]]);
  await learnLanes(changed(), hours(0.1), enough);
  expect(learnedAt()).toBeUndefined();
  await learnLanes(changed(), hours(0.2), enough);
  expect(learnedAt()).toBe(hours(0.2).toISOString());
});

test('a lane on which the shop handed over nothing is not learned: the shop may have been removed', async () => {
  const removed = { carrier: 'dhl', country: 'CH' };
  await learnLanes(changed(removed), now, enough);
  expect(learnedAt(removed)).toBeUndefined();
  shipped(removed);
  await learnLanes(changed(removed), hours(0.1), enough);
  expect(learnedAt(removed)).toBe(hours(0.1).toISOString());
});

const down = () => Object.assign(new Error('down'), { name: 'InternalServerError' });

test('what fails is logged without stopping anybody: one lane waits for some minutes, the others do not', async () => {
  const warned = vi.spyOn(logger, 'warn').mockReturnValue(undefined);
  const france = { carrier: 'dhl', country: 'FR' };
  shipped(france);
  dynamo.on(PutCommand).rejectsOnce(down());
  await learnLanes([...changed(), ...changed(france)], now, enough);
  expect([learnedAt(), learnedAt(france)]).toEqual([undefined, now.toISOString()]);
  expect(warned.mock.calls).toEqual([['lane not learned', { shop: slug, ...lane, error: 'InternalServerError' }]]);
  await learnLanes(changed(), hours(0.1), enough);
  expect(learnedAt()).toBeUndefined();
  await learnLanes(changed(), hours(0.2), enough);
  expect(learnedAt()).toBe(hours(0.2).toISOString());
});

test('while the table does not answer, all wait for the next batch', async () => {
  const warned = vi.spyOn(logger, 'warn').mockReturnValue(undefined);
  dynamo.on(BatchGetCommand).rejectsOnce(down());
  await learnLanes(changed(), now, enough);
  expect(warned.mock.calls).toEqual([['lanes not learned', { waiting: 1, error: 'InternalServerError' }]]);
  await learnLanes([], now, enough);
  expect(learnedAt()).toBe(now.toISOString());
});

test('days before the first that speaks are not asked for', async () => {
  await learnLanes(changed(), now, enough);
  const [query] = dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input);
  expect(query!.ExpressionAttributeValues).toMatchObject({ ':from': `ORDERS#${dayAfter('2026-11-09', -84)}` });
});
