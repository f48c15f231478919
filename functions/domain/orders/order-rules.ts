import { ServiceError } from '#platform/errors.ts';
import { laterThan, utc } from '#platform/time.ts';
import { comparableTrackingNumber } from '#platform/tracking-number.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import type { OrderInput, OrderState, TrackingInput } from '#schemas/shapes/order-shapes.ts';
import { mergedAnalytics } from './analytics-rules.ts';
import {
  type Draft,
  lastSlot,
  type Order,
  type OrderWithShipments,
  type Shipment,
  type ShipmentEvent,
  shipmentId,
  slotOf,
} from './model.ts';
import {
  draftShipment,
  type Fulfilment,
  fulfilled,
  inOrder,
  isDraft,
  isTowardsCustomer,
  newShipment,
} from './shipment-rules.ts';

/** A new order, with a draft for each parcel that it expects. */
export function newOrder(uuid: string, input: OrderInput & { order_number: string }, now: Date): Order {
  const at = now.toISOString();
  const order: Order = {
    discount_price: 0,
    products: [],
    discounts: [],
    currency: 'EUR',
    order_analytics: {},
    ...input,
    uuid,
    external_id: input.external_id ?? input.order_number,
    order_placed_at: utc(input.order_placed_at ?? now),
    expected_number_of_shipments: input.expected_number_of_shipments ?? 1,
    created_at: at,
    updated_at: at,
    drafts: [],
    shipments: [],
    next_slot: 1,
  };
  return withDrafts(order, order.expected_number_of_shipments, at);
}

/**
 * The fields of the input replace those of the order, except that analytics are merged. Absent fields stay as they are.
 * @param isDecided the input holds nothing that others may not change
 */
export function changedOrder(
  { order, shipments }: OrderWithShipments,
  input: OrderInput,
  now: Date,
  isDecided = false,
): Order {
  const at = now.toISOString();
  const changed: Order = {
    ...order,
    ...input,
    order_number: order.order_number,
    external_id: input.external_id ?? order.external_id,
    order_placed_at: input.order_placed_at ? utc(input.order_placed_at) : order.order_placed_at,
    expected_number_of_shipments: input.expected_number_of_shipments ?? order.expected_number_of_shipments,
    ...(input.order_analytics && {
      order_analytics: mergedAnalytics(order.order_analytics, input.order_analytics, isDecided),
    }),
    updated_at: at,
  };
  if (changed.expected_number_of_shipments === order.expected_number_of_shipments) return changed;
  const stored = shipments.filter(isTowardsCustomer).length;
  return withDrafts(changed, Math.max(0, changed.expected_number_of_shipments - stored), at);
}

/** When a change of the order happens: after all that changed in it before, whatever the clocks of the others said. */
export function timeOfChange({ order, shipments }: OrderWithShipments, now: Date): Date {
  const newest = shipments.reduce((last, { updated_at }) => (updated_at > last ? updated_at : last), order.updated_at);
  return new Date(laterThan(newest, now));
}

/** Sets the number of drafts: the last ones are removed first, and new ones take new slots. */
function withDrafts(order: Order, count: number, at: string): Order {
  const drafts: Draft[] = order.drafts.slice(0, count);
  let { next_slot } = order;
  if (next_slot + count - drafts.length > lastSlot + 1) throw noRoom();
  while (drafts.length < count) drafts.push({ slot: next_slot++, created_at: at });
  return { ...order, drafts, next_slot };
}

const noRoom = () =>
  new ServiceError('payload_too_large', {
    message: `An order can have up to ${lastSlot} shipments, including removed drafts.`,
  });

/** Every shipment of the order with its drafts, sorted by slot. */
export function allShipments({ order, shipments }: OrderWithShipments): Shipment[] {
  const drafts = order.drafts.map((draft) => draftShipment(order, draft));
  return [...drafts, ...shipments].sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
}

