import type { Source } from '#domain/orders/upsert-rules.ts';
import { amountOf, type Decimal, decimalOf, digitsOf, rounded, sumOf } from '#domain/shop-systems/decimal.ts';
import {
  definedFields,
  entriesOf,
  isAbsent,
  plainOf,
  shortHash,
  type ValueReader,
  valueReader,
} from '#domain/shop-systems/fields.ts';
import { type MappingRule, withMappings } from '#domain/shop-systems/mapping-rules.ts';
import { type ConvertedOrder, type Settled, type Unreadable, unreadable } from '#domain/shop-systems/reading.ts';
import { type Fields, fieldsOf } from '#platform/foreign-json.ts';
import { addressTexts, orderDiscountTexts, orderTexts } from '#schemas/catalogues/limits.ts';
import type { Address, OrderInput, Product } from '#schemas/shapes/order-shapes.ts';
import { analyticsOf, userAgentKey } from './analytics.ts';
import { type Line, linesOf, type Prices, withTax } from './products.ts';
import { trackingsOf } from './trackings.ts';
import { metaOf } from './values.ts';

const orderTopics = ['order.created', 'order.updated', 'order.restored'];

/** Of an order that nobody has placed yet, or that is in the trash. */
const unplaced = ['checkout-draft', 'auto-draft', 'draft', 'new', 'trash'];

/**
 * What a webhook of shop_system_3 says. README.md has the table of its fields. It never throws.
 * @param receivedAt when it came: some extensions tell only the day on which a parcel was shipped
 */
export function readWooCommerce(
  payload: unknown,
  topic: string | undefined,
  rules: readonly MappingRule[],
  receivedAt?: Date,
): Settled {
  const name = topic?.trim().toLowerCase() ?? '';
  if (name === 'order.deleted' || name.startsWith('product.')) return { kind: 'nothing' };
  if (!orderTopics.includes(name)) return { kind: 'unknown_topic' };
  const order = fieldsOf(payload);
  if (unplaced.includes(statusOf(order))) return { kind: 'nothing' };
  return orderReading(order, rules, receivedAt);
}

function orderReading(payload: Fields, rules: readonly MappingRule[], receivedAt: Date | undefined): Settled {
  const reader = valueReader();
  const id = idOf(payload.id);
  if (id === undefined) return withoutId(payload);
  const number = reader.wholeText(payload.number, 'number', 255);
  if (number === undefined) return faulty(payload, 'number', id);
  const createdAt = reader.time(payload.date_created_gmt, 'date_created_gmt');
  const changedAt = reader.time(payload.date_modified_gmt, 'date_modified_gmt') ?? createdAt;
  if (changedAt === undefined) return faulty(payload, 'date_modified_gmt', id);
  const meta = metaOf(payload.meta_data);
  const currency = reader.currency(payload.currency, 'currency');
  const prices = {
    isGross: payload.prices_include_tax === true,
    areTold: currency !== undefined || isAbsent(payload.currency),
    reader,
  };
  const lines = linesOf(payload.line_items, prices);
  const products = new Map(lines?.map((line) => [line.id, line.product]));
  const { trackings, count } = trackingsOf({ meta, products, createdAt, receivedAt }, reader);
  const fields = orderFields(payload, { meta, lines, currency, createdAt, prices });
  const told = {
    order: { ...withMappings(fields, payload, rules), order_number: number, external_id: id },
    trackings,
    cancelledAt: statusOf(payload) === 'cancelled' ? changedAt : undefined,
    ...(wasNeverPaid(payload, fields) && { onlyIfKnown: true as const }),
    unread: reader.unread,
  };
  return { kind: 'order', converted: { ...told, source: sourceOf(statusOf(payload), changedAt, count, told) } };
}

/**
 * A payment was due and has not come. The shop waits for it (`pending`), it failed, or the shop has given up waiting: nobody
 * ordered then. An order on hold waits for a bank transfer, and counts. Nothing tells whether a cancelled one was on hold.
 */
function wasNeverPaid(payload: Fields, { financial_status }: OrderInput): boolean {
  if (financial_status !== 'pending') return false;
  const status = statusOf(payload);
  const isFree = decimalOf(payload.total)?.units === 0n;
  return status === 'pending' || status === 'failed' || (status === 'cancelled' && !isFree);
}

/**
 * The body is made with the rights of the person who made the hook, when it is sent: if that person has lost them, or the
 * order is gone, it is an error in the place of the order, and signed like one.
 */
