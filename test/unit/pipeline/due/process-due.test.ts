import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#pipeline/due/handler.ts';
import { maxAttempts, overdueMs, pauseAfter, processDue, shareOfShop } from '#pipeline/due/process-due.ts';
import { NotEnqueued } from '#platform/queue.ts';
import type { DueItemResult, ProcessDueItem } from '#platform/table/due-item.ts';
import { type DueItem, dueItem } from '#platform/table/due-item.ts';
import { indexKeyOf, keyOf, partitionOf } from '#platform/table/keys.ts';
import { shardsOf } from '#platform/table/shards.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { dynamo, tableWith } from '#test/kit/table.ts';

const now = new Date('2026-11-14T12:00:00.000Z');
const plenty = () => 50_000;

const item = (name: string, more: Partial<DueItem> = {}) =>
  dueItem(keyOf.due('blue', 'subject', name), {
    kind: 'automation_run',
    shop_slug: 'blue',
    due_at: '2026-11-14T11:59:00.000Z',
    ...more,
  });

const round = (work: ProcessDueItem, remainingMs = plenty, at = now) => {
  const start = () => work;
  return processDue({ internal_trigger: start, trigger_replan: start, automation_run: start }, at, remainingMs);
};

const itemNow = (name: string) => memoryTable.read(keyOf.due('blue', 'subject', name));

beforeEach(() => tableWith());

test('items are spread evenly over the shards, each always in the same one', () => {
  const items = Array.from({ length: 4000 }, (_, i) => item(`n${i}`));
  const counts = [...Map.groupBy(items, ({ list_pk }) => list_pk).values()].map(({ length }) => length);
  expect(counts).toHaveLength(shardsOf('due').length);
  expect(Math.min(...counts)).toBeGreaterThan(400);
  expect(item('same', { due_at: now.toISOString() }).list_pk).toBe(item('same').list_pk);
});

describe('a round of due work', () => {
  test('does all due items in every shard and counts their results', async () => {
    const items = Array.from({ length: 50 }, (_, i) => item(`n${i}`));
    tableWith(...items);
    const seen: string[] = [];
    const outcome = await round(async ({ sk }) => {
      seen.push(sk);
      return 'done';
    });
    expect(seen.sort()).toEqual(items.map(({ sk }) => sk).sort());
    expect(outcome).toMatchObject({ done: 50, postponed: 0, unfinished: false });
    const asked = dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input.ExpressionAttributeValues);
    const shards = shardsOf('due').map(partitionOf.due);
    expect(asked).toEqual(shards.map((shard) => ({ ':partition': shard, ':to': now.toISOString() })));
  });

  test('leaves the rest to the next round when its time is up', async () => {
    tableWith(...Array.from({ length: 50 }, (_, i) => item(`n${i}`)));
    let left = 20_000;
    const outcome = await round(
      async () => 'done',
      () => (left -= 1000),
    );
    expect(outcome.unfinished).toBe(true);
    expect(outcome.done).toBeGreaterThan(0);
    expect(outcome.done).toBeLessThan(50);
  });

  test('postpones an item that fails, longer each time, and does the others', async () => {
    tableWith(item('bad', { attempts: 2 }), item('good'));
    const outcome = await round(async ({ sk }) => {
      if (sk === 'bad') throw new Error('no');
      return 'done';
    });
    expect(outcome).toMatchObject({ done: 1, postponed: 1 });
    expect(dynamo.commandCalls(UpdateCommand)).toHaveLength(1);
    expect(itemNow('bad')).toMatchObject({ list_sk: '2026-11-14T12:04:00.000Z', attempts: 3 });
  });

  test('gives up an item that keeps failing while others of its kind are done: it is kept, in a list of its own', async () => {
    tableWith(item('bad', { attempts: maxAttempts - 1 }), item('good'));
    const outcome = await round(async ({ sk }) => (sk === 'bad' ? Promise.reject(new TypeError('no')) : 'done'));
    expect(outcome).toMatchObject({ given_up: 1, postponed: 0 });
    expect(itemNow('bad')).toMatchObject({
      list_pk: item('bad').list_pk.replace('DUE', 'GIVENUP'),
      list_sk: now.toISOString(),
      given_up_at: now.toISOString(),
      reason: 'TypeError',
    });
    expect(itemNow('bad')).not.toHaveProperty('due_at');
    expect(itemNow('bad')!.expires_at).toBeGreaterThan(now.getTime() / 1000);
  });

  test('continues when an item cannot even be postponed', async () => {
    tableWith(item('bad'), item('good'));
    dynamo.on(UpdateCommand).rejects(new Error('down'));
    const outcome = await round(async ({ sk }) => (sk === 'bad' ? Promise.reject(new Error('no')) : 'done'));
    expect(outcome).toMatchObject({ done: 1, postponed: 1 });
  });

  test('postpones an item of an unknown kind', async () => {
    tableWith(item('odd', { kind: 'later' as never }));
    expect(await round(async () => 'done')).toMatchObject({ done: 0, postponed: 1 });
  });
});

