import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { chunks } from '#platform/batches.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf, orderPartition } from '#platform/table/keys.ts';
import { fillBacklog } from '#test/kit/due-backlog.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { roundAt, shop } from '#test/kit/shop-with-triggers.ts';
import { fixed } from './statistics.ts';

const due = 10_000;
/** Both sides run so many first. Without it, whichever runs first pays for the compilation of what they share. */
const warmUp = 1_000;
const atOnce = 48;

/** A backlog of internal triggers, beside the two requests that each of them needs at least. The emulator runs in this process. */
export async function benchDue(): Promise<void> {
  try {
    await times(warmUp);
    const { worked, floor } = await times(due);
    console.table({
      [`${due} times: read an order, write three items`]: row(floor, floor),
      [`${due} internal triggers that are due`]: row(worked, floor),
    });
  } finally {
    await memoryTable.stop();
  }
}

async function times(count: number): Promise<{ worked: number; floor: number }> {
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

const row = (ms: number, floor: number) => ({
  seconds: fixed(ms / 1000, 1),
  'a second': Math.round((due / ms) * 1000),
  'of the floor': fixed(ms / floor, 2),
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