function withoutId(payload: Fields): Unreadable {
  const code = typeof payload.code === 'string' && /^\w{1,100}$/.test(payload.code) ? payload.code : undefined;
  if (!isAbsent(payload.id) || code === undefined) return faulty(payload, 'id');
  const isGone = code === 'woocommerce_rest_shop_order_invalid_id';
  return unreadable(isGone ? 'order_not_found' : 'field_missing', { field: code });
}

const faulty = (payload: Fields, field: string, order?: string): Unreadable =>
  unreadable(isAbsent(payload[field]) ? 'field_missing' : 'field_invalid', { field, order });

function idOf(value: unknown): string | undefined {
  const isId = typeof value === 'number' ? Number.isSafeInteger(value) : /^\d{1,20}$/.test(plainOf(value));
  return isId && Number(value) > 0 ? plainOf(value) : undefined;
}

/** Extensions add statuses of their own. The prefix belongs to the database. */
const statusOf = ({ status }: Fields): string =>
  typeof status === 'string' ? status.trim().toLowerCase().replace(/^wc-/, '') : '';

interface Read {
  meta: ReadonlyMap<string, unknown>;
  lines: Line[] | undefined;
  currency: string | undefined;
  createdAt: string | undefined;
  prices: Prices;
}

function orderFields(payload: Fields, { meta, lines, currency, createdAt, prices }: Read): OrderInput {
  const { reader } = prices;
  const sum = (names: [string, string]) => numberOf(withTax(payload, names, '', prices), names[0], reader);
  return definedFields<OrderInput>({
    order_name: reader.text(payload.number, 'number', orderTexts.order_name),
    order_placed_at: createdAt,
    email_id: reader.wholeText(fieldsOf(payload.billing).email, 'billing.email', orderTexts.email_id),
    currency,
    total_order_price: prices.areTold ? reader.money(payload.total, 'total') : undefined,
    sub_total_price: subtotalOf(lines, reader),
    discount_price: sum(['discount_total', 'discount_tax']),
    shipping_price: sum(['shipping_total', 'shipping_tax']),
    financial_status: financialStatus(payload, reader),
    external_customer_id: idOf(payload.customer_id),
    user_agent:
      reader.text(payload.customer_user_agent, 'customer_user_agent', orderTexts.user_agent) ??
      reader.text(meta.get(userAgentKey), `meta_data.${userAgentKey}`, orderTexts.user_agent),
    address: addressOf(payload, reader),
    products: lines?.map(({ product }): Product => product),
    discounts: discountsOf(payload, prices),
    order_analytics: analyticsOf(payload, meta, reader),
  });
}

const numberOf = (amount: Decimal | undefined, field: string, reader: ValueReader): number | undefined =>
  amount && (amountOf(amount) ?? reader.note(field));

/** After discounts, as Shopify's. WooCommerce sends none. A sum without one of the lines would be wrong. */
function subtotalOf(lines: Line[] | undefined, reader: ValueReader): number | undefined {
  const totals = lines?.flatMap(({ total }) => total ?? []) ?? [];
  if (totals.length === 0 || totals.length !== lines?.length) return undefined;
  return numberOf(sumOf(totals), 'line_items', reader);
}

/** Source: `wc_get_is_paid_statuses()` in includes/wc-order-functions.php of the plugin. */
const paidStatuses = ['processing', 'completed'];

/** The total of an order stays as it was when money is given back. */
function financialStatus(payload: Fields, reader: ValueReader): string {
  const status = statusOf(payload);
  const amounts = (entriesOf(payload.refunds) ?? []).flatMap((refund) => decimalOf(refund.total) ?? []);
  const { units, scale } = sumOf(amounts);
  const refunded = { units: units < 0n ? -units : units, scale };
  const total = decimalOf(payload.total);
  const isAll = total !== undefined && sumOf([refunded, { ...total, units: -total.units }]).units >= 0n;
  if (status === 'refunded' || (refunded.units > 0n && isAll)) return 'refunded';
  if (refunded.units > 0n) return 'partially_refunded';
  const isPaid = reader.time(payload.date_paid_gmt, 'date_paid_gmt') !== undefined || paidStatuses.includes(status);
  return isPaid ? 'paid' : 'pending';
}

/** Of goods that nobody ships, the shipping address is empty. */
const addressFields = ['first_name', 'last_name', 'company', 'address_1', 'address_2', 'city', 'postcode'];

function addressOf(payload: Fields, reader: ValueReader): Address | undefined {
  const kind = ['shipping', 'billing'].find((name) => {
    const address = fieldsOf(payload[name]);
    return addressFields.some((field) => !isAbsent(address[field]));
  });
  const told = kind === undefined ? {} : addressIn(payload, kind, reader);
  return isTold(told) ? told : undefined;
}

