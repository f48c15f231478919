import type { CodeTable } from '#domain/tracking-providers/provider.ts';

/**
 * Ship24's `statusCode` and, below, `statusMilestone`. Source: docs.ship24.com/status. `statusCategory` is the first word
 * of the code, so it adds nothing.
 */
export const codes: CodeTable = {
  data_order_created: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },
  data_order_cancelled: { event: 'SHIPMENT_CANCELLED' },
  data_delivery_proposed: { event: 'NOTIFICATION_SENT_TO_RECIPIENT' },
  data_delivery_decided: { event: 'DELIVERY_SCHEDULED_IN_THE_FINAL_DELIVERY_DEPOT' },
  transit_handover: { event: 'PARCEL_DROPPED_OFF_WITH_CARRIER' },
  transit_origin_country_departure: { event: 'TRANSPORT_DEPARTED' },
  destination_arrival: { event: 'ARRIVAL_IN_DESTINATION_COUNTRY' },
  customs_received: { event: 'START_OF_CUSTOMS_PROCESSING' },
  customs_exception: { event: 'HELD_AT_CUSTOMS' },
  customs_rejected: { event: 'ATTEMPTED_DELIVERY_UNDELIVERABLE' },
  customs_cleared: { event: 'COMPLETION_OF_CUSTOMS_PROCESSING' },
  delivery_available_for_pickup: { event: 'PARCEL_READY_FOR_PICKUP' },
  delivery_out_for_delivery: { event: 'OUT_FOR_DELIVERY' },
  delivery_attempted: { event: 'DELIVERY_ATTEMPTED' },
  delivery_exception: { event: 'DELAY_EXPECTED' }, // an attempt has a code of its own
  delivery_refused: { event: 'DELIVERY_ATTEMPTED_REJECTED_BY_ADDRESSEE' },
  delivery_delivered: { event: 'SUCCESSFULLY_DELIVERED' },
  exception_return: { event: 'SHIPMENT_RETURNING_TO_SENDER' },
  exception_lost: { event: 'SHIPMENT_LOST' },
  exception_discarded: { event: 'DELIVERY_FAILED_SHIPMENT_DESTROYED' },

  pending: { none: 'Ship24 has no news from the carrier.' },
  info_received: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },
  in_transit: { event: 'SHIPMENT_EN_ROUTE' },
  out_for_delivery: { event: 'OUT_FOR_DELIVERY' },
  failed_attempt: { event: 'DELIVERY_ATTEMPTED' },
  available_for_pickup: { event: 'PARCEL_READY_FOR_PICKUP' },
  delivered: { event: 'SUCCESSFULLY_DELIVERED' },
  exception: { event: 'ATTEMPTED_DELIVERY_UNDELIVERABLE' },
};
