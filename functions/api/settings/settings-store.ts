import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { batchGet } from '#platform/table/batch-get.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { ThirdParty } from '#schemas/catalogues/integrations.ts';
import type { InternalTrigger } from '#schemas/shapes/trigger-shapes.ts';
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
