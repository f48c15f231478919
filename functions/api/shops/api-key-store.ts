import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { ApiKeyItem } from '#platform/access/api-key-item.ts';
import { table, tableName } from '#platform/table/client.ts';
import { write } from '#platform/table/conditional-writes.ts';
import { apiKeysOf, keyOf } from '#platform/table/keys.ts';
import { queryAll } from '#platform/table/query.ts';

export function insertKey(item: object): Promise<void> {
  return write(() =>
    table.send(new PutCommand({ TableName: tableName(), Item: item, ConditionExpression: 'attribute_not_exists(pk)' })),
  );
}

/** A SuperAdmin whose username equals a shop's slug is not the shop's to see or to delete. */
const isShopKey = 'superadmin = :no';

export function deleteKey(username: string, tokenId: string): Promise<void> {
  return write(() =>
    table.send(
      new DeleteCommand({
        TableName: tableName(),
        Key: keyOf.apiKey(username, tokenId),
        ConditionExpression: isShopKey,
        ExpressionAttributeValues: { ':no': false },
      }),
    ),
  );
}

export async function apiKeysOfShop(username: string): Promise<ApiKeyItem[]> {
  const keys = await queryAll<ApiKeyItem>({
    KeyConditionExpression: 'pk = :keys',
    FilterExpression: isShopKey,
    ExpressionAttributeValues: { ':keys': apiKeysOf(username), ':no': false },
    ConsistentRead: true,
  });
  return keys.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}