function addressIn(payload: Fields, kind: string, reader: ValueReader): Address {
  const address = fieldsOf(payload[kind]);
  const text = (name: string, bound: number) => reader.text(address[name], `${kind}.${name}`, bound);
  const names = ['first_name', 'last_name'].flatMap((name) => text(name, addressTexts.name) ?? []);
  const country_code = countryOf(address.country, `${kind}.country`, reader);
  return definedFields<Address>({
    name: reader.text(names.join(' '), `${kind}.first_name`, addressTexts.name),
    company: text('company', addressTexts.company),
    address_line_1: text('address_1', addressTexts.address_line_1),
    address_line_2: text('address_2', addressTexts.address_line_2),
    city: text('city', addressTexts.city),
    zip_code: text('postcode', addressTexts.zip_code),
    ...provinceOf(text('state', addressTexts.province), country_code),
    country_code,
    phone:
      text('phone', addressTexts.phone) ??
      reader.text(fieldsOf(payload.billing).phone, 'billing.phone', addressTexts.phone),
  });
}

/** `CA`, `DE-BY`, `TR34`. For countries without a list of states it is what the customer wrote. */
const stateCodes = /^[A-Z0-9]{1,4}(?:-[A-Z0-9]{1,4})?$/;

/** Only some countries have their own code before it, so it is left out. */
function provinceOf(state: string | undefined, country: string | undefined): Address {
  if (state === undefined) return {};
  if (!stateCodes.test(state)) return { province: state };
  const prefix = `${country}-`;
  return { province_code: state.startsWith(prefix) ? state.slice(prefix.length) : state };
}

function countryOf(value: unknown, field: string, reader: ValueReader): string | undefined {
  const code = reader.text(value, field, 255)?.toUpperCase();
  return code === undefined || /^[A-Z]{2}$/.test(code) ? code : reader.note(field);
}

const maxDiscounts = 100;

const isTold = (fields: object): boolean => Object.keys(fields).length > 0;

/**
 * An empty list says that there is no coupon any more. The amounts of coupons have more decimals than the other amounts of
 * the order.
 */
function discountsOf(payload: Fields, prices: Prices): OrderInput['discounts'] {
  const { reader } = prices;
  const coupons = entriesOf(payload.coupon_lines);
  if (coupons === undefined) return isAbsent(payload.coupon_lines) ? undefined : reader.note('coupon_lines');
  const decimals = decimalOf(payload.total)?.scale ?? 2;
  const discounts = coupons.map((coupon, i) => {
    const prefix = `coupon_lines.${i}.`;
    const amount = withTax(coupon, ['discount', 'discount_tax'], prefix, prices);
    return definedFields<{ code: string; amount: string; type: string }>({
      code: reader.text(coupon.code, `${prefix}code`, orderDiscountTexts.code),
      amount: amount && digitsOf(rounded(amount, decimals)),
      type: reader.text(coupon.discount_type, `${prefix}discount_type`, orderDiscountTexts.type),
    });
  });
  return discounts.filter(isTold).slice(0, maxDiscounts);
}

/** How far an order is. Of two states of one second, the later one usually has the higher rank. */
const ranks: Record<string, number> = {
  pending: 0,
  'on-hold': 1,
  failed: 1,
  processing: 2,
  'partial-shipped': 3,
  'updated-tracking': 3,
  shipped: 4,
  completed: 4,
  delivered: 5,
  cancelled: 6,
  refunded: 7,
};
const rankOfOthers = 3;

/** Source of the statuses that are not WooCommerce's own: zorem/woo-advanced-shipment-tracking at f484983. */
const shippedStatuses: Record<string, { areAll: boolean }> = {
  'partial-shipped': { areAll: false },
  shipped: { areAll: true },
  completed: { areAll: true },
  delivered: { areAll: true },
};

/**
 * Times of change count in seconds, and several states of one second may arrive in any order: then the state that is
 * further wins, and of equally far ones always the same. The time of a parcel may depend on when the webhook came.
 */
function sourceOf(status: string, changedAt: string, count: number, told: Omit<ConvertedOrder, 'source'>): Source {
  const rank = Object.hasOwn(ranks, status) ? ranks[status]! : rankOfOthers;
  const state = { ...told, trackings: told.trackings.map(({ tracking_placed_at: _, ...tracking }) => tracking) };
  return {
    asOf: `${changedAt}#${rank}.${String(count).padStart(4, '0')}.${shortHash(state)}`,
    parcels: parcelsOf(status, count),
  };
}

function parcelsOf(status: string, count: number): Source['parcels'] {
  return count > 0 && Object.hasOwn(shippedStatuses, status) ? { count, ...shippedStatuses[status]! } : undefined;
}