describe('a shop with much due work', () => {
  const inOneShard = (slug: string, name: string, due_at: string) => ({
    ...dueItem(keyOf.due(slug, 'subject', name), { kind: 'automation_run', shop_slug: slug, due_at }),
    ...indexKeyOf.due(0, due_at),
  });
  const loud = (count: number) =>
    Array.from({ length: count }, (_, i) => inOneShard('loud', `n${i}`, '2026-11-14T11:58:00.000Z'));
  const quiet = (count: number) =>
    Array.from({ length: count }, (_, i) => inOneShard('quiet', `n${i}`, '2026-11-14T11:59:00.000Z'));
  const orderOfWork = async (result: DueItemResult[] = ['done']) => {
    const slugs: string[] = [];
    const outcome = await round(async ({ shop_slug }) => {
      slugs.push(shop_slug);
      return result;
    });
    return { slugs, outcome };
  };

  test('takes turns with another shop, whose items were due later', async () => {
    tableWith(...loud(300), ...quiet(2));
    const { slugs, outcome } = await orderOfWork();
    expect(slugs.slice(0, 5)).toEqual(['loud', 'quiet', 'loud', 'quiet', 'loud']);
    expect(outcome).toMatchObject({ done: 302, unfinished: false });
  });

  test('gets its share of a round, and the shop behind it gets all its work done', async () => {
    tableWith(...loud(shareOfShop + 200), ...quiet(2));
    const { slugs, outcome } = await orderOfWork();
    expect(slugs.filter((slug) => slug === 'quiet')).toHaveLength(2);
    expect(slugs.filter((slug) => slug === 'loud')).toHaveLength(shareOfShop);
    expect(outcome).toMatchObject({ done: shareOfShop + 2, unfinished: true });
  });

  test('uses its share sooner with items that each cause much', async () => {
    tableWith(...loud(50), ...quiet(1));
    const { slugs, outcome } = await orderOfWork(Array.from({ length: shareOfShop / 10 }, () => 'done'));
    // Those that run at the same time all start before the share is used up.
    expect(slugs.length).toBeLessThan(20);
    expect(slugs.slice(0, 2)).toEqual(['loud', 'quiet']);
    expect(outcome.unfinished).toBe(true);
  });
});

test('the pauses between tries grow to one hour', () => {
  expect([1, 2, 3, 6, 7, 20].map((attempts) => pauseAfter(attempts) / 60_000)).toEqual([1, 2, 4, 32, 60, 60]);
});

