import Type, { type Static } from 'typebox';
import {
  addressTexts,
  noteTexts,
  orderDiscountTexts,
  orderLimits,
  orderTexts,
  productTexts,
} from '../catalogues/limits.ts';
import { directions, flags, phases } from '../catalogues/shipment-events.ts';
import { Choice, DateTime, LanguageTag, Link, Nullable, Shape, Text, Uuid, wellFormed } from './shapes.ts';

/** Shapes of the order and its parcels, as several families take and give them. */

const optional = <T extends Record<string, ReturnType<typeof Text>>>(fields: T) =>
  Type.Partial(Type.Object(fields)).properties;

const boundedTexts = <T extends Record<string, number>>(lengths: T) =>
  Object.fromEntries(Object.entries(lengths).map(([name, length]) => [name, Text(length)])) as {
    [Name in keyof T]: ReturnType<typeof Text>;
  };

export const Address = Shape('Address', optional(boundedTexts(addressTexts)));

const productFields = {
  title: Type.Optional(Text(productTexts.title)),
  quantity: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  price: Type.Optional(Type.Number()),
  weight: Type.Optional(Type.Number()),
  size: Type.Optional(Text(255)),
  variant_title: Type.Optional(Text(productTexts.variant_title)),
  requires_shipping: Type.Optional(Type.Boolean()),
  images: Type.Optional(
    Type.Array(Shape('ProductImage', { src: Type.Optional(Text(2048)), alt: Type.Optional(Nullable(Text(1000))) }), {
      maxItems: 50,
    }),
  ),
  tax_lines: Type.Optional(Type.Array(Type.Unsafe<object>({ type: 'object' }), { maxItems: 50 })),
  shipment_id: Type.Optional(Text(255)),
  type: Type.Optional(Text(100)),
  product_id: Type.Optional(Text(255)),
  variant_id: Type.Optional(Text(255)),
};

export const Product = Shape('Product', {
  ...productFields,
  sku: Type.Optional(Text(productTexts.sku)),
  bundled_products: Type.Optional(Type.Array(Shape('BundledProduct', productFields), { maxItems: 100 })),
});

const OrderDiscount = Shape('OrderDiscount', {
  code: Type.Optional(Text(orderDiscountTexts.code)),
  amount: Type.Optional(Text(orderDiscountTexts.amount)),
  type: Type.Optional(Text(orderDiscountTexts.type)),
});

/** The attribution fields: each is overwritten, with null where it is absent, by every call of the analytics operation. */
export const attributionFields = {
  source: Text(100, { default: 'trackpages' }),
  campaign: Type.Optional(Nullable(Text(100))),
  medium: Type.Optional(Nullable(Text(100))),
  landing_url: Type.Optional(Nullable(Text(2048))),
  landing_path: Type.Optional(Nullable(Text(500))),
  referrer: Type.Optional(Nullable(Text(2048))),
  captured_at: Type.Optional(Nullable(DateTime())),
  reference_order_id: Type.Optional(Nullable(Text(255))),
  order_external_id: Type.Optional(Nullable(Text(255))),
  order_number: Type.Optional(Nullable(Text(100))),
  order_name: Type.Optional(Nullable(Text(255))),
};

const OrderAnalytics = Shape('OrderAnalytics', {
  ...attributionFields,
  source: Type.Optional(Nullable(Text(100))),
  landing_site: Type.Optional(Nullable(Text(orderTexts.landing_site))),
  landing_site_ref: Type.Optional(Nullable(Text(orderTexts.landing_site_ref))),
  note_attributes: Type.Optional(
    Type.Array(
      Shape('NoteAttribute', { name: Text(noteTexts.name), value: Type.Optional(Nullable(Text(noteTexts.value))) }),
      {
        maxItems: orderLimits.noteAttributes,
      },
    ),
  ),
});

const PreferredDeliveryDate = Shape('PreferredDeliveryDate', {
  start: Type.Optional(DateTime()),
  end: Type.Optional(DateTime()),
  updated_at: Type.Optional(DateTime()),
  source: Type.Optional(Text(255)),
});

