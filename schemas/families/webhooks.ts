import Type, { type Static, type TProperties } from 'typebox';
import { eventFilters } from '../catalogues/event-filters.ts';
import { Choice, DateTime, Nothing, Nullable, paging, Shape, Text, Url, Uuid, wellFormed } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

export const endpointStatuses = ['active', 'inactive'] as const;
export const deliveryStatuses = ['pending', 'parked', 'delivered', 'failed', 'cancelled'] as const;

const EndpointStatus = (options: object = {}) => Choice(endpointStatuses, options);
const EnabledEvents = (options: object = {}) =>
  Type.Array(Choice(eventFilters, { title: 'EventFilter' }), {
    maxItems: 200,
    description:
      '`*` for all events, a source (`shipments`), a phase (`shipments/delivered`) or one event ' +
      '(`shipments/delivered/SUCCESSFULLY_DELIVERED`, `claims/created`). An empty list listens to nothing.',
    ...options,
  });
const Secret = (description: string) =>
  Type.Optional(Nullable(Type.String({ minLength: 16, maxLength: 64, pattern: wellFormed, description })));
const Description = () => Type.Optional(Nullable(Text(1000, { pattern: wellFormed })));

const WebhookEndpoint = Shape('WebhookEndpoint', {
  uuid: Uuid(),
  shop_slug: Type.String(),
  created_at: DateTime(),
  updated_at: DateTime(),
  url: Type.String(),
  enabled_events: Type.Array(Type.String()),
  secret: Type.String({ description: 'The newest one: signs deliveries.' }),
  description: Nullable(Type.String()),
  status: EndpointStatus(),
});

const WebhookCreate = Shape('WebhookEndpointCreate', {
  url: Url({ description: 'Unique in the shop; https, at a public address.' }),
  enabled_events: EnabledEvents({ default: ['*'] }),
  secret: Secret('Generated if absent.'),
  description: Description(),
  status: EndpointStatus({ default: 'active' }),
});

const WebhookUpdate = Shape('WebhookEndpointUpdate', {
  url: Type.Optional(Url()),
  enabled_events: Type.Optional(EnabledEvents()),
  description: Description(),
  status: Type.Optional(EndpointStatus()),
});

const SecretRotation = Shape('WebhookSecretRotation', {
  secret: Secret('Generated if absent.'),
  grace_hours: Type.Integer({
    minimum: 0,
    maximum: 168,
    default: 24,
    description:
      'How long the secrets of before go on signing beside the new one, the five newest at most; none longer than it ' +
      'was to before.',
  }),
});

const WebhookFilters = Type.Object({
  ...paging,
  uuid: Type.Optional(Uuid()),
  status: Type.Optional(EndpointStatus()),
  url: Type.Optional(Text(2048, { description: 'However it is spelled, and without its fragment.' })),
});

const Attempt = Shape('WebhookDeliveryAttempt', {
  at: DateTime(),
  duration_ms: Type.Integer(),
  status: Nullable(Type.Integer({ description: 'Of the answer; null where none came.' })),
  error: Nullable(
    Type.String({
      description:
        'Why it failed, in a word: `http_500`, `timeout`, `connection_refused`, `name_not_found`, `tls_error`, ' +
        '`private_address`, …; null where it did not.',
    }),
  ),
  response: Nullable(Type.String({ description: 'The beginning of the answer, 1 KB at most.' })),
});

const deliveryFields = {
  id: Uuid({ description: 'The same in every attempt: the header `webhook-id`.' }),
  ref: Type.String(),
  event_group: Nullable(Type.String()),
  event_id: Type.String(),
  status: Choice(deliveryStatuses, {
    description:
      '`pending`: to be attempted, or between two attempts. `parked`: waits, without spending attempts, until the ' +
      'endpoint answers again. `failed`: after its last attempt, after 410, or after 29 days of waiting. `cancelled`: ' +
      'the endpoint was inactive when its turn came.',
  }),
  attempt_count: Type.Integer({ description: 'Since it was last sent again.' }),
  created_at: DateTime(),
  updated_at: DateTime(),
} satisfies TProperties;

const WebhookDelivery = Shape('WebhookDelivery', { ...deliveryFields, last_attempt: Nullable(Attempt) });

const WebhookDeliveryDetails = Shape('WebhookDeliveryDetails', {
  ...deliveryFields,
  attempts: Type.Array(Attempt, {
    description:
      'Oldest first, the last 30. Also those of before it was last sent again, and those that only looked whether the ' +
      'endpoint is back: `attempt_count` leaves both out.',
  }),
  payload: Nullable(
    Type.Object(
      {},
      { additionalProperties: true, description: 'The body of the request; null where it is over 5 MB.' },
    ),
  ),
});

const DeliveryFilters = Type.Object({
  ...paging,
  status: Type.Optional(Choice(deliveryStatuses)),
  since: Type.Optional(DateTime({ description: 'The earliest `triggered_at` of an event.' })),
  until: Type.Optional(DateTime({ description: 'The latest `triggered_at` of an event.' })),
});

const Recovery = Shape('WebhookRecovery', {
  since: DateTime({ description: 'The time of the oldest event to send again.' }),
  until: Type.Optional(Nullable(DateTime({ description: 'The time of the newest one; now, if absent.' }))),
});

