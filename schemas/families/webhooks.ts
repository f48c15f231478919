import Type, { type Static, type TProperties } from 'typebox';
import { emailTarget, mailFeedbacks, skipReasons } from '../catalogues/emails.ts';
import { eventFilters, sentEventNames, sentEventRefs } from '../catalogues/event-filters.ts';
import { notifiedIntegrations } from '../catalogues/integrations.ts';
import { deliveryLimits, sizeText } from '../catalogues/limits.ts';
import {
  CallableUrl,
  Choice,
  DateTime,
  Defaulted,
  Nothing,
  Nullable,
  paging,
  Shape,
  Text,
  TimeFrom,
  TimeTo,
  Uuid,
} from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const endpointStatuses = ['active', 'inactive'] as const;
const deliveryStatuses = ['pending', 'parked', 'delivered', 'failed', 'cancelled', 'skipped'] as const;

const EndpointStatus = (options: object = {}) =>
  Choice(endpointStatuses, { description: 'Only an `active` endpoint gets events.', ...options });
const EnabledEvents = (options: object = {}) =>
  Type.Array(Choice(eventFilters, { title: 'EventFilter' }), {
    maxItems: 200,
    description:
      'The events that the endpoint gets. Use `*` for all events, or name a source (`shipments`), a phase ' +
      '(`shipments/delivered`) or one event (`shipments/delivered/SUCCESSFULLY_DELIVERED`, `claims/created`). `withdrawals/*` stands for all ' +
      'events of withdrawals. ORDER_CREATED and ORDER_PROCESSED of a return have the phase `return_created`. With an empty list, the endpoint gets no events.',
    ...options,
  });
const Secret = (description: string) =>
  Type.Optional(Nullable(Type.String({ minLength: 16, maxLength: 64, description })));
const Description = () => Type.Optional(Nullable(Text(1000, { description: 'Your own note about the endpoint.' })));

const WebhookEndpoint = Shape('WebhookEndpoint', {
  uuid: Uuid(),
  shop_slug: Type.String(),
  created_at: DateTime(),
  updated_at: DateTime(),
  url: Type.String({ description: 'The URL that gets the events.' }),
  enabled_events: Type.Array(Type.String(), { description: 'The events that the endpoint gets.' }),
  secret: Type.String({ description: 'The newest secret. The service signs deliveries with it.' }),
  description: Nullable(Type.String({ description: 'Your own note about the endpoint.' })),
  status: EndpointStatus(),
});

const WebhookCreate = Shape('WebhookEndpointCreate', {
  url: CallableUrl({
    description: 'The URL that gets the events. It must be unique in the shop, and use https and a public address.',
  }),
  enabled_events: Defaulted(EnabledEvents(), ['*']),
  secret: Secret('The service signs deliveries with it. Default: the service generates one.'),
  description: Description(),
  status: Defaulted(EndpointStatus(), 'active'),
});

const WebhookUpdate = Shape('WebhookEndpointUpdate', {
  url: Type.Optional(
    CallableUrl({
      description: 'The URL that gets the events. It must be unique in the shop, and use https and a public address.',
    }),
  ),
  enabled_events: Type.Optional(EnabledEvents()),
  description: Description(),
  status: Type.Optional(EndpointStatus()),
});

const SecretRotation = Shape('WebhookSecretRotation', {
  secret: Secret('The new secret. Default: the service generates one.'),
  grace_hours: Defaulted(
    Type.Integer({
      minimum: 0,
      maximum: 168,
      description:
        'How many hours the service also signs with older secrets, five at most. A rotation never extends the time of an ' +
        'older secret.',
    }),
    24,
  ),
});

const WebhookFilters = Type.Object({
  ...paging,
  uuid: Type.Optional(Uuid()),
  status: Type.Optional(EndpointStatus()),
  url: Type.Optional(
    Text(2048, {
      description: 'The URL of the endpoint. Different spellings of the same URL match. The fragment is ignored.',
    }),
  ),
});

const attemptFields = {
  at: DateTime({ description: 'When the attempt was made.' }),
  duration_ms: Type.Integer({ description: 'How long the attempt took, in milliseconds.' }),
  status: Nullable(Type.Integer({ description: 'The HTTP status of the response. Null if there was no response.' })),
  error: Nullable(
    Type.String({
      description:
        'Why the attempt failed, such as `http_500`, `timeout`, `connection_refused`, `name_not_found`, `tls_error` or ' +
        '`private_address`. Null if it succeeded.',
    }),
  ),
  response: Nullable(Type.String({ description: 'The first 1 KB of the response body.' })),
} satisfies TProperties;

