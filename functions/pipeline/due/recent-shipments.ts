import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Cursor } from '#domain/triggers/replan.ts';
import { table, tableName } from '#platform/table/client.ts';
import { partitionOf } from '#platform/table/keys.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';

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