/** Of an order with fifty drafts, the other forty-nine are not made. */
export function shipmentById({ order, shipments }: OrderWithShipments, id: string): Shipment | undefined {
  const parcel = shipments.find(({ uuid }) => uuid === id);
  if (parcel) return parcel;
  const slot = slotOf(id);
  const draft = shipmentId(order.uuid, slot) === id && order.drafts.find((one) => one.slot === slot);
  return draft ? draftShipment(order, draft) : undefined;
}

/**
 * The order with its other parcels as they are by now. Each parcel is written by itself, on the condition that it has not
 * changed: a write knows its own parcels, and of the others only what it read. If one of its own is gone by now, those that
 * came later may be in its place, so the order is as the write left it.
 * @param own the parcels of the write, which stay as it left them
 */
export function withNewerParcels(
  seen: OrderWithShipments,
  current: OrderWithShipments,
  own: ReadonlySet<string>,
): OrderWithShipments {
  const present = new Set(allShipments(current).map(({ uuid }) => uuid));
  if ([...own].some((id) => !present.has(id))) return seen;
  const isOwn = ({ uuid }: Shipment) => own.has(uuid);
  const isOfDrafts = seen.order.drafts.some(({ slot }) => own.has(shipmentId(seen.order.uuid, slot)));
  const kept = seen.shipments.filter(isOwn);
  const slots = new Set(kept.map(({ uuid }) => slotOf(uuid)));
  const drafts = (isOfDrafts ? seen : current).order.drafts.filter(({ slot }) => !slots.has(slot));
  const lines = new Set(drafts.map(({ slot }) => slot));
  const others = current.shipments.filter((shipment) => !isOwn(shipment) && !lines.has(slotOf(shipment.uuid)));
  const known = new Map(seen.shipments.map((shipment) => [shipment.uuid, shipment]));
  const newer = (shipment: Shipment) => {
    const before = known.get(shipment.uuid);
    return before && before.updated_at > shipment.updated_at ? before : shipment;
  };
  return { order: { ...seen.order, drafts }, shipments: [...others.map(newer), ...kept] };
}

export function orderState(fullOrder: OrderWithShipments): OrderState {
  const deliveries = allShipments(fullOrder).filter(isTowardsCustomer);
  const open = deliveries.filter(isDraft).length;
  if (open === deliveries.length) return 'placed';
  // Only an order that expects several parcels can be partially fulfilled.
  return open === 0 || fullOrder.order.expected_number_of_shipments <= 1 ? 'fulfilled' : 'partially_fulfilled';
}

export interface NewTracking extends Fulfilment {
  products: TrackingInput['products'];
}

export interface Fulfilled {
  order: Order;
  /** The shipments that got a tracking number. */
  shipments: Shipment[];
}

/**
 * Each tracking takes the next draft. When no draft is left, it adds a shipment. `before` is the order before this
 * request: a draft that this request makes was never visible, so it has no ORDER_CREATED event.
 */
export function fulfil(
  fullOrder: OrderWithShipments,
  before: Order | undefined,
  trackings: readonly NewTracking[],
  now: string,
): Fulfilled {
  const open = openShipments(fullOrder, new Set(before?.drafts.map(({ slot }) => slot)));
  let { order } = fullOrder;
  const shipments = trackings.map(({ products, ...fulfilment }) => {
    const next = open.shift() ?? newShipment(order, nextSlot(order), 'merchant_customer', now);
    const shipment = fulfilled(next, fulfilment, now);
    order = withShipment(order, next);
    return products === undefined || products === null ? shipment : { ...shipment, products };
  });
  return { order: { ...order, updated_at: now }, shipments };
}

/** Drafts without a tracking number, sorted by slot: lines of the order and stored ones. */
function openShipments({ order, shipments }: OrderWithShipments, visibleSlots: ReadonlySet<number>): Shipment[] {
  const drafts = order.drafts.map((draft) =>
    visibleSlots.has(draft.slot)
      ? draftShipment(order, draft)
      : newShipment(order, draft.slot, 'merchant_customer', draft.created_at),
  );
  const stored = shipments.filter((shipment) => isDraft(shipment) && isTowardsCustomer(shipment));
  return [...drafts, ...stored].sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
}

