import type { Source } from '#domain/orders/upsert-rules.ts';
import { clip, definedFields, link, segmentsOf } from '#domain/shop-systems/fields.ts';
import { type MappingRule, withMappings } from '#domain/shop-systems/mapping-rules.ts';
import type { ConvertedOrder } from '#domain/shop-systems/reading.ts';
import { utc } from '#platform/time.ts';
import { comparableTrackingNumber } from '#platform/tracking-number.ts';
import {
  addressTexts,
  noteTexts,
  orderDiscountTexts,
  orderLimits,
  orderTexts,
  productTexts,
} from '#schemas/catalogues/limits.ts';
import type { Address, OrderInput, Product, TrackingInput } from '#schemas/shapes/order-shapes.ts';
import type { ShopLineItem, ShopOrder, ShopOrderFulfilment } from '#schemas/shapes/shop-payloads.ts';

/** An order of shop_system_1. */
export function convertOrder(
  payload: ShopOrder,
  rules: readonly MappingRule[],
  triggeredAt: string | undefined,
): ConvertedOrder {
  const trackings = (payload.fulfillments ?? []).flatMap(trackingsOf);
  const parcels = new Set(trackings.map(({ tracking_number }) => comparableTrackingNumber(tracking_number)));
  return {
    order: {
      ...withMappings(orderFields(payload), payload, rules),
      order_number: String(payload.order_number),
      external_id: String(payload.id),
    },
    trackings,
    cancelledAt: payload.cancelled_at ?? undefined,
    source: { asOf: momentOf(payload.updated_at, triggeredAt), parcels: parcelsOf(payload, parcels.size) },
    // The request path has refused what has another form.
    unread: [],
  };
}

function orderFields(payload: ShopOrder): OrderInput {
  const { customer, shipping_address: address, line_items, discount_codes } = payload;
  return definedFields<OrderInput>({
    order_name: text(payload.name, orderTexts.order_name),
    order_placed_at: payload.created_at,
    email_id: text(payload.email, orderTexts.email_id),
    currency: payload.currency,
    total_order_price: number(payload.total_price),
    sub_total_price: number(payload.subtotal_price),
    discount_price: number(payload.total_discounts),
    shipping_price: shippingPrice(payload),
    weight: payload.total_weight,
    financial_status: text(payload.financial_status, orderTexts.financial_status),
    order_status_url: link(payload.order_status_url),
    external_customer_id: idText(customer?.id),
    segments: isNothing(customer?.tags) ? undefined : segmentsOf(customer.tags),
    user_agent: text(payload.client_details?.user_agent, orderTexts.user_agent),
    address: address && addressOf(address),
    products: line_items?.map(productOf),
    discounts: discount_codes?.map(discountOf),
    order_analytics: analyticsOf(payload),
  });
}

function addressOf(address: NonNullable<ShopOrder['shipping_address']>): Address {
  const { address1: address_line_1, address2: address_line_2, zip: zip_code, ...rest } = address;
  const parts: Record<string, string | null | undefined> = { ...rest, address_line_1, address_line_2, zip_code };
  const bounds = Object.entries(addressTexts);
  return definedFields<Record<string, string>>(
    Object.fromEntries(bounds.map(([part, bound]) => [part, text(parts[part], bound) ?? null])),
  );
}

function productOf(item: ShopLineItem): Product {
  return definedFields<Product>({
    title: text(item.title, productTexts.title),
    quantity: item.quantity,
    price: number(item.price),
    sku: text(item.sku, productTexts.sku),
    weight: item.grams,
    variant_title: text(item.variant_title, productTexts.variant_title),
    requires_shipping: item.requires_shipping,
    product_id: idText(item.product_id),
    variant_id: idText(item.variant_id),
    type: 'product',
  });
}

type DiscountCode = NonNullable<ShopOrder['discount_codes']>[number];

const discountOf = ({ code, amount, type }: DiscountCode) =>
  definedFields<{ code: string; amount: string; type: string }>({
    code: text(code, orderDiscountTexts.code),
    amount: amount === null || amount === undefined ? undefined : String(amount),
    type: text(type, orderDiscountTexts.type),
  });

function analyticsOf({ landing_site, landing_site_ref, note_attributes }: ShopOrder): OrderInput['order_analytics'] {
  const notes = note_attributes
    ?.filter((note) => note.name)
    .slice(0, orderLimits.noteAttributes)
    .map(({ name, value }) => ({
      name: clip(name!, noteTexts.name),
      value: isNothing(value) ? null : clip(String(value), noteTexts.value),
    }));
  return definedFields<NonNullable<OrderInput['order_analytics']>>({
    landing_site: text(landing_site, orderTexts.landing_site),
    landing_site_ref: text(landing_site_ref, orderTexts.landing_site_ref),
    note_attributes: notes,
  });
}

/** A fulfilment with one of these statuses did not happen and has no parcel. */
const withoutParcel = new Set(['cancelled', 'error', 'failure']);

/**
 * One parcel for each tracking number of a fulfilment. If there are several, the payload does not say which products
 * are in which parcel.
 */
export function trackingsOf(fulfilment: ShopOrderFulfilment): TrackingInput[] {
  const { status, tracking_number, tracking_numbers, tracking_company, created_at, line_items } = fulfilment;
  if (status && withoutParcel.has(status)) return [];
  const listed = tracking_numbers?.length ? tracking_numbers : [tracking_number ?? ''];
  const numbers = [...new Set(listed.map((one) => one.trim()))].filter((one) => one !== '');
  return numbers.map((number) => ({
    tracking_number: number,
    ...definedFields<Omit<TrackingInput, 'tracking_number'>>({
      tracking_placed_at: created_at,
      tracking_company: text(tracking_company, 255),
      products: numbers.length === 1 && line_items?.length ? line_items.map(productOf) : undefined,
    }),
  }));
}

function parcelsOf({ fulfillment_status }: ShopOrder, count: number): Source['parcels'] {
  if (count === 0 || (fulfillment_status !== 'partial' && fulfillment_status !== 'fulfilled')) return undefined;
  return { count, areAll: fulfillment_status === 'fulfilled' };
}

function shippingPrice({ shipping_lines }: ShopOrder): number | undefined {
  if (!shipping_lines) return undefined;
  const sum = shipping_lines.reduce((total, { price }) => total + (number(price) ?? 0), 0);
  return Math.round(sum * 100) / 100;
}

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined;
const text = (value: string | null | undefined, bound: number) => (value ? clip(value, bound) : undefined);
const idText = (value: number | null | undefined) => (isNothing(value) ? undefined : String(value));
const number = (value: string | number | null | undefined) => (isNothing(value) ? undefined : Number(value));

/**
 * The time of the state that a payload shows, as a text that sorts in the order of the states. `updated_at` counts in
 * seconds, and an order may change several times in its first second: then the time of the webhook decides. That time
 * is in a header, which is not signed, so it never decides alone.
 */
export function momentOf(updatedAt: string, triggeredAt: string | undefined): string {
  const [, seconds, fraction = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/.exec(triggeredAt ?? '') ?? [];
  return seconds === undefined ? utc(updatedAt) : `${utc(updatedAt)}#${seconds}.${fraction.padEnd(9, '0')}`;
}