/** Identifiers of an order stand in table keys: they have at least one and at most 255 characters. */
export const Identifier = (options: object = {}) =>
  Type.String({ minLength: 1, maxLength: 255, pattern: wellFormed, ...options });

export const expectedNumberOfShipments = (options: object = {}) =>
  Type.Integer({ minimum: 0, maximum: orderLimits.expectedShipments, ...options });

const orderFields = {
  order_name: Type.Optional(Text(orderTexts.order_name)),
  order_placed_at: Type.Optional(DateTime({ description: 'Now, if absent.' })),
  total_order_price: Type.Optional(Type.Number()),
  shipping_price: Type.Optional(Type.Number()),
  sub_total_price: Type.Optional(Type.Number()),
  discount_price: Type.Optional(Type.Number({ description: '0, if absent.' })),
  products: Type.Optional(Type.Array(Product, { maxItems: 1000 })),
  discounts: Type.Optional(Type.Array(OrderDiscount, { maxItems: 100 })),
  email_id: Type.Optional(Text(orderTexts.email_id)),
  currency: Type.Optional(Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217; EUR, if absent.' })),
  segments: Type.Optional(Type.Array(Text(orderTexts.segment), { maxItems: orderLimits.segments })),
  weight: Type.Optional(Type.Number({ description: 'Grams.' })),
  external_customer_id: Type.Optional(Text(orderTexts.external_customer_id)),
  order_status_url: Type.Optional(Link()),
  preferred_delivery_date: Type.Optional(PreferredDeliveryDate),
  user_agent: Type.Optional(
    Type.Unsafe<string | string[]>({
      type: ['string', 'array'],
      maxLength: orderTexts.user_agent,
      items: { type: 'string', maxLength: orderTexts.user_agent },
      maxItems: 20,
    }),
  ),
  order_analytics: Type.Optional(OrderAnalytics),
  expected_number_of_shipments: Type.Optional(expectedNumberOfShipments({ description: '1, if absent.' })),
  financial_status: Type.Optional(Text(orderTexts.financial_status)),
};

/** The order of an upsert: what is absent stays as it is, or takes its default where the order is new. */
export const OrderInput = Shape('OrderInput', {
  ...orderFields,
  order_number: Type.Optional(Identifier()),
  external_id: Type.Optional(Identifier({ description: 'The order number, if absent.' })),
  address: Type.Optional(Address),
});

export const OrderPlacement = Shape('OrderPlacement', {
  ...orderFields,
  order_number: Identifier(),
  external_id: Identifier(),
  address: Address,
});

export const CarrierReference = (options: object = {}) => Text(50, { minLength: 1, ...options });

export const TrackingInput = Shape('TrackingInput', {
  tracking_number: Identifier(),
  tracking_placed_at: Type.Optional(DateTime({ description: 'Now, if absent.' })),
  tracking_company: Type.Optional(Nullable(Text(255))),
  carrier_reference: Type.Optional(Nullable(CarrierReference())),
  products: Type.Optional(Nullable(Type.Array(Product, { maxItems: 1000 }))),
});

export const Location = Shape('Location', {
  ...optional({
    city: Text(255),
    country: Text(255),
    country_code: Text(10),
    formatted_address: Text(1000),
    full: Text(1000),
    line1: Text(500),
    line2: Text(500),
    location_type: Text(100),
    place: Text(500),
    postal_code: Text(50),
    region: Text(255),
    state_or_province: Text(255),
    timezone: Text(100),
    zip: Text(50),
  }),
  latitude: Type.Optional(Type.Number()),
  longitude: Type.Optional(Type.Number()),
});

export const AdditionalInfo = Shape('AdditionalInfo', {
  ...optional({
    pickup_point: Text(500),
    pickup_point_url: Text(2048),
    pickup_time: Text(255),
    mail_message: Text(2000),
    merchant_name: Text(255),
    preferred_delivery_date: Text(100),
    tracking_link: Text(2048),
    carrier_name: Text(255),
    tracking_company: Text(255),
    date: Text(100),
  }),
  pickup_opening_hours: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 255 },
      maxProperties: 20,
    }),
  ),
});

