/**
 * The only catalogue of shipment events. For each of the contract's 159 names it gives the phase of the shipment after
 * the event, the notification for each direction, and whether the parcel is late or has a problem.
 *
 * The rules for each line:
 * - The phase says where the parcel is after the event. It is part of every `ref`. It is the same in both directions.
 *   Example: a scan in a depot is also `in_transit` on the way back. `returnEventNames` lists the exceptions.
 * - The group is the notification that fits best.
 * - A remark says nothing about where the parcel is. It has no group, so it notifies nobody, and the phase and the flag
 *   of its line are the shipment's only as long as nothing else is known. A request of the recipient is no remark, because
 *   it changes where or when the parcel arrives. Neither is an estimate that the parcel is late.
 * - `delay`: the parcel is late, and the carrier continues without help. `error`: the parcel does not reach its recipient,
 *   or only if somebody acts. The flag follows the consequence, not the word in the name.
 * - A longer name adds a reason to the shorter one (`DELIVERY_ATTEMPTED`, `DELIVERY_ATTEMPTED_ADDRESSEE_MOVED`).
 * - The sender is the person who sent this shipment. The customer is the sender of a shipment to the merchant.
 */

export const phases = [
  'collect',
  'delivery_failed',
  'delivered',
  'in_delivery',
  'in_transit',
  'order_created',
  'order_cancelled',
  'order_processed',
  'return_created',
  'return_failed',
  'return_received',
  'return_transit',
  'returned',
] as const;

export const directions = ['merchant_customer', 'customer_merchant', 'customer_partner', 'partner_customer'] as const;

export const flags = ['normal', 'delay', 'error'] as const;

export const customerGroups = [
  'shipment_pre_transit',
  'shipment_in_transit',
  'shipment_damaged',
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
  'shipment_failed_returned',
  'shipment_refused_then_returned',
  'shipment_not_picked_up_then_returned',
  'shipment_delayed_due_to_customer_request',
  'shipment_carrier_changed',
  'shipment_order_cancelled',
] as const;

export const merchantGroups = [
  'return_shipment_created',
  'return_shipment_in_transit',
  'return_shipment_received',
  'return_shipment_failed',
  'return_shipment_returned',
] as const;

/** A rule of the service sends these groups. The name of an event alone never does. */
const ruleGroups = ['shipment_delivered_all_events', 'shipment_internal_trigger'] as const;

export const claimGroups = ['claim_created', 'claim_updated'] as const;

export const eventGroups = [...customerGroups, ...ruleGroups, ...merchantGroups, ...claimGroups] as const;

export type Phase = (typeof phases)[number];
export type Direction = (typeof directions)[number];
type Flag = (typeof flags)[number];
export type EventGroup = (typeof eventGroups)[number];

type CustomerGroup = (typeof customerGroups)[number];
type MerchantGroup = (typeof merchantGroups)[number];

export interface ShipmentEvent {
  /** No name announces a return by itself. */
  phase: Exclude<Phase, 'return_created'>;
  towardsCustomer: CustomerGroup | null;
  towardsMerchant: MerchantGroup | null;
  flag: Flag;
}

function event(
  phase: ShipmentEvent['phase'],
  towardsCustomer: CustomerGroup | null,
  towardsMerchant: MerchantGroup | null,
  flag: Flag = 'normal',
): ShipmentEvent {
  return Object.freeze({ phase, towardsCustomer, towardsMerchant, flag });
}

const remark = (phase: ShipmentEvent['phase'], flag?: Flag) => event(phase, null, null, flag);

// Before the carrier has the parcel:
const ordered = event('order_created', 'shipment_pre_transit', 'return_shipment_created');
// Not `carrier_delay`: the sender still has the parcel, so the delay is not the carrier's.
const orderLate = event('order_created', 'shipment_pre_transit', 'return_shipment_created', 'delay');
const cancelled = event('order_cancelled', 'shipment_order_cancelled', 'return_shipment_failed');
const announced = event('order_processed', 'shipment_pre_transit', 'return_shipment_created');
const announcedLate = event('order_processed', 'shipment_pre_transit', 'return_shipment_created', 'delay');
const dataMissing = event('order_processed', 'shipment_pre_transit', 'return_shipment_created', 'error');
const notTakenOver = event('order_processed', 'shipment_pre_transit', 'return_shipment_failed', 'error');
const takenOverLate = event('order_processed', 'shipment_carrier_delay', 'return_shipment_created', 'delay');

