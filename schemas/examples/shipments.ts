import type { shipments } from '../families/shipments.ts';
import type { ExamplesOf } from './example.ts';
import { deliveredShipment, returnReadyAt, shipmentFields } from './order.ts';
import { firstNumber, ids, trackingUrl } from './story.ts';

const returnNumber = '00340434161094042588';

export const shipmentExamples = {
  detectCarrier: {
    query: { tracking_number: firstNumber, country_code: 'DE' },
    response: {
      carrier_reference: 'dhl',
      candidates: [
        {
          carrier_reference: 'dhl',
          name: 'DHL Paket',
          checksum: 'valid',
          reasons: [
            'The number has the form of a DHL shipment (00340433…, 00340434…).',
            'Its check digit holds (GS1, modulo 10 with weights 3 and 1).',
            'DHL Paket delivers in DE.',
          ],
        },
        {
          carrier_reference: 'dachser',
          name: 'Dachser',
          checksum: 'valid',
          reasons: [
            'The number has the form of a shipping unit (SSCC).',
            'Its check digit holds (GS1, modulo 10 with weights 3 and 1).',
            'Dachser delivers in DE.',
          ],
        },
      ],
    },
  },
  searchShipments: {
    query: { tracking_number: firstNumber },
    response: {
      shipments: [deliveredShipment],
      pagination: { page: 1, per_page: 30, total: 1, total_pages: 1, has_next: false, has_previous: false },
    },
  },
  createShipment: {
    body: {
      order_id: '10482',
      order_id_type: 'order_number',
      tracking_number: returnNumber,
      carrier_reference: 'dhl',
      external_shipment_id: 'R-3312',
      products: [{ product_id: 'FJORD', variant_id: 'FJORD-GRN-M', quantity: 1 }],
    },
    response: {
      uuid: ids.returnParcel,
      order_id: ids.order,
      external_shipment_id: 'R-3312',
      tracking_number: returnNumber,
      carrier_reference: 'dhl',
      tracking_url: trackingUrl(returnNumber),
      phase: 'return_created',
      flag: 'normal',
      current_event_key: 'ORDER_PROCESSED',
      zip_code: '20095',
      email_id: 'mara.lindqvist@example.com',
      created_at: '2026-11-16T09:06:08.500Z',
      updated_at: '2026-11-16T09:06:08.500Z',
      ...shipmentFields,
      simulation_id: null,
      events: [returnReadyAt('2026-11-16T09:06:08.500Z')],
    },
  },
  deleteShipment: { params: { order_id: '10482', shipment_id: returnNumber }, response: null },
} satisfies ExamplesOf<typeof shipments>;
