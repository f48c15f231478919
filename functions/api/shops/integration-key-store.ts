import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from '#platform/table/client.ts';
import { write } from '#platform/table/conditional-writes.ts';
import { integrationKeyPrefix, keyOf, shopPartition } from '#platform/table/keys.ts';
import { queryAll } from '#platform/table/query.ts';

export interface IntegrationKeyItem {
  integration: string;
  kind: string;
  ciphertext: Uint8Array;
  masked: Record<string, string | null>;
  updated_at: string;
}

/** The newest key wins: it replaces the one before as a whole. */
export function putKey(slug: string, key: IntegrationKeyItem): Promise<void> {
  const Item = { ...keyOf.integrationKey(slug, key.integration), ...key };
  return write(() => table.send(new PutCommand({ TableName: tableName(), Item })));
}

export function deleteKeyOf(slug: string, integration: string): Promise<void> {
  return write(() =>
    table.send(
      new DeleteCommand({
        TableName: tableName(),
        Key: keyOf.integrationKey(slug, integration),
        ConditionExpression: 'attribute_exists(pk)',
      }),
    ),
  );
}

export function integrationKeysOf(slug: string): Promise<IntegrationKeyItem[]> {
  return queryAll({
    KeyConditionExpression: 'pk = :shop AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':shop': shopPartition(slug), ':prefix': integrationKeyPrefix },
    ConsistentRead: true,
  });
}