// On its way:
const moving = event('in_transit', 'shipment_in_transit', 'return_shipment_in_transit');
const otherCarrier = event('in_transit', 'shipment_carrier_changed', 'return_shipment_in_transit');
const late = event('in_transit', 'shipment_carrier_delay', 'return_shipment_in_transit', 'delay');
const stuck = event('in_transit', 'shipment_carrier_delay', 'return_shipment_in_transit', 'error');
const otherTime = event('in_transit', 'shipment_delayed_due_to_customer_request', 'return_shipment_in_transit');
const lateAsAsked = event(
  'in_transit',
  'shipment_delayed_due_to_customer_request',
  'return_shipment_in_transit',
  'delay',
);
const damaged = event('in_transit', 'shipment_damaged', 'return_shipment_failed', 'error');
const onTheRound = event('in_delivery', 'shipment_out_for_delivery', 'return_shipment_in_transit');

// Waiting until the recipient collects it:
const inShop = event('collect', 'shipment_delivered_to_parcel_shop', 'return_shipment_in_transit');
const inLocker = event('collect', 'shipment_delivered_to_parcel_locker', 'return_shipment_in_transit');

// Arrived:
const delivered = event('delivered', 'shipment_delivered', 'return_shipment_received');
const inLetterbox = event('delivered', 'shipment_delivered_to_letterbox', 'return_shipment_received');
const atNeighbour = event('delivered', 'shipment_delivered_to_neighbour', 'return_shipment_received');
const collected = event('delivered', 'shipment_picked_up', 'return_shipment_received');

// Not arrived:
const missed = event('delivery_failed', 'shipment_delivery_failed', 'return_shipment_in_transit', 'delay');
const nextAttempt = event('delivery_failed', 'shipment_delivery_second_attempt', 'return_shipment_in_transit', 'delay');
const toShop = event(
  'delivery_failed',
  'shipment_delivery_failed_forwarded_to_parcel_shop',
  'return_shipment_in_transit',
  'delay',
);
const roundEnded = event('delivery_failed', 'shipment_carrier_delay', 'return_shipment_in_transit', 'delay');
const wrongAddress = event(
  'delivery_failed',
  'shipment_delivery_failed_address_issue',
  'return_shipment_failed',
  'error',
);
const failed = event('delivery_failed', 'shipment_delivery_failed', 'return_shipment_failed', 'error');

// On its way back, or back. The parcel does not reach its recipient, so this is always an error.
const returning = event('return_transit', 'shipment_failed_returned', 'return_shipment_returned', 'error');
const refused = event('return_transit', 'shipment_refused_then_returned', 'return_shipment_returned', 'error');
// For a parcel to the merchant, this name means that the return is moving forward, not that it turned round.
const returnMoving = event('return_transit', 'shipment_failed_returned', 'return_shipment_in_transit', 'error');
const returned = event('returned', 'shipment_failed_returned', 'return_shipment_returned', 'error');
const notCollected = event('returned', 'shipment_not_picked_up_then_returned', 'return_shipment_returned', 'error');
// The sender has the parcel. `returned` does not guarantee that.
const backInHand = event('return_received', 'shipment_failed_returned', 'return_shipment_returned', 'error');
// For a parcel to the merchant, this name ends what `returnMoving` began: the merchant has it.
const returnComplete = event('return_received', 'shipment_failed_returned', 'return_shipment_received', 'error');
// The parcel is neither delivered nor back, so the customer must not read that it was returned.
const returnFailed = event('return_failed', 'shipment_delivery_failed', 'return_shipment_failed', 'error');

