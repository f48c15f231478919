import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { activeEndpoints } from '#domain/endpoints/endpoint-store.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet, type Key } from '#platform/table/reads.ts';
import { type Action, retryOnConflict, transact, write } from '#platform/table/writes.ts';
import type { ThirdParty } from '#schemas/catalogues/integrations.ts';
import type { InternalTrigger } from '#schemas/shapes/trigger-shapes.ts';
import type { Receivers } from './effective-triggers.ts';

interface StoredTriggers {
  version?: number;
  internal_triggers?: InternalTrigger[];
}

/** Loads the settings, with the internal triggers and the receivers of one integration or of webhooks. */
export async function loadSettingsOf(slug: string, thirdParty: ThirdParty) {
  const isWebhook = thirdParty === 'webhook';
  const keyOfIntegration = isWebhook ? [] : [keyOf.integrationKey(slug, thirdParty)];
  const [[settings, triggers, key], endpoints] = await Promise.all([
    batchGet([keyOf.settings(slug), keyOf.internalTriggers(slug, thirdParty), ...keyOfIntegration]),
    isWebhook ? activeEndpoints(slug) : [],
  ]);
  const receivers: Receivers = { key, hasEndpoint: endpoints.length > 0 };
  return {
    settings: (settings ?? {}) as StoredSettings,
    internalTriggers: (triggers as StoredTriggers | undefined)?.internal_triggers ?? [],
    receivers,
  };
}

export async function loadInternalTriggers(slug: string, thirdParty: ThirdParty): Promise<InternalTrigger[]> {
  const [item] = await batchGet([keyOf.internalTriggers(slug, thirdParty)]);
  return (item as StoredTriggers | undefined)?.internal_triggers ?? [];
}

/** @param also what else the same transaction writes */
export const changeSettings = (
  slug: string,
  change: (before: StoredSettings) => StoredSettings,
  also?: (before: StoredSettings) => Action[],
) => changeItem<StoredSettings>(keyOf.settings(slug), change, also);

export async function changeInternalTriggers(
  slug: string,
  thirdParty: ThirdParty,
  change: (before: readonly InternalTrigger[]) => InternalTrigger[],
): Promise<InternalTrigger[]> {
  const key = keyOf.internalTriggers(slug, thirdParty);
  const after = await changeItem<StoredTriggers>(key, ({ internal_triggers = [] }) => ({
    internal_triggers: change(internal_triggers),
  }));
  return after.internal_triggers ?? [];
}

interface Versioned {
  version?: number;
}

/**
 * Reads an item, which may not exist yet, and writes it as `change` returns it. If somebody else writes in between, the
 * item is read again and `change` runs again, so that no change is lost.
 */
function changeItem<T extends Versioned>(
  key: Key,
  change: (before: Partial<T>) => T,
  also: (before: Partial<T>) => Action[] = () => [],
): Promise<T> {
  return retryOnConflict(async () => {
    const [item = {}] = await batchGet([key]);
    const before = item as Partial<T>;
    const after = { ...change(before), version: nextVersion(before) };
    const Put = { TableName: tableName(), Item: { ...after, ...key }, ...stillAt(before.version) };
    const others = also(before);
    // A transaction costs twice as much.
    if (others.length > 0) await transact([{ Put }, ...others]);
    else await write(() => table.send(new PutCommand(Put)));
    return after;
  });
}

export const nextVersion = ({ version = 0 }: { version?: number | undefined }): number => version + 1;

/** The settings that a shop is created with have no version yet. */
const stillAt = (version: number | undefined) => ({
  ConditionExpression: version === undefined ? 'attribute_not_exists(#version)' : '#version = :version',
  ExpressionAttributeNames: { '#version': 'version' },
  ...(version !== undefined && { ExpressionAttributeValues: { ':version': version } }),
});