/** The order after a shipment gets its own item: its draft line is removed and its slot is used. */
export function withShipment(order: Order, { uuid }: Shipment): Order {
  const slot = slotOf(uuid);
  return {
    ...order,
    drafts: order.drafts.filter((draft) => draft.slot !== slot),
    shipments: order.shipments.includes(slot) ? order.shipments : [...order.shipments, slot],
    next_slot: Math.max(order.next_slot, slot + 1),
  };
}

export interface Deletion {
  order: Order;
  /** The draft that takes the place of the deleted shipment, if one does. */
  draft: Shipment | undefined;
}

/**
 * The order after a shipment is deleted. The order then expects no more parcels than it has shipments. The last shipment
 * towards the customer leaves a draft, so that the order still waits for its parcel.
 */
export function withoutShipment(fullOrder: OrderWithShipments, shipment: Shipment, now: string): Deletion {
  const slot = slotOf(shipment.uuid);
  const order: Order = {
    ...fullOrder.order,
    ...removedNumbers(fullOrder.order, shipment, now),
    drafts: fullOrder.order.drafts.filter((draft) => draft.slot !== slot),
    shipments: fullOrder.order.shipments.filter((used) => used !== slot),
    updated_at: now,
  };
  if (!isTowardsCustomer(shipment)) return { order, draft: undefined };
  const left = allShipments({ order, shipments: fullOrder.shipments.filter((one) => one !== shipment) });
  const expected = left.filter(isTowardsCustomer).length;
  const draft = expected === 0 ? draftAfter(shipment, order, now) : undefined;
  return {
    order: {
      ...(draft ? withShipment(order, draft) : order),
      expected_number_of_shipments: Math.min(order.expected_number_of_shipments, expected || 1),
    },
    draft,
  };
}

/** Older states of the shop's system still have its number. */
function removedNumbers({ removed }: Order, { tracking_number }: Shipment, at: string): Pick<Order, 'removed'> {
  if (tracking_number === null) return {};
  const number = comparableTrackingNumber(tracking_number);
  const others = Object.entries(removed ?? {}).filter(([other]) => other !== number);
  return { removed: Object.fromEntries([...others, [number, at]].slice(-maxRemoved)) };
}

const maxRemoved = 100;

/**
 * Drafts that were cancelled with the order, after the shop took that back: they wait for their parcels again. A parcel
 * that has a number keeps what happened.
 */
export function reopenedDrafts({ order, shipments }: OrderWithShipments, after: Order, now: string): Shipment[] {
  const { cancelled_at: time } = order;
  if (time === undefined || after.cancelled_at !== undefined) return [];
  const isCancellation = (event: ShipmentEvent) => event.event_name === 'ORDER_CANCELLED' && event.time === time;
  return shipments
    .filter((shipment) => isDraft(shipment) && shipment.events.some(isCancellation))
    .map((draft) => ({ ...draft, events: draft.events.filter((event) => !isCancellation(event)), updated_at: now }));
}

/** What happens to an order as a whole. All else happened to the parcel. */
const orderEvents: ReadonlySet<ShipmentEventName> = new Set([
  'ORDER_CREATED',
  'ORDER_IN_PROCESSING',
  'ORDER_DELAYED',
  'ORDER_CANCELLED',
]);

/** Another shipment, so nobody takes what a carrier reports of the deleted one for its own. */
function draftAfter({ products, direction, events }: Shipment, order: Order, now: string): Shipment {
  const known = events.filter(({ event_name }) => orderEvents.has(event_name));
  const created = { event_name: 'ORDER_CREATED' as const, time: order.created_at };
  const isCreated = known.some(({ event_name }) => event_name === 'ORDER_CREATED');
  return {
    ...newShipment(order, nextSlot(order), direction, now),
    products,
    events: isCreated ? known : [created, ...known].sort(inOrder),
  };
}

export function nextSlot({ next_slot }: Order): number {
  if (next_slot > lastSlot) throw noRoom();
  return next_slot;
}
