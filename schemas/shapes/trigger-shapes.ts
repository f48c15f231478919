import Type, { type Static, type TProperties } from 'typebox';
import { thirdParties } from '../catalogues/integrations.ts';
import { dueLimits } from '../catalogues/limits.ts';
import { directions, eventGroups, phases } from '../catalogues/shipment-events.ts';
import { CallableUrl, Choice, Defaulted, Nullable, Shape, Text } from './shapes.ts';

/** The shapes of trigger settings and of internal triggers. They decide who gets which events. */

const Phases = (description: string) =>
  Defaulted(Type.Array(Choice(phases), { maxItems: phases.length, description }), []);

/** ASCII and short, because the table stores all triggers of an integration in one item. */
const EventKeys = (description: string) =>
  Defaulted(
    Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: '^[ -~]*$' }), {
      maxItems: 50,
      description,
    }),
    [],
  );

const internalTriggerFields = {
  name: Text(255, { minLength: 1, description: 'The name of the trigger.' }),
  phase_in: Phases('The phase of the shipment must be in this list. An empty list allows every phase.'),
  phase_not_in: Phases('The phase of the shipment must not be in this list.'),
  event_key_in: EventKeys(
    'The event that decides the phase of the shipment, or a later remark, must be in this list. An empty list allows every event.',
  ),
  event_key_not_in: EventKeys('The event that decides the phase of the shipment must not be in this list.'),
  operator: Choice(['AND', 'OR'] as const, {
    description: '`AND`: both `event_key_in` and `event_key_not_in` must match. `OR`: one of them must match.',
  }),
  time_threshold_type: Choice(['latest_event_time', 'created_at'] as const, {
    description:
      'The time at which the waiting starts: the event that the trigger looks at, or the creation of the shipment.',
  }),
  time_threshold_value: Type.Integer({
    minimum: 0,
    maximum: 8760,
    description: `How many hours to wait, up to a year. 0 means at once. Triggers are checked once a minute. If more than ${dueLimits.perMinute} are due in a shop, the others follow in the next minutes.`,
  }),
  shipment_direction: Defaulted(
    Choice(directions, {
      description: 'The trigger applies only to shipments in this direction.',
    }),
    'merchant_customer',
  ),
} satisfies TProperties;

export const InternalTriggerInput = Shape('InternalTriggerInput', internalTriggerFields);

export const InternalTrigger = Shape('InternalTrigger', { id: Type.String(), ...internalTriggerFields });

const Status = Nullable(Type.Boolean({ description: 'Whether the service sends events. Null restores the default.' }));
const StaleEventThreshold = Nullable(
  Type.Integer({
    minimum: 0,
    maximum: 8760,
    description:
      'An age in hours. The service does not send events of this age or older. Null restores the default: 4, 24 for `webhook`, 48 for integration_7.',
  }),
);

const common = { status: Status, stale_event_threshold: StaleEventThreshold };

const general = {
  ...common,
  trigger_delivered_all_events: Nullable(
    Type.Boolean({
      description:
        'Whether every event of the phase `delivered` is also sent in the event group `shipment_delivered_all_events`. This applies to shipments to a customer.',
    }),
  ),
  segments_enabled: Nullable(
    Type.Boolean({
      description:
        'Whether to fetch the segments of customers. The switch in `settings/segments` must be on, too. Null: as the switch.',
    }),
  ),
};

/** ASCII, because the service sends these texts in HTTP headers. */
const HeaderText = (description: string) => Nullable(Type.String({ maxLength: 255, pattern: '^[ -~]*$', description }));

const extras = {
  use_proxy: Nullable(
    Type.Boolean({ description: 'The service sends this value in the header `x-integration-use-proxy`.' }),
  ),
  rest_endpoint: Nullable(
    CallableUrl({
      description:
        'The URL that gets the events. It must use https and a public address. If you change its scheme, host or port, set the key of integration_3 again. Until then the service sends no events there.',
    }),
  ),
  portal_id: HeaderText(
    "The shop's account at the integration. The service sends it in the header `x-integration-portal-id`, or in the names of events (`pe<portal_id>_<event group>`) if the operator has set the integration up so.",
  ),
  instance_id: HeaderText(
    'What the events trigger at the integration. The service sends it in the header `x-integration-instance-id`, or calls the event with this number if the operator has set the integration up so.',
  ),
};

