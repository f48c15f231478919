import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { IndexName } from '#schemas/table.ts';
import type { Key } from '#shared/batch-get.ts';
import type { ReplanItem } from '#shared/internal-triggers/replan.ts';
import { partitionOf } from '#shared/keys.ts';
import { table, tableName } from '#shared/table.ts';

const index = 'activity' satisfies IndexName;

export interface RecentShipments {
  /** Of shipments and of the drafts of orders. */
  keys: Key[];
  /** Absent after the last. */
  cursor: Record<string, unknown> | undefined;
}

/** The next shipments of a shop that changed since a time, newest first. */
export async function recentShipments(item: ReplanItem, from: string, limit: number): Promise<RecentShipments> {
  const { Items = [], LastEvaluatedKey } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      IndexName: index,
      KeyConditionExpression: 'activity_pk = :shop AND activity_sk >= :from',
      ExpressionAttributeValues: { ':shop': partitionOf.shipmentsByUpdate(item.shop_slug), ':from': from },
      ProjectionExpression: 'pk, sk',
      ScanIndexForward: false,
      Limit: limit,
      ExclusiveStartKey: item.cursor,
    }),
  );
  return { keys: Items as Key[], cursor: LastEvaluatedKey };
}
