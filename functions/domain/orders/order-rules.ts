import { ApiError } from '#platform/http/api-error.ts';
import { utc } from '#platform/time.ts';
import type { OrderInput, OrderState } from '#schemas/shapes/order-shapes.ts';
import type { Draft, Order, OrderBook, Shipment } from './model.ts';
import { lastSlot } from './order-ids.ts';
import { draftShipment, isDelivery, isDraft } from './shipment-rules.ts';

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
export function changedOrder({ order, shipments }: OrderBook, input: OrderInput, now: Date): Order {
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

export const noRoom = () =>
  new ApiError('payload_too_large', {
    message: `An order has ${lastSlot} shipments at most, drafts that went among them.`,
  });

/** Every shipment of the order, drafts among them, in the order of their slots. */
export function allShipments({ order, shipments }: OrderBook): Shipment[] {
  const drafts = order.drafts.map((draft) => draftShipment(order, draft));
  return [...drafts, ...shipments].sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
}

export function orderState(book: OrderBook): OrderState {
  const deliveries = allShipments(book).filter(isDelivery);
  const open = deliveries.filter(isDraft).length;
  if (open === deliveries.length) return 'placed';
  // Only an order that expects several parcels can be fulfilled in part.
  return open === 0 || book.order.expected_number_of_shipments <= 1 ? 'fulfilled' : 'partially_fulfilled';
}
