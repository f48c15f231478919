import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
  type QueryCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { entriesOf } from '#pipeline/counts/list-counts.ts';
import { countedLists, countedRecords, type ListInTable } from '#platform/table/counted-lists.ts';
import { keyOf, listCountersOf, recordPrefix, recordsIn, shopPartition, webhookPrefix } from '#platform/table/keys.ts';
import { countersAt, type Level, startOfCell } from '#platform/table/list-counters.ts';
import { itemsIn, type Key, keyText } from '#platform/table/reads.ts';
import { integrationIds } from '#schemas/catalogues/integrations.ts';

/** Makes the counters of lists anew from the lists themselves, while the stream goes on adding to them. */

export interface RecountAccess {
  table: DynamoDBDocumentClient;
  tableName: string;
  /** Until the stream has been counted up to now. */
  catchUp: () => Promise<void>;
}

export interface Recounted {
  /** How many counters were wrong. */
  corrected: number;
  /** Wrong ones that changed meanwhile. They are left for the next time. */
  moving: string[];
  /** Items of the former tree of positions, which nobody reads any more. */
  removed: number;
}

/**
 * @param slug the lists of all shops, such as that of the shops, if it is undefined
 * @param countedSince since when the stream counts. What a shop that never rests changes at this moment is wrong at every
 * look, because it is counted late; but counters that begin later are right from their beginning, so nobody waits for them.
 */
export async function recount(
  access: RecountAccess,
  slug: string | undefined,
  countedSince?: Date,
): Promise<Recounted> {
  const lists = slug === undefined ? listsOfAllShops() : await listsOfShop(access, slug);
  // What differs in the same way before and after the stream has caught up is not only late.
  const before = await compare(access, lists);
  await access.catchUp();
  const wrong = [...(await compare(access, lists))].filter(([, { stored, listed }]) => stored !== listed);
  const isSame = ([id, { stored, listed }]: [string, Counter]) =>
    before.get(id)?.stored === stored && before.get(id)?.listed === listed;
  // The stream keeps right what was right once.
  const wasRight = ([id]: [string, Counter]) => before.get(id)?.stored === before.get(id)?.listed && before.has(id);
  const isRightFromBeginning = ([, counter]: [string, Counter]) =>
    countedSince !== undefined && beginningOf(lists, counter) >= countedSince.getTime();
  const moving = wrong.filter((one) => !isSame(one) && !wasRight(one) && !isRightFromBeginning(one));
  let corrected = 0;
  for (const some of Map.groupBy(wrong.filter(isSame), ([, { key }]) => keyText(key)).values()) {
    if (
      await correct(
        access,
        some.map(([, counter]) => counter),
      )
    )
      corrected += some.length;
    else moving.push(...some);
  }
  const complete = keyOf.countedLists(slug ?? '');
  if (moving.length === 0)
    await access.table.send(new PutCommand({ TableName: access.tableName, Item: { ...complete, shop: 1 } }));
  return { corrected, moving: moving.map(([id]) => id), removed: await removeTree(access, lists) };
}

interface Counter {
  key: Key;
  name: string;
  /** As it is stored. */
  stored: number;
  /** How many entries the list has. */
  listed: number;
  expires_at?: number;
}

function beginningOf(lists: readonly ListInTable[], { key, name }: Counter): number {
  const isOf = ({ pk, item, names }: Level) =>
    pk === key.pk && key.sk.startsWith(`${item}#`) && names.includes(name.slice(0, -1));
  return startOfCell(lists.flatMap(({ levels }) => levels).find(isOf)!, key.sk, name);
}

async function compare(access: RecountAccess, lists: readonly ListInTable[]): Promise<Map<string, Counter>> {
  const found = new Map<string, Counter>();
  const counterOf = (counter: Pick<Counter, 'key' | 'name' | 'expires_at'>): Counter => {
    const id = `${counter.key.pk} ${counter.key.sk} ${counter.name}`;
    // The stored ones come first, without the time of their end.
    const known = { stored: 0, listed: 0, ...found.get(id), ...counter };
    found.set(id, known);
    return known;
  };
  for (const [pk, levels] of Map.groupBy(
    lists.flatMap((list) => list.levels),
    (level) => level.pk,
  )) {
    const names = levels.flatMap((level) => level.names);
    for await (const { sk, ...item } of query(access, itemsIn(pk))) {
      const counts = Object.entries(item).filter(([name]) => sk.includes('#') && names.includes(name.slice(0, -1)));
      for (const [name, count] of counts) counterOf({ key: { pk, sk }, name }).stored = Number(count);
    }
  }
  for await (const [list, key] of entriesIn(access, lists)) {
    for (const counter of countersAt(list, key)) counterOf(counter).listed += 1;
  }
  return found;
}

