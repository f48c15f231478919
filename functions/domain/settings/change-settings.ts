import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { storefrontChanged } from '#domain/pages/storefront-version.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet, type Key } from '#platform/table/reads.ts';
import { type Action, retryOnConflict, transact, write } from '#platform/table/writes.ts';
import type { StoredSettings } from './stored-settings.ts';

/** Customers see the effect of some settings, so the storefront of the shop changes with them. */
export const changeSettings = (slug: string, change: (before: StoredSettings) => StoredSettings) =>
  changeItem<StoredSettings>(keyOf.settings(slug), change, [storefrontChanged(slug)]);

interface Versioned {
  version?: number;
}

/**
 * Reads an item, which may not exist yet, and writes it as `change` returns it, with the writes of `also` in the same
 * transaction. If somebody else writes in between, the item is read again and `change` runs again, so that no change is
 * lost.
 */
export function changeItem<T extends Versioned>(
  key: Key,
  change: (before: Partial<T>) => T,
  also: readonly Action[] = [],
): Promise<T> {
  return retryOnConflict(async () => {
    const [item = {}] = await batchGet([key]);
    const before = item as Partial<T>;
    const after = { ...change(before), version: (before.version ?? 0) + 1 };
    const Put = { TableName: tableName(), Item: { ...after, ...key }, ...stillAt(before.version) };
    await (also.length > 0 ? transact([{ Put }, ...also]) : write(() => table.send(new PutCommand(Put))));
    return after;
  });
}

/** The settings that a shop is created with have no version yet. */
const stillAt = (version: number | undefined) => ({
  ConditionExpression: version === undefined ? 'attribute_not_exists(#version)' : '#version = :version',
  ExpressionAttributeNames: { '#version': 'version' },
  ...(version !== undefined && { ExpressionAttributeValues: { ':version': version } }),
});

/** Applies an update in which null restores the default. Defaults are not stored. */
export const withResets = <T extends object>(before: T | undefined, changes: object): T =>
  Object.fromEntries(
    Object.entries({ ...before, ...withoutUndefined(changes) }).filter(([, value]) => value !== null),
  ) as T;

const withoutUndefined = (changes: object) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
