import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
  type QueryCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { draftsIn, type ListedDrafts } from '#domain/orders/order-items.ts';
import { countedLists, countedRecords, type ListInTable } from '#platform/table/counted-lists.ts';
import {
  keyOf,
  listCountersOf,
  partitionOf,
  recordPrefix,
  recordsIn,
  shopPartition,
  webhookPrefix,
} from '#platform/table/keys.ts';
import { type CountedList, countersAt } from '#platform/table/list-counters.ts';
import { integrationIds } from '#schemas/catalogues/integrations.ts';
import { attributes, type IndexName, indexes } from '#schemas/catalogues/table.ts';

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

/** @param slug the lists of all shops, such as that of the shops, if it is undefined */
export async function recount(access: RecountAccess, slug: string | undefined): Promise<Recounted> {
  const lists = slug === undefined ? listsOfAllShops(access) : await listsOfShop(access, slug);
  // What differs in the same way before and after the stream has caught up is not only late.
  const before = await compare(access, lists);
  await access.catchUp();
  const after = await compare(access, lists);
  let corrected = 0;
  const moving: string[] = [];
  for (const [id, { counters, ...item }] of after) {
    const wrong = counters.filter(isWrong);
    const [still, others] = [
      wrong.filter((one) => has(before.get(id), one)),
      wrong.filter((one) => !has(before.get(id), one)),
    ];
    if (still.length > 0 && (await correct(access, { ...item, counters: still }))) corrected += still.length;
    else others.push(...still);
    moving.push(...others.map(([name]) => `${id} ${name}`));
  }
  const complete = keyOf.countedLists(slug ?? '');
  if (moving.length === 0)
    await access.table.send(new PutCommand({ TableName: access.tableName, Item: { ...complete, shop: 1 } }));
  return { corrected, moving, removed: await removeTree(access, lists) };
}

interface Key {
  pk: string;
  sk: string;
}
/** A counter as it is stored, and how many entries the list has. */
type Counter = [name: string, stored: number, listed: number];
interface CounterItem {
  key: Key;
  counters: Counter[];
  expires_at?: number;
}

const nameOf = ({ pk, sk }: Key) => `${pk} ${sk}`;
const has = (item: CounterItem | undefined, [name, stored, listed]: Counter) =>
  (item?.counters ?? []).some((one) => one[0] === name && one[1] === stored && one[2] === listed);
const isWrong = ([, stored, listed]: Counter) => stored !== listed;

/** A list, and the keys of its entries. */
interface Counted {
  list: CountedList;
  /** How the tree of positions of the last release called it. */
  formerName: string;
  keys: () => AsyncGenerator<string>;
}

async function compare(access: RecountAccess, lists: readonly Counted[]): Promise<Map<string, CounterItem>> {
  const found = new Map<string, { key: Key; counters: Map<string, [number, number]>; expires_at?: number }>();
  const counterOf = (key: Key, name: string, expires_at?: number) => {
    const item = found.get(nameOf(key)) ?? {
      key,
      counters: new Map(),
      ...(expires_at !== undefined && { expires_at }),
    };
    found.set(nameOf(key), item);
    const counter = item.counters.get(name) ?? [0, 0];
    item.counters.set(name, counter);
    return counter;
  };
  const levels = lists.flatMap(({ list }) => list.levels);
  for (const pk of new Set(levels.map((level) => level.pk))) {
    const names = new Set(levels.filter((level) => level.pk === pk).flatMap((level) => level.names));
    for await (const { sk, ...item } of query(access, { partition: pk, sort: '' })) {
      for (const [name, count] of Object.entries(item)) {
        if (sk.includes('#') && names.has(name.slice(0, -1))) counterOf({ pk, sk }, name)[0] = Number(count);
      }
    }
  }
  for (const { list, keys } of lists) {
    for await (const key of keys()) {
      for (const { key: item, name, expires_at } of countersAt(list, key)) counterOf(item, name, expires_at)[1] += 1;
    }
  }
  return new Map(
    [...found].map(([id, { counters, ...item }]) => {
      return [id, { ...item, counters: [...counters].map(([name, counts]): Counter => [name, ...counts]) }];
    }),
  );
}

