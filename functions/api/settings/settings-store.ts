import { activeEndpoints } from '#domain/endpoints/endpoint-store.ts';
import { changeItem } from '#domain/settings/change-settings.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { loadSettingsWithTriggers } from '#domain/settings/trigger-settings.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet, getItem } from '#platform/table/reads.ts';
import { notifiedIntegrations, type ThirdParty } from '#schemas/catalogues/integrations.ts';
import type { InternalTrigger } from '#schemas/shapes/trigger-shapes.ts';
import type { Receivers } from './effective-triggers.ts';

interface StoredTriggers {
  version?: number;
  internal_triggers?: InternalTrigger[];
}

/** Loads the settings, with the internal triggers and the receivers of one integration or of webhooks. */
export async function loadSettingsOf(shop: ShopItem, thirdParty: ThirdParty) {
  const { slug } = shop;
  const isWebhook = thirdParty === 'webhook';
  const keyOfIntegration = isWebhook ? [] : [keyOf.integrationKey(slug, thirdParty)];
  const [[settings, triggers, key], endpoints] = await Promise.all([
    batchGet([keyOf.settings(slug), keyOf.internalTriggers(slug, thirdParty), ...keyOfIntegration]),
    isWebhook ? activeEndpoints(slug) : [],
  ]);
  const receivers: Receivers = { shop, key, hasEndpoint: endpoints.length > 0 };
  return {
    settings: (settings ?? {}) as StoredSettings,
    internalTriggers: (triggers as StoredTriggers | undefined)?.internal_triggers ?? [],
    receivers,
  };
}

/** Loads the settings, with the internal triggers and the receivers of every integration and of webhooks. */
export async function loadAllSettings(shop: ShopItem) {
  const { slug } = shop;
  const [stored, keys, endpoints] = await Promise.all([
    loadSettingsWithTriggers(slug),
    batchGet(notifiedIntegrations.map((id) => keyOf.integrationKey(slug, id))),
    activeEndpoints(slug),
  ]);
  const keyFor = (thirdParty: ThirdParty) => keys[(notifiedIntegrations as readonly string[]).indexOf(thirdParty)];
  return {
    ...stored,
    receiversOf: (thirdParty: ThirdParty): Receivers => ({
      shop,
      key: keyFor(thirdParty),
      hasEndpoint: endpoints.length > 0,
    }),
    /** What the active endpoints listen to. */
    filters: endpoints.flatMap(({ enabled_events }) => enabled_events),
  };
}

export async function loadInternalTriggers(slug: string, thirdParty: ThirdParty): Promise<InternalTrigger[]> {
  const item = await getItem<StoredTriggers>(keyOf.internalTriggers(slug, thirdParty));
  return item?.internal_triggers ?? [];
}

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
