import type { CodeTable } from '#domain/tracking-providers/provider.ts';

/**
 * Shippo's statuses (in capitals) and sub-statuses. Source: docs.goshippo.com/docs/tracking/tracking, "Event
 * definitions", and its clients (github.com/goshippo/shippo-javascript-sdk, docs/models/components).
 */
export const codes: CodeTable = {
  UNKNOWN: { none: 'The carrier does not know the number, or Shippo does not know what the carrier says.' },
  other: { none: 'Shippo does not know what the carrier says: the status beside it decides.' },

  PRE_TRANSIT: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },
  information_received: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },

  TRANSIT: { event: 'SHIPMENT_EN_ROUTE' },
  package_accepted: { event: 'ACCEPTED_BY_ORIGIN_OFFICE' },
  package_arrived: { event: 'ARRIVED_AT_SORTING_CENTER' },
  package_processing: { event: 'PROCESSING_AT_TRANSPORT_HUB' },
  package_processed: { event: 'SCANNED_AT_PROCESSING_CENTER' },
  package_departed: { event: 'DISPATCHED_FROM_SORTING_CENTER' },
  package_forwarded: { event: 'DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED' },
  delivery_scheduled: { event: 'DELIVERY_SCHEDULED_IN_THE_FINAL_DELIVERY_DEPOT' },
  delivery_rescheduled: { event: 'SHIPMENT_UPDATED_ETA' },
  contact_carrier: { event: 'MORE_INFO_ON_CARRIER_WEBSITE' },
  delayed: { event: 'DELAY_IN_TRANSPORT' },
  package_held: { event: 'SHIPMENT_ON_HOLD_IN_DELIVERY_CENTER' },
  package_damaged: { event: 'SHIPMENT_DAMAGED' },
  out_for_delivery: { event: 'OUT_FOR_DELIVERY' },
  pickup_available: { event: 'PARCEL_READY_FOR_PICKUP' },
  delivery_attempted: { event: 'DELIVERY_ATTEMPTED' },
  location_inaccessible: { event: 'DELIVERY_ATTEMPTED' },
  reschedule_delivery: { event: 'DELIVERY_ATTEMPTED' }, // the recipient is asked to make a new appointment
  notice_left: { event: 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME_CARD_LEFT' },
  address_issue: { event: 'DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND' },

  DELIVERED: { event: 'SUCCESSFULLY_DELIVERED' },
  delivered: { event: 'SUCCESSFULLY_DELIVERED' },

  RETURNED: { event: 'SHIPMENT_RETURNING_TO_SENDER' }, // on its way back, or back
  return_to_sender: { event: 'SHIPMENT_RETURNING_TO_SENDER' },
  package_unclaimed: { event: 'SHIPMENT_NOT_PICKED_UP_RETURNED_TO_BASE' },

  FAILURE: { event: 'ATTEMPTED_DELIVERY_UNDELIVERABLE' },
  package_undeliverable: { event: 'ATTEMPTED_DELIVERY_UNDELIVERABLE' },
  package_disposed: { event: 'DELIVERY_FAILED_SHIPMENT_DESTROYED' },
  package_lost: { event: 'SHIPMENT_LOST' },
};
