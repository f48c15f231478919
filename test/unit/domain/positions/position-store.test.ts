import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { firstIdAt } from '#domain/deliveries/delivery-items.ts';
import { shipmentId } from '#domain/orders/model.ts';
import type { Change } from '#domain/positions/position-changes.ts';
import { positionLists } from '#domain/positions/position-lists.ts';
import { countOf, entryOf, rootId } from '#domain/positions/position-node.ts';
import { entriesAt } from '#domain/positions/position-reader.ts';
import { changePositions, readRoot } from '#domain/positions/position-store.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeRequest, dynamo, tableWith } from '#test/kit/table.ts';

const now = new Date('2026-11-14T12:00:00.000Z');
const list = positionLists.claimsByCreation('a-shop-with-a-rather-long-name-that-somebody-chose-in-a-hurry');
const at = (n: number) => new Date(now.getTime() + n * 1000).toISOString();
const uuid = (n: number) => shipmentId(`01930000-0000-7000-8000-${n.toString(16).padStart(9, '0')}000`, 2);
const listed = (n: number): Change => ({
  ...entryOf(list.form, list.form.toBytes(`${at(n)}#${uuid(n)}`)),
  isListed: true,
});
const unlisted = (n: number): Change => ({ ...listed(n), isListed: false });
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

async function entries(): Promise<string[]> {
  const { node } = (await readRoot(list))!;
  const { all } = countOf(node);
  const found = await entriesAt(list, node, { position: 0, count: all, end: 'oldest', measure: { withDrafts: true } });
  return found.map(({ key }) => list.form.toText(key));
}
const expected = (numbers: readonly number[]) => numbers.map((n) => `${at(n)}#${uuid(n)}`);

/** What DynamoDB counts: names and values; a number takes less than its digits. */
const bytesOf = (item: object) =>
  Object.entries(item).reduce((sum, [name, value]) => sum + name.length + (value?.length ?? String(value).length), 0);

beforeEach(() => tableWith());

describe('the positions of a list', () => {
  test('are right after changes of every kind, and in items that cost one write unit each', async () => {
    await changePositions(list, range(0, 1200).map(listed), now);
    await changePositions(list, [...range(100, 900).map(unlisted), listed(2000)], now);
    expect(await entries()).toEqual(expected([...range(0, 100), ...range(900, 1200), 2000]));
    const items = memoryTable.all(partitions.positions);
    expect(items.length).toBeGreaterThan(10);
    for (const item of items) expect(bytesOf(item)).toBeLessThan(1024);
  });

  test('are not written again by a batch that comes again', async () => {
    await changePositions(list, range(0, 300).map(listed), now);
    dynamo.resetHistory();
    await changePositions(list, range(0, 300).map(listed), now);
    expect(dynamo.commandCalls(PutCommand)).toEqual([]);
    expect(dynamo.commandCalls(TransactWriteCommand)).toEqual([]);
  });

  test('cost one write for each level, when one entry comes in', async () => {
    await changePositions(list, range(0, 300).map(listed), now);
    dynamo.resetHistory();
    await changePositions(list, [listed(300)], now);
    expect(dynamo.commandCalls(PutCommand)).toHaveLength(2);
  });

  test('are corrected by the batch that comes again, if the function died after it wrote the leaf', async () => {
    await changePositions(list, range(0, 300).map(listed), now);
    beforeRequest(PutCommand, ({ Item }) => {
      if (Item?.sk === rootId) throw Object.assign(new Error('the function was killed'), { name: 'Killed' });
    });
    await expect(changePositions(list, [listed(300)], now)).rejects.toThrow('killed');
    expect(countOf((await readRoot(list))!.node).all).toBe(300);
    beforeRequest(PutCommand, () => {});
    await changePositions(list, [listed(300)], now);
    expect(await entries()).toEqual(expected(range(0, 301)));
  });

  test('are right if many write at the same time', async () => {
    await changePositions(list, range(0, 100).map(listed), now);
    const writers = range(0, 8).map((w) => changePositions(list, range(100 + w * 40, 140 + w * 40).map(listed), now));
    await Promise.all([...writers, changePositions(list, range(0, 50).map(unlisted), now)]);
    expect(await entries()).toEqual(expected(range(50, 420)));
  });

  test('begin anew if a node is gone, so that no list holds up the stream', async () => {
    await changePositions(list, range(0, 300).map(listed), now);
    const [leaf] = memoryTable.all(partitions.positions).filter(({ sk }) => sk !== rootId);
    memoryTable.remove({ pk: leaf!.pk as string, sk: leaf!.sk as string });
    await changePositions(list, range(0, 400).map(listed), now);
    expect(await entries()).toEqual(expected(range(0, 400)));
  });
});

describe('the positions of a list that expires', () => {
  const day = 24 * 3600 * 1000;
  const deliveries = positionLists.deliveries('blue', 'endpoint');
  const delivered = (n: number, time: Date): Change => ({
    ...entryOf(
      deliveries.form,
      deliveries.form.toBytes(firstIdAt(time).slice(0, -12) + n.toString(16).padStart(12, '0')),
    ),
    isListed: true,
  });
  const counted = async () => countOf((await readRoot(deliveries))!.node).all;
  /** As DynamoDB deletes them some days late, in any order. */
  const expire = (at: Date, { except }: { except: string }) => {
    for (const { pk, sk, expires_at } of memoryTable.all(partitions.positions) as {
      pk: string;
      sk: string;
      expires_at: number;
    }[])
      if (sk !== except && expires_at * 1000 <= at.getTime()) memoryTable.remove({ pk, sk });
  };

  test('begin anew after a long pause, while their root is not deleted yet', async () => {
    await changePositions(
      deliveries,
      range(0, 300).map((n) => delivered(n, now)),
      now,
    );
    const later = new Date(now.getTime() + 60 * day);
    expire(later, { except: rootId });
    await changePositions(deliveries, [delivered(0, later)], later);
    expect(await counted()).toBe(1);
  });

  test('stay as they are if something comes with a time whose nodes have expired', async () => {
    const perDay = 100;
    for (const n of range(0, 40)) {
      const at = new Date(now.getTime() + 2 * n * day);
      await changePositions(
        deliveries,
        range(0, perDay).map((i) => delivered(i, at)),
        at,
      );
      expire(at, { except: '' });
    }
    const last = new Date(now.getTime() + 78 * day);
    const before = await counted();
    await changePositions(deliveries, [delivered(perDay, new Date(last.getTime() - 60 * day))], last);
    expect(await counted()).toBe(before);
  });
});
