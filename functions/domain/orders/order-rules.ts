import { ApiError } from '#platform/http/errors.ts';
import { utc } from '#platform/time.ts';
import type { OrderInput, OrderState, TrackingInput } from '#schemas/shapes/order-shapes.ts';
import { type Draft, lastSlot, type Order, type OrderWithShipments, type Shipment, slotOf } from './model.ts';
import { draftShipment, type Fulfilment, fulfilled, isDelivery, isDraft, newShipment } from './shipment-rules.ts';

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

/** The given fields replace those of the order; what is absent stays as it is. */
export function changedOrder({ order, shipments }: OrderWithShipments, input: OrderInput, now: Date): Order {
  const at = now.toISOString();
  const changed: Order = {
    ...order,
    ...input,
    order_number: order.order_number,
    external_id: input.external_id ?? order.external_id,
    order_placed_at: input.order_placed_at ? utc(input.order_placed_at) : order.order_placed_at,
    expected_number_of_shipments: input.expected_number_of_shipments ?? order.expected_number_of_shipments,
    updated_at: at,
  };
  if (changed.expected_number_of_shipments === order.expected_number_of_shipments) return changed;
  const stored = shipments.filter(isDelivery).length;
  return withDrafts(changed, Math.max(0, changed.expected_number_of_shipments - stored), at);
}

/** As many drafts as wanted: the last ones go first, new ones take new slots. */
function withDrafts(order: Order, wanted: number, at: string): Order {
  const drafts: Draft[] = order.drafts.slice(0, wanted);
  let { next_slot } = order;
  if (next_slot + wanted - drafts.length > lastSlot + 1) throw noRoom();
  while (drafts.length < wanted) drafts.push({ slot: next_slot++, created_at: at });
  return { ...order, drafts, next_slot };
}

const noRoom = () =>
  new ApiError('payload_too_large', {
    message: `An order can have up to ${lastSlot} shipments, including removed drafts.`,
  });

/** Every shipment of the order, drafts among them, in the order of their slots. */
export function allShipments({ order, shipments }: OrderWithShipments): Shipment[] {
  const drafts = order.drafts.map((draft) => draftShipment(order, draft));
  return [...drafts, ...shipments].sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
}

export function orderState(fullOrder: OrderWithShipments): OrderState {
  const deliveries = allShipments(fullOrder).filter(isDelivery);
  const open = deliveries.filter(isDraft).length;
  if (open === deliveries.length) return 'placed';
  // Only an order that expects several parcels can be fulfilled in part.
  return open === 0 || fullOrder.order.expected_number_of_shipments <= 1 ? 'fulfilled' : 'partially_fulfilled';
}

export interface NewTracking extends Fulfilment {
  products: TrackingInput['products'];
}

export interface Fulfilled {
  order: Order;
  /** The shipments that got their number. */
  shipments: Shipment[];
}

/**
 * Each tracking takes the next draft; beyond the drafts it adds a shipment. `before` is the order as others have seen
 * it: a draft of this very request was never a draft to anybody, so it has no event of its own.
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

/** Drafts that wait for a number, in the order of their slots: lines of the order and stored ones alike. */
function openShipments({ order, shipments }: OrderWithShipments, seen: ReadonlySet<number>): Shipment[] {
  const drafts = order.drafts.map((draft) =>
    seen.has(draft.slot)
      ? draftShipment(order, draft)
      : newShipment(order, draft.slot, 'merchant_customer', draft.created_at),
  );
  const stored = shipments.filter((shipment) => isDraft(shipment) && isDelivery(shipment));
  return [...drafts, ...stored].sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
}

/** The order once a shipment is stored on its own: a draft line is used up, a new slot is taken. */
export function withShipment(order: Order, { uuid }: Shipment): Order {
  const slot = slotOf(uuid);
  return {
    ...order,
    drafts: order.drafts.filter((draft) => draft.slot !== slot),
    shipments: order.shipments.includes(slot) ? order.shipments : [...order.shipments, slot],
    next_slot: Math.max(order.next_slot, slot + 1),
  };
}

export function withoutShipment(order: Order, { uuid }: Shipment): Order {
  const slot = slotOf(uuid);
  return { ...order, shipments: order.shipments.filter((used) => used !== slot) };
}

/** The slot of a further shipment. */
export function nextSlot({ next_slot }: Order): number {
  if (next_slot > lastSlot) throw noRoom();
  return next_slot;
}
