import Type, { type Static } from 'typebox';
import { carrierHistoryLimits } from '../catalogues/limits.ts';
import { shipmentEventNames } from '../catalogues/shipment-events.ts';
import { AdditionalInfo, CarrierReference, ExpectedDelivery, Identifier, Location, Pickup } from './order-shapes.ts';
import { Choice, DateTime, Nullable, Shape, Text, Uuid } from './shapes.ts';

/** The messages to and from the adapters of carriers, in the service's own format. */

/** Carriers do not know the shop, so the service finds it by the tracking number. */
const parcelFields = {
  tracking_number: Identifier(),
  carrier_reference: Type.Optional(Nullable(CarrierReference())),
};

const eventFields = {
  event_name: Choice(shipmentEventNames),
  event_time: DateTime(),
  timezone: Type.Optional(Nullable(Text(100))),
  location: Type.Optional(Nullable(Location)),
  additional_info: Type.Optional(Nullable(AdditionalInfo)),
  expected_delivery: Type.Optional(Nullable(ExpectedDelivery)),
  pickup: Type.Optional(Nullable(Pickup)),
};

/** One event of one parcel. */
export const CarrierUpdate = Shape('CarrierUpdate', { ...parcelFields, ...eventFields });

/** Several events of one parcel, in any order. They are recorded in one write. */
export const CarrierHistory = Shape('CarrierHistory', {
  ...parcelFields,
  events: Type.Array(Shape('CarrierEvent', eventFields), { minItems: 1, maxItems: carrierHistoryLimits.events }),
});

/**
 * A request to track a parcel. The service may send it more than once. `shipment_id` and `tracking_number` together
 * identify a repetition. Each order in a parcel has a request of its own, because one that joins late needs the earlier
 * events too.
 */
export const TrackingRequest = Shape('TrackingRequest', {
  shop_slug: Type.String(),
  shipment_id: Uuid(),
  tracking_number: Identifier(),
  carrier_reference: Nullable(CarrierReference()),
});

export type CarrierHistory = Static<typeof CarrierHistory>;
export type CarrierEvent = CarrierHistory['events'][number];
export type CarrierUpdate = Static<typeof CarrierUpdate>;
export type TrackingRequest = Static<typeof TrackingRequest>;
