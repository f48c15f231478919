import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { laneSummary } from '#domain/arrival/model.ts';
import { isDue, readArrivalModel, readLearned, readOtherLanes, saveLesson } from '#domain/arrival/model-store.ts';
import { keyOf } from '#platform/table/keys.ts';
import { laneDaysOf, modelOfLane } from '#test/kit/arrival-models.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { dynamo, tableWith } from '#test/kit/table.ts';

const now = new Date('2026-11-17T12:00:00.000Z');
const today = '2026-11-17';
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const lane = { carrier: 'dhl', country: 'DE' };
const lesson = {
  model: modelOfLane({ days: [2] }, today),
  summary: laneSummary(lane, laneDaysOf({ days: [2] }, today), today),
  parcels: 500,
};

beforeEach(() => tableWith());

const reads = () => dynamo.commandCalls(BatchGetCommand).length;

describe('what a shop knows about a lane', () => {
  test('is read as it was learned, by one read that is not consistent, and again after ten minutes', async () => {
    await saveLesson('one', lane, lesson, now);
    expect(await readArrivalModel('one', lane, now)).toEqual(lesson.model);
    const [request] = dynamo.commandCalls(BatchGetCommand).map(({ args }) => args[0].input.RequestItems!.table);
    expect(request).toMatchObject({ Keys: [keyOf.arrivalModel('one', lane)], ConsistentRead: false });
    await saveLesson('one', lane, { ...lesson, model: { ...lesson.model, level: 0.5 } }, later(1));
    expect(await readArrivalModel('one', lane, later(9))).toEqual(lesson.model);
    expect(reads()).toBe(1);
    expect(await readArrivalModel('one', lane, later(10))).toMatchObject({ level: 0.5 });
    expect(reads()).toBe(2);
  });

  test('is nothing where nothing was learned, and that is remembered for a minute, for each lane', async () => {
    expect(await readArrivalModel('two', lane, now)).toBeUndefined();
    await saveLesson('two', lane, lesson, now);
    expect(await readArrivalModel('two', lane, later(0.9))).toBeUndefined();
    expect(reads()).toBe(1);
    expect(await readArrivalModel('two', { ...lane, country: 'AT' }, now)).toBeUndefined();
    expect(await readArrivalModel('two', lane, later(1))).toEqual(lesson.model);
  });

  test('is nothing if another version wrote it, or if all that it was made from is too old', async () => {
    await saveLesson('three', lane, lesson, now);
    const key = keyOf.arrivalModel('three', lane);
    expect(await readArrivalModel('three', lane, later(98 * 24 * 60))).toBeUndefined();
    memoryTable.put({ ...memoryTable.read(key), ...key, form: 2 });
    expect(await readArrivalModel('three', lane, later(99 * 24 * 60))).toBeUndefined();
    expect(await readLearned([{ slug: 'three', lane }], now)).toEqual([undefined]);
  });

  test.each([
    ['no JSON', '{'],
    ['nothing', 'null'],
    ['without days', JSON.stringify({ ...lesson.model, hazards: undefined })],
    ['with days that are no numbers', JSON.stringify({ ...lesson.model, afterOut: ['0.9'] })],
    ['without areas', JSON.stringify({ ...lesson.model, byArea: null })],
  ])('is nothing if it is %s', async (name, model) => {
    const slug = `bad ${name}`;
    await saveLesson(slug, lane, lesson, now);
    const key = keyOf.arrivalModel(slug, lane);
    memoryTable.put({ ...memoryTable.read(key), ...key, model });
    expect(await readArrivalModel(slug, lane, now)).toBeUndefined();
  });

  test.each([{ made_at: 'yesterday' }, { parcels: 'many' }])('was never learned if it says %j', async (wrong) => {
    await saveLesson('five', lane, lesson, now);
    const key = keyOf.arrivalModel('five', lane);
    memoryTable.put({ ...memoryTable.read(key), ...key, ...wrong });
    expect(await readLearned([{ slug: 'five', lane }], now)).toEqual([undefined]);
  });

  test('is unknown while the table cannot be read, and that is not remembered', async () => {
    await saveLesson('four', lane, lesson, now);
    dynamo.on(BatchGetCommand).rejectsOnce(Object.assign(new Error('down'), { name: 'InternalServerError' }));
    await expect(readArrivalModel('four', lane, now)).rejects.toThrow('down');
    tableWith();
    await saveLesson('four', lane, lesson, now);
    expect(await readArrivalModel('four', lane, now)).toEqual(lesson.model);
  });
});

