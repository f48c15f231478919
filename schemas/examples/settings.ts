import type { settings } from '../families/settings.ts';
import type {
  InternalTrigger,
  InternalTriggerInput,
  Notifications,
  TriggerSettings,
} from '../shapes/trigger-shapes.ts';
import type { ExamplesOf } from './example.ts';
import { hosts, ids } from './story.ts';

const switches = {
  integration_1: true,
  integration_2: false,
  integration_3: false,
  integration_4: false,
  integration_5: false,
  integration_6: false,
  integration_7: false,
};

export const palette = {
  primary_dark: '#12372A',
  primary_light: '#436850',
  secondary_dark: '#52606D',
  secondary_light: '#CBD2D9',
  background: '#FFFFFF',
  surface: '#F9FAFB',
};

const trigger = {
  name: 'No news for three days',
  phase_in: ['in_transit'],
  event_key_not_in: ['DELIVERY_DELAYED'],
  operator: 'AND',
  time_threshold_type: 'latest_event_time',
  time_threshold_value: 72,
} satisfies Partial<InternalTriggerInput>;

const createdTrigger = {
  id: ids.internalTrigger,
  ...trigger,
  phase_not_in: [],
  event_key_in: [],
  shipment_direction: 'merchant_customer',
} satisfies InternalTrigger;

const newValues = { name: 'No news for two days', time_threshold_value: 48 };

const updatedTrigger = { ...createdTrigger, ...newValues };

const mappings = {
  version: 1,
  data: {
    'shop_system_1.order': [
      { source: { key: 'marketplace_number', type: 'note_attribute' }, target: 'marketplace_order_number' },
    ],
  },
};

const webhook = { integration: 'webhook' as const };
const oneTrigger = { ...webhook, trigger_id: ids.internalTrigger };

const webhookSettings = {
  status: true,
  stale_event_threshold: 72,
  trigger_delivered_all_events: false,
  segments_enabled: false,
  internal_triggers: [updatedTrigger],
  effective: { active: true, reason: null, message: null },
} satisfies TriggerSettings;

/** No event reaches an integration yet. */
const unreached = {
  event_groups: [],
  stale_event_threshold: 4,
  internal_triggers: [],
  fetches_segments: false,
  effective: {
    active: false,
    reason: 'switch_off',
    message: 'Turn on the switch of the integration in settings/triggers.',
  },
} satisfies Omit<Notifications, 'integration'>;

const notifications: Notifications[] = [
  {
    ...unreached,
    integration: 'integration_1',
    fetches_segments: true,
    effective: { active: false, reason: 'no_key', message: 'Set the key of the integration.' },
  },
  ...(['integration_2', 'integration_3', 'integration_4', 'integration_5', 'integration_6'] as const).map(
    (integration) => ({ ...unreached, integration }),
  ),
  { ...unreached, integration: 'integration_7', stale_event_threshold: 48 },
  {
    integration: 'webhook',
    effective: { active: true, reason: null, message: null },
    // What the one endpoint listens to, and the event of the internal trigger.
    event_groups: [
      'shipment_delivered',
      'shipment_delivered_to_neighbour',
      'shipment_delivered_to_letterbox',
      'shipment_picked_up',
      'shipment_internal_trigger',
      'return_shipment_received',
      'claim_created',
    ],
    stale_event_threshold: 72,
    internal_triggers: [{ id: ids.internalTrigger, name: updatedTrigger.name }],
    fetches_segments: false,
  },
];

const bundled = {
  status: 'disabled',
  stale_event_threshold: 4,
  trigger_delivered_all_events: false,
  segments_enabled: false,
  internal_triggers: [],
  shipment_group_key: 'shipment_id',
};

const pageSettings = {
  enabled: true,
  claims_enabled: true,
  show_products: true,
  show_predictions: true,
  ratings_enabled: true,
  withdrawal_enabled: true,
  withdrawal_days: 14,
  support_url: `${hosts.shop}/help`,
  privacy_url: null,
  imprint_url: null,
};

export const settingsExamples = {
  updateCarrierSettings: { body: { shipment_updates: true }, response: { shipment_updates: true } },
  updateTriggerSwitches: { body: { integration_1: true }, response: switches },
  updateSegmentSwitches: { body: { integration_1: true }, response: switches },
  updateCampaignSettings: {
    body: { product_recommendations_enabled: true },
    response: { product_recommendations_enabled: true },
  },
  updateBrandPalette: { body: { primary_dark: '#12372A', primary_light: '#436850' }, response: palette },
  getBrandPalette: { response: palette },
  getTrackingPageSettings: { response: pageSettings },
  updateTrackingPageSettings: {
    body: { support_url: pageSettings.support_url, ratings_enabled: true, withdrawal_enabled: true },
    response: pageSettings,
  },
  getSettings: {
    response: {
      carriers: { shipment_updates: true },
      triggers: switches,
      segments: switches,
      campaigns: { product_recommendations_enabled: true },
      brand_palette: palette,
    },
  },
  updateTriggerSettings: {
    params: webhook,
    body: { stale_event_threshold: 72, trigger_delivered_all_events: false },
    response: { ...webhookSettings, internal_triggers: [] },
  },
  createInternalTrigger: { params: webhook, body: trigger, response: createdTrigger },
  getInternalTrigger: { params: oneTrigger, response: createdTrigger },
  updateInternalTrigger: {
    params: oneTrigger,
    body: { ...trigger, ...newValues },
    response: updatedTrigger,
  },
  listInternalTriggers: { params: webhook, response: [updatedTrigger] },
  listNotifications: { response: notifications },
  getTriggerSettings: { params: webhook, response: webhookSettings },
  setMappings: {
    body: mappings,
    response: {
      triggers: {
        version: 1,
        data: {
          integration_1: { ...bundled, status: 'enabled', segments_enabled: true },
          integration_2: { ...bundled, use_proxy: false },
          integration_3: { ...bundled, rest_endpoint: null },
          integration_4: { ...bundled, portal_id: null },
          integration_5: bundled,
          integration_6: { ...bundled, instance_id: null },
          integration_7: { status: 'disabled', stale_event_threshold: 48, shipment_group_key: 'shipment_id' },
          webhook: { ...bundled, status: 'enabled', stale_event_threshold: 72, internal_triggers: [updatedTrigger] },
        },
      },
      carriers: {
        version: 1,
        data: {
          pp_status: 'enabled',
          pp_enabled_carriers: [],
          pp_disabled_carriers: [],
          override_pp_tracking_config_for_segments: [],
          aftership_status: 'disabled',
          aftership_enabled_carriers: [],
          aftership_disabled_carriers: [],
          override_aftership_tracking_config_for_segments: [],
          hc_status: 'disabled',
          hc_enabled_carriers: [],
          hc_disabled_carriers: [],
          override_hc_tracking_config_for_segments: [],
        },
      },
      mappings,
    },
  },
  getMappings: { response: mappings },
  deleteInternalTrigger: { params: oneTrigger, response: null },
} satisfies ExamplesOf<typeof settings>;
