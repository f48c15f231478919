import type { MailedGroup } from '#schemas/catalogues/emails.ts';
import { type ShipmentEventName, shipmentEventNames, shipmentEvents } from '#schemas/catalogues/shipment-events.ts';

/** Which events customers can be mailed of, in the order in which a customer would meet them. */
export const emailSections = {
  onItsWay: [
    'shipment_pre_transit',
    'shipment_in_transit',
    'shipment_carrier_changed',
    'shipment_delayed_due_to_customer_request',
  ],
  delivery: [
    'shipment_out_for_delivery',
    'shipment_delivered',
    'shipment_delivered_to_neighbour',
    'shipment_delivered_to_letterbox',
  ],
  collection: [
    'shipment_delivery_failed_forwarded_to_parcel_shop',
    'shipment_delivered_to_parcel_shop',
    'shipment_delivered_to_parcel_locker',
    'shipment_picked_up',
  ],
  problems: [
    'shipment_carrier_delay',
    'shipment_delivery_failed',
    'shipment_delivery_second_attempt',
    'shipment_delivery_failed_address_issue',
    'shipment_damaged',
    'shipment_order_cancelled',
    'shipment_refused_then_returned',
    'shipment_not_picked_up_then_returned',
    'shipment_failed_returned',
  ],
  returns: [
    'return_shipment_created',
    'return_shipment_in_transit',
    'return_shipment_received',
    'return_shipment_failed',
    'return_shipment_returned',
  ],
  claims: ['claim_created', 'claim_updated'],
} as const satisfies Record<string, readonly MailedGroup[]>;

export type EmailSection = keyof typeof emailSections;

export const emailSectionNames = Object.keys(emailSections) as EmailSection[];

export type Switches = Record<MailedGroup, boolean>;

export const countOn = (groups: Switches): number => Object.values(groups).filter(Boolean).length;

/** Only what is another now than it was: what somebody else switches meanwhile stays. */
export const changedGroups = (before: Switches, after: Switches): Partial<Switches> =>
  Object.fromEntries(Object.entries(after).filter(([group, isOn]) => before[group as MailedGroup] !== isOn));

/** What a preview is asked for. */
export interface Sample {
  group: MailedGroup;
  event_name: ShipmentEventName | 'CLAIM_CREATED' | 'CLAIM_UPDATED';
}

/** The best known event of a group. Of the others, the first one in the catalogue is good enough. */
const wellKnown: Partial<Record<MailedGroup, ShipmentEventName>> = {
  shipment_pre_transit: 'ORDER_PROCESSED',
  shipment_in_transit: 'ARRIVED_AT_SORTING_CENTER',
  shipment_out_for_delivery: 'OUT_FOR_DELIVERY',
  shipment_carrier_delay: 'DELAY_IN_TRANSPORT',
  shipment_delivery_failed: 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME',
  shipment_delivered_to_parcel_shop: 'ARRIVED_AT_PARCEL_SHOP',
  shipment_failed_returned: 'SHIPMENT_RETURNING_TO_SENDER',
};

/** One event for each group. The preview has a parcel on its way to the customer, so it shows no returns. */
export function sampleOf(group: MailedGroup): Sample | undefined {
  if (group === 'claim_created') return { group, event_name: 'CLAIM_CREATED' };
  if (group === 'claim_updated') return { group, event_name: 'CLAIM_UPDATED' };
  const known = wellKnown[group];
  const event_name =
    known && shipmentEvents[known].towardsCustomer === group
      ? known
      : shipmentEventNames.find((name) => shipmentEvents[name].towardsCustomer === group);
  return event_name && { group, event_name };
}