const Attempt = Shape('DeliveryAttempt', attemptFields);

const SentRequest = Shape('DeliveryRequest', {
  method: Type.String(),
  url: Type.String({
    description:
      'Where the request went. In that of an integration, the values of the query are masked, and of one that takes events in ' +
      'our own form only the server is shown.',
  }),
  headers: Type.Record(Type.String(), Type.String(), {
    description: 'Signatures are shortened, and credentials are masked.',
  }),
  body: Nullable(
    Type.String({
      description:
        'The body in the form of the vendor. Null if it is the `payload` of the delivery, if it has more than ' +
        `${sizeText(deliveryLimits.requestBytes)}, if a newer attempt has it, or if one request had the events of several deliveries.`,
    }),
  ),
});

const LoggedAttempt = Shape('LoggedAttempt', {
  ...attemptFields,
  request: Nullable(
    Type.Unsafe<Static<typeof SentRequest>>({
      ...SentRequest,
      description: `What was sent. The newest ${deliveryLimits.requestsKept} attempts have it. Null if an attempt ended before it sent anything.`,
    }),
  ),
});

const MailFeedback = Shape(
  'MailFeedback',
  {
    kind: Choice(mailFeedbacks, {
      description:
        '`bounce`: there is no such address, which is suppressed from now on. `soft_bounce`: the server of the customer ' +
        'did not take the mail. `complaint`: the customer called it spam; the address is suppressed too. `delayed`: the ' +
        'server takes it later. `rejected`: it was not sent, because it looked harmful.',
    }),
    at: DateTime({ description: 'When it became known.' }),
  },
  {
    description: 'Of an e-mail: what became of it after it was sent. Null if nothing is known, as of all that arrives.',
  },
);

const deliveryFields = {
  id: Uuid({ description: 'The id of the delivery. Every attempt sends it in the header `webhook-id`.' }),
  ref: Type.String({ description: 'The event, such as `claims/created`.' }),
  event_group: Nullable(Type.String()),
  event_id: Type.String({ description: 'Identifies the event. All deliveries of an event have the same value.' }),
  status: Choice(deliveryStatuses, {
    description:
      '`pending`: the next attempt is still to come. `parked`: the delivery waits until its receiver answers again; this ' +
      'uses no attempts. `delivered`: the receiver accepted it. `failed`: the last attempt failed, the vendor of an integration ' +
      'refused it for good, or the delivery waited for 29 days. `cancelled`: when the attempt was due, the endpoint ' +
      'was inactive, the integration had no address or no key for it, or what an e-mail tells of was gone. `skipped`: an e-mail ' +
      'that was not to be sent; `reason` says why.',
  }),
  reason: Nullable(
    Choice(skipReasons, {
      description:
        'Why an e-mail was skipped. `switched_off`: the shop does not send it. `no_address`: the order has no e-mail address. ' +
        '`suppressed`: the address gets no e-mails of the shop. `stale`: it is older than 24 hours. `earlier_than_sent`: the ' +
        'customer was told of a later state, or is told of it at the same time. `already_sent`: it was sent before. ' +
        '`simulated`: the order is simulated. Null in all other cases.',
    }),
  ),
  attempt_count: Type.Integer({ description: 'How many attempts were made since the delivery was last sent again.' }),
  total_attempts: Type.Integer({
    description:
      'How many attempts were ever made, also before the delivery was sent again. The last ones are in the log.',
  }),
  feed_hour: Nullable(
    DateTime({
      description:
        'The hour of the ledger in which it counts, as in the header `webhook-hour`. Null if its event is in no feed.',
    }),
  ),
  next_attempt_at: Nullable(
    DateTime({
      description:
        'When a delivery whose last attempt failed is tried again. Null if no attempt failed or none follows, and while ' +
        'the delivery is `parked`.',
    }),
  ),
  sent_again_at: Nullable(DateTime({ description: 'When the delivery was last sent again. Null if it never was.' })),
  feedback: Nullable(MailFeedback),
  created_at: DateTime(),
  updated_at: DateTime(),
} satisfies TProperties;

const Delivery = Shape('Delivery', { ...deliveryFields, last_attempt: Nullable(Attempt) });

const DeliveryDetails = Shape('DeliveryDetails', {
  ...deliveryFields,
  attempts: Type.Array(LoggedAttempt, {
    description:
      'The last 30 attempts, oldest first. The list includes attempts from before the delivery was last sent again, and ' +
      'attempts that only checked whether the receiver answers again. `attempt_count` does not count these two kinds.',
  }),
  payload: Nullable(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'The event as it is sent to an endpoint. Null if it is larger than 5 MB. An integration may get it in the form of ' +
          'its vendor.',
      },
    ),
  ),
});

