import type { DueItem } from '#domain/due/due-item.ts';
import { partitionOf } from '#platform/table/keys.ts';
import { queryPages } from '#platform/table/query.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';

const index = 'lists' satisfies IndexName;

/** What a page holds in memory: items are small. */
const pageSize = 100;

/** What is due in one shard, longest due first. */
export async function* duePages(shard: number, now: Date): AsyncGenerator<DueItem[]> {
  const pages = queryPages({
    IndexName: index,
    KeyConditionExpression: 'list_pk = :shard AND list_sk <= :now',
    ExpressionAttributeValues: { ':shard': partitionOf.due(shard), ':now': now.toISOString() },
    Limit: pageSize,
  });
  for await (const page of pages) yield page as unknown as DueItem[];
}