/** What the lists have. Several lists may be in one partition, and an entry of an index has the key of that index only. */
async function* entriesIn(access: RecountAccess, lists: readonly ListInTable[]) {
  const partitions = lists.flatMap(({ source }) => source.partitions.map((partition) => ({ ...source, partition })));
  const distinct = new Map(partitions.map((part) => [`${part.index} ${part.partition}`, part]));
  for (const { index, partition, prefix } of distinct.values()) {
    const range = { ...(index && { index }), ...(prefix !== undefined && { prefix }) };
    for await (const item of query(access, itemsIn(partition, range))) {
      for (const [list, key] of entriesOf(item.pk, item.sk, item))
        if (list.source.index === index) yield [list, String(key)] as const;
    }
  }
}

/** Corrects counters of one item. Returns false if the stream has added to one of them meanwhile. */
async function correct({ table, tableName }: RecountAccess, wrong: readonly Counter[]): Promise<boolean> {
  const { key, expires_at } = wrong[0]!;
  const sets = wrong.map((_, i) => `#c${i} = :new${i}`);
  const conditions = wrong.map(({ stored }, i) =>
    stored === 0 ? `(attribute_not_exists(#c${i}) OR #c${i} = :old${i})` : `#c${i} = :old${i}`,
  );
  const values = wrong.flatMap(({ stored, listed }, i) => [
    [`:old${i}`, stored],
    [`:new${i}`, listed],
  ]);
  const update = new UpdateCommand({
    TableName: tableName,
    Key: key,
    UpdateExpression: `SET ${[...sets, ...(expires_at === undefined ? [] : ['expires_at = :expires'])].join(', ')}`,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(wrong.map(({ name }, i) => [`#c${i}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(values),
      ...(expires_at !== undefined && { ':expires': expires_at }),
    },
  });
  try {
    await table.send(update);
    return true;
  } catch (error) {
    if ((error as Error).name === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}

const listsOfAllShops = () => [countedLists.shops(), countedLists.dealsOfAllShops()];

async function listsOfShop(access: RecountAccess, slug: string): Promise<ListInTable[]> {
  const uuidsIn = async (partition: string, prefix: string) =>
    (await Array.fromAsync(query(access, itemsIn(partition, { prefix })))).map(({ uuid }) => String(uuid));
  const targets = [...(await uuidsIn(shopPartition(slug), webhookPrefix)), ...integrationIds];
  const automations = await uuidsIn(recordsIn('automations', slug), recordPrefix);
  return [
    countedLists.orders(slug),
    countedLists.claimsByCreation(slug),
    countedLists.claimsByUpdate(slug),
    countedLists.parcels(slug, 'created_at', 'withNumber'),
    countedLists.parcels(slug, 'created_at', 'withoutNumber'),
    countedLists.parcels(slug, 'updated_at', 'withNumber'),
    countedLists.parcels(slug, 'updated_at', 'withoutNumber'),
    countedLists.drafts(slug),
    ...targets.map((target) => countedLists.deliveries(slug, target)),
    ...automations.map((uuid) => countedLists.automationRuns(slug, uuid)),
    ...countedRecords.map((kind) => countedLists.records(slug, kind)),
    countedLists.simulations(slug),
  ];
}

/** The lists whose tree of positions had a name that no counters have. */
const formerNames = ['orders', 'claims#created', 'claims#updated', 'shipments#created', 'shipments#updated'];

/** Only on the condition that it is a node: the counters of minutes lie beside them. */
async function removeTree(access: RecountAccess, lists: readonly ListInTable[]): Promise<number> {
  let removed = 0;
  const pks = lists.flatMap(({ slug, levels }) => [
    ...levels.map(({ pk }) => pk),
    ...formerNames.map((name) => listCountersOf(slug, name)),
  ]);
  for (const pk of new Set(pks)) {
    for await (const { sk, version } of query(access, itemsIn(pk))) {
      if (version === undefined) continue;
      const condition = { ConditionExpression: 'attribute_exists(version)' };
      await access.table.send(new DeleteCommand({ TableName: access.tableName, Key: { pk, sk }, ...condition }));
      removed += 1;
    }
  }
  return removed;
}

async function* query({ table, tableName }: RecountAccess, part: Omit<QueryCommandInput, 'TableName'>) {
  const input = { ...part, TableName: tableName, ConsistentRead: part.IndexName === undefined };
  for await (const { Items = [] } of paginateQuery({ client: table }, input))
    yield* Items as (Key & Record<string, unknown>)[];
}
