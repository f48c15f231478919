import { createHmac } from 'node:crypto';
import { busySeconds, type FakeProvider, faultInBody, faultInTarget } from './fake-provider.ts';

/** The carriers of the catalogue that Shippo has, in its words. */
const carriers =
  /^(bring|deutsche_post|dhl_germany|dhl_express|dpd_de|dpd_uk|fedex|hermes_germany_b2c|posti|royal_mail|ups|usps)$/;

/** After docs.goshippo.com: "Tracking", "Webhooks", "Webhook security", and github.com/goshippo/shippo-javascript-sdk. */
export const fakeShippo: FakeProvider = {
  name: 'shippo',
  apiKey: 'shippo_live_3c5f0d7a9b2e',
  webhookSecret: 'hmac-4be09d83',
  hasKey: ({ headers }) => headers.authorization === 'ShippoToken shippo_live_3c5f0d7a9b2e',
  faultOf: (registration) =>
    faultInTarget(registration, 'POST /tracks/') ??
    faultInBody(registration.body, { carrier: carriers, tracking_number: /^\S+$/, 'metadata?': /^.{1,100}$/ }),
  numberIn: ({ body }) => (body as { tracking_number: string }).tracking_number,
  answers: {
    accepted: { status: 201, body: track('registered') },
    // Shippo takes the same number again, and then reports each step twice.
    exists: { status: 201, body: track('registered again') },
    'wrong key': { status: 401, body: { detail: 'Invalid token' } },
    'no quota': { status: 403, body: { detail: 'Your plan does not include this.' } },
    invalid: { status: 400, body: { carrier: ['Invalid carrier'] } },
    busy: { status: 429, headers: { 'retry-after': String(busySeconds) }, body: { detail: 'Request was throttled.' } },
    down: { status: 500, body: { detail: 'Server error' } },
  },
  histories: [
    {
      title: 'delivered',
      checkpoints: [
        step('2026-03-02T07:12:00Z', 'PRE_TRANSIT', 'information_received', 'Label created'),
        step('2026-03-02T17:40:00Z', 'TRANSIT', 'package_accepted', 'Accepted', 'Las Vegas', 'NV'),
        step('2026-03-03T01:05:00Z', 'TRANSIT', 'package_arrived', 'Arrived', 'Phoenix', 'AZ'),
        step('2026-03-03T03:31:00Z', 'TRANSIT', 'package_departed', 'Departed', 'Phoenix', 'AZ'),
        step('2026-03-04T12:01:00Z', 'TRANSIT', 'out_for_delivery', 'Out for delivery', 'Spotsylvania', 'VA'),
        step('2026-03-04T16:47:00Z', 'DELIVERED', 'delivered', 'In the mailbox', 'Spotsylvania', 'VA'),
      ],
      events: [
        ['2026-03-02T07:12:00.000Z', 'PARCEL_DATA_SUBMITTED_TO_CARRIER'],
        ['2026-03-02T17:40:00.000Z', 'ACCEPTED_BY_ORIGIN_OFFICE'],
        ['2026-03-03T01:05:00.000Z', 'ARRIVED_AT_SORTING_CENTER'],
        ['2026-03-03T03:31:00.000Z', 'DISPATCHED_FROM_SORTING_CENTER'],
        ['2026-03-04T12:01:00.000Z', 'OUT_FOR_DELIVERY'],
        ['2026-03-04T16:47:00.000Z', 'SUCCESSFULLY_DELIVERED'],
      ],
    },
    {
      title: 'held, then a second attempt',
      checkpoints: [
        step('2026-03-02T17:40:00Z', 'TRANSIT', undefined, 'In transit', 'Reno', 'NV'),
        step('2026-03-03T09:00:00Z', 'TRANSIT', 'package_held', 'Held', 'Reno', 'NV'),
        step('2026-03-04T13:00:00Z', 'TRANSIT', 'out_for_delivery', 'Out for delivery', 'Salem', 'OR'),
        step('2026-03-04T20:00:00Z', 'TRANSIT', 'notice_left', 'Notice left', 'Salem', 'OR'),
        step('2026-03-04T20:30:00Z', 'TRANSIT', 'delivery_rescheduled', 'Tomorrow', 'Salem', 'OR'),
        step('2026-03-05T13:05:00Z', 'TRANSIT', 'out_for_delivery', 'Out for delivery', 'Salem', 'OR'),
        step('2026-03-05T15:41:00Z', 'DELIVERED', 'other', 'Delivered', 'Salem', 'OR'),
      ],
      events: [
        ['2026-03-02T17:40:00.000Z', 'SHIPMENT_EN_ROUTE'],
        ['2026-03-03T09:00:00.000Z', 'SHIPMENT_ON_HOLD_IN_DELIVERY_CENTER'],
        ['2026-03-04T13:00:00.000Z', 'OUT_FOR_DELIVERY'],
        ['2026-03-04T20:00:00.000Z', 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME_CARD_LEFT'],
        ['2026-03-04T20:30:00.000Z', 'SHIPMENT_UPDATED_ETA'],
        ['2026-03-05T13:05:00.000Z', 'OUT_FOR_DELIVERY'],
        ['2026-03-05T15:41:00.000Z', 'SUCCESSFULLY_DELIVERED'],
      ],
    },
    {
      title: 'not collected, and returned',
      checkpoints: [
        step('2026-03-02T17:40:00Z', 'TRANSIT', 'package_processed', 'Processed', 'Boise', 'ID'),
        step('2026-03-03T15:15:00Z', 'TRANSIT', 'pickup_available', 'Available for pickup', 'Provo', 'UT'),
        step('2026-03-12T15:00:00Z', 'RETURNED', 'package_unclaimed', 'Unclaimed', 'Provo', 'UT'),
        step('2026-03-13T04:00:00Z', 'RETURNED', 'return_to_sender', 'Return to sender', 'Provo', 'UT'),
      ],
      events: [
        ['2026-03-02T17:40:00.000Z', 'SCANNED_AT_PROCESSING_CENTER'],
        ['2026-03-03T15:15:00.000Z', 'PARCEL_READY_FOR_PICKUP'],
        ['2026-03-12T15:00:00.000Z', 'SHIPMENT_NOT_PICKED_UP_RETURNED_TO_BASE'],
        ['2026-03-13T04:00:00.000Z', 'SHIPMENT_RETURNING_TO_SENDER'],
      ],
    },
  ],
  webhook: (number, checkpoints) => ({
    event: 'track_updated',
    test: false,
    data: { ...track(number), tracking_status: checkpoints.at(-1) ?? null, tracking_history: checkpoints },
  }),
  signed: (body, secret = 'hmac-4be09d83') => {
    const hmac = createHmac('sha256', secret).update('1772528420.').update(body).digest('hex');
    return { 'content-type': 'application/json', 'shippo-auth-signature': `t=1772528420,v1=${hmac}` };
  },
};

function track(number: string): object {
  return {
    messages: [],
    carrier: 'usps',
    tracking_number: number,
    address_from: { city: 'Las Vegas', state: 'NV', zip: '89101', country: 'US' },
    address_to: { city: 'Spotsylvania', state: 'VA', zip: '22551', country: 'US' },
    eta: '2026-03-05T00:00:00Z',
    original_eta: '2026-03-04T00:00:00Z',
    servicelevel: { token: 'usps_priority', name: 'Priority Mail' },
    metadata: null,
    tracking_status: null,
    tracking_history: [],
    transaction: null,
    test: false,
  };
}

function step(
  status_date: string,
  status: string,
  code: string | undefined,
  status_details: string,
  city?: string,
  state?: string,
): object {
  return {
    object_created: '2026-03-16T12:00:00.129Z',
    object_updated: null,
    object_id: 'ce48ff3d52a34e91b77aa98370182624',
    status,
    substatus: code === undefined ? null : { code, text: status_details, action_required: false },
    status_date,
    status_details,
    location: city === undefined ? null : { city, state, zip: '89101', country: 'US' },
  };
}
