import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from '#platform/table/client.ts';
import { claimPrefix, orderIdIn, partitionOf } from '#platform/table/keys.ts';
import type { Key } from '#platform/table/reads.ts';
import { itemsIn } from '#platform/table/reads.ts';
import { attentionLimits } from '#schemas/catalogues/limits.ts';
import { indexPartitions } from '#schemas/catalogues/table.ts';

export interface Range {
  /** The first day. */
  from: string;
  /** The day after the last one. */
  to?: string;
  newestFirst: boolean;
}

export interface Entries {
  keys: Key[];
  /** There are more than this reads. */
  hasMore: boolean;
}

/** What needs somebody for this reason. `~` sorts after every day. */
export async function attentionEntries(slug: string, reason: string, range: Range): Promise<Entries> {
  const { Items = [] } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      ...itemsIn(partitionOf.attention(slug, reason), {
        index: indexPartitions.attention.index,
        from: range.from,
        to: range.to ?? '~',
      }),
      ScanIndexForward: !range.newestFirst,
      // One more than is counted: a query that ends at its limit does not say whether there are more.
      Limit: attentionLimits.counted + 1,
    }),
  );
  const counted = Items.slice(0, attentionLimits.counted);
  return { keys: counted.map(({ pk, sk }) => ({ pk, sk })), hasMore: Items.length > counted.length };
}

export const claimPlaceIn = ({ pk, sk }: Key) => ({ order_id: orderIdIn(pk), uuid: sk.slice(claimPrefix.length) });
