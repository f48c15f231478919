import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type StoredItem, toOrder } from '#domain/orders/order-items.ts';
import { findOrderIds, referenceItems } from '#domain/orders/order-store.ts';
import { chunks, mapConcurrently } from '#platform/batches.ts';
import { table, tableName } from '#platform/table/client.ts';
import { foundOrderPrefix, foundOrdersOf, keyOf, partitionOf } from '#platform/table/keys.ts';
import { batchGet, getItem, itemsIn, type Key, queryPages } from '#platform/table/reads.ts';
import { commit, put, tryCommit } from '#platform/table/writes.ts';
import { privacyLimits as limits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import type { Person, PrivacyRequest } from './request.ts';

/** The ways in which orders of a person are found, one after the other. Each is a few keys or one partition of an index. */
const ways = ['numbers', 'external_ids', 'email', 'walk', 'customer', 'all'] as const;
type Way = (typeof ways)[number];

/** How far the search is. It is stored with the request, and goes with what names the person. */
interface Place {
  way: Way;
  /** Where the index goes on, or how many ids are done. */
  after?: Record<string, unknown> | number;
}

interface FoundPart {
  orders: string[];
  /** Undefined at the end of the way. */
  after: Place['after'];
}

const pageSize = 100;

/** One page of orders, and where the next begins. @returns no place if all are found */
export async function findSome(
  request: PrivacyRequest,
): Promise<{ orders: string[]; position: string | undefined; written: number }> {
  const { shop_slug: slug, person = {}, position } = request;
  const place: Place = position === undefined ? { way: ways[0] } : JSON.parse(position);
  const { orders, after } = await found(slug, person, place);
  const [next] = after === undefined ? ways.slice(ways.indexOf(place.way) + 1) : [place.way];
  const nextPlace: Place | undefined = next && { way: next, ...(after !== undefined && { after }) };
  return {
    orders,
    position: nextPlace && JSON.stringify(nextPlace),
    written: place.way === 'walk' ? pageSize : 0,
  };
}

const nothing: FoundPart = { orders: [], after: undefined };

async function found(slug: string, person: Person, { way, after }: Place): Promise<FoundPart> {
  const { email_id, external_customer_id: customer, order_numbers = [], external_ids = [], all_orders } = person;
  switch (way) {
    case 'numbers':
      return byIds(slug, order_numbers, 'order_number', after);
    case 'external_ids':
      return byIds(slug, external_ids, 'external_id', after);
    case 'email':
      if (email_id === undefined) return nothing;
      return byIndex('order_emails', partitionOf.ordersByEmail(slug, email_id), after);
    case 'walk':
      return customer === undefined ? nothing : listCustomers(slug, after);
    case 'customer':
      if (customer === undefined) return nothing;
      return byIndex('order_emails', partitionOf.ordersByCustomerId(slug, customer), after);
    case 'all':
      return all_orders ? byIndex('timeline', partitionOf.orders(slug), after) : nothing;
  }
}

async function byIds(
  slug: string,
  ids: readonly string[],
  type: 'order_number' | 'external_id',
  after: Place['after'] = 0,
): Promise<FoundPart> {
  const from = after as number;
  const orders = await findOrderIds(slug, ids.slice(from, from + pageSize), type);
  const isEnd = from + pageSize >= ids.length;
  return { orders: orders.filter((id) => id !== undefined), after: isEnd ? undefined : from + pageSize };
}

interface Entry extends Key {
  timeline_sk: string;
}

async function byIndex(
  index: 'order_emails' | 'timeline',
  partition: string,
  after: Place['after'],
): Promise<FoundPart & { entries: Entry[] }> {
  const { Items = [], LastEvaluatedKey } = await table.send(
    new QueryCommand({
      TableName: tableName(),
      ...itemsIn(partition, { index }),
      ProjectionExpression: 'pk, sk, timeline_sk',
      Limit: pageSize,
      ExclusiveStartKey: after as Record<string, unknown> | undefined,
    }),
  );
  const entries = Items as unknown as Entry[];
  return { entries, orders: entries.map(({ timeline_sk: place }) => place.split('#')[1]!), after: LastEvaluatedKey };
}

/**
 * Orders of before there was an index by the ids of customers get their entries, once for all requests of the shop. It
 * finds nothing itself.
 */
async function listCustomers(slug: string, after: Place['after']): Promise<FoundPart> {
  if (after === undefined && (await getItem(keyOf.listedCustomers(slug)))) return nothing;
  const { orders, after: next } = await byIndex('timeline', partitionOf.orders(slug), after);
  const items = await batchGet(orders.map((id) => keyOf.order(slug, id)));
  await mapConcurrently(items, async (item) => item && listCustomer(slug, item as unknown as StoredItem), 8);
  if (next === undefined) await commit([put({ ...keyOf.listedCustomers(slug) })]);
  return { orders: [], after: next };
}

/** Not if the order changed meanwhile: who changes it writes the entry. */
async function listCustomer(slug: string, item: StoredItem): Promise<void> {
  const order = toOrder(item);
  if (!order.external_customer_id || order.erased_at !== undefined) return;
  const [byNumber] = referenceItems(slug, order);
  const reference = keyOf.orderNumber(slug, order.order_number);
  const [stored] = await batchGet([reference], { attributes: ['email_pk', 'order_id'] });
  if (!stored || stored.email_pk !== undefined || stored.order_id !== order.uuid) return;
  const { pk, sk, version } = item;
  await tryCommit([
    put(byNumber, 'order_id = :order', { ':order': order.uuid }),
    {
      ConditionCheck: {
        TableName: tableName(),
        Key: { pk, sk },
        ConditionExpression: 'version = :read',
        ExpressionAttributeValues: { ':read': version },
      },
    },
  ]);
}

/** The order of a request that was found. The second time that it is found it is the same item. */
export const foundItem = (slug: string, uuid: string, orderId: string, now: Date) => ({
  ...keyOf.foundOrder(slug, uuid, orderId),
  order_id: orderId,
  expires_at: Math.floor(now.getTime() / 1000) + secondsOfDays(limits.foundDays),
});

export async function keepFound(request: PrivacyRequest, orders: readonly string[], now: Date): Promise<void> {
  const { shop_slug, uuid } = request;
  await mapConcurrently(new Set(orders), (id) => commit([put(foundItem(shop_slug, uuid, id, now))]), 8);
}

/** Order ids that the request found, in their order, some at a time. */
export async function* foundOrders(
  { shop_slug, uuid }: Pick<PrivacyRequest, 'shop_slug' | 'uuid'>,
  after = '',
  atOnce = 1000,
): AsyncGenerator<string[]> {
  const pk = foundOrdersOf(shop_slug, uuid);
  const range = { from: `${foundOrderPrefix}${after}~`, to: `${foundOrderPrefix}~` };
  const query = {
    ...itemsIn(pk, after === '' ? { prefix: foundOrderPrefix } : range),
    ProjectionExpression: 'sk',
    ConsistentRead: true,
    Limit: atOnce,
  };
  for await (const page of queryPages(query)) {
    yield* chunks(
      page.map(({ sk }) => String(sk).slice(foundOrderPrefix.length)),
      pageSize,
    );
  }
}
