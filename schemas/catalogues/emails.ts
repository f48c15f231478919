import { claimGroups, customerGroups, merchantGroups } from './shipment-events.ts';

/** What customers can be told by e-mail, and why something was not. */

/** A rule of the service sends the other groups, and they repeat what one of these says. */
export const mailedGroups = [...customerGroups, ...merchantGroups, ...claimGroups] as const;

export type MailedGroup = (typeof mailedGroups)[number];

export const isMailedGroup = (group: string | null): group is MailedGroup =>
  (mailedGroups as readonly (string | null)[]).includes(group);

/** What customers wait for. A shop that switches e-mails on sends these; the others it switches on itself. */
export const groupsOnFromTheStart: ReadonlySet<MailedGroup> = new Set([
  'shipment_in_transit',
  'shipment_carrier_delay',
  'shipment_out_for_delivery',
  'shipment_delivery_failed',
  'shipment_delivery_failed_forwarded_to_parcel_shop',
  'shipment_delivery_failed_address_issue',
  'shipment_delivery_second_attempt',
  'shipment_delivered',
  'shipment_delivered_to_neighbour',
  'shipment_delivered_to_letterbox',
  'shipment_delivered_to_parcel_shop',
  'shipment_delivered_to_parcel_locker',
  'shipment_picked_up',
  'return_shipment_received',
  'claim_created',
  'claim_updated',
]);

/** Why an e-mail was not sent. */
export const skipReasons = [
  'switched_off',
  'no_address',
  'suppressed',
  'stale',
  'earlier_than_sent',
  'already_sent',
  'simulated',
] as const;

export type SkipReason = (typeof skipReasons)[number];

/** Why an address gets no e-mails of a shop. */
export const suppressionReasons = ['bounce', 'complaint', 'unsubscribed'] as const;

export type SuppressionReason = (typeof suppressionReasons)[number];

/** What became of a mail after it was sent. */
export const mailFeedbacks = ['bounce', 'soft_bounce', 'complaint', 'delayed', 'rejected'] as const;

/** The receiver of e-mails in the log of deliveries, where an integration has its id. */
export const emailTarget = 'email';
