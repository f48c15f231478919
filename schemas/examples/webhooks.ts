import type { Delivery, WebhookEndpoint, webhooks } from '../families/webhooks.ts';
import type { ExamplesOf } from './example.ts';
import { createdClaimEvent, deliveredEvent } from './outgoing-events.ts';
import { hosts, ids, secrets, slug } from './story.ts';

const endpoint = {
  uuid: ids.endpoint,
  shop_slug: slug,
  created_at: '2026-11-16T09:03:04.250Z',
  updated_at: '2026-11-16T09:03:04.250Z',
  url: `${hosts.receiver}/events`,
  enabled_events: ['shipments/delivered', 'claims/created'],
  secret: secrets.endpoint,
  description: 'The service desk',
  status: 'active',
} satisfies WebhookEndpoint;

const accepted = {
  at: '2026-11-16T09:04:55.310Z',
  duration_ms: 84,
  status: 200,
  error: null,
  response: 'noted',
};

const sentToEndpoint = {
  method: 'POST',
  url: `${hosts.receiver}/events`,
  headers: {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'post-purchase-service',
    'webhook-id': ids.deliveredDelivery,
    'webhook-timestamp': '1794819895',
    'webhook-subject-version': '3',
    'webhook-hour': '2026-11-16T09:00:00Z',
    'service-signature': 't=1794819895,v1=5257a869…',
    'webhook-signature': 'v1,K5oZfzN9…',
  },
  body: null,
};

const delivery = {
  id: ids.deliveredDelivery,
  ref: deliveredEvent.ref,
  event_group: deliveredEvent.event_group,
  event_id: ids.deliveredEvent,
  status: 'delivered',
  reason: null,
  attempt_count: 1,
  total_attempts: 1,
  feed_hour: '2026-11-16T09:00:00Z',
  next_attempt_at: null,
  sent_again_at: null,
  feedback: null,
  created_at: '2026-11-16T09:04:55.120Z',
  updated_at: '2026-11-16T09:04:55.394Z',
} satisfies Partial<Delivery>;

/** The receiver was being replaced when the claim came, and for two days. */
const failedDelivery = {
  id: ids.claimDelivery,
  ref: createdClaimEvent.ref,
  event_group: createdClaimEvent.event_group,
  event_id: ids.claimEvent,
  status: 'failed',
  reason: null,
  attempt_count: 15,
  total_attempts: 15,
  feed_hour: '2026-11-16T09:00:00Z',
  next_attempt_at: null,
  sent_again_at: null,
  feedback: null,
  created_at: '2026-11-16T09:05:17.260Z',
  updated_at: '2026-11-18T06:27:07.480Z',
  last_attempt: { at: '2026-11-18T06:27:07.410Z', duration_ms: 62, status: 503, error: 'http_503', response: 'noted' },
} satisfies Delivery;

const refused = { ...failedDelivery.last_attempt, at: '2026-11-18T06:27:07.420Z', duration_ms: 48 };

const refusedDelivery = {
  ...failedDelivery,
  id: ids.mailDelivery,
  feed_hour: null,
  last_attempt: refused,
} satisfies Delivery;

const sentToMailing = {
  method: 'POST',
  url: `${hosts.mailing}/…`,
  headers: {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'post-purchase-service',
    'webhook-id': ids.mailDelivery,
    'webhook-timestamp': '1794819917',
    'webhook-subject-version': '1',
    authorization: 'Bearer ***',
  },
  body: null,
};

/** The log has what the newest five sent. */
const attemptsAtMailing = Array.from({ length: refusedDelivery.attempt_count }, (_, place) => ({
  ...refused,
  request: place < 10 ? null : sentToMailing,
}));

const { last_attempt: _refused, ...refusedFields } = refusedDelivery;

const mailing = { integration: 'integration_1' as const };