export const shipmentEvents = {
  // The order, at the merchant
  ORDER_CREATED: ordered,
  ORDER_IN_PROCESSING: ordered, // not processed yet
  ORDER_DELAYED: orderLate,
  ORDER_PROCESSED: announced,
  ORDER_CANCELLED: cancelled,
  SHIPMENT_CANCELLED: cancelled, // the label was withdrawn before the carrier had the parcel

  // The carrier knows about the parcel but does not have it yet. A pickup is made by the carrier at the sender.
  PARCEL_DATA_SUBMITTED_TO_CARRIER: announced,
  PARCEL_DATA_SUBMISSION_DELAYED: announcedLate,
  ERROR_IN_PARCEL_DATA_SUBMISSION: notTakenOver,
  MISSING_SHIPMENT_INFORMATION: dataMissing,
  PICKUP_ATTEMPTED: announcedLate, // the carrier left without the parcel and comes again
  PICKUP_DELAYED: takenOverLate,
  PICKUP_FAILED: notTakenOver,

  // The carrier has the parcel from here on. The sender makes a drop-off. An arrival (below) is for the recipient.
  PICKUP_SUCCESSFUL: moving,
  PARCEL_DISPATCHED: moving,
  PARCEL_DROPPED_OFF_AT_PARCEL_LOCKER: moving,
  PARCEL_DROPPED_OFF_AT_POST_OFFICE: moving,
  PARCEL_DROPPED_OFF_IN_PARCEL_SHOP: moving,
  PARCEL_DROPPED_OFF_OVER_THE_COUNTER: moving,
  PARCEL_DROPPED_OFF_WITH_CARRIER: moving,
  PARCEL_COLLECTED_FROM_DROP_OFF_LOCATION: moving,
  PROCEEDING_TO_CARRIER_FACILITY: moving,
  ACCEPTED_BY_ORIGIN_OFFICE: moving,

  // Sorted and carried
  ARRIVED_AT_SORTING_CENTER: moving,
  AT_SORTING_CENTER: moving,
  SCANNED_AT_PROCESSING_CENTER: moving,
  ENCODING_STARTED_AT_PROCESSING_CENTER: moving,
  ENCODING_COMPLETED_AT_PROCESSING_CENTER: moving,
  SORTING_STARTED_AT_PROCESSING_CENTER: moving,
  SORTING_COMPLETED_AT_PROCESSING_CENTER: moving,
  DISPATCHING_STARTED_AT_PROCESSING_CENTER: moving,
  DISPATCHED_FROM_SORTING_CENTER: moving,
  ASSIGNED_TO_TRANSPORT: moving,
  TRANSPORT_DEPARTED: moving,
  TRANSPORT_ARRIVED: moving,
  OUTBOUND_TRUCK_DEPARTED: moving,
  INBOUND_TRUCK_ARRIVED: moving,
  OUTBOUND_FLIGHT_DEPARTED: moving,
  INBOUND_FLIGHT_ARRIVED: moving,
  ARRIVAL_AT_TRANSPORT_HUB: moving,
  AT_TRANSPORT_HUB: moving,
  PROCESSING_AT_TRANSPORT_HUB: moving,
  DEPARTURE_FROM_TRANSPORT_HUB: moving,
  RECEIPT_AT_FORWARDING_DEPOT: moving,
  DISPATCHED_FROM_FORWARDING_DEPOT: moving,
  SHIPMENT_EN_ROUTE: moving,
  ARRIVAL_IN_DESTINATION_COUNTRY: moving,
  ACCEPTED_BY_DESTINATION_OFFICE: moving,
  SHIPMENT_INFO_SENT_TO_LAST_MILE_SERVICE_PROVIDER: moving, // only its data went ahead: the carrier is still the same
  HANDED_OVER_TO_DELIVERY_PARTNER: otherCarrier,
  PARCEL_TRANSFERRED_TO_THIRD_PARTY: otherCarrier,
  FAILED_TO_HAND_OVER_TO_DELIVERY_PARTNER: late,

  // Customs: passing them takes its time and is no delay, being held there is
  START_OF_EXPORT_PROCESSING: moving,
  EXPORT_PROCESSING: moving,
  COMPLETION_OF_EXPORT_PROCESSING: moving,
  HELD_AT_EXPORT_PROCESSING: late,
  START_OF_CUSTOMS_PROCESSING: moving,
  CUSTOMS_PROCESSING: moving,
  COMPLETION_OF_CUSTOMS_PROCESSING: moving,
  ISSUES_IN_PROCESSING_BY_CUSTOMS_AUTHORITIES: late,
  HELD_AT_CUSTOMS: late,
  HELD_AT_CUSTOMS_FOR_ADDITIONAL_PAYMENT: stuck, // until somebody pays
  HELD_AT_CUSTOMS_FOR_CLARIFICATIONS: stuck, // until somebody answers

  // Late in the carrier's network
  DELAY_EXPECTED: late,
  DELAY_IN_TRANSPORT: late,
  DELAY_IN_TRANSPORT_MISROUTED_SHIPMENT: late,
  DELAY_IN_TRANSPORT_OFFLOADED_SHIPMENT: late,
  SHIPMENT_MISROUTED: late,
  SHIPMENT_ON_HOLD_IN_DELIVERY_CENTER: late,
  ENCODING_ERROR_IN_PROCESSING_AT_SORTING_CENTER: late, // people sort the parcel by hand if a machine cannot read the label
  SORTING_ERROR_IN_PROCESSING_AT_SORTING_CENTER: late,
  ERROR_IN_PROCESSING_AT_SORTING_CENTER: late,
  SHIPMENT_DAMAGED: damaged, // carriers usually repack the parcel and continue, so it is still in transit

  // Near the recipient, and requests of the recipient
  ARRIVAL_AT_FINAL_DELIVERY_CENTER: moving,
  SHIPMENT_AT_FINAL_DELIVERY_CENTER: moving,
  PROCESSED_AT_DELIVERY_CENTER: moving,
  DELIVERY_SCHEDULED_IN_THE_FINAL_DELIVERY_DEPOT: moving,
  DELIVERY_OPTION_REQUESTED_BY_RECEIVER: moving,
  DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED: moving,
  DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED_LOCKER: moving,
  DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED_SHOP: moving,
  PACKAGE_REROUTING_CANCELED_ROUTE_TO_HOME: moving,
  DELIVERY_OPTION_ALTERNATE_TIME_REQUESTED: otherTime, // the recipient agreed, so the parcel is not late
  SHIPMENT_DELAYED_DUE_TO_CUSTOMER_REQUEST: lateAsAsked,
  SHIPMENT_ON_ITS_WAY_TO_PICKUP_LOCATION: moving, // not out for delivery, because nobody needs to stay at home

  // Remarks
  SHIPMENT_UPDATED_ETA: remark('in_transit'), // another estimate, made wherever the parcel is
  NOTIFICATION_SENT_TO_RECIPIENT: remark('in_transit'), // of the carrier's mail, not of the parcel
  MORE_INFO_ON_CARRIER_WEBSITE: remark('in_transit'), // does not say what the information is
  PATCHED: remark('in_transit'), // a correction of the record
  SHIPMENT_UPDATED_PICKUP: remark('collect'), // another place or deadline, often before the parcel is there
  CARRIER_UNKNOWN: remark('order_processed', 'error'), // of our knowledge: the parcel moves on, but gets no updates

  // On the courier's round
  DISPATCHED_FROM_DELIVERY_CENTER: onTheRound, // the last building before the door
  OUT_FOR_DELIVERY: onTheRound,
  IN_DELIVERY: onTheRound,

  // Waiting to be collected
  PARCEL_READY_FOR_PICKUP: inShop,
  ARRIVED_AT_PICKUP_POINT: inShop,
  ARRIVED_AT_PARCEL_SHOP: inShop,
  ARRIVED_AT_POST_OFFICE: inShop, // a counter to collect at, like a shop
  ARRIVED_AT_PARCEL_LOCKER: inLocker,
  ARRIVED_AT_COMMUNITY_BOX: inLocker, // a compartment in a shared box

  // Delivered, or collected by the recipient
  SUCCESSFULLY_DELIVERED: delivered,
  SUCCESSFULLY_DELIVERED_AND_CASH_ON_DELIVERY_COLLECTED: delivered,
  SUCCESSFULLY_DELIVERED_AND_LEFT_AT_DOOR: delivered,
  SUCCESSFULLY_DELIVERED_AND_PROOF_OF_DELIVERY_COLLECTED: delivered,
  USER_SUCCESSFULLY_DELIVERED: delivered, // the recipient confirmed the delivery
  SUCCESSFULLY_DELIVERED_AND_LEFT_AT_LETTER_BOX: inLetterbox,
  SUCCESSFULLY_DELIVERED_TO_THE_COMMUNITY_MAILBOX: inLetterbox,
  SUCCESSFULLY_DELIVERED_TO_NEIGHBOR: atNeighbour,
  SUCCESSFULLY_COLLECTED: collected,
  SUCCESSFULLY_COLLECTED_AT_PARCEL_LOCKER: collected,
  SUCCESSFULLY_COLLECTED_AT_PARCEL_SHOP: collected,
  SUCCESSFULLY_COLLECTED_AT_POST_OFFICE: collected,

  // The round ended without a delivery, and the carrier continues
  DELIVERY_ATTEMPTED: missed,
  DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME: missed,
  DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME_CARD_LEFT: missed,
  DELIVERY_ATTEMPTED_CASH_ON_DELIVERY_AMOUNT_NOT_READY: missed,
  DELIVERY_ATTEMPTED_RECIPIENT_VERIFICATION_UNSUCCESSFUL: missed,
  DELIVERY_ATTEMPTED_FAILED_WILL_TRY_AGAIN: nextAttempt,
  DELIVERY_ATTEMPTED_FORWARDING_TO_PICKUP_LOCATION: toShop,
  NO_DELIVERY_ATTEMPT_ON_ROUTE: roundEnded, // the courier did not come, so the carrier caused the delay
  RETURNED_TO_DELIVERY_DEPOT: roundEnded, // a delivery attempt has its own event

  // Not delivered, and no delivery is planned
  DELIVERY_ATTEMPTED_ADDRESSEE_MOVED: wrongAddress,
  DELIVERY_ATTEMPTED_ADDRESSEE_NOT_KNOWN_AT_ADDRESS: wrongAddress,
  DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND: wrongAddress,
  DELIVERY_ATTEMPTED_REJECTED_BY_ADDRESSEE: failed, // refused, but not sent back yet
  DELIVERY_ATTEMPTED_LAST_ATTEMPT: failed,
  ATTEMPTED_DELIVERY_UNDELIVERABLE: failed,
  DELIVERY_LAPSED: failed,
  DELIVERY_FAILED_SHIPMENT_DESTROYED: failed,
  SHIPMENT_LOST: failed, // also if it was lost in transit, because it no longer moves
  SHIPMENT_LOST_IN_DELIVERY: failed,
  SHIPMENT_LOST_IN_PROCESSING: failed,
  SHIPMENT_LOST_IN_SORTING_CENTER: failed,
  SHIPMENT_LOST_IN_TRANSIT: failed,
  SHIPMENT_LOST_IN_TRANSPORT: failed,
  SHIPMENT_LOST_UNKNOWN_REASON: failed,
  SHIPMENT_NEVER_ARRIVED: failed,

  // On its way back
  RETURN_IN_PROGRESS: returnMoving,
  SHIPMENT_RETURNING_TO_SENDER: returning,
  SHIPMENT_REJECTED_RETURNING_TO_SENDER: refused,

  // Back at the carrier's base, in the country of origin, or at the sender
  SHIPMENT_RETURNED_TO_SENDER: returned,
  SHIPMENT_RETURNED_TO_ORIGIN_COUNTRY: returned,
  RETURN_TO_ORIGIN_COUNTRY_COMPLETED: returned, // in the country, but the sender does not have it yet
  SHIPMENT_NOT_PICKED_UP_RETURNED_TO_BASE: notCollected,
  SHIPMENT_NOT_PICKED_UP_RETURNED_TO_ORIGIN_COUNTRY: notCollected,
  SHIPMENT_NOT_PICKED_UP_FROM_DEPOT_RETURNED_TO_BASE: notCollected,
  SHIPMENT_NOT_PICKED_UP_FROM_DEPOT_RETURNED_TO_ORIGIN_COUNTRY: notCollected,
  SHIPMENT_NOT_PICKED_UP_FROM_PARCEL_LOCKER_RETURNED_TO_BASE: notCollected,
  SHIPMENT_NOT_PICKED_UP_FROM_PARCEL_LOCKER_RETURNED_TO_ORIGIN_COUNTRY: notCollected,
  SHIPMENT_NOT_PICKED_UP_FROM_PARCEL_SHOP_RETURNED_TO_BASE: notCollected,
  SHIPMENT_NOT_PICKED_UP_FROM_PARCEL_SHOP_RETURNED_TO_ORIGIN_COUNTRY: notCollected,
  SHIPMENT_NOT_PICKED_UP_FROM_POST_OFFICE_RETURNED_TO_BASE: notCollected,
  SHIPMENT_NOT_PICKED_UP_FROM_POST_OFFICE_RETURNED_TO_ORIGIN_COUNTRY: notCollected,

  // Handed to its sender
  RETURN_TO_SENDER_COMPLETED: returnComplete,
  SHIPMENT_SUCCESSFULLY_RETURNED_TO_SENDER: backInHand,

  // The parcel did not get back to the sender
  RETURN_TO_SENDER_FAILED: returnFailed,
  RETURN_TO_SENDER_FAILED_RECIPIENT_VERIFICATION: returnFailed,
  RETURN_TO_ORIGIN_COUNTRY_FAILED: returnFailed,
  RETURN_TO_ORIGIN_COUNTRY_CANCELLED: returnFailed,
} as const satisfies Record<string, ShipmentEvent>;

