import { describe, expect, test } from 'vitest';
import { createLanes, type LanePorts, type ReadRecord } from '#lib/local/functions/event-sources/lanes.ts';
import type { EventRecord } from '#lib/local/functions/event-sources/stream-record.ts';

/** The n-th record of the stream, a change of this item. */
function recordOf(item: string, n: number, isAccepted = true): ReadRecord {
  const dynamodb = { Keys: { pk: { S: item } }, SequenceNumber: String(n), ApproximateCreationDateTime: 0 };
  return { record: { dynamodb } as unknown as EventRecord, isAccepted };
}

const numberOf = ({ dynamodb }: EventRecord) => Number(dynamodb.SequenceNumber);
const itemOf = ({ dynamodb }: EventRecord) => (dynamodb.Keys as { pk: { S: string } }).pk.S;

interface Delivery {
  batch: EventRecord[];
  pass(): void;
  fail(error: Error): void;
}

/** Lanes whose batches the test ends itself, and their rests too if they have some. */
function lanesOf(count: number, batchSize = 10, hasRests = false) {
  const rests: (() => void)[] = [];
  const deliveries: Delivery[] = [];
  const positions: (string | undefined)[] = [];
  const errors: unknown[] = [];
  const ports: LanePorts = {
    deliver: (_shardId, batch, passed) => {
      const { promise, resolve, reject } = Promise.withResolvers<boolean>();
      const pass = () => {
        passed(batch.at(-1)!);
        resolve(true);
      };
      deliveries.push({ batch, pass, fail: reject });
      return promise;
    },
    passedUntil: ({ sequenceNumber }) => positions.push(sequenceNumber),
    pauseAfter: async (error) => {
      errors.push(error);
      return true;
    },
    rest: () => {
      if (!hasRests) return undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      rests.push(resolve);
      return promise;
    },
  };
  return { lanes: createLanes({ count, batchSize }, ports), deliveries, positions, errors, rests };
}

/** Lets everything run that waits for nothing. */
const turns = () => new Promise((resolve) => setImmediate(resolve));

const items = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const manyRecords = Array.from({ length: 64 }, (_, n) => recordOf(items[n % items.length]!, n + 1));

describe('with a parallelization factor of four', () => {
  test('several batches are delivered at once, and all records of an item are in one of them, in their order', async () => {
    const { lanes, deliveries } = lanesOf(4, 100);
    void lanes.add('shard', manyRecords);
    await turns();
    expect(deliveries.length).toBeGreaterThan(1);
    for (const item of items) {
      const batches = deliveries.filter(({ batch }) => batch.some((record) => itemOf(record) === item));
      expect(batches).toHaveLength(1);
      const numbers = batches[0]!.batch.filter((record) => itemOf(record) === item).map(numberOf);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }
    expect(deliveries.flatMap(({ batch }) => batch)).toHaveLength(manyRecords.length);
  });

  test('the position stays before the first record that is not processed, however far the others are', async () => {
    const { lanes, deliveries, positions } = lanesOf(4, 100);
    void lanes.add('shard', manyRecords);
    await turns();
    const [first, ...others] = deliveries.toSorted((a, b) => numberOf(a.batch[0]!) - numberOf(b.batch[0]!));
    for (const other of others) other.pass();
    expect(positions).toEqual([]);
    first!.pass();
    expect(positions).toEqual(['64']);
    await lanes.settled();
  });

  test('a lane that does not go on holds up no other', async () => {
    const { lanes, deliveries } = lanesOf(4, 100);
    void lanes.add('shard', manyRecords);
    await turns();
    const [stuck, other] = deliveries as [Delivery, Delivery];
    const done = deliveries.length;
    other.pass();
    await turns();
    void lanes.add('shard', [recordOf(itemOf(stuck.batch[0]!), 65), recordOf(itemOf(other.batch[0]!), 66)]);
    await turns();
    expect(deliveries.slice(done).map(({ batch }) => batch.map(numberOf))).toEqual([[66]]);
  });
});