const Recovered = Shape('WebhookRecovered', {
  count: Type.Integer({ description: 'Deliveries that this call sent again.' }),
  has_more: Type.Boolean({ description: 'Whether there may be older ones: call again with `until` as given here.' }),
  until: Nullable(DateTime()),
});

const TestDelivery = Shape('WebhookTest', { delivery_id: Uuid() });

const webhooksPath = `${shopPath}/webhooks` as const;
const endpointPath = `${webhooksPath}/{uuid}` as const;
const deliveryPath = `${endpointPath}/deliveries/{delivery_id}` as const;
const endpointParams = Type.Object({ uuid: Uuid() });
const deliveryParams = Type.Object({ uuid: Uuid(), delivery_id: Uuid() });

export const webhooks = declare({
  createWebhook: {
    method: 'POST',
    path: webhooksPath,
    role: 'admin',
    summary: 'Create a webhook endpoint',
    description:
      'Events of the shop are posted to it from now on, signed with its secret: see `shipmentEvent` and `claimEvent` ' +
      'under Webhooks for what arrives and how to check it. A shop has 50 endpoints at most.',
    body: WebhookCreate,
    response: WebhookEndpoint,
    errors: ['webhook_exists'],
  },
  searchWebhooks: {
    method: 'GET',
    path: webhooksPath,
    role: 'admin',
    summary: 'Search webhook endpoints',
    description: 'Newest first. Filters must all match.',
    query: WebhookFilters,
    response: Type.Array(WebhookEndpoint),
  },
  updateWebhook: {
    method: 'PATCH',
    path: endpointPath,
    role: 'admin',
    summary: 'Update a webhook endpoint',
    description:
      'What waits for an endpoint goes to its new url. What comes due while it is inactive is cancelled. With another ' +
      'url, or active again, it is held to be well. Its secret is changed by rotation.',
    params: endpointParams,
    body: WebhookUpdate,
    response: Nothing,
    errors: ['webhook_not_found', 'webhook_exists'],
  },
  deleteWebhook: {
    method: 'DELETE',
    path: endpointPath,
    role: 'admin',
    summary: 'Delete a webhook endpoint',
    description: 'What still waits is not delivered any more, and its deliveries can no longer be read.',
    params: endpointParams,
    response: Nothing,
    errors: ['webhook_not_found'],
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: `${endpointPath}/rotate-secret`,
    role: 'admin',
    summary: 'Give a webhook endpoint a new secret',
    description:
      'During the grace period deliveries carry a signature for each secret, so that a receiver can change over. ' +
      'Repeat it where the answer was lost: the first secret goes on signing.',
    params: endpointParams,
    body: SecretRotation,
    response: WebhookEndpoint,
    errors: ['webhook_not_found'],
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: `${endpointPath}/deliveries`,
    role: 'admin',
    summary: 'List the deliveries of a webhook endpoint',
    description: 'Newest first; kept for 30 days.',
    params: endpointParams,
    query: DeliveryFilters,
    response: Type.Array(WebhookDelivery),
    errors: ['webhook_not_found', 'payload_too_large'],
  },
  getWebhookDelivery: {
    method: 'GET',
    path: deliveryPath,
    role: 'admin',
    summary: 'Get a delivery with its attempts and its payload',
    params: deliveryParams,
    response: WebhookDeliveryDetails,
    errors: ['webhook_not_found', 'webhook_delivery_not_found'],
  },
  redeliverWebhook: {
    method: 'POST',
    path: `${deliveryPath}/redeliver`,
    role: 'admin',
    summary: 'Send a delivery again',
    description:
      'Whatever became of it: the same id and the same payload, with all its attempts before it, and at once, also ' +
      'where the endpoint is held to be down. The endpoint must be active.',
    params: deliveryParams,
    response: WebhookDelivery,
    errors: ['webhook_not_found', 'webhook_delivery_not_found'],
  },
  recoverWebhook: {
    method: 'POST',
    path: `${endpointPath}/recover`,
    role: 'admin',
    summary: 'Send again all that failed in a time range',
    description:
      'All that is `failed`, and what is `pending` though nothing has happened to it for a day, newest first, 500 at most ' +
      'for each call: `has_more` says whether to call again. The endpoint must be active.',
    params: endpointParams,
    body: Recovery,
    response: Recovered,
    errors: ['webhook_not_found'],
  },
  testWebhook: {
    method: 'POST',
    path: `${endpointPath}/test`,
    role: 'admin',
    summary: 'Send a test event to a webhook endpoint',
    description:
      'An event of an invented order, with `test: true` in its `event_data`, whatever the endpoint listens to. ' +
      'It is delivered like any other. The endpoint must be active.',
    params: endpointParams,
    response: TestDelivery,
    errors: ['webhook_not_found'],
  },
});

export type WebhookEndpoint = Static<typeof WebhookEndpoint>;
export type WebhookCreate = Static<typeof WebhookCreate>;
export type WebhookUpdate = Static<typeof WebhookUpdate>;
export type WebhookFilters = Static<typeof WebhookFilters>;
export type DeliveryFilters = Static<typeof DeliveryFilters>;
export type WebhookDelivery = Static<typeof WebhookDelivery>;
export type WebhookDeliveryDetails = Static<typeof WebhookDeliveryDetails>;
