import Type, { type Static } from 'typebox';
import {
  addressTexts,
  noteTexts,
  orderDiscountTexts,
  orderLimits,
  orderTexts,
  productTexts,
  unknownAnalytics,
} from '../catalogues/limits.ts';
import { directions, flags, phases } from '../catalogues/shipment-events.ts';
import { trackingProviders } from '../catalogues/tracking-providers.ts';
import {
  BoundedJson,
  Choice,
  DateTime,
  Defaulted,
  LanguageTag,
  Link,
  Nullable,
  Shape,
  shownPictures,
  Text,
  translated,
  Uuid,
} from './shapes.ts';

/** The shapes of an order and its parcels, which several families use. */

const optional = <T extends Record<string, ReturnType<typeof Text>>>(fields: T) =>
  Type.Partial(Type.Object(fields)).properties;

const boundedTexts = <T extends Record<string, number>>(
  lengths: T,
  descriptions: Partial<Record<keyof T, string>> = {},
) =>
  Object.fromEntries(
    Object.entries(lengths).map(([name, length]) => {
      const description = descriptions[name];
      return [name, Text(length, description === undefined ? {} : { description })];
    }),
  ) as { [Name in keyof T]: ReturnType<typeof Text> };

export const Address = Shape(
  'Address',
  optional(
    boundedTexts(addressTexts, {
      country_code: 'The country as an ISO 3166 code, such as `DE`.',
      name: 'The full name of the recipient.',
    }),
  ),
);

const productFields = {
  title: Type.Optional(Text(productTexts.title)),
  quantity: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 })),
  price: Type.Optional(Type.Number({ description: 'The price of one item in the currency of the order.' })),
  weight: Type.Optional(Type.Number()),
  size: Type.Optional(Text(255)),
  variant_title: Type.Optional(Text(productTexts.variant_title)),
  requires_shipping: Type.Optional(Type.Boolean()),
  images: Type.Optional(
    Type.Array(
      Shape('ProductImage', {
        src: Type.Optional(Link({ description: shownPictures })),
        alt: Type.Optional(Nullable(Text(1000))),
      }),
      {
        maxItems: 50,
      },
    ),
  ),
  tax_lines: Type.Optional(Type.Array(Type.Unsafe<object>({ type: 'object' }), { maxItems: 50 })),
  shipment_id: Type.Optional(Text(255)),
  type: Type.Optional(Text(100, { description: 'The kind of line item. Example: `product`.' })),
  product_id: Type.Optional(Text(255)),
  variant_id: Type.Optional(Text(255)),
};

export const Product = Shape('Product', {
  ...productFields,
  sku: Type.Optional(Text(productTexts.sku)),
  bundled_products: Type.Optional(
    Type.Array(Shape('BundledProduct', productFields), {
      maxItems: 100,
      description: 'The products that this product consists of.',
    }),
  ),
});

const OrderDiscount = Shape('OrderDiscount', {
  code: Type.Optional(Text(orderDiscountTexts.code, { description: 'The promotion code.' })),
  amount: Type.Optional(
    Text(orderDiscountTexts.amount, {
      numberAsText: true,
      description: 'The amount as text. If you send a number, it is kept as text.',
    }),
  ),
  type: Type.Optional(Text(orderDiscountTexts.type, { description: 'The kind of discount. Example: `percentage`.' })),
});

/** A visit may begin in an app, so its addresses may have any form. */
const unchecked = 'Any text: check it before you open it as a link.';

/** Every call of the analytics operation overwrites all attribution fields. An absent field becomes null. */
export const attributionFields = {
  source: Defaulted(Text(100, { description: 'Where the customer came from.' }), 'trackpages'),
  campaign: Type.Optional(Nullable(Text(100, { description: 'The campaign that brought the customer.' }))),
  medium: Type.Optional(Nullable(Text(100, { description: 'The kind of campaign. Example: `product_promotion`.' }))),
  landing_url: Type.Optional(
    Nullable(Text(2048, { description: `The address that the customer opened first. ${unchecked}` })),
  ),
  landing_path: Type.Optional(Nullable(Text(500, { description: 'The path of that address.' }))),
  referrer: Type.Optional(Nullable(Text(2048, { description: `The page that linked to the shop. ${unchecked}` }))),
  captured_at: Type.Optional(Nullable(DateTime({ description: 'When the visit was recorded.' }))),
  reference_order_id: Type.Optional(
    Nullable(Text(255, { description: 'The earlier order that brought the customer back.' })),
  ),
  order_external_id: Type.Optional(Nullable(Text(255))),
  order_number: Type.Optional(Nullable(Text(100))),
  order_name: Type.Optional(Nullable(Text(255))),
};

