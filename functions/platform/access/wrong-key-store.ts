import { createHash } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import { retryOnConflict, write } from '#platform/table/writes.ts';
import { afterWrongKey } from './wrong-keys.ts';

/** Counts a wrong key of the pair. Returns how long to wait, 0 if tries are left. */
export function countWrongKey(pair: string, now: number): Promise<number> {
  const key = keyOf.wrongKeys(createHash('sha256').update(pair).digest('base64url'));
  return retryOnConflict(async () => {
    const [item] = await batchGet([key]);
    const before = item?.full_at as number | undefined;
    const counted = afterWrongKey(before ?? 0, now);
    if ('waitMs' in counted) return counted.waitMs;
    const { fullAt } = counted;
    const Item = { ...key, full_at: fullAt, expires_at: Math.ceil(fullAt / 1000) };
    await write(() => table.send(new PutCommand({ TableName: tableName(), Item, ...unchanged(before) })));
    return 0;
  });
}

const unchanged = (fullAt: number | undefined) => ({
  ConditionExpression: fullAt === undefined ? 'attribute_not_exists(pk)' : 'full_at = :before',
  ...(fullAt !== undefined && { ExpressionAttributeValues: { ':before': fullAt } }),
});