export const ExpectedDelivery = Shape('ExpectedDelivery', {
  start: Type.Optional(Nullable(DateTime())),
  end: Type.Optional(Nullable(DateTime())),
  source: Type.Optional(Nullable(Text(255))),
  updated_at: Type.Optional(Nullable(DateTime())),
});

export const Pickup = Shape('Pickup', {
  type: Type.Optional(Nullable(Text(100))),
  name: Type.Optional(Nullable(Text(500))),
  address: Type.Optional(Nullable(Address)),
  url: Type.Optional(Nullable(Text(2048))),
  opening_hours: Type.Optional(
    Nullable(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string', maxLength: 255 },
        maxProperties: 20,
      }),
    ),
  ),
  date_to: Type.Optional(Nullable(DateTime())),
});

export const Event = Shape('Event', {
  event_key: Type.String(),
  event_name: Type.String(),
  phase: Choice(phases),
  time: DateTime(),
  timezone: Nullable(Type.String()),
  language: LanguageTag({ description: 'The language of the texts.' }),
  event_strings: Shape('EventStrings', {
    event_status: Type.String(),
    list_label: Type.String(),
    header_headline: Type.String(),
    header_title: Type.String(),
    header_subtitle: Type.String(),
  }),
  location: Nullable(Location),
  additional_info: Nullable(AdditionalInfo),
});

const Carrier = Shape('Carrier', {
  tracking_number: Nullable(Type.String()),
  carrier_reference: Nullable(Type.String()),
  tracking_url: Nullable(Type.String()),
});

export const Tracking = Shape('Tracking', {
  uuid: Uuid(),
  id: Uuid(),
  merchant_id: Uuid(),
  order_id: Uuid(),
  merchant_slug: Type.String(),
  shop_slug: Type.String(),
  order_number: Type.String(),
  carrier: Carrier,
  direction: Choice(directions),
  is_return: Type.Boolean(),
  flag: Choice(flags),
  phase: Choice(phases),
  events: Type.Array(Event),
  estimated_arrival: Nullable(
    Shape('EstimatedArrival', {
      from: Nullable(DateTime()),
      to: Nullable(DateTime()),
      source: Nullable(Type.String()),
    }),
  ),
  pickup: Nullable(Pickup),
  products: Type.Array(Product),
  updated_at: DateTime(),
});

export const orderStates = ['placed', 'partially_fulfilled', 'fulfilled'] as const;

export const Order = Shape('Order', {
  ...orderFields,
  uuid: Uuid(),
  order_number: Type.String(),
  external_id: Type.String(),
  address: Type.Optional(Address),
  state: Choice(orderStates),
  merchant_slug: Type.String(),
  shop_slug: Type.String(),
  trackings: Type.Array(Tracking),
});

export const ShipmentRecord = Shape('ShipmentRecord', {
  uuid: Uuid(),
  order_id: Uuid(),
  external_shipment_id: Nullable(Type.String()),
  tracking_number: Nullable(Type.String()),
  carrier_reference: Nullable(Type.String()),
  tracking_url: Nullable(Type.String()),
  phase: Choice(phases),
  flag: Choice(flags),
  current_event_key: Type.String(),
  zip_code: Nullable(Type.String()),
  email_id: Nullable(Type.String()),
  created_at: DateTime(),
  updated_at: DateTime(),
  events: Type.Array(Event),
});

export const orderIdTypes = ['uuid', 'external_id', 'order_name', 'order_number'] as const;

export type Address = Static<typeof Address>;
export type Product = Static<typeof Product>;
export type OrderInput = Static<typeof OrderInput>;
export type TrackingInput = Static<typeof TrackingInput>;
export type Location = Static<typeof Location>;
export type AdditionalInfo = Static<typeof AdditionalInfo>;
export type ExpectedDelivery = Static<typeof ExpectedDelivery>;
export type Pickup = Static<typeof Pickup>;
export type Event = Static<typeof Event>;
export type Tracking = Static<typeof Tracking>;
export type Order = Static<typeof Order>;
export type ShipmentRecord = Static<typeof ShipmentRecord>;
export type OrderIdType = (typeof orderIdTypes)[number];
export type OrderState = (typeof orderStates)[number];
