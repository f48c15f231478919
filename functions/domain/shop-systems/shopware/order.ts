import {
  clip,
  definedFields,
  isAbsent,
  shortHash,
  type ValueReader,
  valueReader,
} from '#domain/shop-systems/fields.ts';
import { type MappingRule, withMappings } from '#domain/shop-systems/mapping-rules.ts';
import { type ConvertedOrder, type Reading, type Unreadable, unreadable } from '#domain/shop-systems/reading.ts';
import { fieldsOf } from '#platform/foreign-json.ts';
import { noteTexts, orderLimits, orderTexts } from '#schemas/catalogues/limits.ts';
import { shopTopics } from '#schemas/catalogues/shop-webhooks.ts';
import type { OrderInput } from '#schemas/shapes/order-shapes.ts';
import { addressOf, deliveriesOf, parcelsFrom, trackingsOf } from './deliveries.ts';
import { lineItemsOf } from './line-items.ts';
import { changeOf, inside, moneyIn, type Part, partOf, partsOf, stateOf, timeIn } from './parts.ts';

/** The version of an order that is no draft: src/Core/Defaults.php in shopware/shopware. */
const liveVersion = '0fa91ce3e96a4bc2be4bd9ce752c3425';

const topics = shopTopics.shop_system_2;
/** They hold a part of the order. */
const eventsWithOrder: readonly string[] = [
  topics['order-creation'],
  topics['order-cancelled'],
  topics['order-fulfillment'],
  topics['order-partial-fulfillment'],
];

/** What a webhook of shop_system_2 says. */
export function readShopware(payload: unknown, rules: readonly MappingRule[]): Reading {
  const { event, payload: told } = fieldsOf(fieldsOf(payload).data);
  if (typeof event !== 'string')
    return unreadable(isAbsent(event) ? 'field_missing' : 'field_invalid', { field: 'data.event' });
  if (event === topics['order-update']) return readWritten(told);
  if (eventsWithOrder.includes(event)) return readEvent(event, fieldsOf(told).order, rules);
  // The app's own life is told to another address.
  return event === topics['order-deletion'] || event.startsWith('app.')
    ? { kind: 'nothing' }
    : { kind: 'unknown_topic' };
}

/** The ids of the orders that were written. Drafts come too: who only opens an order in the administration makes one. */
function readWritten(told: unknown): Reading {
  const entries = partsOf(valueReader(), partOf({ payload: told }, 'data'), 'payload');
  if (!entries) return faulty(told, 'data.payload');
  const orders = entries.filter(
    ({ fields }) =>
      (isAbsent(fields.entity) || fields.entity === 'order') && fields.operation !== 'delete' && isLive(fields),
  );
  const ids = new Set(orders.flatMap(({ fields }) => idOf(fields.primaryKey) ?? []));
  if (ids.size > 0) return { kind: 'named', orderIds: [...ids] };
  const [unnamed] = orders;
  return unnamed ? faulty(unnamed.fields.primaryKey, inside(unnamed.at, 'primaryKey')) : { kind: 'nothing' };
}

const isLive = ({ versionId }: Part['fields']): boolean => isAbsent(versionId) || versionId === liveVersion;

const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[0-9a-f]{32}$/i.test(value) ? value.toLowerCase() : undefined;

const faulty = (value: unknown, field: string, order?: string): Unreadable =>
  unreadable(isAbsent(value) ? 'field_missing' : 'field_invalid', { field, order });

function readEvent(event: string, order: unknown, rules: readonly MappingRule[]): Reading {
  const { id, ...fields } = fieldsOf(order);
  const orderId = idOf(id);
  if (orderId === undefined) return faulty(id, 'data.payload.order.id');
  if (!isLive(fields)) return { kind: 'nothing' };
  const reading = converted(order, rules, 'hook', enteredBy(event));
  return { kind: 'named', orderIds: [orderId], order: reading.kind === 'order' ? reading.converted : undefined };
}

/** The state that an order or a delivery is in since the event: `state_enter.order_delivery.state.shipped`. */
interface Entered {
  machine: string;
  state: string;
}

function enteredBy(event: string): Entered | undefined {
  const [, machine, state] = /^state_enter\.(\w+)\.state\.(\w+)$/.exec(event) ?? [];
  return machine === undefined || state === undefined ? undefined : { machine, state };
}

type OrderReading = { kind: 'order'; converted: ConvertedOrder } | Unreadable;

/** @param from whether the shop's API gave the order, or a hook, which leaves much out */
export const convertShopwareOrder = (
  order: unknown,
  rules: readonly MappingRule[],
  from: 'api' | 'hook',
): OrderReading => converted(order, rules, from, undefined);

