import type { TrackingInput } from '#schemas/shapes/order-shapes.ts';
import type { Order, OrderBook, Shipment } from './model.ts';
import { lastSlot, slotOf } from './order-ids.ts';
import { noRoom } from './order-rules.ts';
import { draftShipment, type Fulfilment, fulfilled, isDelivery, isDraft, newShipment } from './shipment-rules.ts';

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
  book: OrderBook,
  before: Order | undefined,
  trackings: readonly NewTracking[],
  now: string,
): Fulfilled {
  const open = openShipments(book, new Set(before?.drafts.map(({ slot }) => slot)));
  let { order } = book;
  const shipments = trackings.map(({ products, ...fulfilment }) => {
    const next = open.shift() ?? newShipment(order, nextSlot(order), 'merchant_customer', now);
    const shipment = fulfilled(next, fulfilment, now);
    order = withShipment(order, next);
    return products === undefined || products === null ? shipment : { ...shipment, products };
  });
  return { order: { ...order, updated_at: now }, shipments };
}

/** Drafts that wait for a number, in the order of their slots: lines of the order and stored ones alike. */
function openShipments({ order, shipments }: OrderBook, seen: ReadonlySet<number>): Shipment[] {
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
