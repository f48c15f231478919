import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { IndexName } from '#schemas/table.ts';
import type { Cursor } from '#shared/internal-triggers/replan.ts';
import { partitionOf } from '#shared/keys.ts';
import { table, tableName } from '#shared/table.ts';

const index = 'activity' satisfies IndexName;

/** Where the next shipments of a shop stand, or the drafts of its orders, that changed since a time: newest first. */
export async function recentShipments(
  slug: string,
  from: string,
  behind: Cursor | undefined,
  limit: number,
): Promise<Cursor[]> {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      IndexName: index,
      KeyConditionExpression: 'activity_pk = :shop AND activity_sk >= :from',
      ExpressionAttributeValues: { ':shop': partitionOf.shipmentsByUpdate(slug), ':from': from },
      ProjectionExpression: 'pk, sk, activity_pk, activity_sk',
      ScanIndexForward: false,
      Limit: limit,
      ExclusiveStartKey: behind,
    }),
  );
  return Items as Cursor[];
}
