import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import type { DueItemResult, ProcessDueItem } from '#domain/due/due-item.ts';
import { type DueItem, dueItem } from '#domain/due/due-item.ts';
import { handler } from '#pipeline/due/handler.ts';
import { maxAttempts, pauseAfter, processDue, shareOfShop } from '#pipeline/due/process-due.ts';
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

const round = (work: ProcessDueItem, remainingMs = plenty) => {
  const start = () => work;
  return processDue({ internal_trigger: start, trigger_replan: start, automation_run: start }, now, remainingMs);
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
    expect(asked).toEqual(shards.map((shard) => ({ ':shard': shard, ':now': now.toISOString() })));
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
    expect(dynamo.commandCalls(TransactWriteCommand)).toHaveLength(1);
    expect(itemNow('bad')).toMatchObject({ list_sk: '2026-11-14T12:04:00.000Z', attempts: 3 });
  });

  test('gives up an item after repeated failures: it leaves the list and is kept for a while', async () => {
    tableWith(item('bad', { attempts: maxAttempts - 1 }));
    const outcome = await round(() => Promise.reject(new Error('no')));
    expect(outcome).toMatchObject({ given_up: 1, postponed: 0 });
    for (const place of ['list_pk', 'list_sk', 'due_at']) expect(itemNow('bad')).not.toHaveProperty(place);
    expect(itemNow('bad')!.expires_at).toBeGreaterThan(now.getTime() / 1000);
  });

  test('continues when an item cannot even be postponed', async () => {
    tableWith(item('bad'), item('good'));
    dynamo.on(TransactWriteCommand).rejects(new Error('down'));
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

test('the function fails, so that its alarm goes off, when an item was given up and not when it was postponed', async () => {
  const context = { getRemainingTimeInMillis: plenty } as Context;
  const odd = { kind: 'later' as never };
  tableWith(item('bad', { ...odd, attempts: 1 }));
  await expect(handler({}, context)).resolves.toBeUndefined();
  tableWith(item('bad', { ...odd, attempts: maxAttempts - 1 }));
  await expect(handler({}, context)).rejects.toMatchObject({ name: 'GivenUp' });
});
