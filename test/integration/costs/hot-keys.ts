import type { Usage } from '#lib/local/aws/usage.ts';
import { shardsOf } from '#platform/table/shards.ts';

/**
 * A partition of DynamoDB takes 1,000 write units and 3,000 read units a second, and so does each partition key of a list that
 * grows at its end: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html.
 */
const ofPartition = { writeUnits: 1000, readUnits: 3000 };

/** A partition key that all operations of a path have in common, with what one operation takes of it. */
export interface HotKey {
  /** `table`, or the name of an index. */
  place: string;
  /** As the documents write it, for example `SHIPMENTS#slug`. */
  name: string;
  shards: number;
  writeUnits: number;
  readUnits: number;
}

/**
 * The lists whose partition keys end with a shard. `COUNTS#` has its shards in the sort key, so it is one key here: DynamoDB may
 * spread such a key, too, but only after it has been hot for some time, and AWS does not say for how long:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html.
 */
const listByPrefix: Readonly<Record<string, Parameters<typeof shardsOf>[0]>> = {
  DELIVERIES: 'deliveries',
  PARKED: 'deliveries',
  CIRCUITS: 'circuits',
  DUE: 'due',
  RETRIES: 'retries',
  SHIPMENTS: 'shipments',
  ATTENTION: 'shipments',
};

/**
 * What is hot in a path: keys that more than one operation takes units of, although each operation is about another order,
 * another parcel or another customer. @param operations what each of them asked of AWS @param size how many a batch has
 */
export function hotKeysOf(operations: readonly (readonly Usage[])[], slug: string, size = 1): HotKey[] {
  const heats = operations.map(heatOf);
  const shared = new Map<string, HotKey>();
  for (const [id, { place, key }] of heats.flatMap((heat) => [...heat])) {
    const units = heats.flatMap((heat) => heat.get(id) ?? []);
    if (units.length < 2 || shared.has(id)) continue;
    shared.set(id, {
      place,
      name: nameOf(key, slug),
      shards: shardCountOf(key),
      writeUnits: Math.max(...units.map(({ writeUnits }) => writeUnits)) / size,
      readUnits: Math.max(...units.map(({ readUnits }) => readUnits)) / size,
    });
  }
  // A list shows the same orders each time.
  return [...shared.values()].filter(({ name }) => !name.startsWith('ORDER#'));
}

interface Taken {
  place: string;
  key: string;
  writeUnits: number;
  readUnits: number;
}

/** The units of one operation by key. The shards of a list are one key here. */
function heatOf(usages: readonly Usage[]): Map<string, Taken> {
  const taken = new Map<string, Taken>();
  for (const { place, key, writeUnits, readUnits } of usages.flatMap(({ heat = [] }) => heat)) {
    const list = isSpread(key) ? key.replace(/\d+$/, 'shard') : key;
    const before = taken.get(`${place} ${list}`) ?? { writeUnits: 0, readUnits: 0 };
    taken.set(`${place} ${list}`, {
      place,
      key: list,
      writeUnits: before.writeUnits + writeUnits,
      readUnits: before.readUnits + readUnits,
    });
  }
  return taken;
}

const isSpread = (key: string) => /#\d+$/.test(key) && key.split('#')[0]! in listByPrefix;

const shardCountOf = (key: string) => (key.endsWith('#shard') ? shardsOf(listByPrefix[key.split('#')[0]!]!).length : 1);

const nameOf = (key: string, slug: string): string =>
  key
    .replace(slug, 'slug')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-[0-9a-f]{16})?/g, 'uuid')
    .replace(/^PAGES#.*/, 'PAGES#token');

/** What several functions take for one operation. */
export function together(...parts: readonly (readonly HotKey[])[]): HotKey[] {
  const byKey = Map.groupBy(parts.flat(), ({ place, name }) => `${place} ${name}`);
  return [...byKey.values()].map((keys) => ({
    ...keys[0]!,
    writeUnits: keys.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
    readUnits: keys.reduce((sum, { readUnits }) => sum + readUnits, 0),
  }));
}

/** A batch reads once what its messages have in common. */
export const readOnceOf = (keys: readonly HotKey[], batchSize: number): HotKey[] =>
  keys.map((key) => (key.writeUnits > 0 || key.shards > 1 ? key : { ...key, readUnits: key.readUnits / batchSize }));

/** How many operations a second the key takes, spread over its shards. */
export const ceilingOf = ({ shards, writeUnits, readUnits }: HotKey): number =>
  Math.floor(
    shards *
      Math.min(
        writeUnits > 0 ? ofPartition.writeUnits / writeUnits : Number.POSITIVE_INFINITY,
        readUnits > 0 ? ofPartition.readUnits / readUnits : Number.POSITIVE_INFINITY,
      ),
  );

export const hottestFirst = (keys: readonly HotKey[]): HotKey[] =>
  keys.toSorted((a, b) => ceilingOf(a) - ceilingOf(b) || (a.place + a.name < b.place + b.name ? -1 : 1));

/** A key without a shop in it is one for everybody. */
export const isOfShop = ({ name }: HotKey): boolean => /#(slug|uuid|token)/.test(name);