describe('a lesson', () => {
  test('has what the shop knows and what it tells others, until all of it is too old', async () => {
    const expires_at = now.getTime() / 1000 + 98 * 86_400;
    expect(await saveLesson('blue', lane, lesson, now)).toEqual({ made_at: now.toISOString(), parcels: 500 });
    const known = { made_at: now.toISOString(), parcels: 500, form: 1, expires_at };
    expect(memoryTable.read(keyOf.arrivalModel('blue', lane))).toMatchObject(known);
    const { summary, ...told } = memoryTable.read(keyOf.sharedArrivals(lane, 'blue'))!;
    expect(told).toMatchObject(known);
    expect(JSON.parse(String(summary))).toEqual(lesson.summary);
  });

  test('does not replace one that was learned later', async () => {
    await saveLesson('blue', lane, { ...lesson, parcels: 7 }, later(1));
    await saveLesson('blue', lane, lesson, now);
    for (const key of [keyOf.arrivalModel('blue', lane), keyOf.sharedArrivals(lane, 'blue')])
      expect(memoryTable.read(key)).toMatchObject({ parcels: 7 });
  });

  test('of no parcels, or of a carrier or a country that nobody knows, tells the others nothing', async () => {
    await saveLesson('blue', lane, { ...lesson, parcels: 0 }, now);
    await saveLesson('blue', { ...lane, carrier: '-' }, lesson, now);
    await saveLesson('blue', { ...lane, country: '-' }, lesson, now);
    expect(memoryTable.all('ARRIVALS#')).toEqual([]);
    expect(memoryTable.all('STATISTICS#')).toHaveLength(3);
  });
});

describe('a lane is learned anew', () => {
  const hours = (count: number) => new Date(now.getTime() + count * 3_600_000);
  test.each<[string, number, number, number, boolean]>([
    ['not before a day is over, if it has many', 1_000_000, 23.9, 999_999, false],
    ['at once if they are twice as many', 1_000_000, 0.1, 1_000_000, true],
    ['each day, if it has many', 1_000_000, 24, 0, true],
    ['not when too few more are expected', 168, 9.9 * 24, 0, false],
    ['when about twenty more are expected', 168, 10 * 24, 0, true],
    ['not within two weeks if it has few', 3, 13.9 * 24, 9, false],
    ['after two weeks, also if nothing was known', 0, 14 * 24, 0, true],
    ['after a day if twenty more were counted', 100, 24, 20, true],
    ['not within a day if twenty more were counted', 100, 23.9, 20, false],
    ['at once with the first ten', 0, 0.1, 10, true],
    ['at once with each ten, while there may be too few for a window', 59, 0.1, 10, true],
    ['not at once with ten of many', 60, 0.1, 59, false],
  ])('%s', (_, parcels, ageHours, counted, expected) => {
    expect(isDue({ made_at: now.toISOString(), parcels }, hours(ageHours), counted)).toBe(expected);
  });

  test('at once if it never was', () => {
    expect(isDue(undefined, now)).toBe(true);
  });
});

describe('what others tell', () => {
  const told = (slug: string, country: string, parcels: number) =>
    saveLesson(slug, { carrier: 'dhl', country }, { ...lesson, parcels }, now);

  test('is of other shops for the lane, and of the carrier elsewhere only if those are few', async () => {
    await Promise.all([told('blue', 'DE', 9), told('red', 'DE', 90), told('red', 'AT', 80), told('blue', 'FR', 70)]);
    expect(await readOtherLanes('blue', lane, 91, now)).toEqual({
      lane: [lesson.summary],
      carrier: [lesson.summary, lesson.summary],
    });
    expect(await readOtherLanes('blue', lane, 90, now)).toEqual({ lane: [lesson.summary], carrier: [] });
    expect(await readOtherLanes('blue', lane, 0, now)).toEqual({ lane: [], carrier: [] });
    expect(await readOtherLanes('blue', { ...lane, carrier: '-' }, 90, now)).toEqual({ lane: [], carrier: [] });
    expect(await readOtherLanes('blue', { ...lane, country: '-' }, 90, now)).toEqual({ lane: [], carrier: [] });
  });

  test('is not what is too old, or of another version', async () => {
    await Promise.all([told('red', 'DE', 90), told('green', 'DE', 90)]);
    const key = keyOf.sharedArrivals(lane, 'red');
    memoryTable.put({ ...memoryTable.read(key), ...key, form: 2 });
    expect((await readOtherLanes('blue', lane, 100, now)).lane).toHaveLength(1);
    expect((await readOtherLanes('blue', lane, 100, later(98 * 24 * 60))).lane).toHaveLength(0);
  });

  test.each([
    ['no JSON', '{'],
    ['no object', 'null'],
  ])('is not what is %s, and the others still speak', async (_, summary) => {
    await Promise.all([told('red', 'DE', 90), told('green', 'DE', 90)]);
    const key = keyOf.sharedArrivals(lane, 'red');
    memoryTable.put({ ...memoryTable.read(key), ...key, summary });
    expect((await readOtherLanes('blue', lane, 100, now)).lane).toEqual([lesson.summary]);
  });

  test('is of a hundred shops at most', async () => {
    await Promise.all(Array.from({ length: 110 }, (_, i) => told(`shop-${i}`, 'DE', 1)));
    expect((await readOtherLanes('blue', lane, 100, now)).lane).toHaveLength(100);
  });
});
