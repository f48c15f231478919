import { outboxEvent, outboxEvents } from '#domain/outbox/outbox.ts';
import { ApiError } from '#platform/http/errors.ts';
import { retryOnConflict } from '#platform/table/writes.ts';
import type { Shipment, ShipmentEvent, ShopIdentity } from './model.ts';
import { allShipments, withShipment } from './order-rules.ts';
import { type Loaded, loadOrder, saveOrder } from './order-store.ts';
import { currentEvent, isDelivery, phaseOf, type Report, reported } from './shipment-rules.ts';

/** Which of an order's shipments is meant. */
export type Choose = (loaded: Loaded) => Shipment | undefined;

export interface Recorded {
  shipment: Shipment;
  /** Those that the shipment did not have yet. */
  fresh: Report[];
}

/**
 * Records what was reported of one shipment, all of it in one write, each event with its notification where it is asked
 * for. What the shipment has already is passed over, so that a replay changes nothing.
 */
export function record(
  shop: ShopIdentity,
  orderId: string,
  choose: Choose,
  reports: readonly Report[],
  { notify, now }: { notify: boolean; now: Date },
): Promise<Recorded> {
  return retryOnConflict(async () => {
    const before = await loadOrder(shop.slug, orderId);
    const shipment = before && choose(before);
    if (!shipment) throw new ApiError('shipment_not_found');
    const at = now.toISOString();
    const result = applied(shipment, reports, at);
    if (result.shipment === shipment) return result;
    await saveOrder({
      shop,
      before,
      // A draft that something happens to is stored on its own from now on.
      ...(isDraftLine(before, shipment) && { order: { ...withShipment(before.order, shipment), updated_at: at } }),
      shipments: [result.shipment],
      events: notify ? result.fresh.map(({ event }) => outboxEvent(result.shipment, event, at)) : [],
      now: at,
    });
    return result;
  });
}

/** Any number of reports in any order leads to the same shipment. */
function applied(shipment: Shipment, reports: readonly Report[], now: string): Recorded {
  const fresh: Report[] = [];
  let current = shipment;
  for (const report of reports) {
    const { shipment: next, isNew } = reported(current, report, now);
    current = next;
    if (isNew) fresh.push(report);
  }
  return { shipment: current, fresh };
}

const isDraftLine = ({ shipments }: Loaded, { uuid }: Shipment) => !shipments.some((stored) => stored.uuid === uuid);

export const byId =
  (shipmentId: string): Choose =>
  (loaded) =>
    allShipments(loaded).find(({ uuid }) => uuid === shipmentId);

/** An id of an order means its only shipment. */
export const theOnly: Choose = (loaded) => {
  const shipments = allShipments(loaded);
  return shipments.length === 1 ? shipments[0] : undefined;
};

/** With the order, its drafts and the event for each direction they stay within the 100 actions of a transaction. */
const atOnce = 90;

/** Enough for as many shipments as an order can have. */
const maxRounds = 50;

/**
 * Records ORDER_CANCELLED, with its notification, on every parcel of the order that has not left. One that a carrier has
 * goes its way, and says so itself. Doing it again changes nothing.
 */
export async function cancelOrder(shop: ShopIdentity, orderId: string, time: string, now: Date): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    const left = await retryOnConflict(() => cancelSome(shop, orderId, time, now.toISOString()));
    if (left === 0) return;
  }
}

async function cancelSome(shop: ShopIdentity, orderId: string, time: string, at: string): Promise<number> {
  const before = await loadOrder(shop.slug, orderId);
  const open = before ? allShipments(before).filter(isCancellable) : [];
  const part = open.slice(0, atOnce);
  if (!before || part.length === 0) return 0;
  const event: ShipmentEvent = { event_name: 'ORDER_CANCELLED', time };
  const shipments = part.map((shipment) => reported(shipment, { event }, at).shipment);
  await saveOrder({
    shop,
    before,
    order: { ...part.reduce(withShipment, before.order), updated_at: at },
    shipments,
    events: outboxEvents('ORDER_CANCELLED', shipments, at),
    now: at,
  });
  return open.length - part.length;
}

const isCancellable = (shipment: Shipment) =>
  isDelivery(shipment) && ['order_created', 'order_processed'].includes(phaseOf(currentEvent(shipment.events)));