export const webhookExamples = {
  createWebhook: {
    body: {
      url: `${hosts.receiver}/events`,
      enabled_events: ['shipments/delivered', 'claims/created'],
      description: 'The service desk',
    },
    response: endpoint,
  },
  searchWebhooks: { query: { status: 'active' }, response: [endpoint] },
  testWebhook: {
    params: { uuid: ids.endpoint },
    body: { ref: 'claims/created' },
    response: { delivery_id: ids.testDelivery },
  },
  listWebhookDeliveries: {
    params: { uuid: ids.endpoint },
    query: { per_page: 10 },
    response: [failedDelivery, { ...delivery, last_attempt: accepted }],
  },
  getWebhookDelivery: {
    params: { uuid: ids.endpoint, delivery_id: ids.deliveredDelivery },
    response: { ...delivery, attempts: [{ ...accepted, request: sentToEndpoint }], payload: deliveredEvent },
  },
  redeliverWebhook: {
    params: { uuid: ids.endpoint, delivery_id: ids.deliveredDelivery },
    response: {
      ...delivery,
      status: 'pending',
      reason: null,
      attempt_count: 0,
      sent_again_at: '2026-11-16T09:09:42.230Z',
      feedback: null,
      updated_at: '2026-11-16T09:09:42.230Z',
      last_attempt: accepted,
    },
  },
  rotateWebhookSecret: {
    params: { uuid: ids.endpoint },
    body: { grace_hours: 48 },
    response: { ...endpoint, secret: secrets.newEndpoint, updated_at: '2026-11-16T09:09:56.970Z' },
  },
  getWebhookHealth: {
    params: { uuid: ids.endpoint },
    response: {
      circuit: { state: 'closed', since: null, next_attempt_at: null },
      of_last: 2,
      counts: { pending: 0, parked: 0, delivered: 1, failed: 1, cancelled: 0, skipped: 0 },
      retrying: 0,
      success_rate: 0.5,
      latency_ms: { p50: 62, p95: 84 },
      last_success_at: '2026-11-16T09:04:55.310Z',
      last_failure: { at: '2026-11-18T06:27:07.410Z', error: 'http_503', status: 503 },
      older_secrets: [],
    },
  },
  updateWebhook: { params: { uuid: ids.endpoint }, body: { enabled_events: ['shipments', 'claims'] }, response: null },
  recoverWebhook: {
    params: { uuid: ids.endpoint },
    body: { since: '2026-11-16T00:00:00Z' },
    response: { count: 1, has_more: false, until: null, retrying: 0 },
  },
  getIntegrationHealth: {
    params: mailing,
    response: {
      circuit: { state: 'closed', since: null, next_attempt_at: null },
      of_last: 1,
      counts: { pending: 0, parked: 0, delivered: 0, failed: 1, cancelled: 0, skipped: 0 },
      retrying: 0,
      success_rate: 0,
      latency_ms: { p50: 48, p95: 48 },
      last_success_at: null,
      last_failure: { at: '2026-11-18T06:27:07.420Z', error: 'http_503', status: 503 },
    },
  },
  listIntegrationDeliveries: { params: mailing, query: { per_page: 10 }, response: [refusedDelivery] },
  getIntegrationDelivery: {
    params: { ...mailing, delivery_id: ids.mailDelivery },
    response: { ...refusedFields, attempts: attemptsAtMailing, payload: createdClaimEvent },
  },
  redeliverToIntegration: {
    params: { ...mailing, delivery_id: ids.mailDelivery },
    response: {
      ...refusedDelivery,
      status: 'pending',
      reason: null,
      attempt_count: 0,
      sent_again_at: '2026-11-16T09:10:03.540Z',
      feedback: null,
      updated_at: '2026-11-16T09:10:03.540Z',
    },
  },
  recoverIntegration: {
    params: mailing,
    body: { since: '2026-11-16T00:00:00Z' },
    response: { count: 1, has_more: false, until: null, retrying: 2 },
  },
  deleteWebhook: { params: { uuid: ids.endpoint }, response: null },
} satisfies ExamplesOf<typeof webhooks>;
