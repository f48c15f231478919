import { type KnownCircuit, toCircuit } from '#domain/deliveries/circuit-store.ts';
import { messageOf } from '#domain/deliveries/delivery-items.ts';
import type { Delivery, DeliveryMessage } from '#domain/deliveries/delivery-rules.ts';
import { indexKeyOf, partitionOf } from '#platform/table/keys.ts';
import { queryPages } from '#platform/table/reads.ts';
import type { IndexName } from '#schemas/catalogues/table.ts';

const index = 'lists' satisfies IndexName;

/** The limit for one round. The remaining circuits have waited longest by the next round, so they come first there. */
const maxCircuits = 500;

/** The circuits whose next probe or round is due. Those that have waited longest come first. */
export async function dueCircuits(now: Date): Promise<KnownCircuit[]> {
  const items = await queryFirst(maxCircuits, {
    KeyConditionExpression: 'list_pk = :circuits AND list_sk <= :due',
    ExpressionAttributeValues: {
      ':circuits': partitionOf.openCircuits(),
      ':due': indexKeyOf.openCircuits(now.toISOString(), '~', '').list_sk,
    },
  });
  return items.map((item) => toCircuit(String(item.shop_slug), String(item.target), item));
}

/** A target's parked deliveries after the cursor, oldest first. */
export async function parkedAfter(
  slug: string,
  target: string,
  cursor: string,
  limit: number,
): Promise<DeliveryMessage[]> {
  const items = await queryFirst(limit, {
    KeyConditionExpression: 'list_pk = :target AND list_sk > :cursor',
    // A key must not be empty, and no id is smaller than `0`.
    ExpressionAttributeValues: { ':target': partitionOf.parkedDeliveries(slug, target), ':cursor': cursor || '0' },
    ProjectionExpression,
  });
  return items.map(toMessage);
}

/** A target's parked deliveries up to and including the last one, oldest first. */
export async function parkedUntil(
  slug: string,
  target: string,
  last: string,
  limit: number,
): Promise<DeliveryMessage[]> {
  const items = await queryFirst(limit, {
    KeyConditionExpression: 'list_pk = :target AND list_sk <= :last',
    ExpressionAttributeValues: { ':target': partitionOf.parkedDeliveries(slug, target), ':last': last },
    ProjectionExpression,
  });
  return items.map(toMessage);
}

const ProjectionExpression = 'shop_slug, target, id, payload_id';
const toMessage = (item: Record<string, unknown>): DeliveryMessage => messageOf(item as unknown as Delivery);

type Query = Omit<Parameters<typeof queryPages>[0], 'IndexName' | 'Limit'>;

async function queryFirst(limit: number, query: Query): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for await (const page of queryPages({ ...query, IndexName: index, Limit: limit })) {
    items.push(...page);
    if (items.length >= limit) break;
  }
  return items.slice(0, limit);
}
