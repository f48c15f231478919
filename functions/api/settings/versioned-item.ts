import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { batchGet, type Key } from '#platform/table/batch-get.ts';
import { table, tableName } from '#platform/table/client.ts';
import { write } from '#platform/table/conditional-writes.ts';
import { retryLostRaces } from '#platform/table/retrying.ts';

interface Versioned {
  version?: number;
}

/**
 * Reads an item, which need not be there yet, and writes it as `change` makes it. Where somebody else wrote in between,
 * their change is read and this one made again: changes at the same time all count.
 */
export function changeItem<T extends Versioned>(key: Key, change: (before: Partial<T>) => T): Promise<T> {
  return retryLostRaces(async () => {
    const [item = {}] = await batchGet([key]);
    const before = item as Partial<T>;
    const after = { ...change(before), version: (before.version ?? 0) + 1 };
    await write(() =>
      table.send(new PutCommand({ TableName: tableName(), Item: { ...after, ...key }, ...stillAt(before.version) })),
    );
    return after;
  });
}

/** What a shop is created with has no version yet. */
const stillAt = (version: number | undefined) => ({
  ConditionExpression: version === undefined ? 'attribute_not_exists(#version)' : '#version = :version',
  ExpressionAttributeNames: { '#version': 'version' },
  ...(version !== undefined && { ExpressionAttributeValues: { ':version': version } }),
});
