import { tableName } from './client.ts';
import { batchGet, type Key } from './reads.ts';
import { type Action, put } from './writes.ts';

/**
 * The number of entries of a list, in an item of its own. Every transaction that adds or removes an entry also writes
 * this item, so the number is exact and a limit holds, however many requests add at the same time.
 */
export interface Counter {
  key: Key;
  max: number;
  /** Counts the entries themselves. Called once for a list that is older than its counter. */
  count(): Promise<number>;
  /** The error if the list is full. */
  full(): Error;
}

/** The write that counts a new entry. If its condition fails, read and write again. */
export async function countNew(counter: Counter): Promise<Action> {
  const { key, max, count, full } = counter;
  const stored = await storedCount(key);
  const entries = stored ?? (await count());
  if (entries >= max) throw full();
  return stored === undefined ? start(key, entries + 1) : add(key, 1, 'entries < :max', { ':max': max });
}

/** The write that counts a removed entry. If its condition fails, read and write again. */
export async function countRemoved({ key, count }: Counter): Promise<Action> {
  const stored = await storedCount(key);
  return stored === undefined ? start(key, (await count()) - 1) : add(key, -1, 'attribute_exists(pk)');
}

async function storedCount(key: Key): Promise<number | undefined> {
  const [item] = await batchGet([key]);
  return item?.entries as number | undefined;
}

/** Whoever adds or removes an entry in between also starts the counter, so the number is still right if this succeeds. */
const start = (key: Key, entries: number): Action => put({ ...key, entries }, 'attribute_not_exists(pk)');

const add = (Key: Key, step: number, ConditionExpression: string, values: object = {}): Action => ({
  Update: {
    TableName: tableName(),
    Key,
    UpdateExpression: 'ADD entries :step',
    ConditionExpression,
    ExpressionAttributeValues: { ':step': step, ...values },
  },
});
