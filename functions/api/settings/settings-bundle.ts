import { forAllThirdParties } from '#domain/settings/trigger-rules.ts';
import type { SettingsWithTriggers } from '#domain/settings/trigger-settings.ts';
import type { SettingsBundle } from '#schemas/shapes/settings-shapes.ts';
import { toCarriers, toMappings } from './settings-rules.ts';
import { toTriggerSettings } from './trigger-settings-rules.ts';

const word = (isOn: boolean) => (isOn ? 'enabled' : 'disabled');

/** What is posted for a shipment is one message of its own. */
const shipment_group_key = 'shipment_id';

/** The settings of triggers, carriers and mappings in one answer, where a status is a word. */
export function settingsBundle({ settings, internalTriggers }: SettingsWithTriggers): SettingsBundle {
  const triggers = forAllThirdParties((id) => {
    const { status, ...own } = toTriggerSettings(settings, id, internalTriggers[id]);
    return { status: word(status), ...own, shipment_group_key };
  });
  const { shipment_updates } = toCarriers(settings);
  return {
    triggers: { version: 1, data: triggers },
    carriers: {
      version: 1,
      data: { ...carrierSource('pp', shipment_updates), ...carrierSource('aftership'), ...carrierSource('hc') },
    },
    mappings: toMappings(settings),
  };
}

/** Updates come from one source, for every carrier it knows; of the others the contract has the names. */
const carrierSource = (prefix: string, isOn = false) => ({
  [`${prefix}_status`]: word(isOn),
  [`${prefix}_enabled_carriers`]: [],
  [`${prefix}_disabled_carriers`]: [],
  [`override_${prefix}_tracking_config_for_segments`]: [],
});
