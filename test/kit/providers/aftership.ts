import { createHmac } from 'node:crypto';
import { busySeconds, type FakeAnswer, type FakeProvider, faultInBody, faultInTarget } from './fake-provider.ts';

/** After aftership.com/docs/tracking, API 2026-07: "Create a tracking", "Request Errors", "Webhook Specifications". */
export const fakeAftership: FakeProvider = {
  name: 'aftership',
  apiKey: 'asat_8f2d3b0c6e1a4d57',
  webhookSecret: 'whs_5b7e19c04d2f',
  hasKey: ({ headers }) => headers['as-api-key'] === 'asat_8f2d3b0c6e1a4d57',
  faultOf: (registration) =>
    faultInTarget(registration, 'POST /tracking/2026-07/trackings') ??
    faultInBody(registration.body, {
      tracking_number: /^[A-Za-z0-9-]{4,}$/,
      'destination_postal_code?': /^.+$/,
    }),
  numberIn: ({ body }) => (body as { tracking_number: string }).tracking_number,
  answers: {
    accepted: answer(201, 201, undefined, { id: '0b02015fc7fd4f3c8d5490cece4d124d', active: true, tag: 'Pending' }),
    exists: answer(400, 4003, 'Tracking already exists.'),
    'wrong key': answer(401, 401, 'The API key is invalid.'),
    'no quota': answer(403, 403, 'The request is understood, but it has been refused or access is not allowed.'),
    invalid: answer(400, 4005, 'The value of tracking_number is invalid.'),
    busy: {
      ...answer(429, 429, 'You have exceeded the API call rate limit.'),
      headers: { 'retry-after': String(busySeconds), 'x-ratelimit-remaining': '0' },
    },
    down: answer(500, 500, "Something went wrong on AfterShip's end."),
  },
  histories: [
    {
      title: 'delivered',
      checkpoints: [
        checkpoint('2026-03-02T08:12:00+01:00', 'InfoReceived', 'InfoReceived_001', 'Data received', 'Bonn'),
        checkpoint('2026-03-02T18:40:00+01:00', 'InTransit', 'InTransit_002', 'Accepted', 'Bonn'),
        checkpoint('2026-03-03T02:05:00+01:00', 'InTransit', 'InTransit_003', 'Arrived at parcel centre', 'Feucht'),
        checkpoint('2026-03-03T04:31:00+01:00', 'InTransit', 'InTransit_007', 'Departed parcel centre', 'Feucht'),
        checkpoint('2026-03-03T08:01:00+01:00', 'OutForDelivery', 'OutForDelivery_001', 'Out for delivery', 'Wien'),
        checkpoint('2026-03-03T13:47:00+01:00', 'Delivered', 'Delivered_003', 'Delivered, signed', 'Wien'),
      ],
      events: [
        ['2026-03-02T07:12:00.000Z', 'PARCEL_DATA_SUBMITTED_TO_CARRIER'],
        ['2026-03-02T17:40:00.000Z', 'ACCEPTED_BY_ORIGIN_OFFICE'],
        ['2026-03-03T01:05:00.000Z', 'ARRIVED_AT_SORTING_CENTER'],
        ['2026-03-03T03:31:00.000Z', 'DISPATCHED_FROM_SORTING_CENTER'],
        ['2026-03-03T07:01:00.000Z', 'OUT_FOR_DELIVERY'],
        ['2026-03-03T12:47:00.000Z', 'SUCCESSFULLY_DELIVERED_AND_PROOF_OF_DELIVERY_COLLECTED'],
      ],
    },
    {
      title: 'delayed at customs, then a second attempt',
      checkpoints: [
        checkpoint('2026-03-02T09:00:00', 'InTransit', 'InTransit_002', 'Accepted', 'Shenzhen'),
        checkpoint('2026-03-05T11:20:00', 'InTransit', 'InTransit_004', 'Arrived in the country', 'Leipzig'),
        checkpoint('2026-03-05T12:00:00', 'InTransit', 'InTransit_006', 'Presented to customs', 'Leipzig'),
        checkpoint('2026-03-06T12:00:00', 'Exception', 'Exception_004', 'Clearance delayed', 'Leipzig'),
        checkpoint('2026-03-08T07:30:00', 'InTransit', 'InTransit_005', 'Cleared', 'Leipzig'),
        checkpoint('2026-03-09T07:45:00', 'OutForDelivery', 'OutForDelivery_001', 'Out for delivery', 'Graz'),
        checkpoint('2026-03-09T14:10:00', 'AttemptFail', 'AttemptFail_002', 'Nobody there', 'Graz'),
        checkpoint('2026-03-10T07:50:00', 'OutForDelivery', 'OutForDelivery_001', 'Out for delivery', 'Graz'),
        checkpoint('2026-03-10T11:33:00', 'Delivered', 'Delivered_005', 'Left with a neighbour', 'Graz'),
      ],
      events: [
        ['2026-03-02T09:00:00.000Z', 'ACCEPTED_BY_ORIGIN_OFFICE'],
        ['2026-03-05T11:20:00.000Z', 'ARRIVAL_IN_DESTINATION_COUNTRY'],
        ['2026-03-05T12:00:00.000Z', 'START_OF_CUSTOMS_PROCESSING'],
        ['2026-03-06T12:00:00.000Z', 'ISSUES_IN_PROCESSING_BY_CUSTOMS_AUTHORITIES'],
        ['2026-03-08T07:30:00.000Z', 'COMPLETION_OF_CUSTOMS_PROCESSING'],
        ['2026-03-09T07:45:00.000Z', 'OUT_FOR_DELIVERY'],
        ['2026-03-09T14:10:00.000Z', 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME'],
        ['2026-03-10T07:50:00.000Z', 'OUT_FOR_DELIVERY'],
        ['2026-03-10T11:33:00.000Z', 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR'],
      ],
    },
    {
      title: 'not collected at the pick-up point, and returned',
      checkpoints: [
        checkpoint('2026-03-02T18:40:00+01:00', 'InTransit', 'InTransit_001', 'In transit', 'Köln'),
        checkpoint('2026-03-03T10:15:00+01:00', 'AvailableForPickup', 'AvailableForPickup_001', 'Ready', 'Linz'),
        checkpoint('2026-03-12T09:00:00+01:00', 'Exception', 'Exception_008', 'Not collected', 'Linz'),
        checkpoint('2026-03-12T17:00:00+01:00', 'Exception', 'Exception_010', 'Back to the sender', 'Linz'),
        checkpoint('2026-03-16T10:05:00+01:00', 'Exception', 'Exception_011', 'Returned', 'Köln'),
      ],
      events: [
        ['2026-03-02T17:40:00.000Z', 'SHIPMENT_EN_ROUTE'],
        ['2026-03-03T09:15:00.000Z', 'PARCEL_READY_FOR_PICKUP'],
        ['2026-03-12T08:00:00.000Z', 'DELIVERY_LAPSED'],
        ['2026-03-12T16:00:00.000Z', 'SHIPMENT_RETURNING_TO_SENDER'],
        ['2026-03-16T09:05:00.000Z', 'SHIPMENT_SUCCESSFULLY_RETURNED_TO_SENDER'],
      ],
    },
  ],
  webhook: (number, checkpoints) => ({
    ts: 1772528420,
    event: 'tracking_update',
    event_id: '1f3c1d5e-7a49-4a1b-9d51-2f0f3c0d9a77',
    is_tracking_first_tag: false,
    msg: {
      id: '0b02015fc7fd4f3c8d5490cece4d124d',
      tracking_number: number,
      slug: 'dhl-germany',
      active: true,
      signed_by: null,
      courier_estimated_delivery_date: { estimated_delivery_date: '2026-03-04' },
      latest_estimated_delivery: {
        type: 'range',
        source: 'Carrier EDD',
        datetime: null,
        datetime_min: '2026-03-04T09:00:00+01:00',
        datetime_max: '2026-03-04T12:00:00+01:00',
      },
      return_to_sender: false,
      checkpoints,
    },
  }),
  signed: (body, secret = 'whs_5b7e19c04d2f') => ({
    'content-type': 'application/json',
    'as-webhook-version': '2026-07',
    'aftership-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
  }),
};

function answer(status: number, code: number, message?: string, data: object = {}): FakeAnswer {
  return { status, body: { meta: { code, ...(message && { message, type: 'BadRequest', errors: [] }) }, data } };
}

function checkpoint(time: string, tag: string, subtag: string, message: string, city: string): object {
  return {
    created_at: '2026-03-16T12:00:00+00:00',
    slug: 'dhl-germany',
    checkpoint_time: time,
    location: `${city}, DEU, Germany`,
    city,
    state: null,
    postal_code: null,
    coordinate: null,
    country_region: 'DEU',
    country_region_name: 'Germany',
    message,
    tag,
    subtag,
    subtag_message: message,
    raw_tag: 'EE',
    events: [],
    source: 'carrier',
  };
}
