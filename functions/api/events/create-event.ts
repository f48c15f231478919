import { validate as isUuid } from 'uuid';
import { orderIdOf, type Shipment, type ShipmentEvent, type ShopIdentity } from '#domain/orders/model.ts';
import { findByExternalShipmentId, findOrderId } from '#domain/orders/order-store.ts';
import { byId, type Choose, onlyShipment, type Recorded, record } from '#domain/orders/record-event.ts';
import { canHappen, type Report } from '#domain/orders/shipment-rules.ts';
import { findTrackings, type TrackingReference } from '#domain/orders/tracking-references.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { invalid, ServiceError, valueError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { clockSince, utc } from '#platform/time.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import type { EventByAnyId, events, ShipmentEventInput, ShipmentEvents } from '#schemas/families/events.ts';

export const createShipmentEvent: Implementation<typeof events.createShipmentEvent> = async (request) => {
  const { shop, body, query, now } = request;
  const targets = await findTargets(shop.slug, body);
  return create(shop, targets, body, query.notify, now);
};

export const createEventOfShipment: Implementation<typeof events.createEventOfShipment> = (request) => {
  const { shop, params, body, query, now } = request;
  return create(shop, [shipmentTarget(params.shipment_id)], body, query.notify, now);
};

interface Target {
  orderId: string;
  choose: Choose;
}

/**
 * A tracking number names the shipments of all orders in the parcel. Another id of a shipment names that shipment. An
 * id of an order names its only shipment.
 */
async function findTargets(slug: string, { id, id_type }: EventByAnyId): Promise<Target[]> {
  switch (id_type) {
    case 'shipment_uuid':
      return isUuid(id) ? [shipmentTarget(id)] : [];
    case 'tracking_number':
      return (await findTrackings(slug, id)).map(referenced);
    case 'external_shipment_id':
      return listOf(await findByExternalShipmentId(slug, id)).map(referenced);
    case 'order_uuid':
      return onlyOf(await findOrderId(slug, id, 'uuid'));
    case 'order_number':
      return onlyOf(await findOrderId(slug, id, 'order_number'));
    case 'external_order_id':
      return onlyOf(await findOrderId(slug, id, 'external_id'));
  }
}

const shipmentTarget = (shipmentId: string): Target => ({
  orderId: orderIdOf(shipmentId),
  choose: byId(shipmentId.toLowerCase()),
});

const referenced = (found: TrackingReference): Target => ({
  orderId: found.order_id,
  choose: byId(found.shipment_id),
});

const onlyOf = (orderId: string | undefined): Target[] =>
  listOf(orderId).map((id) => ({ orderId: id, choose: onlyShipment }));

const listOf = <T>(found: T | undefined): T[] => (found === undefined ? [] : [found]);

/** The orders of one parcel are written so many at a time. */
const maxConcurrentOrders = 10;

async function create(
  shop: ShopIdentity,
  targets: readonly Target[],
  input: ShipmentEventInput,
  notify: boolean,
  now: Date,
): Promise<ShipmentEvents> {
  const report = reportOf(input, now);
  const clock = clockSince(now);
  // If one of several orders in a parcel is erased, the others must not lose the event, and that one gets it stripped.
  const refusesPersonal = targets.length === 1;
  const recordAt = ({ orderId, choose }: Target) =>
    outcomeOf(
      record(shop, orderId, possible(choose, report.event), [report], { notify, now: clock(), refusesPersonal }),
    );
  return toResponse(firstOf(await mapConcurrently(targets, recordAt, maxConcurrentOrders)));
}

function reportOf(input: ShipmentEventInput, now: Date): Report {
  const { event_name, event_time, external_id, timezone, location, expected_delivery, pickup } = input;
  const known = { ...(external_id && { external_id }), ...(timezone && { timezone }), ...(location && { location }) };
  return { event: { event_name, time: utc(event_time ?? now), ...known }, expected_delivery, pickup };
}

interface Outcome {
  recorded?: Recorded;
  error?: unknown;
}

const outcomeOf = (recording: Promise<Recorded>): Promise<Outcome> =>
  recording.then(
    (recorded) => ({ recorded }),
    (error: unknown) => ({ error }),
  );

/**
 * The first shipment, if every shipment has the event now. A failure is thrown only when all of them were tried, and the
 * same request sent again completes the others. A shipment that was deleted in between counts as none.
 */
function firstOf(outcomes: readonly Outcome[]): Shipment {
  const found = outcomes.filter(({ error }) => !isNotFound(error));
  const failed = found.find(({ error }) => error !== undefined);
  if (failed) throw failed.error;
  const recorded = found.map((outcome) => outcome.recorded!);
  if (recorded.length === 0) throw new ServiceError('shipment_not_found');
  if (recorded.every(({ fresh }) => fresh.length === 0)) throw new ServiceError('shipment_event_exists');
  return recorded[0]!.shipment;
}

const isNotFound = (error: unknown) => error instanceof ServiceError && error.key === 'shipment_not_found';

/** Checks the shipment that the write reads, because a draft may get its tracking number in the meantime. */
const possible =
  (choose: Choose, event: ShipmentEvent): Choose =>
  (loaded) => {
    const shipment = choose(loaded);
    if (shipment && !canHappen(event, shipment)) throw invalid(impossibleForDraft);
    return shipment;
  };

const impossibleForDraft: FieldError = valueError(
  ['body', 'event_name'],
  'must come before the transit or cancel the shipment, because this shipment is a draft without a tracking number',
);

function toResponse({ events, expected_delivery, pickup }: Shipment): ShipmentEvents {
  return {
    events: events.map(({ event_name, time, timezone = null, location = null }) => ({
      event_key: event_name,
      time,
      timezone,
      location,
    })),
    expected_delivery,
    additional_info: events.findLast(({ additional_info }) => additional_info)?.additional_info ?? null,
    pickup_location: pickup,
  };
}
