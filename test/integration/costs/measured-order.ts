import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import type { Usage } from '#lib/local/aws/usage.ts';
import type { LocalStack } from '#lib/local/stack.ts';
import { type OrderUsage, secondsOfMonth } from './bill.ts';
import {
  countBatch,
  type MeasuredFunction,
  measuredFunctions,
  type PlayedShop,
  playOrders,
  recordsToCount,
  usagesOf,
} from './played-orders.ts';

/** The records of a million orders in a month come evenly. Lambda waits this long after the first record of a batch. */
export const recordsWithin = (windowSeconds: number, shards: number, ofOrder = recordsOfOrder): number =>
  Math.round(1 + (((ofOrder * 1e6) / secondsOfMonth) * windowSeconds) / shards);

/** What counts reads of an order on its whole way, with the two visits of its customer. */
const recordsOfOrder = 13;

/** In a shop with a feed, its five events as well. */
export const recordsWithFeed = recordsOfOrder + 5;

/**
 * Plays some orders and says what one of them used on average. They come one at a time, so no batch is larger than in a
 * service with little to do. Only the batches of the counts function have the size that they would have.
 */
export async function measureOrder(
  stack: LocalStack,
  shop: PlayedShop,
  orders: number,
  countedAtOnce: number,
  records = recordsOfOrder,
): Promise<OrderUsage> {
  stack.usage.take();
  const bytesBefore = await storedBytes(stack);
  const played = (await playOrders(shop, orders)).filter((usage) => usagesOf('counts', [usage]).length === 0);
  const counted = await countedOfOrder(stack, shop, orders * records, countedAtOnce);
  const storedByOrders = (await storedBytes(stack)) - bytesBefore;
  const each = (measure: (usages: readonly Usage[]) => number) => {
    const ofOrder = (name: MeasuredFunction) => measure(usagesOf(name, played)) / orders;
    return { ...byFunction(ofOrder), counts: (measure(counted.usages) / counted.records) * records };
  };
  return {
    writeUnits: each((usages) => usages.reduce((sum, { writeUnits }) => sum + writeUnits, 0)),
    readUnits: each((usages) => usages.reduce((sum, { readUnits }) => sum + readUnits, 0)),
    invocations: each(invocationsIn),
    sends: played.filter(({ service }) => service === 'sqs').length / orders,
    storedBytes: storedByOrders / orders,
  };
}

const byFunction = (value: (name: MeasuredFunction) => number) =>
  Object.fromEntries(measuredFunctions.map((name) => [name, value(name)])) as Record<MeasuredFunction, number>;

/** A batch that is larger than all that was played costs what that costs: it changes the same counters. */
async function countedOfOrder(stack: LocalStack, { slug }: PlayedShop, expected: number, atOnce: number) {
  const records = await recordsToCount(stack, slug);
  expect(records).toHaveLength(expected);
  const batches = Math.max(1, Math.floor(records.length / atOnce));
  const usages: Usage[] = [];
  for (let batch = 0; batch < batches; batch++) {
    usages.push(...(await countBatch(stack, records.slice(batch * atOnce, (batch + 1) * atOnce))));
  }
  return { usages, records: batches * atOnce };
}

const invocationsIn = (usages: readonly Usage[]): number => new Set(usages.map(({ requestId }) => requestId)).size;

async function storedBytes({ clientConfig, outputs }: LocalStack): Promise<number> {
  const client = new DynamoDBClient(clientConfig);
  const { Table } = await client.send(new DescribeTableCommand({ TableName: outputs.TableName }));
  client.destroy();
  const indexes = Table!.GlobalSecondaryIndexes ?? [];
  return indexes.reduce((sum, { IndexSizeBytes = 0 }) => sum + IndexSizeBytes, Table!.TableSizeBytes ?? 0);
}
