import { validate as isUuid } from 'uuid';
import type { Shipment, ShipmentEvent, ShopIdentity } from '#domain/orders/model.ts';
import { orderIdOf } from '#domain/orders/model.ts';
import { findByExternalShipmentId, findOrderId, findTracking } from '#domain/orders/order-store.ts';
import { byId, type Choose, onlyShipment, record } from '#domain/orders/record-event.ts';
import { canHappen } from '#domain/orders/shipment-rules.ts';
import { ApiError, invalid } from '#platform/http/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { utc } from '#platform/time.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';
import type { EventByAnyId, events, ShipmentEventInput, ShipmentEvents } from '#schemas/families/events.ts';

export const createShipmentEvent: Implementation<typeof events.createShipmentEvent> = async (request) => {
  const { shop, body, query, now } = request;
  const target = await findTarget(shop.slug, body);
  if (!target) throw new ApiError('shipment_not_found');
  return create(shop, target, body, query.notify, now);
};

export const createEventOfShipment: Implementation<typeof events.createEventOfShipment> = (request) => {
  const { shop, params, body, query, now } = request;
  return create(shop, shipmentTarget(params.shipment_id), body, query.notify, now);
};

interface Target {
  orderId: string;
  choose: Choose;
}

/** An id of a shipment names that shipment. An id of an order names its only shipment. */
async function findTarget(slug: string, { id, id_type }: EventByAnyId): Promise<Target | undefined> {
  switch (id_type) {
    case 'shipment_uuid':
      return isUuid(id) ? shipmentTarget(id) : undefined;
    case 'tracking_number':
      return referenced(await findTracking(slug, id));
    case 'external_shipment_id':
      return referenced(await findByExternalShipmentId(slug, id));
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

const referenced = (found: { order_id: string; shipment_id: string } | undefined): Target | undefined =>
  found && { orderId: found.order_id, choose: byId(found.shipment_id) };

const onlyOf = (orderId: string | undefined): Target | undefined =>
  orderId === undefined ? undefined : { orderId, choose: onlyShipment };

async function create(
  shop: ShopIdentity,
  { orderId, choose }: Target,
  { event_name, event_time, external_id }: ShipmentEventInput,
  notify: boolean,
  now: Date,
): Promise<ShipmentEvents> {
  const event = { event_name, time: utc(event_time ?? now), ...(external_id && { external_id }) };
  const { shipment, fresh } = await record(shop, orderId, possible(choose, event), [{ event }], { notify, now });
  if (fresh.length === 0) throw new ApiError('shipment_event_exists');
  return toResponse(shipment);
}

/** Checks the shipment that the write reads, because a draft may get its tracking number in the meantime. */
const possible =
  (choose: Choose, event: ShipmentEvent): Choose =>
  (loaded) => {
    const shipment = choose(loaded);
    if (shipment && !canHappen(event, shipment)) throw invalid(impossibleForDraft);
    return shipment;
  };

const impossibleForDraft: FieldError = {
  loc: ['body', 'event_name'],
  msg: 'must come before the transit or cancel the shipment, because this shipment is a draft without a tracking number',
  type: 'value_error',
};

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