describe('with one lane', () => {
  test('batches are delivered one after the other, and more is read only when all are done', async () => {
    const { lanes, deliveries, positions } = lanesOf(1, 2);
    let hasRoom = false;
    const added = lanes.add('shard', [recordOf('a', 1), recordOf('b', 2), recordOf('c', 3)]).then(() => {
      hasRoom = true;
    });
    await turns();
    expect(deliveries.map(({ batch }) => batch.map(numberOf))).toEqual([[1, 2]]);
    deliveries[0]!.pass();
    await turns();
    expect(deliveries[1]!.batch.map(numberOf)).toEqual([3]);
    expect([hasRoom, positions]).toEqual([false, ['2']]);
    deliveries[1]!.pass();
    await added;
    expect(positions).toEqual(['2', '3']);
  });

  test('a record that the filters drop is passed with those before it', async () => {
    const { lanes, deliveries, positions } = lanesOf(1);
    await lanes.add('shard', [recordOf('a', 1, false)]);
    void lanes.add('shard', [recordOf('a', 2), recordOf('a', 3, false)]);
    await turns();
    deliveries[0]!.pass();
    expect(positions).toEqual(['1', '3']);
  });

  test('a batch that could not be delivered or given up is delivered again', async () => {
    const { lanes, deliveries, errors } = lanesOf(1);
    const added = lanes.add('shard', [recordOf('a', 1)]);
    deliveries[0]!.fail(new Error('the bucket is out of reach'));
    await turns();
    expect(errors).toHaveLength(1);
    deliveries[1]!.pass();
    await added;
  });
});

describe('with a batching window', () => {
  /** A lane that has delivered the first record and rests. */
  async function restingLane(batchSize = 10) {
    const made = lanesOf(1, batchSize, true);
    const added = made.lanes.add('shard', [recordOf('a', 1)]);
    expect(made.deliveries.map(({ batch }) => batch.map(numberOf))).toEqual([[1]]);
    made.deliveries[0]!.pass();
    await added;
    const numbersOfOthers = () => made.deliveries.slice(1).map(({ batch }) => batch.map(numberOf));
    return { ...made, numbersOfOthers };
  }

  test('the first record comes at once, those of the rest after it come together, and reading goes on meanwhile', async () => {
    const { lanes, rests, numbersOfOthers } = await restingLane();
    await lanes.add('shard', [recordOf('b', 2)]);
    await lanes.add('shard', [recordOf('c', 3)]);
    expect(numbersOfOthers()).toEqual([]);
    rests[0]!();
    await turns();
    expect(numbersOfOthers()).toEqual([[2, 3]]);
  });

  test('a full batch does not wait, and no more is read before it is done', async () => {
    const { lanes, deliveries, numbersOfOthers } = await restingLane(2);
    let hasRoom = false;
    const added = lanes.add('shard', [recordOf('b', 2), recordOf('c', 3)]).then(() => {
      hasRoom = true;
    });
    await turns();
    expect([numbersOfOthers(), hasRoom]).toEqual([[[2, 3]], false]);
    deliveries[1]!.pass();
    await added;
  });

  test('the end of a rest that a full batch cut short does not end the next one', async () => {
    const { lanes, deliveries, rests, numbersOfOthers } = await restingLane(2);
    const added = lanes.add('shard', [recordOf('b', 2), recordOf('c', 3)]);
    await turns();
    deliveries[1]!.pass();
    await added;
    await lanes.add('shard', [recordOf('d', 4)]);
    rests[0]!();
    await turns();
    expect(numbersOfOthers()).toEqual([[2, 3]]);
    rests[1]!();
    await turns();
    expect(numbersOfOthers()).toEqual([[2, 3], [4]]);
  });

  test('after a rest in which nothing came, the next record comes at once', async () => {
    const { lanes, rests, numbersOfOthers } = await restingLane();
    rests[0]!();
    await turns();
    void lanes.add('shard', [recordOf('b', 2)]);
    await turns();
    expect(numbersOfOthers()).toEqual([[2]]);
  });

  test('records that nobody wants end a rest before they fill the memory', async () => {
    const { lanes, numbersOfOthers } = await restingLane();
    await lanes.add('shard', [recordOf('b', 2)]);
    const unwanted = Array.from({ length: 1000 }, (_, n) => recordOf('c', n + 3, false));
    void lanes.add('shard', unwanted);
    await turns();
    expect(numbersOfOthers()).toEqual([[2]]);
  });
});
