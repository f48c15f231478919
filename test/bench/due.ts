import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { chunks } from '#platform/batches.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf, orderPartition } from '#platform/table/keys.ts';
import { fillBacklog } from '#test/kit/due-backlog.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { roundAt, shop } from '#test/kit/shop-with-triggers.ts';
import { fixed, median } from './statistics.ts';

const due = 10_000;
/** The two sides take turns, so that a slow moment of the machine affects both. */
const turns = 5;
/** Both sides run so many first. Without it, whichever runs first pays for the compilation of what they share. */
const warmUp = 1_000;
const atOnce = 48;

/** A backlog of internal triggers, beside the two requests that each of them needs at least. The emulator runs in this process. */
export async function benchDue(): Promise<void> {
  try {
    await times(warmUp);
    const all: Times[] = [];
    for (let turn = 0; turn < turns; turn++) all.push(await times(due / turns));
    const [worked, floor] = [sumOf(all, 'worked'), sumOf(all, 'floor')];
    const ratio = median(all.map((one) => one.worked / one.floor));
    console.table({
      [`${due} times: read an order, write three items`]: row(floor, 1),
      [`${due} internal triggers that are due`]: row(worked, ratio),
    });
  } finally {
    await memoryTable.stop();
  }
}

type Times = Record<'worked' | 'floor', number>;

const sumOf = (all: readonly Times[], side: keyof Times) => all.reduce((sum, one) => sum + one[side], 0);

async function times(count: number): Promise<Times> {
  memoryTable.renew();
  const orders = fillBacklog(count);
  const worked = await timed(() => fireAll(count));
  const floor = await timed(() => bareRequests(orders, count));
  return { worked, floor };
}

/** In as many rounds as it takes: in each of them the shop has its share. */
async function fireAll(count: number): Promise<void> {
  let fired = 0;
  for (;;) {
    const { done, unfinished } = await roundAt(25, () => Number.POSITIVE_INFINITY);
    fired += done;
    if (!unfinished || done === 0) break;
  }
  if (fired !== count) throw new Error(`${fired} of ${count} fired.`);
}

/** @param ratio the median of the turns */
const row = (ms: number, ratio: number) => ({
  seconds: fixed(ms / 1000, 1),
  'a second': Math.round((due / ms) * 1000),
  'of the floor': fixed(ratio, 2),
});

async function bareRequests(orders: readonly string[], count: number): Promise<void> {
  for (const part of chunks(
    Array.from({ length: count }, (_, i) => i),
    atOnce,
  )) {
    await Promise.all(part.map((i) => bare(orders[i % orders.length]!, String(i))));
  }
}

async function bare(orderId: string, name: string): Promise<void> {
  const TableName = tableName();
  const ExpressionAttributeValues = { ':order': orderPartition(shop.slug, orderId) };
  const read = { KeyConditionExpression: 'pk = :order', ExpressionAttributeValues, ConsistentRead: true };
  await table.send(new QueryCommand({ TableName, ...read }));
  const put = (kind: string) => ({ Put: { TableName, Item: keyOf.due('floor', kind, name) } });
  await table.send(new TransactWriteCommand({ TransactItems: ['a', 'b', 'c'].map(put) }));
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
