import { loadTriggerSettings } from '#domain/settings/trigger-settings.ts';
import { thirdParties } from '#schemas/catalogues/integrations.ts';
import type { OwnedTrigger } from './trigger-due.ts';

/** Every internal trigger of a shop. Whether its owner is switched on is decided when it fires, not before. */
export async function loadTriggers(slug: string): Promise<OwnedTrigger[]> {
  const settings = await loadTriggerSettings(slug);
  return thirdParties.flatMap((third_party) =>
    settings[third_party].internal_triggers.map((trigger) => ({ third_party, trigger })),
  );
}
