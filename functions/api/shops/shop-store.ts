import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { ShopItem } from '#platform/access/caller.ts';
import { table, tableName } from '#platform/table/client.ts';
import { indexKeyOf, keyOf, partitionOf } from '#platform/table/keys.ts';
import { batchGet, queryPages } from '#platform/table/reads.ts';
import { setAttributes, transact, write } from '#platform/table/writes.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';

/** Stores the shop and its first settings. Throws WriteConflict if the slug is taken. */
export function insertShop(shop: ShopItem, settings: object): Promise<void> {
  return transact([
    {
      Put: {
        TableName: tableName(),
        Item: { ...keyOf.shop(shop.slug), ...indexKeyOf.shops(shop.uuid), ...shop },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    { Put: { TableName: tableName(), Item: { ...keyOf.settings(shop.slug), ...settings } } },
  ]);
}

/** Sets only these fields, so that parallel updates of different fields do not overwrite each other. */
export function updateShopFields(slug: string, changes: Record<string, unknown>): Promise<void> {
  return write(() =>
    table.send(
      new UpdateCommand({
        TableName: tableName(),
        Key: keyOf.shop(slug),
        ConditionExpression: 'attribute_exists(pk)',
        ...setAttributes(changes),
      }),
    ),
  );
}

export async function getShops(slugs: readonly string[]): Promise<ShopItem[]> {
  const items = await batchGet(slugs.map(keyOf.shop));
  return items.filter((item) => item !== undefined) as unknown as ShopItem[];
}

/** Yields pages of shops, newest first. The caller stops when it has enough. */
export function allShops(uuid: string | undefined, limit: number | undefined): AsyncGenerator<ShopItem[]> {
  return queryPages({
    IndexName: 'lists' satisfies IndexName,
    KeyConditionExpression: uuid === undefined ? 'list_pk = :all' : 'list_pk = :all AND list_sk = :uuid',
    ExpressionAttributeValues: { ':all': partitionOf.shops(), ...(uuid !== undefined && { ':uuid': uuid }) },
    ScanIndexForward: false,
    Limit: limit && Math.min(limit, 1000), // DynamoDB accepts no limit beyond 32 bits
  }) as AsyncGenerator<unknown[]> as AsyncGenerator<ShopItem[]>;
}
