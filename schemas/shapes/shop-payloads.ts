import Type, { type Static } from 'typebox';
import { privacyLimits } from '../catalogues/limits.ts';
import { Identifier } from './order-shapes.ts';
import { DateTime, Nullable, Text } from './shapes.ts';

/**
 * The payloads of shop_system_1. Only the fields that the service uses are described. All other fields are kept, because
 * a mapping rule may name any field. The limits are wide, because the shop system sends a refused payload again and
 * again. The service shortens the values that it stores to their own limits.
 */
const text = Type.Optional(Nullable(Text(20_000)));
const moment = Type.Optional(Nullable(DateTime()));
/** The shop system sends amounts as decimal numbers in a text. */
const amount = Type.Optional(
  Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'], pattern: '^-?\\d{1,15}(\\.\\d{1,10})?$' }),
);
const Id = () => Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const id = Type.Optional(Nullable(Id()));

const Part = <T extends Parameters<typeof Type.Object>[0]>(title: string, fields: T) => Type.Object(fields, { title });
const listOf = <T extends ReturnType<typeof Part>>(shape: T, maxItems: number) =>
  Type.Optional(Nullable(Type.Array(shape, { maxItems })));

const listOfIds = (description: string) =>
  Type.Optional(Nullable(Type.Array(Id(), { maxItems: privacyLimits.shopSystemOrders, description })));

const LineItem = Part('ShopLineItem', {
  title: text,
  quantity: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }))),
  price: amount,
  sku: text,
  grams: Type.Optional(Nullable(Type.Number())),
  variant_title: text,
  requires_shipping: Type.Optional(Nullable(Type.Boolean())),
  product_id: id,
  variant_id: id,
});

const fulfilmentFields = {
  status: text,
  created_at: moment,
  tracking_company: text,
  tracking_number: Type.Optional(Nullable(Text(255))),
  tracking_numbers: Type.Optional(Nullable(Type.Array(Text(255), { maxItems: 250 }))),
  line_items: listOf(LineItem, 1000),
};

const OrderFulfilment = Part('ShopOrderFulfilment', fulfilmentFields);

const ShopAddress = Part('ShopAddress', {
  name: text,
  company: text,
  address1: text,
  address2: text,
  city: text,
  zip: text,
  province: text,
  province_code: text,
  country: text,
  country_code: text,
  phone: text,
});

const NoteAttribute = Part('ShopNoteAttribute', {
  name: text,
  value: Type.Optional(
    Type.Unsafe<string | number | boolean | null>({
      type: ['string', 'number', 'boolean', 'null'],
      maxLength: 20_000,
    }),
  ),
});

const ShippingLine = Part('ShopShippingLine', { price: amount });
const DiscountCode = Part('ShopDiscountCode', { code: text, amount, type: text });

/** The state of the order when the webhook was triggered. */
export const ShopOrder = Part('ShopOrder', {
  id: Id(),
  order_number: Type.Unsafe<string | number>({ ...Identifier(), type: ['integer', 'string'] }),
  updated_at: DateTime(),
  created_at: moment,
  cancelled_at: moment,
  name: text,
  email: text,
  currency: Type.Optional(Nullable(Type.String({ pattern: '^[A-Z]{3}$' }))),
  total_price: amount,
  subtotal_price: amount,
  total_discounts: amount,
  total_weight: Type.Optional(Nullable(Type.Number())),
  financial_status: text,
  fulfillment_status: text,
  order_status_url: text,
  landing_site: text,
  landing_site_ref: text,
  customer: Type.Optional(Nullable(Part('ShopCustomer', { id, tags: text }))),
  client_details: Type.Optional(Nullable(Part('ShopClientDetails', { user_agent: text }))),
  shipping_address: Type.Optional(Nullable(ShopAddress)),
  shipping_lines: listOf(ShippingLine, 100),
  line_items: listOf(LineItem, 1000),
  discount_codes: listOf(DiscountCode, 100),
  note_attributes: listOf(NoteAttribute, 500),
  fulfillments: listOf(OrderFulfilment, 250),
});

/** One parcel of an order, without the order. */
export const ShopFulfilment = Part('ShopFulfilment', { ...fulfilmentFields, order_id: Id() });

/** A deleted order or a product. The service uses only the id. */
export const ShopObject = Part('ShopObject', { id: Id() });

/**
 * What the shop system asks on behalf of a customer, or of a shop that left it: the three payloads in one, told apart by
 * the header `X-Shopify-Topic`. A customer may have no id or no e-mail address there. Source:
 * https://shopify.dev/docs/apps/build/compliance/privacy-law-compliance
 */
export const ShopPrivacyRequest = Part('ShopPrivacyRequest', {
  shop_id: id,
  shop_domain: Type.Optional(Nullable(Text(20_000, { description: 'The address of the shop in the shop system.' }))),
  customer: Type.Optional(Nullable(Part('ShopPrivacyCustomer', { id, email: text, phone: text }))),
  orders_requested: listOfIds('Of `customers/data_request`.'),
  orders_to_redact: listOfIds('Of `customers/redact`.'),
  data_request: Type.Optional(
    Nullable(
      Type.Object(
        { id },
        { title: 'ShopDataRequest', description: 'Of `customers/data_request`. It becomes the reference.' },
      ),
    ),
  ),
});

export type ShopPrivacyRequest = Static<typeof ShopPrivacyRequest>;
export type ShopOrder = Static<typeof ShopOrder>;
export type ShopFulfilment = Static<typeof ShopFulfilment>;
export type ShopObject = Static<typeof ShopObject>;
export type ShopLineItem = Static<typeof LineItem>;
export type ShopOrderFulfilment = Static<typeof OrderFulfilment>;
