import { describe, expect, test } from 'vitest';
import { matches, type Pattern } from '#lib/local/functions/event-sources/filter.ts';
import { reportedFailures } from '#lib/local/functions/event-sources/item-failures.ts';
import { type BatchPolicy, type BatchPorts, deliverBatch } from '#lib/local/functions/event-sources/stream-batch.ts';
import type { EventRecord } from '#lib/local/functions/event-sources/stream-record.ts';
import { rateInMilliseconds } from '#lib/local/functions/schedules.ts';

describe('a filter pattern', () => {
  const record = {
    eventName: 'INSERT',
    body: { kind: 'event', size: 5, tags: ['a', 'b'], nothing: null },
    list: [{ n: 1 }, { n: 2 }],
  };
  test.each<[string, Pattern, boolean]>([
    ['of equality matches', { eventName: ['INSERT', 'MODIFY'] }, true],
    ['of another value does not match', { eventName: ['REMOVE'] }, false],
    ['of nested keys matches', { body: { kind: ['event'] } }, true],
    ['with one wrong key of several does not match', { eventName: ['INSERT'], body: { kind: ['other'] } }, false],
    ['of a prefix matches', { body: { kind: [{ prefix: 'ev' }] } }, true],
    ['of another suffix does not match', { body: { kind: [{ suffix: 'ev' }] } }, false],
    ['of presence matches', { body: { kind: [{ exists: true }] } }, true],
    ['of the presence of an object does not match, only of what is in it', { body: [{ exists: true }] }, false],
    ['of the presence of null matches', { body: { nothing: [{ exists: true }] } }, true],
    ['of absence matches', { body: { other: [{ exists: false }] } }, true],
    ['of absence in an absent object matches', { none: { other: [{ exists: false }] } }, true],
    ['of a range matches', { body: { size: [{ numeric: ['>', 1, '<=', 5] }] } }, true],
    ['of another range does not match', { body: { size: [{ numeric: ['>', 5] }] } }, false],
    ['of anything but other values matches', { body: { kind: [{ 'anything-but': ['x', 'y'] }] } }, true],
    ['of anything but its prefix does not match', { body: { kind: [{ 'anything-but': { prefix: 'ev' } }] } }, false],
    ['of anything but does not match an absent key', { body: { other: [{ 'anything-but': 'x' }] } }, false],
    ['of null matches', { body: { nothing: [null] } }, true],
    ['without case matches', { eventName: [{ 'equals-ignore-case': 'insert' }] }, true],
    ['of one element of a list matches', { body: { tags: ['b'] } }, true],
    ['of one object of a list matches', { list: { n: [2] } }, true],
    ['of alternatives matches', { $or: [{ eventName: ['REMOVE'] }, { body: { size: [5] } }] }, true],
    [
      'of alternatives that all fail does not match',
      { $or: [{ eventName: ['REMOVE'] }, { body: { size: [6] } }] },
      false,
    ],
  ])('%s', (_what, pattern, expected) => {
    expect(matches(pattern, record)).toBe(expected);
  });
});

describe('a function that reports', () => {
  const known = new Set(['1', '2']);
  test.each<[string, unknown, string[] | undefined]>([
    ['nothing has no failures', undefined, []],
    ['null has no failures', null, []],
    ['an object without a list has no failures', {}, []],
    ['an empty list has no failures', { batchItemFailures: [] }, []],
    ['one item has that failure', { batchItemFailures: [{ itemIdentifier: '2' }] }, ['2']],
    ['an unknown item fails as a whole', { batchItemFailures: [{ itemIdentifier: '3' }] }, undefined],
    ['an item without a name fails as a whole', { batchItemFailures: [{}] }, undefined],
    ['no list of items fails as a whole', { batchItemFailures: 'x' }, undefined],
  ])('%s', (_what, result, expected) => {
    const failed = reportedFailures(result, known);
    expect(failed && [...failed]).toEqual(expected);
  });
});

