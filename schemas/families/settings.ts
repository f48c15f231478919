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
import { TrackingPageSettings, TrackingPageSettingsUpdate } from '../shapes/tracking-page.ts';
import {
  InternalTrigger,
  InternalTriggerInput,
  Notifications,
  TriggerSettings,
  triggerSettingsUpdates,
} from '../shapes/trigger-shapes.ts';
import { declare, shopPath } from './operation.ts';

const settingsPath = `${shopPath}/settings` as const;
const palettePath = `${settingsPath}/brand-palette` as const;
const pageSettingsPath = `${settingsPath}/tracking-page` as const;
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
    description: 'Returns the settings of the shop. A setting that was never set shows its default.',
    response: ShopSettings,
  },
  updateCarrierSettings: {
    method: 'PATCH',
    path: `${settingsPath}/carriers`,
    role: 'admin',
    summary: 'Update the carrier settings',
    description:
      'Changes whether the service retrieves shipment updates from carriers. Null leaves the value unchanged. Switching them ' +
      'on also submits the parcels that are under way: those that got their number within 90 days and have not ended. That ' +
      'happens in the background. `tracking_submission` of each shipment says what came of it.',
    body: CarrierSettingsUpdate,
    response: CarrierSettings,
    ifMatch: true,
  },
  updateTriggerSwitches: {
    method: 'PATCH',
    path: `${settingsPath}/triggers`,
    role: 'admin',
    summary: 'Update the trigger switches',
    description:
      'Turns the sending of events to each integration on or off. An integration gets events while its switch and the ' +
      '`status` in its trigger settings are both on. A `status` that was never set follows the switch.',
    body: TriggerSwitchesUpdate,
    response: TriggerSwitches,
    ifMatch: true,
  },
  updateSegmentSwitches: {
    method: 'PATCH',
    path: `${settingsPath}/segments`,
    role: 'admin',
    summary: 'Update the segment switches',
    description:
      'Turns the retrieval of segments from each integration on or off. Null leaves a switch unchanged. While a switch is ' +
      'on, the service asks the integration for the segments of the customer of each new order that has `email_id` or ' +
      '`external_customer_id`, and adds them to the `segments` of the order: in the background, for up to a day if the ' +
      'integration does not answer, and without an event. The integration must have a key, and must be one that knows ' +
      'segments; ask the operator of the service.',
    body: SegmentSwitchesUpdate,
    response: SegmentSwitches,
    ifMatch: true,
  },
  updateCampaignSettings: {
    method: 'PATCH',
    path: `${settingsPath}/campaigns`,
    role: 'admin',
    summary: 'Update the campaign settings',
    description:
      'Turns dynamic campaigns on or off. While `product_recommendations_enabled` is false, no campaign of the type `product` is chosen for a customer.',
    body: CampaignSettingsUpdate,
    response: CampaignSettings,
    ifMatch: true,
  },
  getBrandPalette: {
    method: 'GET',
    path: palettePath,
    role: 'viewer',
    summary: 'Get the brand palette',
    description: 'Returns the brand colours of the shop. A colour that was never set shows its default.',
    response: BrandPalette,
  },
  updateBrandPalette: {
    method: 'PATCH',
    path: palettePath,
    role: 'admin',
    summary: 'Update the brand palette',
    description: 'Changes the given colours. Null restores the default of a colour.',
    body: BrandPaletteUpdate,
    response: BrandPalette,
    ifMatch: true,
  },
  getTrackingPageSettings: {
    method: 'GET',
    path: pageSettingsPath,
    role: 'viewer',
    summary: 'Get the settings of the tracking page',
    description: 'Returns the settings of the tracking pages of a shop.',
    response: TrackingPageSettings,
  },
  updateTrackingPageSettings: {
    method: 'PATCH',
    path: pageSettingsPath,
    role: 'admin',
    summary: 'Update the settings of the tracking page',
    description:
      'Changes the given settings of the tracking pages of a shop. Null restores the default. `withdrawal_enabled: true` is ' +
      'refused with 409 `emails_unavailable` if the deployment has no sender of e-mails.',
    body: TrackingPageSettingsUpdate,
    response: TrackingPageSettings,
    errors: ['emails_unavailable'],
    ifMatch: true,
  },
  getMappings: {
    method: 'GET',
    path: mappingsPath,
    role: 'viewer',
    summary: 'Get the mappings',
    description: 'Returns the rules that copy fields of a shop system into fields of an order.',
    response: Mappings,
  },
  setMappings: {
    method: 'PUT',
    path: mappingsPath,
    role: 'admin',
    summary: 'Set the mappings',
    description:
      'Replaces all mapping rules. Returns the trigger settings, the carrier settings and the mappings of the shop.',
    body: Mappings,
    response: SettingsBundle,
    ifMatch: true,
  },
  listNotifications: {
    method: 'GET',
    path: `${settingsPath}/notifications`,
    role: 'viewer',
    summary: 'List what each integration gets',
    description:
      'Returns, for each integration and for `webhook`, what its switch, its trigger settings, its internal triggers, its key ' +
      'and its address come to: which event groups reach it, up to which age, and the first reason if none does.',
    response: Type.Array(Notifications),
  },
  getTriggerSettings: {
    method: 'GET',
    path: triggersPath,
    role: 'viewer',
    summary: 'Get trigger settings',
    description:
      'Returns the trigger settings of an integration, or of all webhook endpoints (`webhook`). `effective` says whether ' +
      'events reach it, and why not.',
    params: thirdPartyParams,
    response: TriggerSettings,
  },
  updateTriggerSettings: {
    method: 'PATCH',
    path: triggersPath,
    role: 'admin',
    summary: 'Update trigger settings',
    description:
      'Changes the trigger settings of an integration, or of all webhook endpoints (`webhook`). The service sends an event ' +
      'if it has an event group, if it is younger than `stale_event_threshold`, and if `status` is on. For an integration, ' +
      'its switch in `settings/triggers` must be on as well. Null restores the default of a field.',
    params: thirdPartyParams,
    body: { parameter: 'integration', shapes: triggerSettingsUpdates },
    response: TriggerSettings,
    ifMatch: true,
  },
  listInternalTriggers: {
    method: 'GET',
    path: internalTriggersPath,
    role: 'viewer',
    summary: 'List internal triggers',
    description: 'Returns the internal triggers of an integration or of `webhook`, oldest first.',
    params: thirdPartyParams,
    response: Type.Array(InternalTrigger),
  },
  createInternalTrigger: {
    method: 'POST',
    path: internalTriggersPath,
    role: 'admin',
    summary: 'Create an internal trigger',
    description:
      'Creates a trigger that sends an event of the group `shipment_internal_trigger` once for each shipment. It sends the ' +
      'event when `time_threshold_value` hours have passed since the time that `time_threshold_type` names, if the shipment ' +
      'still matches. The trigger applies to shipments whose waiting time ends after you created or changed the trigger, ' +
      'and to shipments that match later. Each integration, and `webhook`, can have up to 20 internal triggers.',
    params: thirdPartyParams,
    body: InternalTriggerInput,
    response: InternalTrigger,
  },
  getInternalTrigger: {
    method: 'GET',
    path: internalTriggerPath,
    role: 'viewer',
    summary: 'Get an internal trigger',
    description: 'Returns one internal trigger.',
    params: internalTriggerParams,
    response: InternalTrigger,
    errors: ['internal_trigger_not_found'],
  },
  updateInternalTrigger: {
    method: 'PUT',
    path: internalTriggerPath,
    role: 'admin',
    summary: 'Replace an internal trigger',
    description: 'Replaces all fields of an internal trigger. Fields that you leave out get their defaults.',
    params: internalTriggerParams,
    body: InternalTriggerInput,
    response: InternalTrigger,
    ifMatch: true,
    errors: ['internal_trigger_not_found'],
  },
  deleteInternalTrigger: {
    method: 'DELETE',
    path: internalTriggerPath,
    role: 'admin',
    summary: 'Delete an internal trigger',
    description: 'Deletes an internal trigger.',
    params: internalTriggerParams,
    response: Nothing,
    ifMatch: true,
    errors: ['internal_trigger_not_found'],
  },
});
