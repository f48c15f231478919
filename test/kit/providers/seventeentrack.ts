import { createHash } from 'node:crypto';
import { busySeconds, type FakeAnswer, type FakeProvider, faultInBody, faultInTarget } from './fake-provider.ts';

/** 17TRACK signs with the access key of the account. */
const apiKey = '6B2F1C8D0A7E4F93';

/** After the documentation of 17TRACK's API v2.4: "Register", "Response status", "Webhook". */
export const fakeSeventeentrack: FakeProvider = {
  name: 'seventeentrack',
  apiKey,
  webhookSecret: apiKey,
  hasKey: ({ headers }) => headers['17token'] === apiKey,
  faultOf: (registration) => {
    const { body } = registration;
    const target = faultInTarget(registration, 'POST /track/v2.4/register');
    if (target !== undefined) return target;
    if (!Array.isArray(body) || body.length === 0 || body.length > 40) return 'the body is no list of 1 to 40 numbers';
    return faultInBody(body[0], { number: /^[A-Za-z0-9-]{5,50}$/ });
  },
  numberIn: ({ body }) => (body as [{ number: string }])[0].number,
  answers: {
    accepted: { status: 200, body: { code: 0, data: { accepted: [{ origin: 1, carrier: 7041 }], rejected: [] } } },
    exists: rejected(-18019901, 'The tracking number has been registered.'),
    'wrong key': { status: 401, body: { code: -18010002, data: { errors: [{ code: -18010002, message: 'key' }] } } },
    'no quota': rejected(-18019908, 'Not enough tracking quotas.'),
    invalid: rejected(-18019903, 'Carrier can not be detected.'),
    busy: { status: 429, headers: { 'retry-after': String(busySeconds) }, body: {} },
    down: { status: 503, body: {} },
  },
  histories: [
    {
      title: 'delivered',
      checkpoints: [
        event('2026-03-04T16:47:00-04:00', 'Delivered_Other', 'Delivered', 'Package delivered', 'LOS ANGELES'),
        event('2026-03-04T12:01:00-04:00', 'OutForDelivery_Other', 'OutForDelivery', 'Out', 'LOS ANGELES'),
        event('2026-03-03T09:00:00-04:00', 'InTransit_Other', null, 'Departed from facility', 'LOS ANGELES'),
        event('2026-03-02T23:24:50-04:00', 'InTransit_Arrival', 'Arrival', 'Arrived', 'LOS ANGELES'),
        event('2026-03-02T19:24:57+08:00', 'InTransit_PickedUp', 'PickedUp', 'Picked up', 'SHENZHEN'),
        event('2026-03-02T15:38:57+08:00', 'InfoReceived', 'InfoReceived', 'Order received', 'SHENZHEN'),
      ],
      events: [
        ['2026-03-02T07:38:57.000Z', 'PARCEL_DATA_SUBMITTED_TO_CARRIER'],
        ['2026-03-02T11:24:57.000Z', 'PICKUP_SUCCESSFUL'],
        ['2026-03-03T03:24:50.000Z', 'ARRIVAL_IN_DESTINATION_COUNTRY'],
        ['2026-03-03T13:00:00.000Z', 'SHIPMENT_EN_ROUTE'],
        ['2026-03-04T16:01:00.000Z', 'OUT_FOR_DELIVERY'],
        ['2026-03-04T20:47:00.000Z', 'SUCCESSFULLY_DELIVERED'],
      ],
    },
    {
      title: 'held at customs, then a second attempt',
      checkpoints: [
        event('2026-03-10T11:33:00+01:00', 'Delivered_Other', 'Delivered', 'Zugestellt', 'WIEN'),
        event('2026-03-09T14:10:00+01:00', 'DeliveryFailure_NoBody', null, 'Nicht angetroffen', 'WIEN'),
        event('2026-03-09T07:45:00+01:00', 'OutForDelivery_Other', 'OutForDelivery', 'In Zustellung', 'WIEN'),
        event('2026-03-08T07:30:00+01:00', 'InTransit_CustomsReleased', null, 'Cleared', 'LEIPZIG'),
        event('2026-03-06T12:00:00+01:00', 'InTransit_CustomsRequiringInformation', null, 'Papers?', 'LEIPZIG'),
        event('2026-03-05T12:00:00+01:00', 'InTransit_CustomsProcessing', null, 'At customs', 'LEIPZIG'),
        // The carrier's zone is unknown to 17TRACK.
        { ...event('2026-03-04T08:00:00Z', null, 'Departure', 'Departed', 'SHENZHEN'), ...rawOnly('+08:00') },
      ],
      events: [
        ['2026-03-04T00:00:00.000Z', 'TRANSPORT_DEPARTED'],
        ['2026-03-05T11:00:00.000Z', 'CUSTOMS_PROCESSING'],
        ['2026-03-06T11:00:00.000Z', 'HELD_AT_CUSTOMS_FOR_CLARIFICATIONS'],
        ['2026-03-08T06:30:00.000Z', 'COMPLETION_OF_CUSTOMS_PROCESSING'],
        ['2026-03-09T06:45:00.000Z', 'OUT_FOR_DELIVERY'],
        ['2026-03-09T13:10:00.000Z', 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME'],
        ['2026-03-10T10:33:00.000Z', 'SUCCESSFULLY_DELIVERED'],
      ],
    },
    {
      title: 'at the pick-up point, and returned',
      checkpoints: [
        event('2026-03-16T10:05:00+01:00', 'Exception_Returned', 'Returned', 'Returned', 'KÖLN'),
        event('2026-03-12T17:00:00+01:00', 'Exception_Returning', 'Returning', 'On its way back', 'LINZ'),
        event('2026-03-03T10:15:00+01:00', 'AvailableForPickup_Other', 'AvailableForPickup', 'Ready', 'LINZ'),
        event('2026-03-02T18:40:00+01:00', 'InTransit_Other', null, 'In transit', 'KÖLN'),
      ],
      events: [
        ['2026-03-02T17:40:00.000Z', 'SHIPMENT_EN_ROUTE'],
        ['2026-03-03T09:15:00.000Z', 'PARCEL_READY_FOR_PICKUP'],
        ['2026-03-12T16:00:00.000Z', 'SHIPMENT_RETURNING_TO_SENDER'],
        ['2026-03-16T09:05:00.000Z', 'SHIPMENT_SUCCESSFULLY_RETURNED_TO_SENDER'],
      ],
    },
  ],
  webhook: (number, checkpoints) => ({
    event: 'TRACKING_UPDATED',
    data: {
      number,
      carrier: 7041,
      param: null,
      tag: '',
      track_info: {
        shipping_info: { shipper_address: { country: 'CN' }, recipient_address: { country: 'US' } },
        latest_status: { status: 'InTransit', sub_status: 'InTransit_Other', sub_status_descr: null },
        latest_event: checkpoints[0] ?? null,
        time_metrics: {
          days_of_transit: 3,
          estimated_delivery_date: {
            source: 'Official',
            from: '2026-03-04T08:00:00-04:00',
            to: '2026-03-04T20:00:00-04:00',
          },
        },
        milestone: [],
        misc_info: { service_type: 'ePacket' },
        tracking: {
          providers_hash: 1,
          providers: [
            {
              provider: { key: 7041, name: 'DHL Paket' },
              latest_sync_status: 'Success',
              latest_sync_time: '2026-03-04T12:45:00Z',
              events: checkpoints,
            },
          ],
        },
      },
    },
  }),
  signed: (body, secret = apiKey) => ({
    'content-type': 'application/json',
    sign: createHash('sha256').update(body).update(`/${secret}`).digest('hex'),
  }),
};

function rejected(code: number, message: string): FakeAnswer {
  return { status: 200, body: { code: 0, data: { accepted: [], rejected: [{ error: { code, message } }] } } };
}

function rawOnly(timezone: string): object {
  return { time_iso: null, time_utc: null, time_raw: { date: '2026-03-04', time: '08:00:00', timezone } };
}

function event(time: string, sub_status: string | null, stage: string | null, description: string, city: string) {
  return {
    time_iso: time,
    time_utc: new Date(time).toISOString().replace('.000', ''),
    time_raw: { date: time.slice(0, 10), time: time.slice(11, 19), timezone: null },
    description,
    location: city,
    stage,
    sub_status,
    address: { country: 'US', state: null, city, street: null, postal_code: null },
  };
}
