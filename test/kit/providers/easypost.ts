import { createHmac } from 'node:crypto';
import { busySeconds, type FakeAnswer, type FakeProvider, faultInBody, faultInTarget } from './fake-provider.ts';

/** The letter is one character here and two in NFKD: the provider signs with the second. */
const webhookSecret = 'schlüssel-7d31';

/** After docs.easypost.com: "Trackers", "Errors", "Webhooks Guide", and github.com/EasyPost/examples. */
export const fakeEasypost: FakeProvider = {
  name: 'easypost',
  apiKey: 'EZAK51a8c0b7f2d94e6e',
  webhookSecret,
  hasKey: ({ headers }) => headers.authorization === `Basic ${Buffer.from('EZAK51a8c0b7f2d94e6e:').toString('base64')}`,
  faultOf: (registration) =>
    faultInTarget(registration, 'POST /v2/trackers') ??
    faultInBody((registration.body as { tracker?: unknown }).tracker, { tracking_code: /^\S+$/ }),
  numberIn: ({ body }) => (body as { tracker: { tracking_code: string } }).tracker.tracking_code,
  answers: {
    accepted: { status: 201, body: tracker('created') },
    // The tracker that exists is the answer, as if it were new.
    exists: { status: 200, body: tracker('existing') },
    'wrong key': error(401, 'APIKEY.INVALID', 'This api key is invalid.'),
    'no quota': error(402, 'PAYMENT.REQUIRED', 'Payment is required.'),
    invalid: error(422, 'TRACKER.NO_CARRIER_FOR_CODE', 'No carrier matches the code.'),
    busy: { ...error(429, 'RATE_LIMITED', 'Slow down.'), headers: { 'retry-after': String(busySeconds) } },
    down: error(500, 'INTERNAL_SERVER_ERROR', 'Sorry.'),
  },
  histories: [
    {
      title: 'delivered',
      checkpoints: [
        detail('2026-03-02T07:12:00Z', 'pre_transit', 'status_update', 'Pre-Shipment Info Sent'),
        detail('2026-03-02T17:40:00Z', 'in_transit', 'received_at_origin_facility', 'Accepted', 'HOUSTON', 'TX'),
        detail('2026-03-03T01:05:00Z', 'in_transit', 'arrived_at_facility', 'Arrived', 'NORTH HOUSTON', 'TX'),
        detail('2026-03-03T03:31:00Z', 'in_transit', 'departed_facility', 'Departed', 'NORTH HOUSTON', 'TX'),
        detail('2026-03-04T12:01:00Z', 'out_for_delivery', 'out_for_delivery', 'Out', 'CHARLESTON', 'SC'),
        detail('2026-03-04T16:47:00Z', 'delivered', 'arrived_at_destination', 'Delivered', 'CHARLESTON', 'SC'),
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
      title: 'late in the weather, then a second attempt',
      checkpoints: [
        detail('2026-03-02T17:40:00Z', 'in_transit', 'departed_origin_facility', 'Departed', 'MEMPHIS', 'TN'),
        detail('2026-03-03T09:00:00Z', 'in_transit', 'weather_delay', 'Severe weather', 'MEMPHIS', 'TN'),
        detail('2026-03-04T06:10:00-05:00', 'in_transit', 'received_at_destination_facility', 'At facility', 'NEWARK'),
        detail('2026-03-04T08:00:00-05:00', 'out_for_delivery', 'out_for_delivery', 'On vehicle', 'NEWARK', 'NJ'),
        detail('2026-03-04T15:00:00-05:00', 'failure', 'delivery_exception', 'Customer not available', 'NEWARK', 'NJ'),
        detail('2026-03-05T08:05:00-05:00', 'out_for_delivery', 'out_for_delivery', 'On vehicle', 'NEWARK', 'NJ'),
        detail('2026-03-05T10:41:00-05:00', 'delivered', 'status_update', 'Delivered', 'NEWARK', 'NJ'),
      ],
      events: [
        ['2026-03-02T17:40:00.000Z', 'PARCEL_DISPATCHED'],
        ['2026-03-03T09:00:00.000Z', 'DELAY_IN_TRANSPORT'],
        ['2026-03-04T11:10:00.000Z', 'ARRIVAL_AT_FINAL_DELIVERY_CENTER'],
        ['2026-03-04T13:00:00.000Z', 'OUT_FOR_DELIVERY'],
        ['2026-03-04T20:00:00.000Z', 'DELIVERY_ATTEMPTED'],
        ['2026-03-05T13:05:00.000Z', 'OUT_FOR_DELIVERY'],
        ['2026-03-05T15:41:00.000Z', 'SUCCESSFULLY_DELIVERED'],
      ],
    },
    {
      title: 'at the pick-up point, and returned',
      checkpoints: [
        detail('2026-03-02T17:40:00Z', 'in_transit', 'in_transit', 'In transit', 'DALLAS', 'TX'),
        detail('2026-03-03T15:15:00Z', 'available_for_pickup', 'arrived_at_pickup_location', 'At shop', 'AUSTIN', 'TX'),
        detail('2026-03-12T15:00:00Z', 'return_to_sender', 'return', 'Return to sender', 'AUSTIN', 'TX'),
        detail('2026-03-13T04:00:00Z', 'return_to_sender', 'arrived_at_facility', 'Arrived', 'DALLAS', 'TX'),
      ],
      events: [
        ['2026-03-02T17:40:00.000Z', 'SHIPMENT_EN_ROUTE'],
        ['2026-03-03T15:15:00.000Z', 'ARRIVED_AT_PICKUP_POINT'],
        ['2026-03-12T15:00:00.000Z', 'SHIPMENT_RETURNING_TO_SENDER'],
        ['2026-03-13T04:00:00.000Z', 'SHIPMENT_RETURNING_TO_SENDER'],
      ],
    },
  ],
  webhook: (number, checkpoints) => ({
    id: 'evt_ad2365c22d1511f0b5364ffbb3e7a1f1',
    object: 'Event',
    mode: 'production',
    description: 'tracker.updated',
    previous_attributes: { status: 'unknown' },
    pending_urls: [],
    completed_urls: [],
    status: 'pending',
    result: { ...tracker(number), updated_at: '2026-03-04T12:30:00Z', tracking_details: checkpoints },
  }),
  signed: (body, secret = webhookSecret) => ({
    'content-type': 'application/json',
    'x-hmac-signature': `hmac-sha256-hex=${createHmac('sha256', secret.normalize('NFKD')).update(body).digest('hex')}`,
  }),
};

function error(status: number, code: string, message: string): FakeAnswer {
  return { status, body: { error: { code, message, errors: [] } } };
}

function tracker(code: string): object {
  return {
    id: 'trk_9135862729734d96ad2f9ed0f0565a27',
    object: 'Tracker',
    mode: 'production',
    tracking_code: code,
    status: 'in_transit',
    status_detail: 'status_update',
    signed_by: null,
    weight: 17.6,
    est_delivery_date: '2026-03-05T00:00:00Z',
    carrier: 'USPS',
    tracking_details: [],
    carrier_detail: null,
    is_return: false,
    finalized: true,
  };
}

function detail(datetime: string, status: string, status_detail: string, message: string, city = '', state = '') {
  return {
    object: 'TrackingDetail',
    message,
    description: null,
    status,
    status_detail,
    datetime,
    source: 'USPS',
    carrier_code: null,
    tracking_location: {
      object: 'TrackingLocation',
      city: city || null,
      state: state || null,
      country: 'US',
      zip: null,
    },
  };
}
