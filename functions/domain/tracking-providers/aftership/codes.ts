import type { CodeTable } from '#domain/tracking-providers/provider.ts';

const nothingYet = { none: 'AfterShip has no news from the carrier.' };
const gaveUp = {
  none: 'AfterShip stopped asking, because the carrier said nothing for 30 days. It is no news of the parcel.',
};

/**
 * The statuses ("tags") and sub-statuses ("subtags") of AfterShip's API 2026-07. Sources: aftership.com/docs/tracking,
 * "Delivery Statuses", "Delivery Sub-statuses" and its changelog; the help centre's "Learn About Delivery Sub-Status".
 */
export const codes: CodeTable = {
  Pending: nothingYet,
  Pending_001: nothingYet,
  Pending_002: nothingYet,
  Pending_003: nothingYet,
  Pending_004: nothingYet,
  Pending_005: nothingYet,
  Pending_006: nothingYet,

  InfoReceived: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },
  InfoReceived_001: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },

  InTransit: { event: 'SHIPMENT_EN_ROUTE' },
  InTransit_001: { event: 'SHIPMENT_EN_ROUTE' },
  InTransit_002: { event: 'ACCEPTED_BY_ORIGIN_OFFICE' },
  InTransit_003: { event: 'ARRIVED_AT_SORTING_CENTER' },
  InTransit_004: { event: 'ARRIVAL_IN_DESTINATION_COUNTRY' },
  InTransit_005: { event: 'COMPLETION_OF_CUSTOMS_PROCESSING' },
  InTransit_006: { event: 'START_OF_CUSTOMS_PROCESSING' },
  InTransit_007: { event: 'DISPATCHED_FROM_SORTING_CENTER' },
  InTransit_008: { event: 'SHIPMENT_EN_ROUTE' }, // a problem was solved
  InTransit_009: { event: 'DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED' },
  // The changelog names these three without a description, so they say what their status says.
  InTransit_011: { event: 'SHIPMENT_EN_ROUTE' },
  InTransit_012: { event: 'SHIPMENT_EN_ROUTE' },
  InTransit_013: { event: 'SHIPMENT_EN_ROUTE' },

  OutForDelivery: { event: 'OUT_FOR_DELIVERY' },
  OutForDelivery_001: { event: 'OUT_FOR_DELIVERY' },
  OutForDelivery_002: { event: 'PARCEL_READY_FOR_PICKUP' }, // today AvailableForPickup_001
  OutForDelivery_003: { event: 'NOTIFICATION_SENT_TO_RECIPIENT' },
  OutForDelivery_004: { event: 'DELIVERY_SCHEDULED_IN_THE_FINAL_DELIVERY_DEPOT' },

  AttemptFail: { event: 'DELIVERY_ATTEMPTED' },
  AttemptFail_001: { event: 'DELIVERY_ATTEMPTED' },
  AttemptFail_002: { event: 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME' },
  AttemptFail_003: { event: 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME' }, // the business is closed

  AvailableForPickup: { event: 'PARCEL_READY_FOR_PICKUP' },
  AvailableForPickup_001: { event: 'PARCEL_READY_FOR_PICKUP' },

  Delivered: { event: 'SUCCESSFULLY_DELIVERED' },
  Delivered_001: { event: 'SUCCESSFULLY_DELIVERED' },
  Delivered_002: { event: 'SUCCESSFULLY_COLLECTED' },
  Delivered_003: { event: 'SUCCESSFULLY_DELIVERED_AND_PROOF_OF_DELIVERY_COLLECTED' },
  Delivered_004: { event: 'SUCCESSFULLY_DELIVERED_AND_CASH_ON_DELIVERY_COLLECTED' },
  Delivered_005: { event: 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR' },

  // The status covers everything from a delay to a loss: without a sub-status only the delay is certain.
  Exception: { event: 'DELAY_IN_TRANSPORT' },
  Exception_001: { event: 'DELAY_IN_TRANSPORT' },
  Exception_002: { event: 'DELIVERY_ATTEMPTED_ADDRESSEE_MOVED' },
  Exception_003: { event: 'DELIVERY_ATTEMPTED_REJECTED_BY_ADDRESSEE' },
  Exception_004: { event: 'ISSUES_IN_PROCESSING_BY_CUSTOMS_AUTHORITIES' },
  Exception_005: { event: 'DELAY_IN_TRANSPORT' },
  Exception_006: { event: 'HELD_AT_CUSTOMS_FOR_ADDITIONAL_PAYMENT' },
  Exception_007: { event: 'DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND' },
  Exception_008: { event: 'DELIVERY_LAPSED' }, // not collected, and not sent back yet
  Exception_009: { event: 'ATTEMPTED_DELIVERY_UNDELIVERABLE' }, // the carrier does not take such a parcel
  Exception_010: { event: 'SHIPMENT_RETURNING_TO_SENDER' },
  Exception_011: { event: 'SHIPMENT_SUCCESSFULLY_RETURNED_TO_SENDER' },
  Exception_012: { event: 'SHIPMENT_DAMAGED' },
  Exception_013: { event: 'SHIPMENT_LOST' },
  Exception_016: { event: 'DELAY_IN_TRANSPORT' },
  Exception_017: { event: 'DELAY_IN_TRANSPORT' }, // weather
  Exception_018: { event: 'HELD_AT_CUSTOMS_FOR_CLARIFICATIONS' },
  Exception_019: { event: 'DELAY_IN_TRANSPORT' }, // a late flight
  Exception_020: { event: 'SHIPMENT_CANCELLED' },
  Exception_021: { event: 'DELIVERY_FAILED_SHIPMENT_DESTROYED' },

  Expired: gaveUp,
  Expired_001: gaveUp,
};