const analyticsFields = {
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
};

const { fields: maxUnknownFields, bytes: maxUnknownBytes, levels, name, text, entries } = unknownAnalytics;

const OrderAnalytics = Shape('OrderAnalytics', analyticsFields, {
  additionalProperties: BoundedJson(unknownAnalytics),
  maxProperties: Object.keys(analyticsFields).length + maxUnknownFields,
  propertyNames: { maxLength: name },
  maxUnknownBytes,
  description:
    'An upsert changes the fields that it gives and leaves the others. Once the order has an attribution (`source`, ' +
    '`campaign`, …), an upsert leaves all of it: `PUT …/orders/analytics` changes it. ' +
    `The service keeps up to ${maxUnknownFields} further fields as they are, with names of up to ${name} characters and ` +
    `${maxUnknownBytes} bytes of JSON together. A text has up to ${text} characters, a list or an object up to ${entries} ` +
    `entries, within up to ${levels} levels.`,
});

const PreferredDeliveryDate = Shape('PreferredDeliveryDate', {
  start: Type.Optional(DateTime({ description: 'The beginning of the time window.' })),
  end: Type.Optional(DateTime({ description: 'The end of the time window.' })),
  updated_at: Type.Optional(DateTime()),
  source: Type.Optional(Text(255, { description: 'Where the preference comes from.' })),
});

/** Identifiers of an order are part of table keys, so they have 1 to 255 characters. */
export const Identifier = (options: object = {}) => Type.String({ minLength: 1, maxLength: 255, ...options });

export const expectedNumberOfShipments = (options: object = {}) =>
  Type.Integer({ minimum: 0, maximum: orderLimits.expectedShipments, ...options });

const orderFields = {
  order_name: Type.Optional(Text(orderTexts.order_name, { description: 'The name of the order in the shop system.' })),
  order_placed_at: Type.Optional(
    DateTime({ description: 'When the customer placed the order. Default: the current time.' }),
  ),
  total_order_price: Type.Optional(Type.Number({ description: 'The total price in `currency`.' })),
  shipping_price: Type.Optional(Type.Number({ description: 'The price of shipping in `currency`.' })),
  sub_total_price: Type.Optional(Type.Number({ description: 'The price of the products in `currency`.' })),
  discount_price: Type.Optional(Type.Number({ description: 'The total discount in `currency`. Default: 0.' })),
  products: Type.Optional(Type.Array(Product, { maxItems: 1000 })),
  discounts: Type.Optional(Type.Array(OrderDiscount, { maxItems: 100 })),
  email_id: Type.Optional(Text(orderTexts.email_id, { description: 'The e-mail address of the customer.' })),
  currency: Type.Optional(
    Type.String({ pattern: '^[A-Z]{3}$', description: 'The currency as an ISO 4217 code. Default: EUR.' }),
  ),
  segments: Type.Optional(
    Type.Array(Text(orderTexts.segment), {
      maxItems: orderLimits.segments,
      description: 'The segments that the customer belongs to.',
    }),
  ),
  weight: Type.Optional(Type.Number({ description: 'The weight in grams.' })),
  external_customer_id: Type.Optional(
    Text(orderTexts.external_customer_id, { description: 'The id of the customer in the shop system.' }),
  ),
  order_status_url: Type.Optional(Link({ description: 'The link to the order status page of the shop.' })),
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
  expected_number_of_shipments: Type.Optional(
    expectedNumberOfShipments({ description: 'How many parcels the order will have. Default: 1.' }),
  ),
  financial_status: Type.Optional(Text(orderTexts.financial_status)),
};

/**
 * Where null counts as absent in an order. Not as `alt`, which is shown as it is given, and not in analytics and tax lines,
 * which may be any JSON.
 */
export const nullInOrder = { except: ['alt'], notWithin: ['order_analytics', 'tax_lines'] } as const;