export type ShipmentEventName = keyof typeof shipmentEvents;
export type ShipmentRef = `shipments/${Phase}/${ShipmentEventName}`;

export const shipmentEventNames = Object.keys(shipmentEvents) as ShipmentEventName[];

/** A return begins with the same names as an order. There they announce the return, in the phase `return_created`. */
export const returnEventNames = ['ORDER_CREATED', 'ORDER_PROCESSED'] as const satisfies readonly ShipmentEventName[];

type ReturnEventName = (typeof returnEventNames)[number];

export function isShipmentEventName(name: string): name is ShipmentEventName {
  return Object.hasOwn(shipmentEvents, name);
}

export function isTowardsMerchant(direction: Direction): boolean {
  return direction === 'customer_merchant' || direction === 'customer_partner';
}

/** Whether the event says nothing about where the parcel is. */
export const isRemark = (name: ShipmentEventName): boolean => shipmentEvents[name].towardsCustomer === null;

/** The notification that an event sends. Null: the event never notifies. */
export function groupOf(name: ShipmentEventName, direction: Direction): EventGroup | null {
  const { towardsCustomer, towardsMerchant } = shipmentEvents[name];
  return isTowardsMerchant(direction) ? towardsMerchant : towardsCustomer;
}

export function phaseOf(name: ShipmentEventName, direction: Direction): Phase {
  const announcesReturn = isTowardsMerchant(direction) && (returnEventNames as readonly string[]).includes(name);
  return announcesReturn ? 'return_created' : shipmentEvents[name].phase;
}

