import { keyOf, settingsPrefix, shopPartition } from '#platform/table/keys.ts';
import { queryAll } from '#platform/table/query.ts';
import type { ThirdParty } from '#schemas/catalogues/integrations.ts';
import type { InternalTrigger } from '#schemas/shapes/trigger-shapes.ts';
import type { StoredSettings } from './stored-settings.ts';
import { forAllThirdParties, type TriggerRules, triggerRules } from './trigger-rules.ts';

export type { InternalTrigger } from '#schemas/shapes/trigger-shapes.ts';

export interface ThirdPartySettings extends TriggerRules {
  /** Oldest first. */
  internal_triggers: InternalTrigger[];
}

/** By integration, and `webhook`. */
export type TriggerSettings = Record<ThirdParty, ThirdPartySettings>;

export interface SettingsWithTriggers {
  settings: StoredSettings;
  internalTriggers: Record<ThirdParty, InternalTrigger[]>;
}

/** Who is told of what in a shop. A shop that never set anything, or is gone, has the defaults. */
export async function loadTriggerSettings(slug: string): Promise<TriggerSettings> {
  const { settings, internalTriggers } = await loadSettingsWithTriggers(slug);
  const rules = triggerRules(settings);
  return forAllThirdParties((id) => ({ ...rules[id], internal_triggers: internalTriggers[id] }));
}

/** The settings item and every internal trigger, in one read. */
export async function loadSettingsWithTriggers(slug: string): Promise<SettingsWithTriggers> {
  const items = await queryAll<Item>({
    KeyConditionExpression: 'pk = :shop AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':shop': shopPartition(slug), ':prefix': settingsPrefix },
    ConsistentRead: true,
  });
  const itemAt = ({ sk }: { sk: string }) => items.find((item) => item.sk === sk);
  return {
    settings: itemAt(keyOf.settings(slug)) ?? {},
    internalTriggers: forAllThirdParties((id) => itemAt(keyOf.internalTriggers(slug, id))?.internal_triggers ?? []),
  };
}

type Item = StoredSettings & { sk: string; internal_triggers?: InternalTrigger[] };
