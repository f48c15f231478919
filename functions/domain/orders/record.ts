import { outboxEvent } from '#domain/outbox/outbox.ts';
import { ApiError } from '#platform/http/api-error.ts';
import { retryLostRaces } from '#platform/table/retrying.ts';
import { withShipment } from './fulfilment-rules.ts';
import type { Shipment } from './model.ts';
import { allShipments } from './order-rules.ts';
import { loadOrder, saveOrder } from './order-store.ts';
import type { Loaded } from './order-writes.ts';
import { type Report, reported } from './shipment-rules.ts';
import type { ShopIdentity } from './upsert.ts';

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
  return retryLostRaces(async () => {
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
