import { utc } from '#platform/time.ts';
import { shopSystems } from '#schemas/catalogues/shop-webhooks.ts';
import type { OrderInput } from '#schemas/shapes/order-shapes.ts';
import { attributionNames } from './analytics-rules.ts';
import type { Order, OrderWithShipments, ShopIdentity } from './model.ts';
import { changedOrder } from './order-rules.ts';
import { orderInputData } from './personal-data.ts';
import type { Told } from './upsert-rules.ts';

/**
 * Who said what of an order last. The shop's system and the merchant both give fields of it, and what the system sends may
 * arrive late. Each field keeps the newest value that somebody gave it, so the order of arrival makes no difference.
 * `told_at`, or `said_at` before the system told of the order, is the time of the newest fields, and `told_before` lists the
 * others.
 */

/** The time of a field that nobody gave: it has its default. Every other time is later. */
const never = '';

/** A time of shop_system_2 or shop_system_3. What the merchant said has a time without more. */
const isOfSystem = (time: string | undefined): boolean => time?.includes('#') === true;

/** The fields that are there, such as `email_id`. Of the analytics each is one by itself, such as `order_analytics.language`. */
function pathsOf(fields: OrderInput): string[] {
  const names = fieldNames.filter((name) => fields[name] !== undefined);
  return names.flatMap((name) => (name === 'order_analytics' ? analyticsPaths(fields) : [name]));
}

/** The number of an order never changes. */
const fieldNames = (Object.keys(orderInputData) as (keyof OrderInput)[]).filter((name) => name !== 'order_number');

const analyticsPath = (name: string) => `order_analytics.${name}`;
const analyticsPaths = ({ order_analytics }: OrderInput) => Object.keys(order_analytics ?? {}).map(analyticsPath);

/** Every state of the shop's system says whether the order is cancelled, and nobody else does. */
const cancellation = 'cancelled_at';

/** When somebody gave each field of the order. */
function timesOf(order: Order): Map<string, string> {
  const { told_at, said_at, created_at } = order;
  const remembered = told_at ?? said_at;
  const isDefault = remembered === undefined ? isMerchantsDefault : isUsual;
  const times = new Map(
    pathsOf(order).map((path) => [path, isDefault(path, order) ? never : (remembered ?? created_at)]),
  );
  if (told_at !== undefined) times.set(cancellation, told_at);
  for (const [time, paths] of Object.entries(order.told_before ?? {})) {
    for (const path of paths) if (times.has(path)) times.set(path, time);
  }
  return times;
}

/** A new order of the merchant does not remember which of its fields are defaults, so these look like one. */
function isMerchantsDefault(path: string, order: Order): boolean {
  switch (path) {
    case 'external_id':
      return order.external_id === order.order_number;
    case 'order_placed_at':
      return order.order_placed_at === order.created_at;
    case 'products':
    case 'discounts':
      return order[path]?.length === 0;
    case 'discount_price':
      return order.discount_price === 0 && order.discounts?.length === 0;
    case 'currency':
      // What a price without a currency means is said.
      return order.currency === 'EUR' && prices.every((price) => order[price] === undefined);
    default:
      return isUsual(path, order);
  }
}

const prices = ['total_order_price', 'sub_total_price', 'shipping_price'] as const;

/** Nearly every order expects one parcel without a word of anybody: so that it need not remember this, it remembers who said so. */
const isUsual = (path: string, { expected_number_of_shipments: expected }: Order): boolean =>
  path === 'expected_number_of_shipments' && expected === 1;

/** What of the input is not older than what the order has. */
export function newerFields(before: OrderWithShipments, input: OrderInput, asOf: string): OrderInput {
  const times = timesOf(before.order);
  const isNewer = (path: string) => (times.get(path) ?? never) <= asOf;
  const { order_analytics: analytics, ...fields } = input;
  const newer: OrderInput = Object.fromEntries(Object.entries(fields).filter(([name]) => isNewer(name)));
  if (!analytics) return newer;
  const isFixed = isAttributedByOthers(before.order, times);
  const entries = Object.entries(analytics).filter(
    ([name]) => isNewer(analyticsPath(name)) && !(isFixed && attributionNames.some((fixed) => fixed === name)),
  );
  return { ...newer, order_analytics: Object.fromEntries(entries) };
}

/** The merchant's attribution stays. That of the operation for it has all names. */
function isAttributedByOthers({ order_analytics = {} }: Order, times: ReadonlyMap<string, string>): boolean {
  const names = attributionNames.filter((name) => order_analytics[name] !== undefined);
  return names.length === attributionNames.length || names.some((name) => !isOfSystem(times.get(analyticsPath(name))));
}

