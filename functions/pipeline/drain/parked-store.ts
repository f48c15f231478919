import { type KnownCircuit, toCircuit } from '#domain/deliveries/circuit-store.ts';
import { partitionOf, placeIn } from '#platform/table/keys.ts';
import { queryPages } from '#platform/table/reads.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';

const index = 'lists' satisfies IndexName;

/** One round looks after so many; the others are due longest in the next. */
const maxCircuits = 500;

/** Circuits whose next probe or round is due, those that waited longest first. */
export async function dueCircuits(now: Date): Promise<KnownCircuit[]> {
  const items = await first(maxCircuits, {
    KeyConditionExpression: 'list_pk = :circuits AND list_sk <= :due',
    ExpressionAttributeValues: {
      ':circuits': partitionOf.openCircuits(),
      ':due': placeIn.openCircuits(now.toISOString(), '~', '').list_sk,
    },
  });
  return items.map((item) => toCircuit(String(item.shop_slug), String(item.target), item));
}

/** The ids of parked deliveries of a target behind the cursor, oldest first. */
export async function parkedAfter(slug: string, target: string, cursor: string, limit: number): Promise<string[]> {
  const items = await first(limit, {
    KeyConditionExpression: 'list_pk = :target AND list_sk > :cursor',
    // No id is smaller than this, and a key may not be empty.
    ExpressionAttributeValues: { ':target': partitionOf.parkedDeliveries(slug, target), ':cursor': cursor || '0' },
    ProjectionExpression: 'list_sk',
  });
  return items.map(({ list_sk }) => String(list_sk));
}

/** The ids of parked deliveries of a target up to this one, oldest first. */
export async function parkedUntil(slug: string, target: string, last: string, limit: number): Promise<string[]> {
  const items = await first(limit, {
    KeyConditionExpression: 'list_pk = :target AND list_sk <= :last',
    ExpressionAttributeValues: { ':target': partitionOf.parkedDeliveries(slug, target), ':last': last },
    ProjectionExpression: 'list_sk',
  });
  return items.map(({ list_sk }) => String(list_sk));
}

type Query = Omit<Parameters<typeof queryPages>[0], 'IndexName' | 'Limit'>;

async function first(limit: number, query: Query): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for await (const page of queryPages({ ...query, IndexName: index, Limit: limit })) {
    items.push(...page);
    if (items.length >= limit) break;
  }
  return items.slice(0, limit);
}
