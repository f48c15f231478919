import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { type NotifiedIntegration, notifiedIntegrations, thirdParties } from '../catalogues/integrations.ts';
import { Defaulted, Nullable, Shape, Text } from './shapes.ts';
import { InternalTrigger } from './trigger-shapes.ts';

const forEach = <K extends string, T extends TSchema>(names: readonly K[], schema: T) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<K, T>;

const Unchanged = Type.Optional(Nullable(Type.Boolean({ description: 'Null or absent: the value stays unchanged.' })));

export const CarrierSettings = Shape('CarrierSettings', {
  shipment_updates: Type.Boolean({
    description: 'Whether to retrieve shipment updates from carriers. Default: false.',
  }),
});
export const CarrierSettingsUpdate = Shape('CarrierSettingsUpdate', { shipment_updates: Unchanged });

export const TriggerSwitches = Shape('TriggerSwitches', forEach(notifiedIntegrations, Type.Boolean()), {
  description: 'Whether the service sends events to each integration. Default: false.',
});
export const TriggerSwitchesUpdate = Shape('TriggerSwitchesUpdate', forEach(notifiedIntegrations, Unchanged));

export const SegmentSwitches = Shape('SegmentSwitches', forEach(notifiedIntegrations, Type.Boolean()), {
  description:
    'Whether the segments of customers are fetched from each integration. Default: false. While the switch is on, the ' +
    'service asks the integration for the segments of the customer of each new order, and adds them to the order.',
});
const withSegments = notifiedIntegrations.filter((id) => id !== 'integration_7') as Exclude<
  NotifiedIntegration,
  'integration_7'
>[];
export const SegmentSwitchesUpdate = Shape('SegmentSwitchesUpdate', forEach(withSegments, Unchanged));

export const CampaignSettings = Shape('CampaignSettings', {
  product_recommendations_enabled: Nullable(
    Type.Boolean({
      description:
        'Whether customers see campaigns of the type `product`. False: none of them is chosen. Null: never set, which means true.',
    }),
  ),
});
export const CampaignSettingsUpdate = Shape('CampaignSettingsUpdate', {
  product_recommendations_enabled: Type.Optional(
    Nullable(Type.Boolean({ description: 'Whether customers see campaigns of the type `product`.' })),
  ),
});

const colours = [
  'primary_dark',
  'primary_light',
  'secondary_dark',
  'secondary_light',
  'background',
  'surface',
] as const;
const Colour = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', description: 'A colour such as `#1F2933`.' });
export const BrandPalette = Shape('BrandPalette', forEach(colours, Colour));
export const BrandPaletteUpdate = Shape('BrandPaletteUpdate', forEach(colours, Type.Optional(Nullable(Colour))), {
  description: 'Only the given colours change. Null restores the default colour.',
});

export const ShopSettings = Shape('ShopSettings', {
  carriers: CarrierSettings,
  triggers: TriggerSwitches,
  segments: SegmentSwitches,
  campaigns: CampaignSettings,
  brand_palette: BrandPalette,
});

const RuleText = (maxLength: number, options: object = {}) => Text(maxLength, { minLength: 1, ...options });

/** The rules are few and short, because the table stores them in one item together with the settings. */
const MappingRules = Type.Array(
  Shape('MappingRule', {
    source: Shape('MappingSource', {
      key: RuleText(255, {
        description: 'The name of the attribute, or the path of a field of the payload, such as `customer.id`.',
      }),
      type: RuleText(100, {
        description:
          'What `key` refers to: the name of a `note_attribute` (shop_system_1), of a `custom_field` of the order or its customer ' +
          '(shop_system_2) or of `meta_data` of the order (shop_system_3). With any other text it is the path of a field.',
      }),
    }),
    target: RuleText(100, {
      description:
        'The order field that gets the value. One that no order has becomes a note attribute. Example: `marketplace_order_number`.',
    }),
  }),
  { maxItems: 50 },
);

const mappingKinds = ['shop_system_1.order', 'shop_system_2.order', 'shop_system_3.order'] as const;

export const Mappings = Shape('Mappings', {
  version: Defaulted(Type.Integer({ minimum: 1, maximum: 1, description: 'The version of the format. Always 1.' }), 1),
  // An unknown kind is refused: if it were ignored, a slip in its name would remove the rules that are there.
  data: Shape('MappingsV1', forEach(mappingKinds, Type.Optional(MappingRules)), {
    additionalProperties: true,
    propertyNames: { enum: mappingKinds },
    description:
      'The rules of each source kind. Other kinds than these are refused with 422. The service applies those of the ' +
      '`shop_provider` of the shop to the orders that it sends.',
  }),
});

const StatusWord = Type.String({ description: '`enabled` or `disabled`.' });

const BundledTriggers = Shape('BundledTriggerSettings', {
  status: StatusWord,
  stale_event_threshold: Type.Integer({ description: 'The age in hours from which an event is not sent.' }),
  shipment_group_key: Type.String(),
  trigger_delivered_all_events: Type.Optional(Type.Boolean()),
  segments_enabled: Type.Optional(Type.Boolean()),
  internal_triggers: Type.Optional(Type.Array(InternalTrigger)),
  use_proxy: Type.Optional(Type.Boolean()),
  rest_endpoint: Type.Optional(Nullable(Type.String())),
  portal_id: Type.Optional(Nullable(Type.String())),
  instance_id: Type.Optional(Nullable(Type.String())),
});

const References = (description: string) => Type.Array(Type.String(), { description });

/** The fields of one source of carrier updates. */
const carrierSource = <P extends string>(prefix: P) =>
  ({
    [`${prefix}_status`]: StatusWord,
    [`${prefix}_enabled_carriers`]: References('The carriers that are on. An empty list means all carriers.'),
    [`${prefix}_disabled_carriers`]: References('The carriers that are off. An empty list means no carriers.'),
    [`override_${prefix}_tracking_config_for_segments`]: References(
      'The segments that override the tracking configuration.',
    ),
  }) as TProperties;

const versioned = <T extends TSchema>(title: string, data: T) => Shape(title, { version: Type.Integer(), data });

export const SettingsBundle = Shape('SettingsBundle', {
  triggers: versioned('BundledTriggers', Shape('BundledTriggersV1', forEach(thirdParties, BundledTriggers))),
  carriers: versioned(
    'BundledCarriers',
    Shape('BundledCarriersV1', { ...carrierSource('pp'), ...carrierSource('aftership'), ...carrierSource('hc') }),
  ),
  mappings: Mappings,
});

export type ShopSettings = Static<typeof ShopSettings>;
export type BrandPalette = Static<typeof BrandPalette>;
export type CampaignSettings = Static<typeof CampaignSettings>;
export type Mappings = Static<typeof Mappings>;
export type SettingsBundle = Static<typeof SettingsBundle>;
