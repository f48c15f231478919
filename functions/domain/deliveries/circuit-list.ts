import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { table, tableName } from '#platform/table/client.ts';
import { partitionOf } from '#platform/table/keys.ts';
import { itemsIn } from '#platform/table/reads.ts';
import { shardsOf } from '#platform/table/shards.ts';

export interface OpenCircuit {
  slug: string;
  target: string;
  state: 'open' | 'draining';
  since: string;
}

/** Of all shops, the newest first. If there are more, some that are probed late are left out. */
export async function openCircuits(most: number): Promise<OpenCircuit[]> {
  const shards = await Promise.all(shardsOf('circuits').map((shard) => openIn(partitionOf.openCircuits(shard), most)));
  return shards
    .flat()
    .sort((a, b) => (a.since < b.since ? 1 : -1))
    .slice(0, most);
}

async function openIn(partition: string, Limit: number): Promise<OpenCircuit[]> {
  const { Items = [] } = await table.send(
    new QueryCommand({ TableName: tableName(), ...itemsIn(partition, { index: 'lists' }), Limit }),
  );
  return Items.map(({ shop_slug, target, state, since }) => ({ slug: shop_slug, target, state, since }));
}

/** How many deliveries are parked for a target, up to a limit. */
export async function countParked(slug: string, target: string, most: number): Promise<number> {
  const counts = await Promise.all(
    shardsOf('deliveries').map((shard) => countIn(partitionOf.parkedDeliveries(slug, target, shard), most)),
  );
  return Math.min(
    counts.reduce((sum, count) => sum + count, 0),
    most,
  );
}

async function countIn(partition: string, Limit: number): Promise<number> {
  const { Count = 0 } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      ...itemsIn(partition, { index: 'lists' }),
      Select: 'COUNT',
      Limit,
    }),
  );
  return Count;
}
