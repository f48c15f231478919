import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type KnownCircuit, toCircuit } from '#domain/deliveries/circuit-store.ts';
import { lastIdAt } from '#domain/deliveries/delivery-items.ts';
import { type DeliveryMessage, messageOf } from '#domain/deliveries/delivery-messages.ts';
import { type Delivery, isOverdue, overdueBefore } from '#domain/deliveries/delivery-rules.ts';
import { table, tableName } from '#platform/table/client.ts';
import { indexKeyOf, partitionOf } from '#platform/table/keys.ts';
import { itemsIn } from '#platform/table/reads.ts';
import { shardsOf } from '#platform/table/shards.ts';
import { readSpreadList, type ShardPart } from '#platform/table/spread-list.ts';

/** The limit for one round. The remaining circuits have waited longest by the next round, so they come first there. */
const maxCircuits = 500;

/** The circuits whose next probe or round is due. Those that have waited longest come first. */
export async function dueCircuits(now: Date): Promise<KnownCircuit[]> {
  const { list_sk: until } = indexKeyOf.openCircuits(now.toISOString(), '~', '');
  const list = { shards: shardsOf('circuits'), partitionOf: partitionOf.openCircuits, until };
  const items = await readFirst(maxCircuits, list);
  return items.map((item) => toCircuit(String(item.shop_slug), String(item.target), item));
}

/** A target's parked deliveries after the cursor, oldest first. */
export const parkedAfter = async (slug: string, target: string, cursor: string, limit: number) =>
  (await readFirst(limit, { ...parkedOf(slug, target), after: cursor || undefined })).map(toMessage);

const overdueAtOnce = 1000;

/** A target's parked deliveries that are overdue, oldest first, a thousand at a time. */
export async function* overdueParked(slug: string, target: string, now: Date): AsyncGenerator<DeliveryMessage[]> {
  const until = lastIdAt(overdueBefore(now));
  let after: string | undefined;
  do {
    const items = await readFirst(overdueAtOnce, { ...parkedOf(slug, target), after, until });
    after = items.length < overdueAtOnce ? undefined : items.at(-1)!.list_sk;
    // One that was sent again late is kept for longer than its id tells.
    const isParkedTooLong = ({ expires_at }: IndexItem) =>
      isOverdue({ status: 'parked', expires_at: Number(expires_at) }, now);
    yield items.filter(isParkedTooLong).map(toMessage);
  } while (after !== undefined);
}

const parkedOf = (slug: string, target: string) => ({
  shards: shardsOf('deliveries'),
  partitionOf: (shard: number) => partitionOf.parkedDeliveries(slug, target, shard),
  attributes: 'shop_slug, target, id, payload_id, cause, expires_at, list_sk',
});
const toMessage = (item: IndexItem): DeliveryMessage => messageOf(item as unknown as Delivery);

type IndexItem = Record<string, unknown> & { list_sk: string };

interface IndexList {
  shards: readonly number[];
  partitionOf: (shard: number) => string;
  after?: string | undefined;
  /** Inclusive. The default is the end of the list. */
  until?: string;
  /** The default is all. */
  attributes?: string;
}

/** The first items of a list of the index. They are fewer than the limit only at its end. */
async function readFirst(limit: number, { shards, partitionOf, after, ...query }: IndexList): Promise<IndexItem[]> {
  const list = {
    shards,
    readShard: (shard: number, items: number, position: string | undefined) =>
      readShard(partitionOf(shard), items, position, query),
    positionOf: ({ list_sk }: IndexItem) => list_sk,
    isBefore: (position: string, other: string) => position < other,
  };
  const { entries } = await readSpreadList(list, { limit, after, maxRounds: Number.POSITIVE_INFINITY });
  return entries;
}

async function readShard(
  partition: string,
  limit: number,
  after: string | undefined,
  { until, attributes }: Pick<IndexList, 'until' | 'attributes'>,
): Promise<ShardPart<IndexItem>> {
  const { Items = [], LastEvaluatedKey: last } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      // A key must not be empty. No id and no time is smaller than `0` or greater than `~`.
      ...itemsIn(partition, { index: 'lists', from: after ?? '0', to: until ?? '~' }),
      ProjectionExpression: attributes,
      // The item at the position may be in this partition. It is read again, because a range has two inclusive ends.
      Limit: limit + 1,
    }),
  );
  const entries = (Items as IndexItem[]).filter(({ list_sk }) => list_sk !== after);
  return { entries, last: last && String(last.list_sk) };
}
