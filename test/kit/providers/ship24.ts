import { busySeconds, type FakeAnswer, type FakeProvider, faultInBody, faultInTarget } from './fake-provider.ts';

/** After Ship24's OpenAPI description (github.com/ship24/ship24-node, spec) and docs.ship24.com/errors. */
export const fakeShip24: FakeProvider = {
  name: 'ship24',
  apiKey: 'apik_Xq4TnRbE0wPz',
  webhookSecret: 'whs_k8R2mLq71v',
  hasKey: ({ headers }) => headers.authorization === 'Bearer apik_Xq4TnRbE0wPz',
  faultOf: (registration) =>
    faultInTarget(registration, 'POST /public/v1/trackers') ??
    faultInBody(registration.body, {
      trackingNumber: /^[a-zA-Z0-9-_/.]{5,50}$/,
      'destinationCountryCode?': /^[A-Z]{2,3}$/,
      'destinationPostCode?': /^.+$/,
    }),
  numberIn: ({ body }) => (body as { trackingNumber: string }).trackingNumber,
  answers: {
    accepted: { status: 201, body: { data: { tracker: tracker('created') } } },
    // The same request again is answered with the tracker that exists.
    exists: { status: 200, body: { data: { tracker: tracker('existing') } } },
    'wrong key': error(401, 'unauthorized', 'No valid API key provided.'),
    'no quota': error(403, 'quota_limit_reached', 'No more quota left. Please update your plan.'),
    invalid: error(422, 'validation_error', 'The trackingNumber provided seems invalid.'),
    busy: { ...error(429, 'too_many_requests', 'Slow down.'), headers: { 'retry-after': String(busySeconds) } },
    down: error(500, 'internal_error', 'Something went wrong.'),
  },
  histories: [
    {
      title: 'delivered',
      // Ship24 writes the newest first, and often without an offset.
      checkpoints: [
        event('2026-03-04T16:47:00', 'delivery_delivered', 'delivered', 'Delivered', 'SAN RAFAEL, CA 94901'),
        event('2026-03-04T12:01:00', 'delivery_out_for_delivery', 'out_for_delivery', 'Out', 'SAN RAFAEL, CA 94901'),
        event('2026-03-03T17:12:57', null, 'in_transit', 'Processed Through Facility', 'LOS ANGELES'),
        event('2026-03-02T23:24:50', null, 'in_transit', 'Flight Departure', 'Beijing airport'),
        event('2026-03-02T19:24:57', 'transit_handover', 'in_transit', 'Package Received', 'Beijing'),
        event('2026-03-02T15:38:57', 'data_order_created', 'info_received', 'Order created', 'Beijing'),
      ],
      events: [
        ['2026-03-02T15:38:57.000Z', 'PARCEL_DATA_SUBMITTED_TO_CARRIER'],
        ['2026-03-02T19:24:57.000Z', 'PARCEL_DROPPED_OFF_WITH_CARRIER'],
        ['2026-03-02T23:24:50.000Z', 'SHIPMENT_EN_ROUTE'],
        ['2026-03-03T17:12:57.000Z', 'SHIPMENT_EN_ROUTE'],
        ['2026-03-04T12:01:00.000Z', 'OUT_FOR_DELIVERY'],
        ['2026-03-04T16:47:00.000Z', 'SUCCESSFULLY_DELIVERED'],
      ],
    },
    {
      title: 'held at customs, then a second attempt, and a remark after the delivery',
      checkpoints: [
        event('2026-03-11T09:00:00+01:00', null, 'delivered', 'Proof of delivery is available', 'WIEN'),
        event('2026-03-10T11:33:00+01:00', 'delivery_delivered', 'delivered', 'Zugestellt', 'WIEN'),
        event('2026-03-09T14:10:00+01:00', 'delivery_attempted', 'failed_attempt', 'Nicht angetroffen', 'WIEN'),
        event('2026-03-09T07:45:00+01:00', 'delivery_out_for_delivery', 'out_for_delivery', 'In Zustellung', 'WIEN'),
        event('2026-03-08T07:30:00+01:00', 'customs_cleared', 'in_transit', 'Cleared', 'LEIPZIG'),
        event('2026-03-06T12:00:00+01:00', 'customs_exception', 'in_transit', 'Clearance delay', 'LEIPZIG'),
        event('2026-03-05T12:00:00+01:00', 'customs_received', 'in_transit', 'Presented to customs', 'LEIPZIG'),
        event('2026-03-05', 'destination_arrival', 'in_transit', 'Arrived', 'LEIPZIG'),
      ],
      events: [
        ['2026-03-05T00:00:00.000Z', 'ARRIVAL_IN_DESTINATION_COUNTRY'],
        ['2026-03-05T11:00:00.000Z', 'START_OF_CUSTOMS_PROCESSING'],
        ['2026-03-06T11:00:00.000Z', 'HELD_AT_CUSTOMS'],
        ['2026-03-08T06:30:00.000Z', 'COMPLETION_OF_CUSTOMS_PROCESSING'],
        ['2026-03-09T06:45:00.000Z', 'OUT_FOR_DELIVERY'],
        ['2026-03-09T13:10:00.000Z', 'DELIVERY_ATTEMPTED'],
        ['2026-03-10T10:33:00.000Z', 'SUCCESSFULLY_DELIVERED'],
      ],
    },
    {
      title: 'at the pick-up point, and returned',
      checkpoints: [
        event('2026-03-12T15:00:00.000Z', 'exception_return', 'exception', 'Returned to sender', 'PARIS'),
        event('2026-03-03T15:15:00.000Z', 'delivery_available_for_pickup', 'available_for_pickup', 'Ready', 'PARIS'),
        event('2026-03-02T17:40:00.000Z', null, 'in_transit', 'In transit', 'LYON'),
      ],
      events: [
        ['2026-03-02T17:40:00.000Z', 'SHIPMENT_EN_ROUTE'],
        ['2026-03-03T15:15:00.000Z', 'PARCEL_READY_FOR_PICKUP'],
        ['2026-03-12T15:00:00.000Z', 'SHIPMENT_RETURNING_TO_SENDER'],
      ],
    },
  ],
  webhook: (number, checkpoints) => ({
    trackings: [
      {
        metadata: {
          generatedAt: '2026-03-16T12:00:00.000Z',
          messageId: '356a7f93-3ce5-4b49-b560-156537283df9',
          topic: 'tracking/events',
        },
        tracker: tracker(number),
        shipment: {
          shipmentId: 'f4f888d7-d140-423f-9a48-e0689d27e098',
          statusCode: null,
          statusCategory: null,
          statusMilestone: 'in_transit',
          originCountryCode: 'CN',
          destinationCountryCode: 'US',
          delivery: {
            estimatedDeliveryDate: '2026-03-04T18:00:00',
            courierEstimatedDeliveryDate: { from: '2026-03-04T17:00:00', to: '2026-03-04T18:00:00' },
            service: null,
            signedBy: null,
          },
          trackingNumbers: [{ tn: number }],
          recipient: { name: null, address: null, postCode: '94901', city: null, subdivision: null },
        },
        events: checkpoints,
        statistics: { timestamps: { deliveredDatetime: '2026-03-10T11:33:00+01:00', exceptionDatetime: null } },
      },
    ],
  }),
  signed: (_body, secret = 'whs_k8R2mLq71v') => ({
    'content-type': 'application/json',
    authorization: `Bearer ${secret}`,
  }),
};

function error(status: number, code: string, message: string): FakeAnswer {
  return { status, body: { errors: [{ code, message }], data: null } };
}

function tracker(trackingNumber: string): object {
  return {
    trackerId: '26148317-7502-d3ac-44a9-546d240ac0dd',
    trackingNumber,
    shipmentReference: null,
    clientTrackerId: null,
    isSubscribed: true,
    createdAt: '2026-03-01T03:16:22.000Z',
  };
}

function event(
  occurrenceDatetime: string,
  statusCode: string | null,
  statusMilestone: string,
  status: string,
  location: string,
): object {
  return {
    eventId: `c6fbe883-49dc-7cba-48c4-${occurrenceDatetime}`,
    trackingNumber: '9400111202544843610364',
    eventTrackingNumber: '9400111202544843610364',
    status,
    occurrenceDatetime,
    order: null,
    location,
    sourceCode: 'usps-tracking',
    courierCode: 'us-post',
    statusCode,
    statusCategory: statusCode?.split('_')[0] ?? null,
    statusMilestone,
  };
}
