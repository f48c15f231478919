import type { PrivacyRequest, privacy, Retention } from '../families/privacy.ts';
import type { ExamplesOf } from './example.ts';
import { ids, keyName } from './story.ts';

const params = { uuid: ids.privacyRequest };

/** As it is answered at once: nobody has begun with it. */
const request = {
  uuid: ids.privacyRequest,
  kind: 'erasure',
  status: 'running',
  dry_run: true,
  reference: 'Ticket 4711',
  created_at: '2026-11-16T09:14:00.000Z',
  done_at: null,
  orders: 0,
  stores: [],
  download_url: null,
  requested_by: keyName,
} satisfies PrivacyRequest;

const retention = { orders_days: 730, claim_images_days: 365, deliveries_days: 14 } satisfies Retention;

export const privacyExamples = {
  createPrivacyRequest: {
    body: {
      kind: 'erasure',
      email_id: 'nobody.here@example.com',
      order_numbers: ['10999'],
      dry_run: true,
      reference: 'Ticket 4711',
    },
    response: request,
  },
  listPrivacyRequests: { response: [request] },
  getPrivacyRequest: { params, response: request },
  getRetention: { response: { orders_days: null, claim_images_days: null, deliveries_days: 30 } },
  updateRetention: { body: retention, response: retention },
} satisfies ExamplesOf<typeof privacy>;