/** On a return, an event that elsewhere says that the parcel turned round is good news: the return goes on or is complete. */
export function flagOf(name: ShipmentEventName, direction: Direction): Flag {
  const { phase, towardsMerchant, flag } = shipmentEvents[name];
  const isGoodNews = phase.startsWith('return_') && goodNews.has(towardsMerchant);
  return isTowardsMerchant(direction) && isGoodNews ? 'normal' : flag;
}

const goodNews: ReadonlySet<MerchantGroup | null> = new Set(['return_shipment_in_transit', 'return_shipment_received']);

/** Where a return is, for people: the customer sends it, and the shop receives it. */
export type ReturnState = 'registered' | 'on_the_way' | 'delayed' | 'received' | 'sent_back' | 'failed' | 'cancelled';

export function returnStateOf(name: ShipmentEventName): ReturnState {
  const { phase, towardsMerchant } = shipmentEvents[name];
  if (phase === 'order_cancelled') return 'cancelled';
  if (towardsMerchant === 'return_shipment_received') return 'received';
  if (towardsMerchant === 'return_shipment_returned') return 'sent_back';
  // A damaged parcel usually continues.
  if (towardsMerchant === 'return_shipment_failed' && phase !== 'in_transit') return 'failed';
  if (phase === 'order_created' || phase === 'order_processed') return 'registered';
  return flagOf(name, 'customer_merchant') === 'normal' ? 'on_the_way' : 'delayed';
}