describe('a stream batch', () => {
  const time = 1_000_000;
  const record = (number: number, created = time): EventRecord =>
    ({ dynamodb: { SequenceNumber: String(number), ApproximateCreationDateTime: created } }) as EventRecord;
  const numbers = (records: EventRecord[]) => records.map(({ dynamodb }) => Number(dynamodb.SequenceNumber));
  const calm: BatchPolicy = { reportsItemFailures: false, bisects: false, maximumRetries: 2, maximumAgeSeconds: -1 };

  const run = async (
    records: EventRecord[],
    policy: BatchPolicy,
    answer: (batch: number[], call: number) => unknown,
  ) => {
    const calls: number[][] = [];
    const passed: number[] = [];
    const givenUp: [number[], string][] = [];
    const ports: BatchPorts = {
      invoke: async (batch) => answer(numbers(batch), calls.push(numbers(batch))),
      passed: ({ dynamodb }) => passed.push(Number(dynamodb.SequenceNumber)),
      giveUp: async (batch, condition) => void givenUp.push([numbers(batch), condition]),
      pause: async () => true,
      stopping: () => false,
      now: () => time * 1000,
    };
    const done = await deliverBatch(records, policy, ports);
    return { done, calls, passed, givenUp };
  };
  const failOn = (poison: number) => (batch: number[]) => {
    if (batch.includes(poison)) throw new Error('poison');
  };

  test('that succeeds is delivered once', async () => {
    const result = await run([record(1), record(2)], calm, () => undefined);
    expect(result).toEqual({ done: true, calls: [[1, 2]], passed: [2], givenUp: [] });
  });

  test('that always fails is retried as often as the mapping says, then given up', async () => {
    const { calls, givenUp, passed } = await run([record(1), record(2)], calm, failOn(1));
    expect(calls).toHaveLength(3);
    expect(givenUp).toEqual([[[1, 2], 'RetryAttemptsExhausted']]);
    expect(passed).toEqual([2]);
  });

  test('that fails once succeeds at its retry', async () => {
    const { calls, givenUp } = await run([record(1)], calm, (_batch, call) => {
      if (call === 1) throw new Error('once');
    });
    expect(calls).toHaveLength(2);
    expect(givenUp).toEqual([]);
  });

  test('is bisected down to the record that fails, and the others are delivered', async () => {
    const policy = { ...calm, bisects: true, maximumRetries: 1 };
    const { calls, givenUp, passed } = await run(
      [1, 2, 3, 4].map((n) => record(n)),
      policy,
      failOn(3),
    );
    expect(calls).toEqual([[1, 2, 3, 4], [1, 2], [3, 4], [3], [3], [4]]);
    expect(givenUp).toEqual([[[3], 'RetryAttemptsExhausted']]);
    expect(passed).toEqual([2, 3, 4]);
  });

  test('is retried from the first record that the function reports', async () => {
    const policy = { ...calm, reportsItemFailures: true };
    const { calls, passed } = await run(
      [1, 2, 3].map((n) => record(n)),
      policy,
      (_batch, call) =>
        call === 1
          ? { batchItemFailures: [{ itemIdentifier: '3' }, { itemIdentifier: '2' }] }
          : { batchItemFailures: [] },
    );
    expect(calls).toEqual([
      [1, 2, 3],
      [2, 3],
    ]);
    expect(passed).toEqual([1, 3]);
  });

  test('is not bisected when the function reports failures, so that a record that always fails is given up with all after it', async () => {
    const policy = { ...calm, bisects: true, reportsItemFailures: true };
    const { calls, givenUp } = await run(
      [1, 2, 3].map((n) => record(n)),
      policy,
      () => ({ batchItemFailures: [{ itemIdentifier: '2' }] }),
    );
    expect(calls).toEqual([
      [1, 2, 3],
      [2, 3],
      [2, 3],
    ]);
    expect(givenUp).toEqual([[[2, 3], 'RetryAttemptsExhausted']]);
  });

  test('loses only the first record when the function throws at it', async () => {
    const policy = { ...calm, bisects: true, reportsItemFailures: true };
    const { givenUp, passed } = await run(
      [1, 2, 3, 4, 5].map((n) => record(n)),
      policy,
      (batch) => {
        if (batch[0] === 2) throw new Error('the first record fails');
        return { batchItemFailures: batch.includes(2) ? [{ itemIdentifier: '2' }] : [] };
      },
    );
    expect(givenUp).toEqual([[[2], 'RetryAttemptsExhausted']]);
    expect(passed.at(-1)).toBe(5);
  });

  test('that fails for an hour is handled when the fault is over, if retries have no limit', async () => {
    const policy = {
      ...calm,
      bisects: true,
      reportsItemFailures: true,
      maximumRetries: -1,
      maximumAgeSeconds: 23 * 3600,
    };
    let now = time;
    const outcome: string[] = [];
    const done = await deliverBatch([record(1), record(2)], policy, {
      invoke: async () => ({ batchItemFailures: now < time + 3600 ? [{ itemIdentifier: '1' }] : [] }),
      passed: ({ dynamodb }) => void outcome.push(dynamodb.SequenceNumber),
      giveUp: async () => void outcome.push('given up'),
      pause: async () => {
        now += 60;
        return true;
      },
      stopping: () => false,
      now: () => now * 1000,
    });
    expect([done, now - time, outcome]).toEqual([true, 3600, ['2']]);
  });

  test('gives up records that are too old', async () => {
    const policy = { ...calm, maximumAgeSeconds: 60 };
    const { calls, givenUp } = await run([record(1, time - 61), record(2)], policy, () => undefined);
    expect(givenUp).toEqual([[[1], 'RecordAgeExceeded']]);
    expect(calls).toEqual([[2]]);
  });

  test('is neither given up nor completed when the function fails because the stack stops', async () => {
    const passed: EventRecord[] = [];
    const done = await deliverBatch(
      [record(1)],
      { ...calm, maximumRetries: 0 },
      {
        invoke: () => Promise.reject(new Error('stopping')),
        passed: (last) => void passed.push(last),
        giveUp: () => Promise.reject(new Error('must not be given up')),
        pause: async () => false,
        stopping: () => true,
        now: () => time * 1000,
      },
    );
    expect(done).toBe(false);
    expect(passed).toEqual([]);
  });
});

describe('a schedule', () => {
  test.each<[string, number]>([
    ['rate(1 minute)', 60_000],
    ['rate(5 minutes)', 300_000],
    ['rate(2 hours)', 7_200_000],
    ['rate(1 day)', 86_400_000],
  ])('of %s has the right interval', (expression, expected) => {
    expect(rateInMilliseconds(expression)).toBe(expected);
  });

  test('of another kind is refused with a clear error', () => {
    expect(() => rateInMilliseconds('cron(0 12 * * ? *)')).toThrow(/not cron/);
  });
});