const update = <T extends TProperties>(title: string, fields: T) =>
  Shape(title, Type.Partial(Type.Object(fields)).properties, {
    description: 'Fields that you leave out keep their values.',
  });

const TriggerSettingsUpdate = update('TriggerSettingsUpdate', general);

/** The fields of an update, for each integration and for `webhook`. */
export const triggerSettingsUpdates = {
  integration_1: TriggerSettingsUpdate,
  integration_2: update('EmailTriggerSettingsUpdate', { ...general, use_proxy: extras.use_proxy }),
  integration_3: update('PushTriggerSettingsUpdate', { ...general, rest_endpoint: extras.rest_endpoint }),
  integration_4: update('CrmTriggerSettingsUpdate', { ...general, portal_id: extras.portal_id }),
  integration_5: TriggerSettingsUpdate,
  integration_6: update('InboxTriggerSettingsUpdate', { ...general, instance_id: extras.instance_id }),
  integration_7: update('ShopSystemTriggerSettingsUpdate', common),
  webhook: TriggerSettingsUpdate,
};

const ineffectiveReasons = [
  'switch_off',
  'status_off',
  'no_address',
  'no_key',
  'key_for_other_server',
  'no_endpoint',
  'threshold_zero',
] as const;

const Effective = Shape(
  'EffectiveTriggers',
  {
    active: Type.Boolean({ description: 'Whether events reach the integration, or an endpoint.' }),
    reason: Nullable(
      Choice(ineffectiveReasons, { description: 'The first reason why they do not. Null if `active` is true.' }),
    ),
    message: Nullable(Type.String({ description: 'What to do about it, as a sentence. Null if `active` is true.' })),
  },
  {
    description:
      'What the settings come to, together with the switch in `settings/triggers`, the key and the address of the ' +
      'integration, or the endpoints of the shop. It does not say whether the server at the address answers.',
  },
);

export const TriggerSettings = Shape(
  'TriggerSettings',
  {
    effective: Effective,
    status: Type.Boolean({
      description:
        'Whether the service sends events. Default: the switch in `settings/triggers`, or true for `webhook`.',
    }),
    stale_event_threshold: Type.Integer({
      description:
        'An age in hours. The service does not send events of this age or older. Default: 4, 24 for `webhook`, 48 for integration_7.',
    }),
    trigger_delivered_all_events: Type.Optional(
      Type.Boolean({
        description:
          'Whether every event of the phase `delivered` is also sent in the event group `shipment_delivered_all_events`. Default: false.',
      }),
    ),
    segments_enabled: Type.Optional(
      Type.Boolean({
        description: 'Whether to fetch the segments of customers. Default: the switch in `settings/segments`.',
      }),
    ),
    internal_triggers: Type.Optional(Type.Array(InternalTrigger)),
    use_proxy: Type.Optional(Type.Boolean({ description: 'Only for integration_2. Default: false.' })),
    rest_endpoint: Type.Optional(Nullable(Type.String({ description: 'Only for integration_3.' }))),
    portal_id: Type.Optional(Nullable(Type.String({ description: 'Only for integration_4.' }))),
    instance_id: Type.Optional(Nullable(Type.String({ description: 'Only for integration_6.' }))),
  },
  { description: 'integration_7 has only `status`, `stale_event_threshold` and `effective`.' },
);

export const Notifications = Shape(
  'Notifications',
  {
    integration: Choice(thirdParties),
    effective: Effective,
    event_groups: Type.Array(Choice(eventGroups), {
      description:
        'The event groups that reach it. For `webhook`: that reach at least one active endpoint, by its `enabled_events`.',
    }),
    stale_event_threshold: Type.Integer({ description: 'Events of this age in hours or older are not sent.' }),
    internal_triggers: Type.Array(Shape('TriggerName', { id: Type.String(), name: Type.String() }), {
      description: 'The internal triggers that send it events. An empty list if events do not reach it.',
    }),
    fetches_segments: Type.Boolean({ description: 'Whether the segments of customers are fetched from it.' }),
  },
  { description: 'What all settings of an integration, or of `webhook`, come to.' },
);

export type InternalTriggerInput = Static<typeof InternalTriggerInput>;
export type InternalTrigger = Static<typeof InternalTrigger>;
export type TriggerSettings = Static<typeof TriggerSettings>;
export type IneffectiveReason = (typeof ineffectiveReasons)[number];
export type Notifications = Static<typeof Notifications>;