/** The words that an event has on a return instead of its own. Undefined: its own are true there too. */
export type ReturnWords = ReturnEventName | 'collect' | 'received' | 'cancelled' | 'failed';

export function returnWordsOf(name: ShipmentEventName): ReturnWords | undefined {
  const { phase, towardsMerchant } = shipmentEvents[name];
  const state = returnStateOf(name);
  if (name === 'ORDER_PROCESSED') return name;
  if (phase === 'order_created') return 'ORDER_CREATED';
  if (state === 'received' || state === 'cancelled') return state;
  if (phase === 'collect' && towardsMerchant !== null) return 'collect';
  return phase === 'return_failed' ? 'failed' : undefined;
}

export function refOf(name: ShipmentEventName, direction: Direction): ShipmentRef {
  return `shipments/${phaseOf(name, direction)}/${name}`;
}

/** @param ref of a shipment event */
export const phaseOfRef = (ref: string): Phase => ref.split('/')[1] as Phase;

/** All refs that the event has: one, or another one on a return. */
export function refsOf(name: ShipmentEventName): ShipmentRef[] {
  return [...new Set(directions.map((direction) => refOf(name, direction)))];
}

const phasesWithoutCarrier: ReadonlySet<Phase> = new Set(['order_created', 'order_processed', 'order_cancelled']);

/** Whether the event can happen before a carrier has the parcel: it comes before the transit, or cancels the shipment. */
export function isPossibleWithoutCarrier(name: ShipmentEventName): boolean {
  return phasesWithoutCarrier.has(shipmentEvents[name].phase);
}