function converted(
  value: unknown,
  rules: readonly MappingRule[],
  from: 'api' | 'hook',
  entered: Entered | undefined,
): OrderReading {
  const order = partOf(value, '');
  const read = valueReader();
  const external_id = idOf(order.fields.id);
  if (external_id === undefined) return faulty(order.fields.id, 'id');
  const order_number = read.wholeText(order.fields.orderNumber, 'orderNumber', 255);
  if (order_number === undefined) return faulty(order.fields.orderNumber, 'orderNumber', external_id);
  const changedAt = lastChangeOf(read, order);
  if (changedAt === undefined) return faulty(order.fields.createdAt, 'createdAt', order_number);

  const enteredOf = (machine: string) => (entered?.machine === machine ? entered.state : undefined);
  const deliveries = deliveriesOf(read, order, enteredOf('order_delivery')) ?? [];
  const numbers = trackingsOf(read, order, deliveries);
  const trackings = numbers.slice(0, orderLimits.expectedShipments);
  if (trackings.length < numbers.length) read.note('deliveries.trackingCodes');
  const isCancelled = (stateOf(read, order) ?? enteredOf('order')) === 'cancelled';
  const items = lineItemsOf(read, partsOf(read, order, 'lineItems'));
  const fields = definedFields<OrderInput>({
    ...orderFields(read, order),
    ...items,
    // The events of states leave out the pictures, and products without them would replace those that the order has.
    products: entered ? undefined : items.products,
    address: addressOf(read, order, deliveries),
  });
  const told = {
    trackings,
    cancelledAt: isCancelled ? (timeIn(read, order, 'updatedAt') ?? changedAt) : undefined,
    unread: read.unread,
  };
  const parcels = parcelsFrom(deliveries, numbers.length);
  return {
    kind: 'order',
    converted: {
      order: { ...withMappings(fields, order.fields, rules), order_number, external_id },
      ...told,
      source: { asOf: `${changedAt}#${from === 'api' ? 1 : 0}.${shortHash({ fields, parcels, ...told })}`, parcels },
    },
  };
}

/**
 * A change of a delivery, a payment or an address leaves the time of the order as it is, so the newest time of all its
 * parts counts.
 */
function lastChangeOf(read: ValueReader, order: Part): string | undefined {
  const lists = ['deliveries', 'transactions', 'addresses', 'lineItems'].flatMap(
    (name) => partsOf(read, order, name) ?? [],
  );
  const parts = [order, partOf(order.fields.orderCustomer, 'orderCustomer'), ...lists, ...deliveryAddresses(lists)];
  return parts
    .flatMap((part) => changeOf(read, part) ?? [])
    .sort()
    .at(-1);
}

const deliveryAddresses = (parts: readonly Part[]): Part[] =>
  parts.map(({ fields, at }) => partOf(fields.shippingOrderAddress, inside(at, 'shippingOrderAddress')));

function orderFields(read: ValueReader, order: Part): Partial<OrderInput> {
  const { fields } = order;
  const price = partOf(fields.price, 'price');
  const costs = partOf(fields.shippingCosts, 'shippingCosts');
  const customer = partOf(fields.orderCustomer, 'orderCustomer');
  return definedFields<OrderInput>({
    order_placed_at: timeIn(read, order, 'orderDateTime') ?? timeIn(read, order, 'createdAt'),
    email_id: read.wholeText(customer.fields.email, 'orderCustomer.email', orderTexts.email_id),
    currency: read.currency(fieldsOf(fields.currency).isoCode, 'currency.isoCode'),
    total_order_price: moneyIn(read, order, 'amountTotal') ?? moneyIn(read, price, 'totalPrice'),
    sub_total_price: moneyIn(read, order, 'positionPrice') ?? moneyIn(read, price, 'positionPrice'),
    shipping_price: moneyIn(read, order, 'shippingTotal') ?? moneyIn(read, costs, 'totalPrice'),
    financial_status: paymentOf(read, order),
    order_status_url: statusUrlOf(read, order),
    external_customer_id: customerIdOf(read, customer),
    segments: segmentsIn(read, partsOf(read, order, 'tags')),
    order_analytics: analyticsOf(read, order),
  });
}

/** The number comes first: no hook has the id, and it is gone with the customer's account. */
const customerIdOf = (read: ValueReader, { fields }: Part): string | undefined =>
  read.wholeText(fields.customerNumber, 'orderCustomer.customerNumber', orderTexts.external_customer_id) ??
  read.wholeText(fields.customerId, 'orderCustomer.customerId', orderTexts.external_customer_id);