const simulatedTimes = 'Events of simulations count at the real time at which they were made.';

const DeliveryFilters = Type.Object({
  ...paging,
  status: Type.Optional(Choice(deliveryStatuses)),
  event: Type.Optional(
    Choice(eventFilters, {
      description: 'The event, its phase (`shipments/delivered`) or its source (`claims`). `*` stands for all events.',
    }),
  ),
  since: Type.Optional(TimeFrom(`The earliest \`triggered_at\` of the events. ${simulatedTimes}`)),
  until: Type.Optional(TimeTo(`The latest \`triggered_at\` of the events. ${simulatedTimes}`)),
});

const Recovery = Shape('Recovery', {
  since: TimeFrom(`The time of the oldest event to send again. ${simulatedTimes}`),
  until: Type.Optional(Nullable(TimeTo('The time of the newest event to send again. Default: the current time.'))),
});

const Recovered = Shape('Recovered', {
  count: Type.Integer({ description: 'How many deliveries this call sent again.' }),
  has_more: Type.Boolean({
    description: 'Whether there may be older failed deliveries. If true, call again with the `until` of this response.',
  }),
  until: Nullable(DateTime({ description: 'The value of `until` for the next call.' })),
  retrying: Type.Integer({
    description:
      'How many deliveries of the range have failed and are tried again by themselves. This call leaves them alone.',
  }),
});

const TestEvent = Shape('WebhookTestEvent', {
  event_name: Type.Optional(
    Nullable(Choice(sentEventNames, { description: 'The event, of a parcel from the shop to the customer.' })),
  ),
  ref: Type.Optional(
    Nullable(
      Choice(sentEventRefs, {
        description:
          'The event as deliveries name it, such as `claims/created` or `shipments/return_created/ORDER_CREATED`. Use it in ' +
          'place of `event_name`.',
      }),
    ),
  ),
});

const circuitStates = ['closed', 'open', 'draining'] as const;
const Count = () => Type.Integer({ minimum: 0 });
const Latency = () => Nullable(Type.Integer({ description: 'In milliseconds. Null if no attempt got a response.' }));

const healthFields = {
  circuit: Shape('Circuit', {
    state: Choice(circuitStates, {
      description:
        '`closed`: deliveries are sent. `open`: too many failed in a row; they are parked, and single ones are sent to find ' +
        'out whether the receiver answers again. `draining`: the receiver answers again, and parked deliveries follow, few ' +
        'at first.',
    }),
    since: Nullable(
      DateTime({ description: 'When the state began, or when a parked delivery was last sent. Null if `closed`.' }),
    ),
    next_attempt_at: Nullable(
      DateTime({
        description: 'When the next parked deliveries are due. The service looks once a minute. Null if `closed`.',
      }),
    ),
  }),
  of_last: Type.Integer({
    description: `How many deliveries the figures are about: the newest, ${deliveryLimits.ofHealth} at most.`,
  }),
  counts: Shape('DeliveryCounts', {
    pending: Count(),
    parked: Count(),
    delivered: Count(),
    failed: Count(),
    cancelled: Count(),
    skipped: Count(),
  }),
  retrying: Type.Integer({
    minimum: 0,
    description: 'How many of the `pending` deliveries have failed and are tried again by themselves.',
  }),
  success_rate: Nullable(
    Type.Number({
      description:
        'The share of deliveries whose last attempt succeeded, from 0 to 1. Null if there was no attempt. Cancelled ' +
        'and skipped deliveries do not count.',
    }),
  ),
  latency_ms: Shape('DeliveryLatency', { p50: Latency(), p95: Latency() }),
  last_success_at: Nullable(DateTime({ description: 'The time of the last successful attempt.' })),
  last_failure: Nullable(
    Shape('DeliveryFailure', {
      at: DateTime(),
      error: Type.String({ description: 'Why the attempt failed, such as `http_500` or `timeout`.' }),
      status: Nullable(Type.Integer({ description: 'The HTTP status. Null if there was no response.' })),
    }),
  ),
} satisfies TProperties;

const WebhookHealth = Shape('WebhookHealth', {
  ...healthFields,
  older_secrets: Type.Array(
    Shape('OlderSecret', {
      masked_secret: Type.String({ description: 'Only its last four characters are shown.' }),
      valid_until: DateTime({ description: 'Until then the service signs with it too.' }),
    }),
    { description: 'The secrets before the last rotations that still sign, newest first.' },
  ),
});

const IntegrationHealth = Shape('IntegrationHealth', healthFields);