/** Whether nobody gave the order its external id: it is its number. */
export const hasDefaultId = (order: OrderWithShipments): boolean => timesOf(order.order).get('external_id') === never;

/** Whether its external id is that of shop_system_2 or shop_system_3, where an order never gets another. */
export const hasLastingId = (order: OrderWithShipments): boolean => isOfSystem(timesOf(order.order).get('external_id'));

/** How many parcels the order has by the word of the merchant, or by default. 0 if the shop's system has told of it. */
export function expectedByMerchant(order: OrderWithShipments): number {
  const isTold = isOfSystem(timesOf(order.order).get('expected_number_of_shipments'));
  return isTold ? 0 : order.order.expected_number_of_shipments;
}

/** What an order remembers of who said what. A field that is undefined is no longer remembered. */
type Memory = Pick<Order, 'told_at' | 'told_before' | 'said_at'>;

interface Telling {
  asOf: string;
  /** Fields that are not older than those of the order before. */
  input: OrderInput;
}

/** After the shop's system gave fields. @param before undefined if the order is new */
export function told(before: OrderWithShipments | undefined, order: Order, { asOf, input }: Telling): Memory {
  const times = before ? timesOf(before.order) : new Map<string, string>();
  for (const path of pathsOf(input)) times.set(path, asOf);
  times.set(cancellation, later(asOf, times.get(cancellation) ?? never));
  const told_at = later(asOf, before ? baseOf(before.order) : asOf);
  const told_before = olderThan(told_at, [...pathsOf(order), cancellation], times, order);
  return { told_at, told_before, said_at: undefined };
}

const baseOf = ({ told_at, said_at, created_at }: Order): string => told_at ?? said_at ?? created_at;

/**
 * When the order was cancelled, after a state of the shop's system. The newest state decides whether it is: the shop may take
 * a cancellation back. Of several times the first counts.
 */
export function cancelledAfter(before: OrderWithShipments | undefined, { source, cancelledAt }: Told) {
  const known = before?.order.cancelled_at;
  const given = cancelledAt === undefined ? undefined : utc(cancelledAt);
  const time = before ? (timesOf(before.order).get(cancellation) ?? never) : never;
  if (known !== undefined && given !== undefined) return known < given ? known : given;
  return time <= source.asOf ? given : known;
}

/**
 * The order after the merchant gave fields, which count as of now. Where no shop system can contradict that, nothing is
 * remembered: it would lengthen every such order by about a hundred bytes.
 */
export function saidOrder(shop: Shop, before: OrderWithShipments, input: OrderInput, now: Date): Order {
  const changed = changedOrder(before, input, now);
  const isRemembered = before.order.told_at !== undefined || systems.some((system) => system === shop.shop_provider);
  return isRemembered ? { ...changed, ...said(before, changed, input, now.toISOString()) } : changed;
}

type Shop = Pick<ShopIdentity, 'shop_provider'>;

const systems: readonly string[] = shopSystems;

function said(before: OrderWithShipments, after: Order, input: OrderInput, at: string): Memory {
  const { told_at, external_id } = before.order;
  const given = pathsOf(input).filter((path) => path !== 'external_id' || input.external_id !== external_id);
  if (given.length === 0) return {};
  const now = later(at, baseOf(before.order));
  const times = timesOf(before.order);
  for (const path of given) times.set(path, now);
  const paths = [...pathsOf(after), ...(told_at === undefined ? [] : [cancellation])];
  const told_before = olderThan(now, paths, times, after);
  return { ...(told_at === undefined ? { said_at: now } : { told_at: now }), told_before };
}

/** The fields that have another time than `time`, or than their usual one, by their times. Undefined if there are none. */
function olderThan(
  time: string,
  paths: readonly string[],
  times: ReadonlyMap<string, string>,
  order: Order,
): Order['told_before'] {
  const older = paths
    .map((path) => ({ path, time: times.get(path) ?? never }))
    .filter((one) => one.time !== (isUsual(one.path, order) ? never : time))
    .toSorted((a, b) => compare(a.time, b.time) || compare(a.path, b.path));
  const groups = [...Map.groupBy(older, (one) => one.time)];
  if (groups.length === 0) return undefined;
  return Object.fromEntries(groups.map(([ofGroup, those]) => [ofGroup, those.map(({ path }) => path)]));
}

const later = (a: string, b: string) => (a > b ? a : b);
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
