import { BatchGetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { laneDay } from '#domain/arrival/lane-days.ts';
import { arrivalModel, type LaneSummary, laneSummary } from '#domain/arrival/model.ts';
import { learnLane, readShipped } from '#domain/figures/learn-lane.ts';
import { keyOf } from '#platform/table/keys.ts';
import { dayAfter } from '#platform/time.ts';
import { laneCounters } from '#test/kit/lane-counters.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { dynamo, tableWith } from '#test/kit/table.ts';

const now = new Date('2026-11-17T12:00:00.000Z');
const today = '2026-11-17';
const lane = { carrier: 'dhl', country: 'DE' };
const nobody = { lane: [], carrier: [] };

const modelOf = (slug = 'blue', of = lane) => JSON.parse(String(memoryTable.read(keyOf.arrivalModel(slug, of))!.model));
const toldOf = (slug: string, of = lane): LaneSummary =>
  JSON.parse(String(memoryTable.read(keyOf.sharedArrivals(of, slug))!.summary));

/** What the counters of the kit say. */
const daysOf = (days: number, parcels: number) =>
  Array.from({ length: days }, (_, i) => dayAfter(today, -days + i)).map((day) =>
    laneDay(day, parcels, dayAfter(day, 2) < today ? { z12: parcels } : {}),
  );

beforeEach(() =>
  tableWith(
    ...laneCounters({ slug: 'blue', lane, today, days: 84, parcels: 10 }),
    ...laneCounters({ slug: 'green', lane, today, days: 20, parcels: 5 }),
    // Between those of the lane, and too old.
    { ...keyOf.cohortCounts('blue', { day: '2026-11-03', carrier: 'dhl', country: 'AT' }), z19: 9, h2: 9 },
    { ...keyOf.dayCounts('blue', dayAfter(today, -85)), 's#dhl#DE': 1000 },
    { ...keyOf.cohortCounts('blue', { day: dayAfter(today, -85), ...lane }), z19: 1000, h216: 1000 },
  ),
);

describe('a lane with many parcels', () => {
  test('is learned from its own counters of the last twelve weeks, and told to the others', async () => {
    const parcels = 82 * 10;
    expect(await learnLane('blue', lane, now)).toEqual({ made_at: now.toISOString(), parcels });
    expect(modelOf()).toEqual(arrivalModel(lane, daysOf(84, 10), nobody, today));
    expect(toldOf('blue')).toEqual(laneSummary(lane, daysOf(84, 10), today));
  });

  test('takes two reads, of which the first wants one counter of each day', async () => {
    await learnLane('blue', lane, now);
    const [query, ...others] = dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input);
    expect(others).toEqual([]);
    expect(query).toMatchObject({
      ProjectionExpression: 'pk, sk, #shipped0',
      ExpressionAttributeNames: { '#shipped0': 's#dhl#DE' },
    });
    expect(dynamo.commandCalls(BatchGetCommand)).toHaveLength(1);
  });

  test('has an item of few kilobytes, because it is written again and again', async () => {
    await learnLane('blue', lane, now);
    const size = (key: object) => JSON.stringify(memoryTable.read(key as never)).length;
    expect(size(keyOf.arrivalModel('blue', lane))).toBeLessThan(3 * 1024);
    expect(size(keyOf.sharedArrivals(lane, 'blue'))).toBeLessThan(1024);
  });
});

describe('a lane with few parcels', () => {
  test('is learned from those of other shops, too', async () => {
    await learnLane('blue', lane, now);
    await learnLane('green', lane, now);
    const others = { lane: [toldOf('blue')], carrier: [] };
    expect(modelOf('green')).toEqual(arrivalModel(lane, daysOf(20, 5), others, today));
  });

  test('is learned from those of the carrier in other countries, if no other shop has enough', async () => {
    const austria = { ...lane, country: 'AT' };
    memoryTable.put({ ...keyOf.dayCounts('green', today), 's#dhl#AT': 1 });
    await learnLane('blue', lane, now);
    await learnLane('green', austria, now);
    const others = { lane: [], carrier: [toldOf('blue')] };
    expect(modelOf('green', austria)).toEqual(arrivalModel(austria, [laneDay(today, 1)], others, today));
  });
});

test('a day that the release before has counted in part does not speak, because its parcels would seem to be under way', async () => {
  const [whole, part] = ['2026-11-03', '2026-11-04'].map((day) => keyOf.cohortCounts('blue', { day, ...lane }));
  memoryTable.put({ ...whole!, h48: 4, h72: 3, z12: 4, z13: 3 }, { ...part!, h48: 8, z12: 1 });
  expect(await learnLane('blue', lane, now)).toMatchObject({ parcels: 82 * 10 - 10 - 10 + 7 });
});

test('nothing is known about a lane without delivered parcels, and that is kept', async () => {
  const france = { carrier: 'ups', country: 'FR' };
  memoryTable.put({ ...keyOf.dayCounts('blue', today), 's#ups#FR': 1 });
  expect(await learnLane('blue', france, now)).toMatchObject({ parcels: 0 });
  expect(modelOf('blue', france)).toMatchObject({ parcels: 0, hazards: [] });
});

test('nothing is kept about a lane on which nothing was handed over, as of a shop that was removed', async () => {
  const france = { carrier: 'ups', country: 'FR' };
  // What was taken from counters that were removed is below zero.
  memoryTable.put({ ...keyOf.dayCounts('blue', today), 's#ups#FR': -1 });
  expect(await learnLane('blue', france, now)).toBeUndefined();
  expect(memoryTable.read(keyOf.arrivalModel('blue', france))).toBeUndefined();
});

test('the days of several lanes are read at once', async () => {
  const austria = { ...lane, country: 'AT' };
  memoryTable.put({ ...keyOf.dayCounts('blue', today), 's#dhl#AT': 3, 's#dhl#DE': 4 });
  const shipped = await readShipped('blue', [lane, austria], now);
  expect([shipped(lane).length, shipped(austria)]).toEqual([85, [[today, 3]]]);
  await learnLane('blue', lane, now, shipped);
  await learnLane('blue', austria, now, shipped);
  const days = dynamo.commandCalls(QueryCommand).filter(({ args }) => args[0].input.ExpressionAttributeNames);
  expect(days).toHaveLength(1);
});