const TestDelivery = Shape('WebhookTest', {
  delivery_id: Uuid({ description: 'The id of the delivery of the test event.' }),
});

const webhooksPath = `${shopPath}/webhooks` as const;
const endpointPath = `${webhooksPath}/{uuid}` as const;
const deliveryPath = `${endpointPath}/deliveries/{delivery_id}` as const;
const endpointParams = Type.Object({ uuid: Uuid() });
const deliveryParams = Type.Object({ uuid: Uuid(), delivery_id: Uuid() });

const integrationPath = `${shopPath}/integrations/{integration}` as const;
const integrationDeliveryPath = `${integrationPath}/deliveries/{delivery_id}` as const;
const integration = Choice([...notifiedIntegrations, emailTarget], {
  description: 'The integration, or `email` for the e-mails to customers.',
});
const integrationParams = Type.Object({ integration });
const integrationDeliveryParams = Type.Object({ integration, delivery_id: Uuid() });

export const webhooks = declare({
  createWebhook: {
    method: 'POST',
    path: webhooksPath,
    role: 'admin',
    summary: 'Create a webhook endpoint',
    description:
      'Creates an endpoint. From now on, the service sends the events of the shop to its `url` by POST and signs them with ' +
      'its secret. `shipmentEvent` and `claimEvent` under Webhooks describe the requests and how to check them. A shop can ' +
      'have up to 50 endpoints.',
    body: WebhookCreate,
    response: WebhookEndpoint,
    errors: ['webhook_exists'],
  },
  searchWebhooks: {
    method: 'GET',
    path: webhooksPath,
    role: 'admin',
    summary: 'Search webhook endpoints',
    description: 'Returns the webhook endpoints that match all given filters, newest first.',
    query: WebhookFilters,
    response: Type.Array(WebhookEndpoint),
  },
  updateWebhook: {
    method: 'PATCH',
    path: endpointPath,
    role: 'admin',
    summary: 'Update a webhook endpoint',
    description:
      'Changes the given fields of an endpoint. Waiting deliveries go to the new `url`. Deliveries that are due while the ' +
      'endpoint is inactive are cancelled. After a new `url` or a new activation, the service treats the endpoint as ' +
      'working again. To change the secret, rotate it.',
    params: endpointParams,
    body: WebhookUpdate,
    ifMatch: true,
    response: Nothing,
    errors: ['webhook_not_found', 'webhook_exists'],
  },
  deleteWebhook: {
    method: 'DELETE',
    path: endpointPath,
    role: 'admin',
    summary: 'Delete a webhook endpoint',
    description:
      'Deletes an endpoint. The service does not send its waiting deliveries, and you can no longer read its deliveries. ' +
      'What it is about to send may still arrive within a minute.',
    params: endpointParams,
    response: Nothing,
    errors: ['webhook_not_found'],
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: `${endpointPath}/rotate-secret`,
    role: 'admin',
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'Gives the endpoint a new secret. During the grace period, each delivery has one signature for each secret, so your ' +
      'receiver has time to change. If you did not get the response, repeat the request: the earlier secrets keep signing.',
    params: endpointParams,
    body: SecretRotation,
    response: WebhookEndpoint,
    errors: ['webhook_not_found'],
  },
  getWebhookHealth: {
    method: 'GET',
    path: `${endpointPath}/health`,
    role: 'admin',
    summary: 'Get the health of a webhook endpoint',
    description:
      'Returns whether deliveries to the endpoint succeed, how fast it answers, and which older secrets still sign.',
    params: endpointParams,
    response: WebhookHealth,
    errors: ['webhook_not_found'],
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: `${endpointPath}/deliveries`,
    role: 'admin',
    summary: 'List the deliveries of a webhook endpoint',
    description:
      'Returns the deliveries of an endpoint, newest first. A delivery is listed when its first attempt has ended, or when ' +
      'it is parked. The service keeps it for 30 days.',
    params: endpointParams,
    query: DeliveryFilters,
    response: Type.Array(Delivery),
    errors: ['webhook_not_found', 'payload_too_large'],
  },
  getWebhookDelivery: {
    method: 'GET',
    path: deliveryPath,
    role: 'admin',
    summary: 'Get a webhook delivery',
    description: 'Returns one delivery with its attempts and its payload.',
    params: deliveryParams,
    response: DeliveryDetails,
    errors: ['webhook_not_found', 'webhook_delivery_not_found'],
  },
  redeliverWebhook: {
    method: 'POST',
    path: `${deliveryPath}/redeliver`,
    role: 'admin',
    summary: 'Send a delivery again',
    description:
      'Sends a delivery again immediately, whatever its status is, and even if the endpoint did not answer before. The id ' +
      'and the payload stay the same, and the delivery gets its full number of attempts again. The endpoint must be active.',
    params: deliveryParams,
    response: Delivery,
    errors: ['webhook_not_found', 'webhook_delivery_not_found'],
  },
  recoverWebhook: {
    method: 'POST',
    path: `${endpointPath}/recover`,
    role: 'admin',
    summary: 'Send failed deliveries again',
    description:
      'Sends the `failed` and `parked` deliveries of a time range again, and the `pending` ones that have not changed for a ' +
      'day, newest first. One call sends up to 500 deliveries; `has_more` says whether to call again. The endpoint must be active.',
    params: endpointParams,
    body: Recovery,
    response: Recovered,
    errors: ['webhook_not_found'],
  },
  testWebhook: {
    method: 'POST',
    path: `${endpointPath}/test`,
    role: 'admin',
    summary: 'Send a test event',
    description:
      'Sends an event of an invented order to the endpoint, whatever its `enabled_events` are. Choose the event by ' +
      '`event_name` or `ref`; without both it is SHIPMENT_EN_ROUTE. The `event_data` contains `test: true`. The service ' +
      'delivers it like any other event. The endpoint must be active. A body that is not a JSON object is ignored.',
    params: endpointParams,
    body: TestEvent,
    anyBody: true,
    response: TestDelivery,
    errors: ['webhook_not_found'],
  },
  getIntegrationHealth: {
    method: 'GET',
    path: `${integrationPath}/health`,
    role: 'admin',
    summary: 'Get the health of an integration',
    description: 'Returns whether deliveries to the integration succeed and how fast its vendor answers.',
    params: integrationParams,
    response: IntegrationHealth,
  },
  listIntegrationDeliveries: {
    method: 'GET',
    path: `${integrationPath}/deliveries`,
    role: 'admin',
    summary: 'List the deliveries of an integration',
    description:
      'Returns the deliveries of an integration, newest first. A delivery is listed when its first attempt has ended, or ' +
      'when it is parked, and not while it waits for its turn at a busy vendor. The service keeps it for 30 days. The list ' +
      'is also there if the integration has no key any more.',
    params: integrationParams,
    query: DeliveryFilters,
    response: Type.Array(Delivery),
    errors: ['payload_too_large'],
  },
  getIntegrationDelivery: {
    method: 'GET',
    path: integrationDeliveryPath,
    role: 'admin',
    summary: 'Get a delivery of an integration',
    description: 'Returns one delivery with its attempts and its payload.',
    params: integrationDeliveryParams,
    response: DeliveryDetails,
    errors: ['webhook_delivery_not_found'],
  },
  redeliverToIntegration: {
    method: 'POST',
    path: `${integrationDeliveryPath}/redeliver`,
    role: 'admin',
    summary: 'Send a delivery of an integration again',
    description:
      'Sends a delivery again immediately, whatever its status is, and even if the integration did not answer before. The ' +
      'id stays the same, so a vendor that recognises repetitions may ignore it. The delivery gets its full number of ' +
      'attempts again. The integration must have an address and a key for it; its switch and its `status` do not matter. An ' +
      'e-mail is sent again whatever was sent before and is switched on, but never to an address that gets no e-mails.',
    params: integrationDeliveryParams,
    response: Delivery,
    errors: ['webhook_delivery_not_found'],
  },
  recoverIntegration: {
    method: 'POST',
    path: `${integrationPath}/recover`,
    role: 'admin',
    summary: 'Send failed deliveries of an integration again',
    description:
      'Sends the `failed` and `parked` deliveries of a time range again, and the `pending` ones that have not changed for a ' +
      'day, newest first. One call sends up to 500 deliveries; `has_more` says whether to call again. The integration must have an ' +
      'address and a key for it; its switch and its `status` do not matter.',
    params: integrationParams,
    body: Recovery,
    response: Recovered,
  },
});

export type WebhookEndpoint = Static<typeof WebhookEndpoint>;
export type WebhookCreate = Static<typeof WebhookCreate>;
export type WebhookUpdate = Static<typeof WebhookUpdate>;
export type WebhookFilters = Static<typeof WebhookFilters>;
export type DeliveryFilters = Static<typeof DeliveryFilters>;
export type Delivery = Static<typeof Delivery>;
export type DeliveryDetails = Static<typeof DeliveryDetails>;
export type TestEvent = Static<typeof TestEvent>;
export type WebhookHealth = Static<typeof WebhookHealth>;
export type IntegrationHealth = Static<typeof IntegrationHealth>;
export type Recovered = Static<typeof Recovered>;