/** The order of an upsert. An absent field keeps its value. In a new order it gets its default. */
export const OrderInput = Shape('OrderInput', {
  ...orderFields,
  order_number: Type.Optional(Identifier()),
  external_id: Type.Optional(
    Identifier({ description: 'The id of the order in your own system. Must be unique. Default: the order number.' }),
  ),
  address: Type.Optional(Address),
});

export const OrderPlacement = Shape('OrderPlacement', {
  ...orderFields,
  order_number: Identifier({ description: 'The number of the order. Unique in the shop.' }),
  external_id: Identifier({ description: 'The id of the order in your own system. Must be unique in the shop.' }),
  address: Address,
});

/** The rule by which a late event tells nobody. */
export const staleness =
  'An event that is at least as old as the `stale_event_threshold` of a receiver (by default 24 hours for webhooks, 48 for ' +
  'integration_7 and 4 for other integrations) is recorded, and this receiver is not told. If nobody is told, the ' +
  'timeline of the order says so.';

export const CarrierReference = (options: object = {}) => Text(50, { minLength: 1, ...options });

export const TrackingInput = Shape('TrackingInput', {
  tracking_number: Identifier({
    description:
      "The carrier's number of the parcel. Numbers are compared without spaces, dots, dashes and case, and shown as first given.",
  }),
  tracking_placed_at: Type.Optional(
    DateTime({ description: `When the parcel got its tracking number. Default: the current time. ${staleness}` }),
  ),
  tracking_company: Type.Optional(
    Nullable(Text(255, { description: 'The name of the carrier in your own words. It helps to detect the carrier.' })),
  ),
  carrier_reference: Type.Optional(
    Nullable(CarrierReference({ description: 'The carrier. Default: the service detects it.' })),
  ),
  products: Type.Optional(
    Nullable(
      Type.Array(Product, {
        maxItems: 1000,
        description: 'The products in the parcel. Default: all products of the order.',
      }),
    ),
  ),
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

export const EventStrings = Shape(
  'EventStrings',
  {
    event_status: Type.String({ description: 'What happened, in one sentence.' }),
    list_label: Type.String({ description: 'What happened, in a few words for a list.' }),
    header_headline: Type.String({ description: 'The headline for the top of a tracking page.' }),
    header_title: Type.String({ description: 'The title below the headline.' }),
    header_subtitle: Type.String({ description: 'The text below the title. It says what happens next.' }),
  },
  translated,
);

export const Event = Shape('Event', {
  event_key: Type.String({ description: 'The same as `event_name`.' }),
  event_name: Type.String({ description: 'What happened.' }),
  phase: Choice(phases, {
    description: 'Where the parcel is in its journey after the event. A return begins with `return_created`.',
  }),
  time: DateTime({ description: 'When it happened.' }),
  timezone: Nullable(Type.String()),
  language: LanguageTag({ description: 'The language of the texts in `event_strings`.' }),
  event_strings: EventStrings,
  location: Nullable(Location),
  additional_info: Nullable(AdditionalInfo),
});

const Carrier = Shape('Carrier', {
  tracking_number: Nullable(Type.String({ description: 'Null for a draft.' })),
  carrier_reference: Nullable(Type.String({ description: 'The carrier. Null if it is unknown.' })),
  tracking_url: Nullable(Type.String({ description: "The link to the carrier's tracking page." })),
});

export const EstimatedArrival = Shape(
  'EstimatedArrival',
  {
    from: Nullable(DateTime({ description: 'The beginning of the time window.' })),
    to: Nullable(DateTime({ description: 'The end of the time window.' })),
    time_prediction: Nullable(
      Type.String({
        description:
          'The time window as a text in `language`, such as `5 November 2026, 10:00–14:00`. The text names its time zone ' +
          'if the carrier gave the window in UTC. It says so if a window of ours is over and the parcel is still under way. ' +
          'Null if neither end of the window is known.',
      }),
    ),
    language: LanguageTag({ description: 'The language of `time_prediction`.' }),
    source: Nullable(
      Type.String({
        description:
          'Who estimated the arrival. `prediction`: the carrier named no time, and the service made the window from earlier ' +
          'deliveries. It consists of whole days of the recipient, and holds the delivery nine times in ten. Days that are over are left out, ' +
          'unless all of them are. When a report moves it by a day or more, the event `SHIPMENT_UPDATED_ETA` says so, at most once a day. A window ' +
          'that only narrows has not moved.',
      }),
    ),
  },
  translated,
);

const TrackingSubmission = Nullable(
  Shape(
    'TrackingSubmission',
    {
      provider: Choice(trackingProviders),
      status: Choice(['submitted', 'pending', 'refused'], {
        description:
          '`submitted`: the provider watches the parcel. `pending`: the provider did not take it yet, and the service tries again. `refused`: the service no longer tries.',
      }),
      reason: Nullable(Type.String({ description: 'Why the parcel is pending or refused.' })),
      at: DateTime({ description: 'When the status or its reason changed.' }),
    },
    {
      description: 'What came of registering the parcel with a tracking provider. Null if it was registered with none.',
    },
  ),
);

/** What answers and webhooks show of a shipment as it is stored. Null where the shipment has none. */
const shipmentFields = { tracking_submission: TrackingSubmission };

const SimulationId = Nullable(
  Type.String({ description: 'The uuid of the simulation that made the order. Null for a real order.' }),
);

export const Tracking = Shape('Tracking', {
  uuid: Uuid({ description: 'The id of the shipment.' }),
  id: Uuid({ description: 'The same as `uuid`.' }),
  merchant_id: Uuid({ description: 'The uuid of the shop.' }),
  order_id: Uuid({ description: 'The uuid of the order.' }),
  merchant_slug: Type.String(),
  shop_slug: Type.String(),
  order_number: Type.String(),
  carrier: Carrier,
  direction: Choice(directions, { description: 'Who sends the parcel to whom.' }),
  is_return: Type.Boolean({ description: 'Whether the customer sends the parcel.' }),
  flag: Choice(flags, { description: 'Whether the event that decides the phase reports a delay or an error.' }),
  phase: Choice(phases, { description: 'Where the parcel is in its journey. A return begins with `return_created`.' }),
  events: Type.Array(Event),
  estimated_arrival: Nullable(EstimatedArrival),
  pickup: Nullable(Pickup),
  products: Type.Array(Product),
  ...shipmentFields,
  updated_at: DateTime(),
});

const orderStates = ['placed', 'partially_fulfilled', 'fulfilled'] as const;

export const Order = Shape('Order', {
  ...orderFields,
  uuid: Uuid(),
  order_number: Type.String(),
  external_id: Type.String(),
  address: Type.Optional(Address),
  state: Choice(orderStates, {
    description: 'Whether no, some or all expected shipments have a tracking number.',
  }),
  merchant_slug: Type.String(),
  shop_slug: Type.String(),
  tracking_page_url: Nullable(
    Type.String({
      description:
        'The page where the customer sees where the parcels are. Whoever has the link can open it. Null until the next ' +
        'change of an order that is older than these pages, and of an erased order.',
    }),
  ),
  simulation_id: SimulationId,
  erased_at: Nullable(
    DateTime({
      description:
        'When the personal data of the order was erased. Null if it was not. A request that would bring such data back is ' +
        'refused with `order_erased`, and the tracking page is gone.',
    }),
  ),
  trackings: Type.Array(Tracking, { description: 'All shipments of the order, including drafts.' }),
});

export const ShipmentRecord = Shape('ShipmentRecord', {
  uuid: Uuid(),
  order_id: Uuid(),
  external_shipment_id: Nullable(Type.String({ description: 'The id of the shipment in your own system.' })),
  tracking_number: Nullable(Type.String({ description: 'Null for a draft.' })),
  carrier_reference: Nullable(Type.String()),
  tracking_url: Nullable(Type.String()),
  phase: Choice(phases, { description: 'Where the parcel is in its journey. A return begins with `return_created`.' }),
  flag: Choice(flags, { description: 'Whether the event that decides the phase reports a delay or an error.' }),
  current_event_key: Type.String({
    description: 'The name of the event that decides the phase: the newest that says where the parcel is.',
  }),
  zip_code: Nullable(Type.String()),
  email_id: Nullable(Type.String()),
  created_at: DateTime(),
  updated_at: DateTime(),
  ...shipmentFields,
  simulation_id: SimulationId,
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
export type ShipmentFields = Pick<Tracking, keyof typeof shipmentFields>;
export type TrackingSubmission = NonNullable<Tracking['tracking_submission']>;
export type Order = Static<typeof Order>;
export type ShipmentRecord = Static<typeof ShipmentRecord>;
export type OrderIdType = (typeof orderIdTypes)[number];
export type OrderState = (typeof orderStates)[number];
