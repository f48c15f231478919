import { readArrivalModel } from '#domain/arrival/model-store.ts';
import { within } from '#platform/batches.ts';
import { ServiceError } from '#platform/errors.ts';
import { logger } from '#platform/logging.ts';
import { retryOnConflict, WriteConflict } from '#platform/table/writes.ts';
import { clockSince } from '#platform/time.ts';
import { refusePersonal, withoutPersonal } from './erased-order.ts';
import { countedByCountry, laneOf } from './handed-over.ts';
import { type Shipment, type ShipmentEvent, type ShopIdentity, withoutEnclosed } from './model.ts';
import { allShipments, shipmentById, timeOfChange, withShipment } from './order-rules.ts';
import { type Loaded, loadOrder, saveOrder } from './order-store.ts';
import { outboxEvent, outboxEvents } from './outbox.ts';
import { reportData } from './personal-data.ts';
import { needsModel, withPrediction } from './predicted-arrival.ts';
import { currentPhase, isTowardsCustomer, type Report, reported } from './shipment-rules.ts';

/** Selects one shipment of an order. */
export type Choose = (loaded: Loaded) => Shipment | undefined;

export interface Recorded {
  shipment: Shipment;
  /** The reports whose event the shipment did not have yet. */
  fresh: Report[];
}

/**
 * Records all reports about one shipment in one write, with a notification for each new event if `notify` is set.
 * Events that the shipment has already are skipped, so a replay changes nothing. If `completes` is set, a report that says
 * more of such an event than is known completes it, without a notification. Of an erased order only what is not personal is
 * recorded; if `refusesPersonal` is set, the rest is refused.
 */
export function record(
  shop: ShopIdentity,
  orderId: string,
  choose: Choose,
  reports: readonly Report[],
  { notify, now, completes = false, refusesPersonal = false }: RecordOptions,
): Promise<Recorded> {
  const clock = clockSince(now);
  let tried: Change | undefined;
  return retryOnConflict(async () => {
    const before = await loadOrder(shop.slug, orderId);
    const shipment = before && choose(before);
    if (!shipment) throw new ServiceError('shipment_not_found');
    // The write went through, and its answer was lost on the way. No report changes the number or the country of a parcel.
    if (tried && isSame(shipment, countedByCountry(tried.shipment, before.order, tried.shipment))) return tried;
    const at = timeOfChange(before, clock()).toISOString();
    if (refusesPersonal) for (const report of reports) refusePersonal(before.order, reportData, report);
    const accepted = reports.map((report) => withoutPersonal(before.order, reportData, report));
    const changed = applied(shipment, accepted, at, completes);
    // Time alone moves a prediction, too, but a replay writes nothing.
    if (changed.shipment === shipment) return changed;
    const write = async (change: Change): Promise<Recorded> => {
      tried = change;
      const triggeredAt = triggerTime(before, at, clock());
      await saveOrder({
        shop,
        before,
        // A draft with an event gets its own item.
        ...(isDraftLine(before, shipment) && { order: { ...withShipment(before.order, shipment), updated_at: at } }),
        shipments: [change.shipment],
        events: notify ? eventsOf(change).map((event) => outboxEvent(change.shipment, event, triggeredAt)) : [],
        isReport: true,
        now: at,
      }).catch((error: unknown) => {
        // Another caller can write the same in the same millisecond. It was not ours if ours was sent once.
        if (!(error instanceof WriteConflict && error.wasSentAgain)) tried = undefined;
        throw error;
      });
      return change;
    };
    const predicted = await predictedAfter(shop, before, changed, { notify, at });
    return write(predicted).catch((error: unknown) => {
      // Without what we add, the report may still have its place.
      if (isTooLarge(error)) return write(changed);
      throw error;
    });
  });
}

interface Change extends Recorded {
  /** Tells that our own window moved. */
  told?: ShipmentEvent;
}

const eventsOf = ({ fresh, told }: Change): ShipmentEvent[] => [
  ...fresh.map(({ event }) => event),
  ...(told ? [told] : []),
];

/** What was reported, with our window after it. Nothing that fails here may stop a report. */
async function predictedAfter(
  { slug }: ShopIdentity,
  { order, shipments }: Loaded,
  changed: Recorded,
  { notify, at }: { notify: boolean; at: string },
): Promise<Change> {
  const stored = shipments.find(({ uuid }) => uuid === changed.shipment.uuid);
  const shipment = countedByCountry(changed.shipment, order, stored);
  const now = new Date(at);
  try {
    const model = needsModel(shipment, now) ? await readInTime(slug, laneOf(shipment), now) : undefined;
    return { ...changed, ...withPrediction(shipment, model, now, notify) };
  } catch (error) {
    logger.warn('arrival not predicted', { shop: slug, error: (error as Error).name });
    return changed;
  }
}

