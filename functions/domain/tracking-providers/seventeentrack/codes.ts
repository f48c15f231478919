import type { CodeTable } from '#domain/tracking-providers/provider.ts';

const notFound = { none: '17TRACK has no news from the carrier.' };
const tooLong = { none: 'The parcel has been under way for long by the clock of 17TRACK. The carrier says nothing.' };

/**
 * 17TRACK's sub-statuses, its statuses, and the stages of its milestones, of which an event has one or two. Source: the
 * API's documentation v2.2 and v2.4, "Package status" (asset.17track.net/api/document/v2.4_en/index.html).
 */
export const codes: CodeTable = {
  NotFound: notFound,
  NotFound_Other: notFound,
  NotFound_InvalidCode: { none: '17TRACK takes the number for invalid. It is no news of the parcel.' },

  InfoReceived: { event: 'PARCEL_DATA_SUBMITTED_TO_CARRIER' },

  InTransit: { event: 'SHIPMENT_EN_ROUTE' },
  InTransit_Other: { event: 'SHIPMENT_EN_ROUTE' },
  InTransit_PickedUp: { event: 'PICKUP_SUCCESSFUL' },
  PickedUp: { event: 'PICKUP_SUCCESSFUL' },
  InTransit_Departure: { event: 'TRANSPORT_DEPARTED' }, // from the country of origin
  Departure: { event: 'TRANSPORT_DEPARTED' },
  InTransit_Arrival: { event: 'ARRIVAL_IN_DESTINATION_COUNTRY' },
  Arrival: { event: 'ARRIVAL_IN_DESTINATION_COUNTRY' },
  InTransit_CustomsProcessing: { event: 'CUSTOMS_PROCESSING' },
  InTransit_CustomsReleased: { event: 'COMPLETION_OF_CUSTOMS_PROCESSING' },
  InTransit_CustomsRequiringInformation: { event: 'HELD_AT_CUSTOMS_FOR_CLARIFICATIONS' },

  Expired: tooLong,
  Expired_Other: tooLong,

  AvailableForPickup: { event: 'PARCEL_READY_FOR_PICKUP' },
  AvailableForPickup_Other: { event: 'PARCEL_READY_FOR_PICKUP' },

  OutForDelivery: { event: 'OUT_FOR_DELIVERY' },
  OutForDelivery_Other: { event: 'OUT_FOR_DELIVERY' },

  DeliveryFailure: { event: 'DELIVERY_ATTEMPTED' },
  DeliveryFailure_Other: { event: 'DELIVERY_ATTEMPTED' },
  DeliveryFailure_NoBody: { event: 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME' },
  DeliveryFailure_Security: { event: 'DELIVERY_ATTEMPTED' },
  DeliveryFailure_Rejected: { event: 'DELIVERY_ATTEMPTED_REJECTED_BY_ADDRESSEE' },
  DeliveryFailure_InvalidAddress: { event: 'DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND' },

  Delivered: { event: 'SUCCESSFULLY_DELIVERED' },
  Delivered_Other: { event: 'SUCCESSFULLY_DELIVERED' },

  // The status covers everything from a delay to a loss: without a sub-status only the delay is certain.
  Exception: { event: 'DELAY_IN_TRANSPORT' },
  Exception_Other: { event: 'DELAY_IN_TRANSPORT' },
  Exception_Delayed: { event: 'DELAY_EXPECTED' },
  Exception_Security: { event: 'ISSUES_IN_PROCESSING_BY_CUSTOMS_AUTHORITIES' },
  Exception_NoBody: { event: 'DELIVERY_ATTEMPTED_ADDRESSEE_NOT_KNOWN_AT_ADDRESS' },
  Exception_Rejected: { event: 'DELIVERY_ATTEMPTED_REJECTED_BY_ADDRESSEE' },
  Exception_Damage: { event: 'SHIPMENT_DAMAGED' },
  Exception_Lost: { event: 'SHIPMENT_LOST' },
  Exception_Destroyed: { event: 'DELIVERY_FAILED_SHIPMENT_DESTROYED' },
  Exception_Cancel: { event: 'SHIPMENT_CANCELLED' },
  Exception_Returning: { event: 'SHIPMENT_RETURNING_TO_SENDER' },
  Returning: { event: 'SHIPMENT_RETURNING_TO_SENDER' },
  Exception_Returned: { event: 'SHIPMENT_SUCCESSFULLY_RETURNED_TO_SENDER' },
  Returned: { event: 'SHIPMENT_SUCCESSFULLY_RETURNED_TO_SENDER' },
};
