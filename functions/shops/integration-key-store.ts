import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { write } from '#shared/conditional-writes.ts';
import { integrationKeyPrefix, keyOf, shopPartition } from '#shared/keys.ts';
import { queryAll } from '#shared/query.ts';
import { table, tableName } from '#shared/table.ts';

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
