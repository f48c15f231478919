import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { ThirdParty } from '#schemas/integrations.ts';
import type { Mappings } from '#schemas/settings-shapes.ts';
import type { InternalTrigger } from '#schemas/trigger-shapes.ts';
import { batchGet } from '#shared/batch-get.ts';
import { write } from '#shared/conditional-writes.ts';
import { keyOf } from '#shared/keys.ts';
import type { StoredSettings } from '#shared/settings/stored-settings.ts';
import { table, tableName } from '#shared/table.ts';
import { changeItem } from './versioned-item.ts';

interface StoredTriggers {
  version?: number;
  internal_triggers?: InternalTrigger[];
}

export async function loadSettings(slug: string): Promise<StoredSettings> {
  const [item] = await batchGet([keyOf.settings(slug)]);
  return item ?? {};
}

/** The settings, and the internal triggers of one integration or of webhooks. */
export async function loadSettingsOf(slug: string, thirdParty: ThirdParty) {
  const [settings, triggers] = await batchGet([keyOf.settings(slug), keyOf.internalTriggers(slug, thirdParty)]);
  return {
    settings: (settings ?? {}) as StoredSettings,
    internalTriggers: (triggers as StoredTriggers | undefined)?.internal_triggers ?? [],
  };
}

export async function loadInternalTriggers(slug: string, thirdParty: ThirdParty): Promise<InternalTrigger[]> {
  const [item] = await batchGet([keyOf.internalTriggers(slug, thirdParty)]);
  return (item as StoredTriggers | undefined)?.internal_triggers ?? [];
}

export const changeSettings = (slug: string, change: (before: StoredSettings) => StoredSettings) =>
  changeItem<StoredSettings>(keyOf.settings(slug), change);

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

export async function loadMappings(slug: string): Promise<Mappings | undefined> {
  const [item] = await batchGet([keyOf.mappings(slug)]);
  return item as Mappings | undefined;
}

/** The newest mappings win: they replace those before as a whole. */
export function putMappings(slug: string, { version, data }: Mappings): Promise<void> {
  const Item = { ...keyOf.mappings(slug), version, data };
  return write(() => table.send(new PutCommand({ TableName: tableName(), Item })));
}
