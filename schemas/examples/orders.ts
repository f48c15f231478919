import type { orders } from '../families/orders.ts';
import type { TimelineEntry } from '../shapes/timeline-shapes.ts';
import type { ExamplesOf } from './example.ts';
import {
  address,
  boots,
  bootsWithSize,
  jacket,
  newAddress,
  order,
  updatedOrder,
  updatedSecondParcel,
} from './order.ts';
import { firstNumber, hosts, ids, secondNumber } from './story.ts';

const firstParcel = { shipment_id: ids.firstParcel, tracking_number: firstNumber, is_return: false };
const secondParcel = { shipment_id: ids.secondParcel, tracking_number: secondNumber, is_return: false };
const packed = { event_name: 'ORDER_PROCESSED', phase: 'order_processed' as const, location: null };

/** The only endpoint listens to deliveries and claims. */
const notSent = (shipment_id: string) => ({
  at: '2026-11-16T09:03:48.470Z',
  kind: 'delivery' as const,
  title:
    'None of the present webhooks and integrations was told of shipments/order_processed/ORDER_PROCESSED: ' +
    'none of the present endpoints listens to it',
  data: { shipment_id, not_sent: { ref: 'shipments/order_processed/ORDER_PROCESSED', reason: 'filtered' as const } },
});

const timeline = [
  {
    at: '2026-11-13T18:42:10.000Z',
    kind: 'order',
    title: 'Order 10482 was placed',
    data: { order_number: '10482' },
  },
  {
    at: '2026-11-14T15:10:00.000Z',
    kind: 'event',
    title: `Parcel ${firstNumber}: Order ready to ship`,
    data: { ...firstParcel, ...packed },
  },
  {
    at: '2026-11-14T15:12:00.000Z',
    kind: 'event',
    title: `Parcel ${secondNumber}: Order ready to ship`,
    data: { ...secondParcel, ...packed },
  },
  {
    at: '2026-11-16T09:03:48.470Z',
    kind: 'order',
    title: 'The service received order 10482',
    data: { order_number: '10482' },
  },
  {
    at: '2026-11-16T09:03:48.470Z',
    kind: 'shipment',
    title: `Parcel ${firstNumber} was added`,
    data: firstParcel,
  },
  {
    at: '2026-11-16T09:03:48.470Z',
    kind: 'shipment',
    title: `Parcel ${secondNumber} was added`,
    data: secondParcel,
  },
  notSent(ids.firstParcel),
  notSent(ids.secondParcel),
] satisfies TimelineEntry[];

export const orderExamples = {
  upsertOrder: {
    body: {
      id: '10482',
      order: {
        external_id: '5120938471',
        order_name: '#10482',
        order_placed_at: '2026-11-13T18:42:10Z',
        email_id: 'mara.lindqvist@example.com',
        address,
        currency: 'EUR',
        total_order_price: 333.8,
        sub_total_price: 328.9,
        shipping_price: 4.9,
        weight: 1730,
        products: [jacket, boots],
        segments: ['newsletter'],
        external_customer_id: 'C-20771',
        order_status_url: `${hosts.shop}/orders/10482`,
        expected_number_of_shipments: 2,
        financial_status: 'paid',
      },
      trackings: [
        {
          tracking_number: firstNumber,
          carrier_reference: 'dhl',
          tracking_placed_at: '2026-11-14T15:10:00Z',
          products: [jacket],
        },
        {
          tracking_number: secondNumber,
          carrier_reference: 'dhl',
          tracking_placed_at: '2026-11-14T15:12:00Z',
          products: [boots],
        },
      ],
    },
    response: null,
  },
  placeOrder: {
    body: {
      order_number: '10483',
      external_id: '5120938480',
      order_placed_at: '2026-11-14T19:05:00Z',
      email_id: 'jonas.ekdal@example.com',
      address: {
        name: 'Jonas Ekdal',
        address_line_1: 'Am Deich 4',
        zip_code: '25746',
        city: 'Heide',
        country: 'Germany',
        country_code: 'DE',
      },
      currency: 'EUR',
      total_order_price: 183.9,
      sub_total_price: 179,
      shipping_price: 4.9,
      products: [boots],
      expected_number_of_shipments: 1,
    },
    response: null,
  },
  fulfilOrders: {
    body: [{ id: '10483', trackings: [{ tracking_number: '00340434161094042571', carrier_reference: 'dhl' }] }],
    response: null,
  },
  upsertAttribution: {
    body: {
      id: '10482',
      source: 'newsletter',
      campaign: 'autumn-rain',
      medium: 'product_promotion',
      landing_url: `${hosts.shop}/rain?utm_campaign=autumn-rain`,
      captured_at: '2026-11-13T18:20:00Z',
    },
    response: null,
  },
  searchOrders: { query: { order_number: '10482' }, response: [order] },
  updateOrderShipment: {
    params: { order_id: ids.order, shipment_id: ids.secondParcel },
    body: {
      products: [bootsWithSize],
    },
    response: updatedSecondParcel,
  },
  updateOrder: { params: { order_id: ids.order }, body: { address: newAddress }, response: updatedOrder },
  getOrderTimeline: { params: { order_id: ids.order }, response: timeline },
  search: {
    query: { q: 'mara lindqvist' },
    response: [
      {
        kind: 'order',
        matched: 'customer_name',
        order_id: ids.order,
        order_number: '10482',
        order_name: '#10482',
        customer_name: 'Mara Lindqvist',
        email_id: 'mara.lindqvist@example.com',
        city: 'Hamburg',
        placed_at: '2026-11-13T18:42:10.000Z',
        phase: 'order_processed',
        flag: 'normal',
        parcels: 2,
        claim_uuid: null,
      },
    ],
  },
} satisfies ExamplesOf<typeof orders>;
