import type { MailedGroup } from '#schemas/catalogues/emails.ts';
import { groupOf, type ShipmentEventName, shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';
import type { MailedEvent } from '#schemas/families/emails.ts';

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
  event_name: MailedEvent;
  is_return: boolean;
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
  return_shipment_in_transit: 'RETURN_IN_PROGRESS',
  return_shipment_received: 'RETURN_TO_SENDER_COMPLETED',
};

/** One event that is mailed in this group. */
export function sampleOf(group: MailedGroup): Sample {
  if (group === 'claim_created') return { event_name: 'claims/created', is_return: false };
  if (group === 'claim_updated') return { event_name: 'claims/updated', is_return: false };
  const is_return = group.startsWith('return_');
  const isOfGroup = (name: ShipmentEventName) =>
    groupOf(name, is_return ? 'customer_merchant' : 'merchant_customer') === group;
  return { event_name: wellKnown[group] ?? shipmentEventNames.find(isOfGroup)!, is_return };
}