describe('an outage', () => {
  const minutesLater = (minutes: number) => new Date(now.getTime() + minutes * 60_000);

  test.each([
    ['a queue that refuses', new NotEnqueued([{}])],
    ['a missing grant', Object.assign(new Error('no'), { name: 'AccessDeniedException', $metadata: {} })],
    ['a deployment in which everything of a kind fails', new TypeError('x is undefined')],
  ])('of two days by %s gives up nothing, and all is done in the first round after it', async (_, error) => {
    tableWith(item('a'), item('b', { attempts: maxAttempts - 1 }), item('c', { kind: 'internal_trigger' }));
    for (let minutes = 0; minutes < 2 * 24 * 60; minutes += 60) {
      const outcome = await round(() => Promise.reject(error), plenty, minutesLater(minutes));
      expect(outcome).toMatchObject({ postponed: 3, given_up: 0, overdue: minutes < 5 ? 0 : 3 });
    }
    expect(itemNow('b')).toMatchObject({ attempts: maxAttempts - 1, waiting_since: item('b').due_at });
    expect(await round(async () => 'done', plenty, minutesLater(2 * 24 * 60))).toMatchObject({ done: 3, overdue: 0 });
  });

  test('by AWS gives up nothing also if others of its kind are done', async () => {
    tableWith(item('a', { attempts: maxAttempts - 1 }), item('b'));
    const outcome = await round(async ({ sk }) => (sk === 'a' ? Promise.reject(new NotEnqueued([{}])) : 'done'));
    expect(outcome).toMatchObject({ done: 1, postponed: 1, given_up: 0 });
    expect(itemNow('a')).toMatchObject({ attempts: maxAttempts - 1, list_sk: '2026-11-14T12:00:30.000Z' });
  });

  test('of one kind spends few tries and writes on it, holds up no other kind, and each round tries others', async () => {
    const inOneShard = (name: string, kind: DueItem['kind']) => ({
      ...item(name, { kind }),
      ...indexKeyOf.due(0, item(name).due_at),
    });
    const runs = Array.from({ length: 500 }, (_, i) => inOneShard(`run${i}`, 'automation_run'));
    tableWith(...runs, ...Array.from({ length: 50 }, (_, i) => inOneShard(`z${i}`, 'internal_trigger')));
    const tried: string[] = [];
    const work: ProcessDueItem = async ({ kind, sk }) => {
      if (kind === 'internal_trigger') return 'done';
      tried.push(sk);
      throw new NotEnqueued([{}]);
    };
    expect(await round(work)).toMatchObject({ done: 50, unfinished: true, overdue: 0 });
    expect(tried.length).toBeLessThan(20);
    expect(dynamo.commandCalls(UpdateCommand)).toHaveLength(tried.length);
    await round(work, plenty, minutesLater(1));
    expect(new Set(tried).size).toBe(tried.length);
    // Those that nobody reached are late, too.
    const { overdue } = await round(work, plenty, minutesLater(5));
    expect(overdue).toBeGreaterThan(0);
  });

  test('that is over leaves nothing behind: many items that fail at the head of the list do not hide those after them', async () => {
    const bad = Array.from({ length: 40 }, (_, i) => item(`bad${i}`, { due_at: '2026-11-14T11:00:00.000Z' }));
    const inOneShard = [...bad, item('good')].map((one) => ({ ...one, list_pk: partitionOf.due(0) }));
    tableWith(...inOneShard);
    let done = 0;
    const work: ProcessDueItem = async ({ sk }) => {
      if (sk !== 'good') throw new TypeError('no');
      done++;
      return 'done';
    };
    for (let minute = 0; done === 0 && minute < 10; minute++) await round(work, plenty, minutesLater(minute));
    expect(done).toBe(1);
  });
});

describe('the function', () => {
  const context = { getRemainingTimeInMillis: plenty } as Context;
  const due = (msAgo: number) => ({ kind: 'later' as never, due_at: new Date(Date.now() - msAgo).toISOString() });

  test('does not fail for an item that failed once, which may be a throttle', async () => {
    tableWith(item('bad', due(60_000)));
    await expect(handler({}, context)).resolves.toBeUndefined();
  });

  test('fails, so that its alarm goes off, while an item that was due minutes ago still fails', async () => {
    tableWith(item('bad', due(overdueMs)));
    await expect(handler({}, context)).rejects.toMatchObject({ name: 'KeepsFailing' });
    tableWith(item('bad', { ...due(60_000), waiting_since: due(overdueMs).due_at }));
    await expect(handler({}, context)).rejects.toMatchObject({ name: 'KeepsFailing' });
  });

  test('fails when an item was given up', async () => {
    process.env.AUTOMATION_RUN_QUEUE_URL = 'https://runs';
    mockClient(SQSClient).on(SendMessageBatchCommand).resolves({});
    const run = (name: string) => ({ ...item(name, { due_at: due(0).due_at }), automation_id: 'a', run_id: name });
    // The message of a run whose shop is no text cannot be made.
    const bad = { ...run('bad'), shop_slug: 7, attempts: maxAttempts - 1 };
    tableWith(run('good'), bad);
    await expect(handler({}, context)).rejects.toMatchObject({ name: 'GivenUp' });
  });
});
