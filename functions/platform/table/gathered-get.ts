import { batchGet, type Key } from './batch-get.ts';

type Items = (Record<string, unknown> | undefined)[];

interface Asked {
  keys: readonly Key[];
  resolve(items: Items): void;
  reject(error: unknown): void;
}

let asked: Asked[] = [];

/** What DynamoDB reads in one request. */
const mostKeys = 100;

/** As batchGet; what several ask for in the same moment is read in one request. */
export function gatheredGet(keys: readonly Key[]): Promise<Items> {
  const { promise, resolve, reject } = Promise.withResolvers<Items>();
  if (count(asked) + keys.length > mostKeys) void read();
  if (asked.length === 0) queueMicrotask(read);
  asked.push({ keys, resolve, reject });
  return promise;
}

const count = (all: readonly Asked[]) => all.reduce((sum, { keys }) => sum + keys.length, 0);

async function read(): Promise<void> {
  const all = asked;
  asked = [];
  if (all.length === 0) return;
  try {
    const places = new Map(all.flatMap(({ keys }) => keys.map((key) => [nameOf(key), key])));
    const items = await batchGet([...places.values()]);
    const found = new Map([...places.keys()].map((name, i) => [name, items[i]]));
    for (const { keys, resolve } of all) resolve(keys.map((key) => found.get(nameOf(key))));
  } catch (error) {
    for (const { reject } of all) reject(error);
  }
}

const nameOf = ({ pk, sk }: Key) => `${pk} ${sk}`;
