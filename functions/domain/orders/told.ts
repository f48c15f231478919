import type { OrderInput } from '#schemas/shapes/order-shapes.ts';
import type { Order, OrderWithShipments } from './model.ts';
import { changedOrder } from './order-rules.ts';
import { orderInputData } from './personal-data.ts';
import { isDraft, isTowardsCustomer } from './shipment-rules.ts';

/**
 * Who said what of an order last. The shop's system and the merchant both give fields of it, and what the system sends may
 * arrive late. Each field keeps the newest value that somebody gave it, so the order of arrival makes no difference.
 * `told_at` is the time of most fields, and `told_before` lists the others.
 */

/** An order, and whether one of its parcels to the customer has a number. */
interface State {
  order: Order;
  hasParcels: boolean;
}

const stateOf = ({ order, shipments }: OrderWithShipments): State => ({
  order,
  hasParcels: shipments.some((shipment) => isTowardsCustomer(shipment) && !isDraft(shipment)),
});

/** The time of a field that nobody gave: it has its default. Every other time is later. */
const never = '';

/** The fields that are there, such as `email_id`. Of the analytics each is one by itself, such as `order_analytics.language`. */
function pathsOf(fields: OrderInput): string[] {
  const names = fieldNames.filter((name) => fields[name] !== undefined);
  return names.flatMap((name) => (name === 'order_analytics' ? analyticsPaths(fields) : [name]));
}

/** The number of an order never changes. */
const fieldNames = (Object.keys(orderInputData) as (keyof OrderInput)[]).filter((name) => name !== 'order_number');

const analyticsPaths = ({ order_analytics }: OrderInput) =>
  Object.keys(order_analytics ?? {}).map((name) => `order_analytics.${name}`);

/** When somebody gave each field of the order. */
function timesOf(state: State): Map<string, string> {
  const { order } = state;
  const isDefault = order.told_at === undefined ? isMerchantsDefault : isOpen;
  const base = baseOf(order);
  const times = new Map(pathsOf(order).map((path) => [path, isDefault(path, state) ? never : base]));
  for (const [time, paths] of Object.entries(order.told_before ?? {})) {
    for (const path of paths) if (times.has(path)) times.set(path, time);
  }
  return times;
}

const baseOf = ({ told_at, said_at, created_at }: Order): string => told_at ?? said_at ?? created_at;

/** An order of the merchant does not remember which of its fields are defaults, so these look like one. */
function isMerchantsDefault(path: string, state: State): boolean {
  const { order } = state;
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
      return isOpen(path, state);
  }
}

const prices = ['total_order_price', 'sub_total_price', 'shipping_price'] as const;

/** Every new order expects one parcel. Until it is sent that says nothing, and so most orders need not remember it. */
const isOpen = (path: string, { order, hasParcels }: State): boolean =>
  path === 'expected_number_of_shipments' && order.expected_number_of_shipments === 1 && !hasParcels;

/** What of the input is not older than what the order has. */
export function newerFields(before: OrderWithShipments, input: OrderInput, asOf: string): OrderInput {
  const times = timesOf(stateOf(before));
  const isNewer = (path: string) => (times.get(path) ?? never) <= asOf;
  const { order_analytics: analytics, ...fields } = input;
  const newer: OrderInput = Object.fromEntries(Object.entries(fields).filter(([name]) => isNewer(name)));
  if (!analytics) return newer;
  const entries = Object.entries(analytics).filter(([name]) => isNewer(`order_analytics.${name}`));
  return { ...newer, order_analytics: Object.fromEntries(entries) };
}

/** What an order remembers of who said what. A field that is undefined is no longer remembered. */
type Memory = Pick<Order, 'told_at' | 'told_before' | 'said_at'>;

interface Telling {
  asOf: string;
  /** Fields that are not older than those of the order before. */
  input: OrderInput;
  /** Whether the same message gives the order a parcel. */
  addsParcels: boolean;
}

/** After the shop's system gave fields. @param before undefined if the order is new */
export function told(
  before: OrderWithShipments | undefined,
  order: Order,
  { asOf, input, addsParcels }: Telling,
): Memory {
  const state = before && stateOf(before);
  const times = state ? timesOf(state) : new Map<string, string>();
  for (const path of pathsOf(input)) times.set(path, asOf);
  const base = before ? baseOf(before.order) : asOf;
  const after = { order, hasParcels: addsParcels || state?.hasParcels === true };
  return { ...memoryOf(after, times, asOf > base ? asOf : base), said_at: undefined };
}

/** The order after the merchant gave fields, which count as of now. */
export function saidOrder(before: OrderWithShipments, input: OrderInput, now: Date): Order {
  const changed = changedOrder(before, input, now);
  return { ...changed, ...said(before, changed, input, now.toISOString()) };
}

/**
 * After the merchant gave fields. If the shop's system never told of the order, one time for all fields is enough: what
 * comes late from there then fills only gaps.
 */
function said(before: OrderWithShipments, after: Order, input: OrderInput, at: string): Memory {
  const { told_at, external_id } = before.order;
  const given = pathsOf(input).filter((path) => path !== 'external_id' || input.external_id !== external_id);
  if (given.length === 0) return {};
  if (told_at === undefined) return { said_at: at };
  const state = stateOf(before);
  const now = at > told_at ? at : told_at;
  const times = timesOf(state);
  for (const path of given) times.set(path, now);
  return memoryOf({ ...state, order: after }, times, now);
}

function memoryOf(state: State, times: ReadonlyMap<string, string>, told_at: string): Memory {
  const older = pathsOf(state.order)
    .map((path) => ({ path, time: times.get(path) ?? never }))
    .filter(({ path, time }) => time < told_at && !(time === never && isOpen(path, state)))
    .toSorted((a, b) => compare(a.time, b.time) || compare(a.path, b.path));
  const groups = [...Map.groupBy(older, ({ time }) => time)];
  const told_before = Object.fromEntries(groups.map(([time, those]) => [time, those.map(({ path }) => path)]));
  return { told_at, told_before: older.length === 0 ? undefined : told_before };
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
