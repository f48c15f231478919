import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { entriesOf } from '#pipeline/counts/list-counts.ts';
import { countedLists, countedRecords, type ListInTable } from '#platform/table/counted-lists.ts';
import { keyOf, listCountersOf, recordPrefix, recordsIn, shopPartition, webhookPrefix } from '#platform/table/keys.ts';
import { countersAt, type Level, startOfCell } from '#platform/table/list-counters.ts';
import { itemsIn } from '#platform/table/reads.ts';
import { integrationIds } from '#schemas/catalogues/integrations.ts';
import { type Cell, type CountSource, itemsOf, pagesIn, type TableAccess } from './recount-source.ts';

/** The counters by which far pages of lists are found. @param slug undefined for the lists of all shops */
export async function listsOf(access: TableAccess, slug: string | undefined): Promise<ListInTable[]> {
  return slug === undefined ? [countedLists.shops(), countedLists.dealsOfAllShops()] : listsOfShop(access, slug);
}

export const listSource = (access: TableAccess, lists: readonly ListInTable[]): CountSource => ({
  stored: () => storedIn(access, lists),
  counted: () => countedIn(access, lists),
  beginningOf: (cell) => beginningOf(lists, cell),
});

async function listsOfShop(access: TableAccess, slug: string): Promise<ListInTable[]> {
  const uuidsIn = async (partition: string, prefix: string) =>
    (await Array.fromAsync(itemsOf(access, itemsIn(partition, { prefix })))).map(({ uuid }) => String(uuid));
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

async function* storedIn(access: TableAccess, lists: readonly ListInTable[]) {
  for (const [pk, levels] of Map.groupBy(
    lists.flatMap((list) => list.levels),
    (level) => level.pk,
  )) {
    const names = new Set(levels.flatMap((level) => level.names));
    for await (const page of pagesIn(access, itemsIn(pk))) {
      yield page.flatMap(({ sk, ...item }) =>
        Object.entries(item)
          .filter(([name]) => sk.includes('#') && names.has(name.slice(0, -1)))
          .map(([name, count]) => ({ key: { pk, sk }, name, count: Number(count) })),
      );
    }
  }
}

/** Several lists may be in one partition, and an entry of an index has the key of that index only. */
async function* countedIn(access: TableAccess, lists: readonly ListInTable[]) {
  const partitions = lists.flatMap(({ source }) => source.partitions.map((partition) => ({ ...source, partition })));
  const distinct = new Map(partitions.map((part) => [`${part.index} ${part.partition}`, part]));
  for (const { index, partition, prefix } of distinct.values()) {
    const range = { ...(index && { index }), ...(prefix !== undefined && { prefix }) };
    for await (const page of pagesIn(access, itemsIn(partition, range))) {
      yield page
        .flatMap((item) => entriesOf(item.pk, item.sk, item))
        .filter(([list]) => list.source.index === index)
        .flatMap(([list, key]) => countersAt(list, String(key)))
        .map((counter) => ({ ...counter, step: 1 }));
    }
  }
}

function beginningOf(lists: readonly ListInTable[], { key, name }: Cell): number {
  const isOf = ({ pk, item, names }: Level) =>
    pk === key.pk && key.sk.startsWith(`${item}#`) && names.includes(name.slice(0, -1));
  return startOfCell(lists.flatMap(({ levels }) => levels).find(isOf)!, key.sk, name);
}

/** From now on far pages are found by the counters. */
export const markComplete = ({ table, tableName }: TableAccess, slug: string | undefined) =>
  table.send(new PutCommand({ TableName: tableName, Item: { ...keyOf.countedLists(slug ?? ''), shop: 1 } }));

/** The lists whose tree of positions had a name that no counters have. */
const formerNames = ['orders', 'claims#created', 'claims#updated', 'shipments#created', 'shipments#updated'];

/** Only on the condition that it is a node: the counters of minutes lie beside them. */
export async function removeTree(access: TableAccess, lists: readonly ListInTable[]): Promise<number> {
  let removed = 0;
  const pks = lists.flatMap(({ slug, levels }) => [
    ...levels.map(({ pk }) => pk),
    ...formerNames.map((name) => listCountersOf(slug, name)),
  ]);
  for (const pk of new Set(pks)) {
    for await (const { sk, version } of itemsOf(access, itemsIn(pk))) {
      if (version === undefined) continue;
      const condition = { ConditionExpression: 'attribute_exists(version)' };
      await access.table.send(new DeleteCommand({ TableName: access.tableName, Key: { pk, sk }, ...condition }));
      removed += 1;
    }
  }
  return removed;
}
