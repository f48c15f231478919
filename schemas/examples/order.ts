import type {
  Address,
  Event,
  Order,
  Product,
  ShipmentFields,
  ShipmentRecord,
  Tracking,
} from '../shapes/order-shapes.ts';
import { firstNumber, hosts, ids, pageUrl, secondNumber, slug, trackingUrl } from './story.ts';

/** The order of the story, its two parcels and what happens to them. Several families show it. */

export const address = {
  name: 'Mara Lindqvist',
  address_line_1: 'Lindenweg 12',
  zip_code: '20095',
  city: 'Hamburg',
  country: 'Germany',
  country_code: 'DE',
  phone: '+49 40 5550123',
} satisfies Address;

export const newAddress = { ...address, address_line_2: 'c/o Café Möwe' } satisfies Address;

export const jacket = {
  title: 'Rain jacket Fjord',
  variant_title: 'Moss green / M',
  sku: 'FJORD-GRN-M',
  quantity: 1,
  price: 149.9,
  weight: 480,
  images: [{ src: `${hosts.shop}/images/fjord-green.jpg`, alt: 'Rain jacket Fjord in moss green' }],
} satisfies Product;

export const boots = {
  title: 'Hiking boots Granit',
  variant_title: '39',
  sku: 'GRANIT-39',
  quantity: 1,
  price: 179,
  weight: 1250,
} satisfies Product;

/** What callers see of an event apart from its time, its texts and its phase. */
const eventOf = <Name extends string, Phase extends Event['phase']>(
  name: Name,
  phase: Phase,
  time: string,
  event_strings: Event['event_strings'],
) => ({
  event_key: name,
  event_name: name,
  phase,
  time,
  timezone: null,
  language: 'en' as const,
  event_strings,
  location: null,
  additional_info: null,
});

const packedAt = (time: string) =>
  eventOf('ORDER_PROCESSED', 'order_processed', time, {
    header_headline: 'Almost on its way',
    header_title: 'Your parcel is ready for its journey',
    header_subtitle: 'The carrier does not have it yet. As soon as it does, you can follow the journey here.',
    event_status: 'Your order has been prepared and is ready to go to the carrier.',
    list_label: 'Order ready to ship',
  });

export const returnReadyAt = (time: string) =>
  eventOf('ORDER_PROCESSED', 'return_created', time, {
    header_headline: 'Return registered',
    header_title: 'Your return is registered',
    header_subtitle:
      'Pack the items well, attach the return label and hand the parcel to the carrier. You can then follow it here.',
    event_status: 'Your return is ready, and you can hand the parcel to the carrier.',
    list_label: 'Return ready to send',
  });

const outForDelivery = eventOf('OUT_FOR_DELIVERY', 'in_delivery', '2026-11-16T06:05:00.000Z', {
  header_headline: 'The last stretch',
  header_title: 'Your parcel is out for delivery',
  header_subtitle:
    'The courier is bringing it to the delivery address. If nobody can take it in, you will find the next step here.',
  event_status: 'Your parcel is on the delivery vehicle and should arrive today.',
  list_label: 'Out for delivery',
});

const delivered = eventOf('SUCCESSFULLY_DELIVERED', 'delivered', '2026-11-16T08:20:00.000Z', {
  header_headline: 'Delivered',
  header_title: 'Your parcel has arrived',
  header_subtitle:
    'We hope everything is as it should be. If something is missing or damaged, customer service is there to help.',
  event_status: 'Your parcel has been delivered.',
  list_label: 'Delivered',
});

export const shipmentFields = { tracking_submission: null } satisfies ShipmentFields;

const parcel = {
  merchant_id: ids.shop,
  order_id: ids.order,
  merchant_slug: slug,
  shop_slug: slug,
  order_number: '10482',
  direction: 'merchant_customer',
  is_return: false,
  flag: 'normal',
  phase: 'order_processed',
  estimated_arrival: null,
  pickup: null,
  ...shipmentFields,
  updated_at: '2026-11-16T09:03:48.470Z',
} satisfies Partial<Tracking>;

const firstParcel = {
  uuid: ids.firstParcel,
  id: ids.firstParcel,
  ...parcel,
  carrier: { tracking_number: firstNumber, carrier_reference: 'dhl', tracking_url: trackingUrl(firstNumber) },
  events: [packedAt('2026-11-14T15:10:00.000Z')],
  products: [jacket],
} satisfies Tracking;

const secondParcel = {
  uuid: ids.secondParcel,
  id: ids.secondParcel,
  ...parcel,
  carrier: { tracking_number: secondNumber, carrier_reference: 'dhl', tracking_url: trackingUrl(secondNumber) },
  events: [packedAt('2026-11-14T15:12:00.000Z')],
  products: [boots],
} satisfies Tracking;

export const bootsWithSize = { ...boots, size: '39' } satisfies Product;

export const updatedSecondParcel = {
  ...secondParcel,
  products: [bootsWithSize],
  updated_at: '2026-11-16T09:04:25.320Z',
} satisfies Tracking;

export const deliveredParcel = {
  ...firstParcel,
  phase: 'delivered',
  events: [packedAt('2026-11-14T15:10:00.000Z'), outForDelivery, delivered],
  updated_at: '2026-11-16T09:04:54.800Z',
} satisfies Tracking;

/** The same parcel in a search of shipments. */
export const deliveredShipment = {
  uuid: ids.firstParcel,
  order_id: ids.order,
  external_shipment_id: null,
  ...deliveredParcel.carrier,
  phase: 'delivered',
  flag: 'normal',
  current_event_key: 'SUCCESSFULLY_DELIVERED',
  zip_code: address.zip_code,
  email_id: 'mara.lindqvist@example.com',
  created_at: '2026-11-16T09:03:48.470Z',
  updated_at: deliveredParcel.updated_at,
  ...shipmentFields,
  simulation_id: null,
  events: deliveredParcel.events,
} satisfies ShipmentRecord;

export const order = {
  discount_price: 0,
  products: [jacket, boots],
  discounts: [],
  currency: 'EUR',
  order_analytics: {
    source: 'newsletter',
    campaign: 'autumn-rain',
    medium: 'product_promotion',
    landing_url: `${hosts.shop}/rain?utm_campaign=autumn-rain`,
    landing_path: null,
    referrer: null,
    captured_at: '2026-11-13T18:20:00Z',
    reference_order_id: null,
    order_external_id: null,
    order_number: null,
    order_name: null,
  },
  external_id: '5120938471',
  order_name: '#10482',
  order_placed_at: '2026-11-13T18:42:10.000Z',
  email_id: 'mara.lindqvist@example.com',
  address,
  total_order_price: 333.8,
  sub_total_price: 328.9,
  shipping_price: 4.9,
  weight: 1730,
  segments: ['newsletter'],
  external_customer_id: 'C-20771',
  order_status_url: `${hosts.shop}/orders/10482`,
  expected_number_of_shipments: 2,
  financial_status: 'paid',
  order_number: '10482',
  uuid: ids.order,
  state: 'fulfilled',
  merchant_slug: slug,
  shop_slug: slug,
  tracking_page_url: pageUrl,
  simulation_id: null,
  erased_at: null,
  trackings: [firstParcel, secondParcel],
} satisfies Order;

export const updatedOrder = {
  ...order,
  address: newAddress,
  trackings: [firstParcel, updatedSecondParcel],
} satisfies Order;