/** Returns false if the stream has added to one of them meanwhile. */
async function correct(
  { table, tableName }: RecountAccess,
  { key, counters: wrong, expires_at }: CounterItem,
): Promise<boolean> {
  const each = (text: (i: number) => string, separator: string) => wrong.map((_, i) => text(i)).join(separator);
  const update = new UpdateCommand({
    TableName: tableName,
    Key: key,
    UpdateExpression: `SET ${expires_at === undefined ? '' : 'expires_at = :expires, '}${each((i) => `#c${i} = :new${i}`, ', ')}`,
    ConditionExpression: each(
      (i) => (wrong[i]![1] === 0 ? `(attribute_not_exists(#c${i}) OR #c${i} = :old${i})` : `#c${i} = :old${i}`),
      ' AND ',
    ),
    ExpressionAttributeNames: Object.fromEntries(wrong.map(([name], i) => [`#c${i}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(
        wrong.flatMap(([, stored, listed], i) => [
          [`:old${i}`, stored],
          [`:new${i}`, listed],
        ]),
      ),
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

const inSource = (access: RecountAccess, list: ListInTable, formerName: string): Counted => ({
  list,
  formerName,
  keys: async function* () {
    const { IndexName, partitions, prefix = '' } = list.source;
    const { sort } = IndexName ? indexes[IndexName] : attributes;
    for (const partition of partitions) {
      // A simulation that is being removed is no longer listed.
      for await (const item of query(access, { IndexName, partition, sort: prefix })) {
        if (item.removed_at === undefined) yield String(item[sort]).slice(prefix.length);
      }
    }
  },
});

const listsOfAllShops = (access: RecountAccess): Counted[] => [
  inSource(access, countedLists.shops(), 'shops'),
  inSource(access, countedLists.dealsOfAllShops(), 'deals'),
];

async function listsOfShop(access: RecountAccess, slug: string): Promise<Counted[]> {
  const endpoints = await all(query(access, { partition: shopPartition(slug), sort: webhookPrefix }));
  const automations = await all(query(access, { partition: recordsIn('automations', slug), sort: recordPrefix }));
  const targets = [...endpoints.map(({ uuid }) => String(uuid)), ...integrationIds];
  return [
    inSource(access, countedLists.orders(slug), 'orders'),
    inSource(access, countedLists.claimsByCreation(slug), 'claims#created'),
    inSource(access, countedLists.claimsByUpdate(slug), 'claims#updated'),
    ...shipmentLists(access, slug),
    ...targets.map((target) => inSource(access, countedLists.deliveries(slug, target), `deliveries#${target}`)),
    ...automations.map(({ uuid }) => inSource(access, countedLists.automationRuns(slug, String(uuid)), `runs#${uuid}`)),
    ...countedRecords.map((kind) => inSource(access, countedLists.records(slug, kind), kind)),
    inSource(access, countedLists.simulations(slug), 'simulations'),
  ];
}

function shipmentLists(access: RecountAccess, slug: string): Counted[] {
  const parcels = (field: 'created_at' | 'updated_at', state: 'withNumber' | 'withoutNumber'): Counted => ({
    list: countedLists.shipments(slug, field, [state]),
    formerName: field === 'created_at' ? 'shipments#created' : 'shipments#updated',
    keys: async function* () {
      const [IndexName, partition] =
        field === 'created_at'
          ? (['timeline', partitionOf.shipmentsByCreation(slug)] as const)
          : (['activity', partitionOf.shipmentsByUpdate(slug)] as const);
      for await (const item of query(access, { IndexName, partition, sort: '' })) {
        if ((item.tracking_number === undefined) === (state === 'withoutNumber'))
          yield String(item[indexes[IndexName].sort]);
      }
    },
  });
  const drafts: Counted = {
    list: countedLists.shipments(slug, 'created_at', ['draft']),
    formerName: 'shipments#updated',
    keys: async function* () {
      for await (const item of query(access, {
        IndexName: 'activity',
        partition: partitionOf.drafts(slug),
        sort: '',
      })) {
        for (const _ of draftsIn(item as Partial<ListedDrafts>)) yield String(item.activity_sk);
      }
    },
  };
  return [
    parcels('created_at', 'withNumber'),
    parcels('created_at', 'withoutNumber'),
    parcels('updated_at', 'withNumber'),
    parcels('updated_at', 'withoutNumber'),
    drafts,
  ];
}

/** Only on the condition that it is a node: the counters of minutes lie beside them. */
async function removeTree(access: RecountAccess, lists: readonly Counted[]): Promise<number> {
  let removed = 0;
  for (const pk of new Set(lists.map(({ list, formerName }) => listCountersOf(list.slug, formerName)))) {
    for await (const { sk, version } of query(access, { partition: pk, sort: '' })) {
      if (version === undefined) continue;
      const condition = { ConditionExpression: 'attribute_exists(version)' };
      await access.table.send(new DeleteCommand({ TableName: access.tableName, Key: { pk, sk }, ...condition }));
      removed += 1;
    }
  }
  return removed;
}

interface Part {
  IndexName?: IndexName | undefined;
  partition: string;
  /** What the sort keys begin with. */
  sort: string;
}

async function* query({ table, tableName }: RecountAccess, { IndexName, partition, sort }: Part) {
  const names = IndexName ? indexes[IndexName] : attributes;
  const input: QueryCommandInput = {
    TableName: tableName,
    IndexName,
    KeyConditionExpression: `${names.partition} = :partition AND ${names.sort} >= :from`,
    ExpressionAttributeValues: { ':partition': partition, ':from': sort || ' ' },
    ConsistentRead: IndexName === undefined,
  };
  for await (const { Items = [] } of paginateQuery({ client: table }, input)) {
    for (const item of Items as (Key & Record<string, unknown>)[]) {
      if (String(item[names.sort]).startsWith(sort)) yield item;
      else return;
    }
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
