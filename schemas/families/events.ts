import Type, { type Static } from 'typebox';
import { shipmentEventNames } from '../catalogues/shipment-events.ts';
import { AdditionalInfo, ExpectedDelivery, Identifier, Location, Pickup, staleness } from '../shapes/order-shapes.ts';
import { CallableUrl, Choice, DateTime, Defaulted, Nullable, Shape, Text, Uuid } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const eventIdTypes = [
  'external_order_id',
  'external_shipment_id',
  'order_number',
  'order_uuid',
  'shipment_uuid',
  'tracking_number',
] as const;

/** Where the parcel can be collected. Unlike a carrier's, a wrong link is refused. */
const PickupInput = Shape('PickupInput', { ...Pickup.properties, url: Type.Optional(Nullable(CallableUrl())) });

const eventFields = {
  event_name: Choice(shipmentEventNames, { description: 'What happened to the shipment.' }),
  event_time: Type.Optional(
    Nullable(DateTime({ description: `When it happened. Default: the current time. ${staleness}` })),
  ),
  external_id: Type.Optional(Nullable(Identifier({ description: 'The id of the event in your own system.' }))),
  timezone: Type.Optional(
    Nullable(
      Text(100, { description: 'The time zone of the place, such as `Europe/Berlin`. Customers read its clock.' }),
    ),
  ),
  location: Type.Optional(Nullable(Location)),
  expected_delivery: Type.Optional(Nullable(ExpectedDelivery)),
  pickup: Type.Optional(Nullable(PickupInput)),
};

const EventByShipment = Shape('ShipmentEventCreate', eventFields);

const EventByAnyId = Shape('ShipmentEventCreateByAnyId', {
  ...eventFields,
  id: Identifier({ description: 'Identifies the shipment.' }),
  id_type: Defaulted(
    Choice(eventIdTypes, {
      description:
        'Which identifier `id` is. A tracking number means the shipments of all orders that share the parcel. An ' +
        'identifier of an order works only if the order has exactly one shipment.',
    }),
    'tracking_number',
  ),
});

const notification = Type.Object({
  notify: Defaulted(
    Type.Boolean({ description: `Whether to send the notification for the event group. ${staleness}` }),
    false,
  ),
});

const ShipmentEvents = Shape('ShipmentEvents', {
  events: Type.Array(
    Shape('ShipmentEvent', {
      event_key: Type.String(),
      time: DateTime(),
      timezone: Nullable(Type.String()),
      location: Nullable(Location),
    }),
  ),
  expected_delivery: Nullable(ExpectedDelivery),
  additional_info: Nullable(AdditionalInfo),
  pickup_location: Nullable(Pickup),
});

const refusals =
  'It refuses an event that the shipment already has with the same name and time. For a draft, which has no tracking ' +
  'number, it also refuses every event that takes a carrier: only events before the transit, such as ORDER_DELAYED, and ' +
  'cancellations are possible (422 at `body.event_name`).';

export const events = declare({
  createShipmentEvent: {
    method: 'POST',
    path: '/v1/shop/{slug}/shipment-events',
    alias: `${shopPath}/shipment-events`,
    role: 'editor',
    summary: 'Record an event by any id',
    description:
      'Records an event for the shipment that `id` identifies. With `notify=true`, the service also sends the notification ' +
      `for the event group. ${refusals} If several orders share a parcel, an event by its tracking number is recorded for ` +
      'each of their shipments that does not have it yet. The response then shows the shipment of the newest order, and ' +
      'each order gets its own notification.',
    query: notification,
    body: EventByAnyId,
    response: ShipmentEvents,
    errors: ['shipment_not_found', 'shipment_event_exists', 'order_erased', 'payload_too_large'],
  },
  createEventOfShipment: {
    method: 'POST',
    path: `${shopPath}/shipments/{shipment_id}/events`,
    role: 'editor',
    summary: 'Record an event of a shipment',
    description: `Records an event for a shipment. With \`notify=true\`, the service also sends the notification for the event group. ${refusals}`,
    params: Type.Object({ shipment_id: Uuid() }),
    query: notification,
    body: EventByShipment,
    response: ShipmentEvents,
    errors: ['shipment_not_found', 'shipment_event_exists', 'order_erased', 'payload_too_large'],
  },
});

export type EventByAnyId = Static<typeof EventByAnyId>;
export type ShipmentEventInput = Static<typeof EventByShipment>;
export type ShipmentEvents = Static<typeof ShipmentEvents>;
