import type { CodeTable } from '#domain/tracking-providers/provider.ts';

/**
 * The statuses and details of EasyPost's trackers. Source: docs.easypost.com/docs/trackers, and the types of its Node
 * client (github.com/EasyPost/easypost-node, types/Tracker). A word that is both means the same.
 */
export const codes: CodeTable = {
  unknown: { none: 'EasyPost has no news from the carrier, or does not know what it means.' },
  error: { none: 'EasyPost could not ask the carrier. It is no news of the parcel.' },
  expired: { none: 'EasyPost stopped asking. It is no news of the parcel.' },
  status_update: { none: 'It says nothing about the parcel: the status beside it decides.' },

  pre_transit: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },
  label_created: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },
  awaiting_information: { event: 'MISSING_SHIPMENT_INFORMATION' },
  cancelled: { event: 'SHIPMENT_CANCELLED' },

  in_transit: { event: 'SHIPMENT_EN_ROUTE' },
  received_at_origin_facility: { event: 'ACCEPTED_BY_ORIGIN_OFFICE' },
  departed_origin_facility: { event: 'PARCEL_DISPATCHED' },
  arrived_at_facility: { event: 'ARRIVED_AT_SORTING_CENTER' },
  departed_facility: { event: 'DISPATCHED_FROM_SORTING_CENTER' },
  transferred_to_destination_carrier: { event: 'HANDED_OVER_TO_DELIVERY_PARTNER' },
  received_at_destination_facility: { event: 'ARRIVAL_AT_FINAL_DELIVERY_CENTER' },
  arrived_at_destination: { event: 'ACCEPTED_BY_DESTINATION_OFFICE' }, // unless the status is delivered

  delayed: { event: 'DELAY_IN_TRANSPORT' },
  weather_delay: { event: 'DELAY_IN_TRANSPORT' },
  transit_exception: { event: 'DELAY_IN_TRANSPORT' },
  address_correction: { event: 'DELAY_EXPECTED' }, // the carrier corrects it and continues
  missorted: { event: 'SHIPMENT_MISROUTED' },
  held: { event: 'SHIPMENT_ON_HOLD_IN_DELIVERY_CENTER' },
  damaged: { event: 'SHIPMENT_DAMAGED' },
  lost: { event: 'SHIPMENT_LOST' },

  out_for_delivery: { event: 'OUT_FOR_DELIVERY' },
  delivery_exception: { event: 'DELIVERY_ATTEMPTED' },
  refused: { event: 'DELIVERY_ATTEMPTED_REJECTED_BY_ADDRESSEE' },
  failure: { event: 'ATTEMPTED_DELIVERY_UNDELIVERABLE' },
  unable_to_deliver: { event: 'ATTEMPTED_DELIVERY_UNDELIVERABLE' },

  available_for_pickup: { event: 'PARCEL_READY_FOR_PICKUP' },
  arrived_at_pickup_location: { event: 'ARRIVED_AT_PICKUP_POINT' },
  delivered: { event: 'SUCCESSFULLY_DELIVERED' },

  return_to_sender: { event: 'SHIPMENT_RETURNING_TO_SENDER' },
  return: { event: 'SHIPMENT_RETURNING_TO_SENDER' },
};