/** Tags may have commas in them. */
const segmentsIn = (read: ValueReader, tags: readonly Part[] | undefined): string[] | undefined =>
  tags
    ?.flatMap(({ fields, at }) => read.text(fields.name, inside(at, 'name'), orderTexts.segment) ?? [])
    .slice(0, orderLimits.segments);

/**
 * The states of a payment in the words that orders of other systems have too. Any other stays as it is.
 * src/Core/Checkout/Order/Aggregate/OrderTransaction/OrderTransactionStates.php in shopware/shopware
 */
const payments = new Map([
  ['open', 'pending'],
  ['in_progress', 'pending'],
  ['unconfirmed', 'pending'],
  ['reminded', 'pending'],
  ['paid_partially', 'partially_paid'],
  ['refunded_partially', 'partially_refunded'],
  ['cancelled', 'voided'],
]);

/** The customer may have tried several times: the newest payment counts that did not fail, otherwise the newest. */
function paymentOf(read: ValueReader, order: Part): string | undefined {
  const tries = (partsOf(read, order, 'transactions') ?? []).flatMap((part) => {
    const state = stateOf(read, part);
    return state === undefined ? [] : [{ state, at: timeIn(read, part, 'createdAt') ?? '', id: part.fields.id }];
  });
  const { primaryOrderTransactionId } = order.fields;
  const named = tries.find(({ id }) => !isAbsent(id) && id === primaryOrderTransactionId);
  const sorted = tries.sort((a, b) => (a.at < b.at ? 1 : -1));
  const counted = named ?? sorted.find(({ state }) => state !== 'failed' && state !== 'cancelled') ?? sorted[0];
  return counted && clip(payments.get(counted.state) ?? counted.state, orderTexts.financial_status);
}

/** The page of the order in the shop: `/account/order/{deepLinkCode}` of src/Storefront/Controller/AccountOrderController.php */
function statusUrlOf(read: ValueReader, order: Part): string | undefined {
  const code = read.wholeText(order.fields.deepLinkCode, 'deepLinkCode', 255);
  const domains = partsOf(read, partOf(order.fields.salesChannel, 'salesChannel'), 'domains') ?? [];
  // A shop without a storefront has a domain that is no address.
  const pages = domains.filter(({ fields }) => typeof fields.url === 'string' && /^https?:\/\//i.test(fields.url));
  const domain = pages.find(({ fields }) => fields.languageId === order.fields.languageId) ?? pages[0];
  if (code === undefined || domain === undefined) return undefined;
  const base = String(domain.fields.url).replace(/\/+$/, '');
  return read.link(`${base}/account/order/${encodeURIComponent(code)}`, inside(domain.at, 'url'));
}

type Analytics = NonNullable<OrderInput['order_analytics']>;

function analyticsOf(read: ValueReader, order: Part): Analytics | undefined {
  const { affiliateCode, campaignCode, language } = order.fields;
  const notes = notesOf(read, order);
  const analytics = definedFields<Analytics & { language: string }>({
    source: read.text(affiliateCode, 'affiliateCode', 100),
    campaign: read.text(campaignCode, 'campaignCode', 100),
    language: read.text(fieldsOf(fieldsOf(language).locale).code, 'language.locale.code', 35),
    note_attributes: notes.length > 0 ? notes : undefined,
  });
  return Object.keys(analytics).length > 0 ? analytics : undefined;
}

/** What the customer wrote, and the merchant's own fields. */
function notesOf(read: ValueReader, { fields }: Part): NonNullable<Analytics['note_attributes']> {
  const comment = read.text(fields.customerComment, 'customerComment', noteTexts.value);
  const own = Object.entries(fieldsOf(fields.customFields)).flatMap(([key, value]) => {
    const name = clip(key.trim().toWellFormed(), noteTexts.name).trim();
    const text = read.text(noteText(value), inside('customFields', name), noteTexts.value);
    return name === '' || text === undefined ? [] : [{ name, value: text }];
  });
  const notes = comment === undefined ? own : [{ name: 'customerComment', value: comment }, ...own];
  return notes.slice(0, orderLimits.noteAttributes);
}

/** A choice of several values, or a price in several currencies. Deeper ones are none of the system's kinds of field. */
const deepestField = 4;

const noteText = (value: unknown): unknown =>
  typeof value === 'boolean' || (!isAbsent(value) && typeof value === 'object' && isWithin(value!, deepestField))
    ? JSON.stringify(value)
    : value;

const isWithin = (value: object, levels: number): boolean =>
  levels > 0 &&
  Object.values(value).every((one) => typeof one !== 'object' || one === null || isWithin(one, levels - 1));
