import type { events } from '../families/events.ts';
import type { ExamplesOf } from './example.ts';
import { firstNumber, ids } from './story.ts';

const packed = { event_key: 'ORDER_PROCESSED', time: '2026-11-14T15:10:00.000Z', timezone: null, location: null };

const outForDelivery = {
  event_key: 'OUT_FOR_DELIVERY',
  time: '2026-11-16T06:05:00.000Z',
  timezone: null,
  location: null,
};

export const eventExamples = {
  createEventOfShipment: {
    params: { shipment_id: ids.firstParcel },
    body: { event_name: 'OUT_FOR_DELIVERY', event_time: '2026-11-16T06:05:00Z', external_id: 'scan-77120' },
    response: {
      events: [packed, outForDelivery],
      expected_delivery: null,
      additional_info: null,
      pickup_location: null,
    },
  },
  createShipmentEvent: {
    query: { notify: true },
    // Without a time, so that whoever runs the story gets its webhook: of events of two weeks ago nobody is told.
    body: { id: firstNumber, event_name: 'SUCCESSFULLY_DELIVERED' },
    response: {
      events: [
        packed,
        outForDelivery,
        { event_key: 'SUCCESSFULLY_DELIVERED', time: '2026-11-16T08:20:00.000Z', timezone: null, location: null },
      ],
      expected_delivery: null,
      additional_info: null,
      pickup_location: null,
    },
  },
} satisfies ExamplesOf<typeof events>;
