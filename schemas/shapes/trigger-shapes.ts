import Type, { type Static, type TProperties } from 'typebox';
import { directions, phases } from '../catalogues/shipment-events.ts';
import { Choice, Nullable, Shape, Text, Url, wellFormed } from './shapes.ts';

/** Who is told of which events: the shapes of trigger settings and of internal triggers. */

const Phases = (description: string) =>
  Type.Array(Choice(phases), { default: [], maxItems: phases.length, description });

/** ASCII and bounded: the triggers of an integration are one item of the table. */
const EventKeys = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: '^[ -~]*$' }), {
    default: [],
    maxItems: 50,
    description,
  });

const internalTriggerFields = {
  name: Text(255, { minLength: 1, pattern: wellFormed }),
  phase_in: Phases('The phase of the shipment is one of these; empty: any.'),
  phase_not_in: Phases('The phase of the shipment is none of these.'),
  event_key_in: EventKeys('The newest event is one of these; empty: any.'),
  event_key_not_in: EventKeys('The newest event is none of these.'),
  operator: Choice(['AND', 'OR'] as const, {
    description: 'Whether both conditions on the event key must hold, or one of them.',
  }),
  time_threshold_type: Choice(['latest_event_time', 'created_at'] as const),
  time_threshold_value: Type.Integer({ minimum: 1, maximum: 2160, description: 'Hours to wait.' }),
  shipment_direction: Choice(directions, { default: 'merchant_customer' }),
} satisfies TProperties;

export const InternalTriggerInput = Shape('InternalTriggerInput', internalTriggerFields);

export const InternalTrigger = Shape('InternalTrigger', { id: Type.String(), ...internalTriggerFields });

const Status = Nullable(Type.Boolean({ description: 'Null: as it is from the start.' }));
const StaleEventThreshold = Nullable(
  Type.Integer({
    minimum: 0,
    maximum: 8760,
    description: 'Hours: an event of this age or older is not sent. Null: the default.',
  }),
);

const common = { status: Status, stale_event_threshold: StaleEventThreshold };

const general = {
  ...common,
  trigger_delivered_all_events: Nullable(
    Type.Boolean({
      description:
        'Every event of phase `delivered` of a shipment towards a customer also fires the group `shipment_delivered_all_events`.',
    }),
  ),
  segments_enabled: Nullable(Type.Boolean({ description: 'Whether to fetch segments; kept for the integration.' })),
};

/** They leave in HTTP headers. */
const HeaderText = (description: string) => Nullable(Type.String({ maxLength: 255, pattern: '^[ -~]*$', description }));

const extras = {
  use_proxy: Nullable(Type.Boolean({ description: 'Sent along as the header `x-integration-use-proxy`.' })),
  rest_endpoint: Nullable(Url({ description: 'Where the events go: https, at a public address.' })),
  portal_id: HeaderText('Sent along as the header `x-integration-portal-id`.'),
  instance_id: HeaderText('Sent along as the header `x-integration-instance-id`.'),
};

const update = <T extends TProperties>(title: string, fields: T) =>
  Shape(title, Type.Partial(Type.Object(fields)).properties, { description: 'What is absent stays as it is.' });

const TriggerSettingsUpdate = update('TriggerSettingsUpdate', general);

/** What an update may say, by who is told. */
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

export const TriggerSettings = Shape(
  'TriggerSettings',
  {
    status: Type.Boolean({ description: 'Never set: that of its switch in `settings/triggers`, true for `webhook`.' }),
    stale_event_threshold: Type.Integer({
      description: 'Hours; never set: 4, 24 for `webhook`, 48 for integration_7.',
    }),
    trigger_delivered_all_events: Type.Optional(Type.Boolean()),
    segments_enabled: Type.Optional(Type.Boolean()),
    internal_triggers: Type.Optional(Type.Array(InternalTrigger)),
    use_proxy: Type.Optional(Type.Boolean({ description: 'Of integration_2 only.' })),
    rest_endpoint: Type.Optional(Nullable(Type.String({ description: 'Of integration_3 only.' }))),
    portal_id: Type.Optional(Nullable(Type.String({ description: 'Of integration_4 only.' }))),
    instance_id: Type.Optional(Nullable(Type.String({ description: 'Of integration_6 only.' }))),
  },
  { description: 'integration_7 has `status` and `stale_event_threshold` only.' },
);

export type InternalTriggerInput = Static<typeof InternalTriggerInput>;
export type InternalTrigger = Static<typeof InternalTrigger>;
export type TriggerSettings = Static<typeof TriggerSettings>;
