import Type from 'typebox';
import { thirdParties } from '../catalogues/integrations.ts';
import {
  BrandPalette,
  BrandPaletteUpdate,
  CampaignSettings,
  CampaignSettingsUpdate,
  CarrierSettings,
  CarrierSettingsUpdate,
  Mappings,
  SegmentSwitches,
  SegmentSwitchesUpdate,
  SettingsBundle,
  ShopSettings,
  TriggerSwitches,
  TriggerSwitchesUpdate,
} from '../shapes/settings-shapes.ts';
import { Choice, Nothing, Text } from '../shapes/shapes.ts';
import {
  InternalTrigger,
  InternalTriggerInput,
  TriggerSettings,
  triggerSettingsUpdates,
} from '../shapes/trigger-shapes.ts';
import { declare, shopPath } from './operation.ts';

const settingsPath = `${shopPath}/settings` as const;
const palettePath = `${settingsPath}/brand-palette` as const;
const mappingsPath = `${settingsPath}/mappings` as const;
const triggersPath = `${settingsPath}/triggers/{integration}` as const;
const internalTriggersPath = `${triggersPath}/internal-triggers` as const;
const internalTriggerPath = `${internalTriggersPath}/{trigger_id}` as const;

const integration = Choice(thirdParties);
const thirdPartyParams = Type.Object({ integration });
const internalTriggerParams = Type.Object({ integration, trigger_id: Text(100) });

export const settings = declare({
  getSettings: {
    method: 'GET',
    path: settingsPath,
    role: 'viewer',
    summary: 'Get the settings of a shop',
    description: 'What was never set has its default.',
    response: ShopSettings,
  },
  updateCarrierSettings: {
    method: 'PATCH',
    path: `${settingsPath}/carriers`,
    role: 'admin',
    summary: 'Update the carrier settings',
    body: CarrierSettingsUpdate,
    response: CarrierSettings,
  },
  updateTriggerSwitches: {
    method: 'PATCH',
    path: `${settingsPath}/triggers`,
    role: 'admin',
    summary: 'Switch the triggers of integrations on and off',
    description:
      'An integration gets events while its switch and its own `status` are both on. A `status` that was never set ' +
      'goes with the switch.',
    body: TriggerSwitchesUpdate,
    response: TriggerSwitches,
  },
  updateSegmentSwitches: {
    method: 'PATCH',
    path: `${settingsPath}/segments`,
    role: 'admin',
    summary: 'Switch the retrieval of segments on and off',
    body: SegmentSwitchesUpdate,
    response: SegmentSwitches,
  },
  updateCampaignSettings: {
    method: 'PATCH',
    path: `${settingsPath}/campaigns`,
    role: 'admin',
    summary: 'Update the campaign settings',
    body: CampaignSettingsUpdate,
    response: CampaignSettings,
  },
  getBrandPalette: {
    method: 'GET',
    path: palettePath,
    role: 'viewer',
    summary: 'Get the brand palette',
    response: BrandPalette,
  },
  updateBrandPalette: {
    method: 'PATCH',
    path: palettePath,
    role: 'admin',
    summary: 'Update the brand palette',
    body: BrandPaletteUpdate,
    response: BrandPalette,
  },
  getMappings: {
    method: 'GET',
    path: mappingsPath,
    role: 'viewer',
    summary: 'Get the mappings',
    response: Mappings,
  },
  setMappings: {
    method: 'PUT',
    path: mappingsPath,
    role: 'admin',
    summary: 'Set the mappings',
    description: 'Replaces them all; answers all settings of triggers, carriers and mappings.',
    body: Mappings,
    response: SettingsBundle,
  },
  getTriggerSettings: {
    method: 'GET',
    path: triggersPath,
    role: 'viewer',
    summary: 'Get the trigger settings of an integration or of webhooks',
    params: thirdPartyParams,
    response: TriggerSettings,
  },
  updateTriggerSettings: {
    method: 'PATCH',
    path: triggersPath,
    role: 'admin',
    summary: 'Update the trigger settings of an integration or of webhooks',
    description:
      'An event is sent while `status` is on (and, for an integration, its switch in `settings/triggers`), if it has an ' +
      'event group and is younger than `stale_event_threshold`. Null brings back the default.',
    params: thirdPartyParams,
    body: { parameter: 'integration', shapes: triggerSettingsUpdates },
    response: TriggerSettings,
  },
  listInternalTriggers: {
    method: 'GET',
    path: internalTriggersPath,
    role: 'viewer',
    summary: 'List internal triggers',
    description: 'Oldest first.',
    params: thirdPartyParams,
    response: Type.Array(InternalTrigger),
  },
  createInternalTrigger: {
    method: 'POST',
    path: internalTriggersPath,
    role: 'admin',
    summary: 'Create an internal trigger',
    description:
      'Fires the event group `shipment_internal_trigger`, once for each shipment, when the hours have passed since the ' +
      'named time and the shipment still matches. It counts for shipments whose hours end after the trigger was made or ' +
      'changed, and for those that come to match later. 20 at most for each integration and for webhooks.',
    params: thirdPartyParams,
    body: InternalTriggerInput,
    response: InternalTrigger,
  },
  getInternalTrigger: {
    method: 'GET',
    path: internalTriggerPath,
    role: 'viewer',
    summary: 'Get an internal trigger',
    params: internalTriggerParams,
    response: InternalTrigger,
    errors: ['internal_trigger_not_found'],
  },
  updateInternalTrigger: {
    method: 'PUT',
    path: internalTriggerPath,
    role: 'admin',
    summary: 'Replace an internal trigger',
    params: internalTriggerParams,
    body: InternalTriggerInput,
    response: InternalTrigger,
    errors: ['internal_trigger_not_found'],
  },
  deleteInternalTrigger: {
    method: 'DELETE',
    path: internalTriggerPath,
    role: 'admin',
    summary: 'Delete an internal trigger',
    params: internalTriggerParams,
    response: Nothing,
    errors: ['internal_trigger_not_found'],
  },
});