/** A report is worth more than what we think about it. */
const longestReadMs = 1000;

const readInTime: typeof readArrivalModel = (slug, lane, now) =>
  within(longestReadMs, readArrivalModel(slug, lane, now), () => new DOMException('late', 'TimeoutError'));

const isTooLarge = (error: unknown): boolean => error instanceof ServiceError && error.key === 'payload_too_large';

interface RecordOptions {
  notify: boolean;
  now: Date;
  completes?: boolean;
  /** Set if somebody is there to correct the report. */
  refusesPersonal?: boolean;
}

/** The clock of a simulation may be days ahead, and by it a report of now would be old. */
const triggerTime = ({ order }: Loaded, at: string, now: Date) =>
  order.simulation_id === undefined ? at : now.toISOString();

/** As they are stored. */
const isSame = (a: Shipment, b: Shipment) => JSON.stringify(withoutEnclosed(a)) === JSON.stringify(withoutEnclosed(b));

/** The result does not depend on the order of the reports. */
function applied(shipment: Shipment, reports: readonly Report[], now: string, completes: boolean): Recorded {
  const fresh: Report[] = [];
  let current = shipment;
  for (const report of reports) {
    const { shipment: next, isNew } = reported(current, report, now, completes);
    current = next;
    if (isNew) fresh.push(report);
  }
  return { shipment: current, fresh };
}

const isDraftLine = ({ shipments }: Loaded, { uuid }: Shipment) => !shipments.some((stored) => stored.uuid === uuid);

export const byId =
  (shipmentId: string): Choose =>
  (loaded) =>
    shipmentById(loaded, shipmentId);

/** For a caller that gives the id of an order instead of a shipment: works if the order has exactly one shipment. */
export const onlyShipment: Choose = (loaded) => {
  const shipments = allShipments(loaded);
  return shipments.length === 1 ? shipments[0] : undefined;
};

/** With the order, its drafts and one event per direction this stays within the 100 actions of a transaction. */
const maxShipmentsPerWrite = 90;

/** Enough for the maximum number of shipments of an order. */
const maxRounds = 50;

/**
 * Records ORDER_CANCELLED, with its notification, on every parcel of the order that has not left. A parcel that the
 * carrier already has continues, and its own events report it. A repeated call changes nothing. If the shop's system says later
 * that it was cancelled earlier, the event moves there, and nobody is told again.
 */
export async function cancelOrder(shop: ShopIdentity, orderId: string, time: string, now: Date): Promise<void> {
  const clock = clockSince(now);
  for (let round = 0; round < maxRounds; round++) {
    const remaining = await retryOnConflict(() => cancelSome(shop, orderId, time, clock));
    if (remaining === 0) return;
  }
}

async function cancelSome(shop: ShopIdentity, orderId: string, time: string, clock: () => Date): Promise<number> {
  const before = await loadOrder(shop.slug, orderId);
  const all = before ? allShipments(before).filter(isTowardsCustomer) : [];
  const open = all.filter((shipment) => isCancellable(shipment) || isCancelledAfter(shipment, time));
  const batch = open.slice(0, maxShipmentsPerWrite);
  if (!before || batch.length === 0) return 0;
  const at = timeOfChange(before, clock()).toISOString();
  const event: ShipmentEvent = { event_name: 'ORDER_CANCELLED', time };
  const shipments = batch.map((shipment) => reported(withoutCancellation(shipment), { event }, at).shipment);
  const told = shipments.filter((_, i) => isCancellable(batch[i]!));
  await saveOrder({
    shop,
    before,
    order: { ...batch.reduce(withShipment, before.order), updated_at: at },
    shipments,
    events: outboxEvents('ORDER_CANCELLED', told, triggerTime(before, at, clock())),
    isReport: true,
    now: at,
  });
  return open.length - batch.length;
}

const isCancellable = (shipment: Shipment) => ['order_created', 'order_processed'].includes(currentPhase(shipment));

const isCancellation = ({ event_name }: ShipmentEvent) => event_name === 'ORDER_CANCELLED';

function isCancelledAfter({ events }: Shipment, time: string): boolean {
  const known = events.filter(isCancellation);
  return known.length > 0 && known.every((event) => event.time > time);
}

const withoutCancellation = (shipment: Shipment): Shipment => ({
  ...shipment,
  events: shipment.events.filter((event) => !isCancellation(event)),
});
