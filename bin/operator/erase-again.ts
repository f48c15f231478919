import { GetObjectCommand, paginateListObjectsV2, type S3Client } from '@aws-sdk/client-s3';
import { BatchGetCommand, type DynamoDBDocumentClient, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { type StoredItem, toOrder } from '#domain/orders/order-items.ts';
import { foundItem } from '#domain/privacy/find-orders.ts';
import type { LedgerEntry } from '#domain/privacy/ledger.ts';
import type { PrivacyRequest } from '#domain/privacy/request.ts';
import { newRequest } from '#domain/privacy/request-store.ts';
import { chunks } from '#platform/batches.ts';
import { keyOf, privacyOf, privacyRequestPrefix } from '#platform/table/keys.ts';
import { itemsIn } from '#platform/table/reads.ts';
import { ledgerPrefix } from '#schemas/catalogues/ledger.ts';

export interface LedgerPlace {
  table: DynamoDBDocumentClient;
  tableName: string;
  s3: S3Client;
  /** The bucket. */
  ledger: string;
}

/** DynamoDB reads this many items in one request. */
const maxKeys = 100;

/**
 * Asks for the erasure of all orders in the ledger that are in the table and are not erased: after the table was restored
 * from a backup. A person's later orders are not in the ledger, and stay. Called again, it asks for nothing that is still
 * being erased.
 * @returns how many orders are not erased yet
 */
export async function eraseAgain(place: LedgerPlace, slug: string | undefined, now: Date): Promise<number> {
  // An order can be in several entries.
  const left = new Set<string>();
  const running = new Map<string, Promise<Set<string>>>();
  let entries = 0;
  for await (const name of entryNames(place, slug)) {
    entries++;
    const entry = await readEntry(place, name);
    const found = await notErased(place, entry);
    const orders = found.filter((id) => !left.has(id));
    if (orders.length === 0) continue;
    const { shop_slug, request } = entry;
    if (!running.has(shop_slug)) running.set(shop_slug, runningOf(place, shop_slug));
    if (!(await running.get(shop_slug)!).has(request)) await askAgain(place, entry, orders, now);
    for (const id of orders) left.add(id);
  }
  if (slug !== undefined && entries === 0) throw new Error(`The ledger has no erasure of a shop ${slug}.`);
  return left.size;
}

/** The erasures that an earlier call asked for, and that still run. */
async function runningOf({ table, tableName }: LedgerPlace, slug: string): Promise<Set<string>> {
  const pages = paginateQuery(
    { client: table },
    {
      TableName: tableName,
      ...itemsIn(privacyOf(slug), { prefix: privacyRequestPrefix }),
      ConsistentRead: true,
    },
  );
  const references: string[] = [];
  for await (const { Items = [] } of pages) {
    for (const { status, requested_by, reference } of Items as unknown as PrivacyRequest[])
      if (status === 'running' && requested_by === 'ledger' && reference !== null) references.push(reference);
  }
  return new Set(references);
}

async function* entryNames({ s3, ledger }: LedgerPlace, slug: string | undefined): AsyncGenerator<string> {
  const pages = paginateListObjectsV2(
    { client: s3 },
    { Bucket: ledger, Prefix: ledgerPrefix + (slug === undefined ? '' : `${slug}/`) },
  );
  for await (const { Contents = [] } of pages) {
    for (const { Key } of Contents) if (Key!.endsWith('.json')) yield Key!;
  }
}

async function readEntry({ s3, ledger }: LedgerPlace, Key: string): Promise<LedgerEntry> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: ledger, Key }));
  return JSON.parse(await Body!.transformToString());
}

async function notErased({ table, tableName }: LedgerPlace, { shop_slug, orders }: LedgerEntry): Promise<string[]> {
  const found: string[] = [];
  for (const ids of chunks(orders, maxKeys)) {
    let RequestItems: Record<string, { Keys: object[]; ConsistentRead: true }> | undefined = {
      [tableName]: { Keys: ids.map((id) => keyOf.order(shop_slug, id)), ConsistentRead: true },
    };
    while (RequestItems && Object.keys(RequestItems).length > 0) {
      const { Responses, UnprocessedKeys } = await table.send(
        new BatchGetCommand({ RequestItems: RequestItems as never }),
      );
      const items = (Responses?.[tableName] ?? []) as unknown as StoredItem[];
      found.push(
        ...items.map((item) => toOrder(item)).flatMap(({ uuid, erased_at }) => (erased_at === undefined ? [uuid] : [])),
      );
      RequestItems = UnprocessedKeys as typeof RequestItems;
    }
  }
  return found;
}

/** The orders first: a request takes those that it finds. It is in the ledger already, so nothing is written there. */
async function askAgain(
  { table, tableName }: LedgerPlace,
  { shop_slug, request: reference }: LedgerEntry,
  orders: readonly string[],
  now: Date,
): Promise<void> {
  const asked = { kind: 'erasure' as const, reference, person: {}, requested_by: 'ledger' };
  const request = { ...newRequest(shop_slug, asked, now, 'erase'), orders: orders.length };
  const put = (Item: object) =>
    table.send(new PutCommand({ TableName: tableName, Item: Item as Record<string, unknown> }));
  for (const some of chunks(orders, 25))
    await Promise.all(some.map((id) => put(foundItem(shop_slug, request.uuid, id, now))));
  await put(request);
}
