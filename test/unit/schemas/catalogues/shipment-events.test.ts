import { expect, test } from 'vitest';
import {
  directions,
  eventGroups,
  flagOf,
  flags,
  groupOf,
  isPossibleWithoutCarrier,
  isRemark,
  isShipmentEventName,
  isTowardsMerchant,
  phaseOf,
  phaseOfRef,
  phases,
  refOf,
  refsOf,
  type ShipmentEventName,
  shipmentEventNames,
  shipmentEvents,
} from '#schemas/catalogues/shipment-events.ts';

/**
 * The contract's names in its order, each with its phase, its group towards the customer (`shipment_…`), its group
 * towards the merchant (`return_shipment_…`) and its flag; a dash is no group.
 */
const expectedRows = `
  ACCEPTED_BY_DESTINATION_OFFICE in_transit in_transit in_transit normal
  ACCEPTED_BY_ORIGIN_OFFICE in_transit in_transit in_transit normal
  ARRIVAL_AT_FINAL_DELIVERY_CENTER in_transit in_transit in_transit normal
  ARRIVAL_AT_TRANSPORT_HUB in_transit in_transit in_transit normal
  ARRIVAL_IN_DESTINATION_COUNTRY in_transit in_transit in_transit normal
  ARRIVED_AT_COMMUNITY_BOX collect delivered_to_parcel_locker in_transit normal
  ARRIVED_AT_PARCEL_LOCKER collect delivered_to_parcel_locker in_transit normal
  ARRIVED_AT_PARCEL_SHOP collect delivered_to_parcel_shop in_transit normal
  ARRIVED_AT_PICKUP_POINT collect delivered_to_parcel_shop in_transit normal
  ARRIVED_AT_POST_OFFICE collect delivered_to_parcel_shop in_transit normal
  ARRIVED_AT_SORTING_CENTER in_transit in_transit in_transit normal
  ASSIGNED_TO_TRANSPORT in_transit in_transit in_transit normal
  ATTEMPTED_DELIVERY_UNDELIVERABLE delivery_failed delivery_failed failed error
  AT_SORTING_CENTER in_transit in_transit in_transit normal
  AT_TRANSPORT_HUB in_transit in_transit in_transit normal
  CARRIER_UNKNOWN order_processed - - error
  COMPLETION_OF_CUSTOMS_PROCESSING in_transit in_transit in_transit normal
  COMPLETION_OF_EXPORT_PROCESSING in_transit in_transit in_transit normal
  CUSTOMS_PROCESSING in_transit in_transit in_transit normal
  DELAY_EXPECTED in_transit carrier_delay in_transit delay
  DELAY_IN_TRANSPORT in_transit carrier_delay in_transit delay
  DELAY_IN_TRANSPORT_MISROUTED_SHIPMENT in_transit carrier_delay in_transit delay
  DELAY_IN_TRANSPORT_OFFLOADED_SHIPMENT in_transit carrier_delay in_transit delay
  DELIVERY_ATTEMPTED delivery_failed delivery_failed in_transit delay
  DELIVERY_ATTEMPTED_ADDRESSEE_MOVED delivery_failed delivery_failed_address_issue failed error
  DELIVERY_ATTEMPTED_ADDRESSEE_NOT_KNOWN_AT_ADDRESS delivery_failed delivery_failed_address_issue failed error
  DELIVERY_ATTEMPTED_ADDRESS_COULD_NOT_BE_FOUND delivery_failed delivery_failed_address_issue failed error
  DELIVERY_ATTEMPTED_CASH_ON_DELIVERY_AMOUNT_NOT_READY delivery_failed delivery_failed in_transit delay
  DELIVERY_ATTEMPTED_FAILED_WILL_TRY_AGAIN delivery_failed delivery_second_attempt in_transit delay
  DELIVERY_ATTEMPTED_FORWARDING_TO_PICKUP_LOCATION delivery_failed delivery_failed_forwarded_to_parcel_shop in_transit delay
  DELIVERY_ATTEMPTED_LAST_ATTEMPT delivery_failed delivery_failed failed error
  DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME delivery_failed delivery_failed in_transit delay
  DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME_CARD_LEFT delivery_failed delivery_failed in_transit delay
  DELIVERY_ATTEMPTED_RECIPIENT_VERIFICATION_UNSUCCESSFUL delivery_failed delivery_failed in_transit delay
  DELIVERY_ATTEMPTED_REJECTED_BY_ADDRESSEE delivery_failed delivery_failed failed error
  DELIVERY_FAILED_SHIPMENT_DESTROYED delivery_failed delivery_failed failed error
  DELIVERY_LAPSED delivery_failed delivery_failed failed error
  DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED in_transit in_transit in_transit normal
  DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED_LOCKER in_transit in_transit in_transit normal
  DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED_SHOP in_transit in_transit in_transit normal
  DELIVERY_OPTION_ALTERNATE_TIME_REQUESTED in_transit delayed_due_to_customer_request in_transit normal
  DELIVERY_OPTION_REQUESTED_BY_RECEIVER in_transit in_transit in_transit normal
  DELIVERY_SCHEDULED_IN_THE_FINAL_DELIVERY_DEPOT in_transit in_transit in_transit normal
  DEPARTURE_FROM_TRANSPORT_HUB in_transit in_transit in_transit normal
  DISPATCHED_FROM_DELIVERY_CENTER in_delivery out_for_delivery in_transit normal
  DISPATCHED_FROM_FORWARDING_DEPOT in_transit in_transit in_transit normal
  DISPATCHED_FROM_SORTING_CENTER in_transit in_transit in_transit normal
  DISPATCHING_STARTED_AT_PROCESSING_CENTER in_transit in_transit in_transit normal
  ENCODING_COMPLETED_AT_PROCESSING_CENTER in_transit in_transit in_transit normal
  ENCODING_ERROR_IN_PROCESSING_AT_SORTING_CENTER in_transit carrier_delay in_transit delay
  ENCODING_STARTED_AT_PROCESSING_CENTER in_transit in_transit in_transit normal
  ERROR_IN_PARCEL_DATA_SUBMISSION order_processed pre_transit failed error
  ERROR_IN_PROCESSING_AT_SORTING_CENTER in_transit carrier_delay in_transit delay
  EXPORT_PROCESSING in_transit in_transit in_transit normal
  FAILED_TO_HAND_OVER_TO_DELIVERY_PARTNER in_transit carrier_delay in_transit delay
  HANDED_OVER_TO_DELIVERY_PARTNER in_transit carrier_changed in_transit normal
  HELD_AT_CUSTOMS in_transit carrier_delay in_transit delay
  HELD_AT_CUSTOMS_FOR_ADDITIONAL_PAYMENT in_transit carrier_delay in_transit error
  HELD_AT_CUSTOMS_FOR_CLARIFICATIONS in_transit carrier_delay in_transit error
  HELD_AT_EXPORT_PROCESSING in_transit carrier_delay in_transit delay
  INBOUND_FLIGHT_ARRIVED in_transit in_transit in_transit normal
  INBOUND_TRUCK_ARRIVED in_transit in_transit in_transit normal
  IN_DELIVERY in_delivery out_for_delivery in_transit normal
  ISSUES_IN_PROCESSING_BY_CUSTOMS_AUTHORITIES in_transit carrier_delay in_transit delay
  MISSING_SHIPMENT_INFORMATION order_processed pre_transit created error
  MORE_INFO_ON_CARRIER_WEBSITE in_transit - - normal
  NOTIFICATION_SENT_TO_RECIPIENT in_transit - - normal
  NO_DELIVERY_ATTEMPT_ON_ROUTE delivery_failed carrier_delay in_transit delay
  ORDER_CANCELLED order_cancelled order_cancelled failed normal
  ORDER_CREATED order_created pre_transit created normal
  ORDER_DELAYED order_created pre_transit created delay
  ORDER_IN_PROCESSING order_created pre_transit created normal
  ORDER_PROCESSED order_processed pre_transit created normal
  OUTBOUND_FLIGHT_DEPARTED in_transit in_transit in_transit normal
  OUTBOUND_TRUCK_DEPARTED in_transit in_transit in_transit normal
  OUT_FOR_DELIVERY in_delivery out_for_delivery in_transit normal
  PACKAGE_REROUTING_CANCELED_ROUTE_TO_HOME in_transit in_transit in_transit normal
  PARCEL_COLLECTED_FROM_DROP_OFF_LOCATION in_transit in_transit in_transit normal
  PARCEL_DATA_SUBMISSION_DELAYED order_processed pre_transit created delay
  PARCEL_DATA_SUBMITTED_TO_CARRIER order_processed pre_transit created normal
  PARCEL_DISPATCHED in_transit in_transit in_transit normal
  PARCEL_DROPPED_OFF_AT_PARCEL_LOCKER in_transit in_transit in_transit normal
  PARCEL_DROPPED_OFF_AT_POST_OFFICE in_transit in_transit in_transit normal
  PARCEL_DROPPED_OFF_IN_PARCEL_SHOP in_transit in_transit in_transit normal
  PARCEL_DROPPED_OFF_OVER_THE_COUNTER in_transit in_transit in_transit normal
  PARCEL_DROPPED_OFF_WITH_CARRIER in_transit in_transit in_transit normal
  PARCEL_READY_FOR_PICKUP collect delivered_to_parcel_shop in_transit normal
  PARCEL_TRANSFERRED_TO_THIRD_PARTY in_transit carrier_changed in_transit normal
  PATCHED in_transit - - normal
  PICKUP_ATTEMPTED order_processed pre_transit created delay
  PICKUP_DELAYED order_processed carrier_delay created delay
  PICKUP_FAILED order_processed pre_transit failed error
  PICKUP_SUCCESSFUL in_transit in_transit in_transit normal
  PROCEEDING_TO_CARRIER_FACILITY in_transit in_transit in_transit normal
  PROCESSED_AT_DELIVERY_CENTER in_transit in_transit in_transit normal
  PROCESSING_AT_TRANSPORT_HUB in_transit in_transit in_transit normal
  RECEIPT_AT_FORWARDING_DEPOT in_transit in_transit in_transit normal
  RETURNED_TO_DELIVERY_DEPOT delivery_failed carrier_delay in_transit delay
  RETURN_IN_PROGRESS return_transit failed_returned in_transit error
  RETURN_TO_ORIGIN_COUNTRY_CANCELLED return_failed delivery_failed failed error
  RETURN_TO_ORIGIN_COUNTRY_COMPLETED returned failed_returned returned error
  RETURN_TO_ORIGIN_COUNTRY_FAILED return_failed delivery_failed failed error
  RETURN_TO_SENDER_COMPLETED return_received failed_returned received error
  RETURN_TO_SENDER_FAILED return_failed delivery_failed failed error
  RETURN_TO_SENDER_FAILED_RECIPIENT_VERIFICATION return_failed delivery_failed failed error
  SCANNED_AT_PROCESSING_CENTER in_transit in_transit in_transit normal
  SHIPMENT_AT_FINAL_DELIVERY_CENTER in_transit in_transit in_transit normal
  SHIPMENT_CANCELLED order_cancelled order_cancelled failed normal
  SHIPMENT_DAMAGED in_transit damaged failed error
  SHIPMENT_DELAYED_DUE_TO_CUSTOMER_REQUEST in_transit delayed_due_to_customer_request in_transit delay
  SHIPMENT_EN_ROUTE in_transit in_transit in_transit normal
  SHIPMENT_INFO_SENT_TO_LAST_MILE_SERVICE_PROVIDER in_transit in_transit in_transit normal
  SHIPMENT_LOST delivery_failed delivery_failed failed error
  SHIPMENT_LOST_IN_DELIVERY delivery_failed delivery_failed failed error
  SHIPMENT_LOST_IN_PROCESSING delivery_failed delivery_failed failed error
  SHIPMENT_LOST_IN_SORTING_CENTER delivery_failed delivery_failed failed error
  SHIPMENT_LOST_IN_TRANSIT delivery_failed delivery_failed failed error
  SHIPMENT_LOST_IN_TRANSPORT delivery_failed delivery_failed failed error
  SHIPMENT_LOST_UNKNOWN_REASON delivery_failed delivery_failed failed error
  SHIPMENT_MISROUTED in_transit carrier_delay in_transit delay
  SHIPMENT_NEVER_ARRIVED delivery_failed delivery_failed failed error
  SHIPMENT_NOT_PICKED_UP_FROM_DEPOT_RETURNED_TO_BASE returned not_picked_up_then_returned returned error
  SHIPMENT_NOT_PICKED_UP_FROM_DEPOT_RETURNED_TO_ORIGIN_COUNTRY returned not_picked_up_then_returned returned error
  SHIPMENT_NOT_PICKED_UP_FROM_PARCEL_LOCKER_RETURNED_TO_BASE returned not_picked_up_then_returned returned error
  SHIPMENT_NOT_PICKED_UP_FROM_PARCEL_LOCKER_RETURNED_TO_ORIGIN_COUNTRY returned not_picked_up_then_returned returned error
  SHIPMENT_NOT_PICKED_UP_FROM_PARCEL_SHOP_RETURNED_TO_BASE returned not_picked_up_then_returned returned error
  SHIPMENT_NOT_PICKED_UP_FROM_PARCEL_SHOP_RETURNED_TO_ORIGIN_COUNTRY returned not_picked_up_then_returned returned error
  SHIPMENT_NOT_PICKED_UP_FROM_POST_OFFICE_RETURNED_TO_BASE returned not_picked_up_then_returned returned error
  SHIPMENT_NOT_PICKED_UP_FROM_POST_OFFICE_RETURNED_TO_ORIGIN_COUNTRY returned not_picked_up_then_returned returned error
  SHIPMENT_NOT_PICKED_UP_RETURNED_TO_BASE returned not_picked_up_then_returned returned error
  SHIPMENT_NOT_PICKED_UP_RETURNED_TO_ORIGIN_COUNTRY returned not_picked_up_then_returned returned error
  SHIPMENT_ON_HOLD_IN_DELIVERY_CENTER in_transit carrier_delay in_transit delay
  SHIPMENT_ON_ITS_WAY_TO_PICKUP_LOCATION in_transit in_transit in_transit normal
  SHIPMENT_REJECTED_RETURNING_TO_SENDER return_transit refused_then_returned returned error
  SHIPMENT_RETURNED_TO_ORIGIN_COUNTRY returned failed_returned returned error
  SHIPMENT_RETURNED_TO_SENDER returned failed_returned returned error
  SHIPMENT_RETURNING_TO_SENDER return_transit failed_returned returned error
  SHIPMENT_SUCCESSFULLY_RETURNED_TO_SENDER return_received failed_returned returned error
  SHIPMENT_UPDATED_ETA in_transit - - normal
  SHIPMENT_UPDATED_PICKUP collect - - normal
  SORTING_COMPLETED_AT_PROCESSING_CENTER in_transit in_transit in_transit normal
  SORTING_ERROR_IN_PROCESSING_AT_SORTING_CENTER in_transit carrier_delay in_transit delay
  SORTING_STARTED_AT_PROCESSING_CENTER in_transit in_transit in_transit normal
  START_OF_CUSTOMS_PROCESSING in_transit in_transit in_transit normal
  START_OF_EXPORT_PROCESSING in_transit in_transit in_transit normal
  SUCCESSFULLY_COLLECTED delivered picked_up received normal
  SUCCESSFULLY_COLLECTED_AT_PARCEL_LOCKER delivered picked_up received normal
  SUCCESSFULLY_COLLECTED_AT_PARCEL_SHOP delivered picked_up received normal
  SUCCESSFULLY_COLLECTED_AT_POST_OFFICE delivered picked_up received normal
  SUCCESSFULLY_DELIVERED delivered delivered received normal
  SUCCESSFULLY_DELIVERED_AND_CASH_ON_DELIVERY_COLLECTED delivered delivered received normal
  SUCCESSFULLY_DELIVERED_AND_LEFT_AT_DOOR delivered delivered received normal
  SUCCESSFULLY_DELIVERED_AND_LEFT_AT_LETTER_BOX delivered delivered_to_letterbox received normal
  SUCCESSFULLY_DELIVERED_AND_PROOF_OF_DELIVERY_COLLECTED delivered delivered received normal
  SUCCESSFULLY_DELIVERED_TO_NEIGHBOR delivered delivered_to_neighbour received normal
  SUCCESSFULLY_DELIVERED_TO_THE_COMMUNITY_MAILBOX delivered delivered_to_letterbox received normal
  TRANSPORT_ARRIVED in_transit in_transit in_transit normal
  TRANSPORT_DEPARTED in_transit in_transit in_transit normal
  USER_SUCCESSFULLY_DELIVERED delivered delivered received normal
`;

interface Row {
  name: ShipmentEventName;
  phase: string;
  towardsCustomer: string | null;
  towardsMerchant: string | null;
  flag: string;
}

const group = (prefix: string, word: string) => (word === '-' ? null : `${prefix}${word}`);

const rows = expectedRows
  .trim()
  .split('\n')
  .map((line): Row => {
    const [name, phase, customer, merchant, flag] = line.trim().split(' ') as [string, string, string, string, string];
    return {
      name: name as ShipmentEventName,
      phase,
      towardsCustomer: group('shipment_', customer),
      towardsMerchant: group('return_shipment_', merchant),
      flag,
    };
  });

const words = (text: string) => text.trim().split(/\s+/);

const groupsOfTheContract = words(`
  shipment_pre_transit shipment_in_transit shipment_damaged shipment_carrier_delay shipment_out_for_delivery
  shipment_delivery_failed shipment_delivery_failed_forwarded_to_parcel_shop shipment_delivery_failed_address_issue
  shipment_delivery_second_attempt shipment_delivered shipment_delivered_to_neighbour shipment_delivered_to_letterbox
  shipment_delivered_to_parcel_shop shipment_delivered_to_parcel_locker shipment_picked_up shipment_failed_returned
  shipment_refused_then_returned shipment_not_picked_up_then_returned shipment_delayed_due_to_customer_request
  shipment_delivered_all_events shipment_internal_trigger shipment_carrier_changed shipment_order_cancelled
  return_shipment_created return_shipment_in_transit return_shipment_received return_shipment_failed
  return_shipment_returned claim_created claim_updated
`);

const namesWhere = (holds: (event: (typeof shipmentEvents)[ShipmentEventName]) => boolean) =>
  shipmentEventNames.filter((name) => holds(shipmentEvents[name]));

test.each(rows)(
  '$name has the phase $phase, the groups $towardsCustomer and $towardsMerchant, and the flag $flag',
  ({ name, ...expected }) => {
    expect(shipmentEvents[name]).toEqual(expected);
  },
);

test('the catalogue holds exactly the 159 names of the contract', () => {
  expect(shipmentEventNames).toHaveLength(159);
  expect([...shipmentEventNames].sort()).toEqual(rows.map(({ name }) => name).sort());
});

test('the phases, directions, flags and groups are those of the contract', () => {
  expect([...phases].sort()).toEqual(
    words(`collect delivered delivery_failed in_delivery in_transit order_cancelled order_created order_processed
      return_created return_failed return_received return_transit returned`),
  );
  expect(directions).toEqual(['merchant_customer', 'customer_merchant', 'customer_partner', 'partner_customer']);
  expect(flags).toEqual(['normal', 'delay', 'error']);
  expect([...eventGroups].sort()).toEqual([...groupsOfTheContract].sort());
});

test('every phase is reached by an event in some direction', () => {
  const reached = shipmentEventNames.flatMap((name) => directions.map((direction) => phaseOf(name, direction)));
  expect([...new Set(reached)].sort()).toEqual([...phases].sort());
});

test.each(['customer_merchant', 'customer_partner'] as const)(
  'on a shipment %s, ORDER_CREATED and ORDER_PROCESSED have the phase return_created, and no other event differs',
  (direction) => {
    const others = shipmentEventNames.filter((name) => phaseOf(name, direction) !== shipmentEvents[name].phase);
    expect(others).toEqual(['ORDER_CREATED', 'ORDER_PROCESSED']);
    for (const name of others) expect(refOf(name, direction)).toBe(`shipments/return_created/${name}`);
  },
);

test.each(['merchant_customer', 'partner_customer'] as const)(
  'on a shipment %s, every event has the phase of its row',
  (direction) => {
    for (const name of shipmentEventNames) expect(phaseOf(name, direction), name).toBe(shipmentEvents[name].phase);
  },
);

test('an event has one ref, or a second one on a return', () => {
  expect(refsOf('ORDER_PROCESSED')).toEqual([
    'shipments/order_processed/ORDER_PROCESSED',
    'shipments/return_created/ORDER_PROCESSED',
  ]);
  expect(refsOf('SHIPMENT_LOST')).toEqual(['shipments/delivery_failed/SHIPMENT_LOST']);
  for (const name of shipmentEventNames) {
    for (const direction of directions) expect(phaseOfRef(refOf(name, direction))).toBe(phaseOf(name, direction));
  }
});

test('an event is possible without a carrier if it comes before the transit or cancels the shipment', () => {
  expect(shipmentEventNames.filter(isPossibleWithoutCarrier).sort()).toEqual([
    'CARRIER_UNKNOWN',
    'ERROR_IN_PARCEL_DATA_SUBMISSION',
    'MISSING_SHIPMENT_INFORMATION',
    'ORDER_CANCELLED',
    'ORDER_CREATED',
    'ORDER_DELAYED',
    'ORDER_IN_PROCESSING',
    'ORDER_PROCESSED',
    'PARCEL_DATA_SUBMISSION_DELAYED',
    'PARCEL_DATA_SUBMITTED_TO_CARRIER',
    'PICKUP_ATTEMPTED',
    'PICKUP_DELAYED',
    'PICKUP_FAILED',
    'SHIPMENT_CANCELLED',
  ]);
});

test('every group is fired by an event, except those that a rule or a claim fires', () => {
  const fired = new Set(shipmentEventNames.flatMap((name) => directions.map((direction) => groupOf(name, direction))));
  expect(eventGroups.filter((group) => !fired.has(group)).sort()).toEqual([
    'claim_created',
    'claim_updated',
    'shipment_delivered_all_events',
    'shipment_internal_trigger',
  ]);
});

test('an event has a group towards the customer and one towards the merchant, or neither', () => {
  expect(namesWhere((event) => (event.towardsCustomer === null) !== (event.towardsMerchant === null))).toEqual([]);
});

test('only remarks, which say nothing about where the parcel is, have no group', () => {
  expect(namesWhere((event) => event.towardsCustomer === null)).toEqual(shipmentEventNames.filter(isRemark));
  expect(shipmentEventNames.filter(isRemark).sort()).toEqual([
    'CARRIER_UNKNOWN',
    'MORE_INFO_ON_CARRIER_WEBSITE',
    'NOTIFICATION_SENT_TO_RECIPIENT',
    'PATCHED',
    'SHIPMENT_UPDATED_ETA',
    'SHIPMENT_UPDATED_PICKUP',
  ]);
});

test('an event of a parcel that is out for delivery, ready for collection or delivered has the normal flag', () => {
  const fine = ['in_delivery', 'collect', 'delivered'];
  expect(namesWhere((event) => fine.includes(event.phase) && event.flag !== 'normal')).toEqual([]);
});

test('a failed delivery never has the normal flag, and a parcel on its way back always has the error flag', () => {
  const goingBack = ['return_transit', 'return_received', 'return_failed', 'returned'];
  expect(namesWhere((event) => event.phase === 'delivery_failed' && event.flag === 'normal')).toEqual([]);
  expect(namesWhere((event) => goingBack.includes(event.phase) && event.flag !== 'error')).toEqual([]);
});

test('a failed delivery to the merchant ends the return only when the carrier cannot go on', () => {
  for (const name of namesWhere((event) => event.phase === 'delivery_failed')) {
    const ended = shipmentEvents[name].flag === 'error';
    expect(groupOf(name, 'customer_merchant'), name).toBe(
      ended ? 'return_shipment_failed' : 'return_shipment_in_transit',
    );
  }
});

test('every group about a return to the sender belongs to an event on the way back', () => {
  const tells = namesWhere((event) => event.towardsCustomer?.endsWith('_returned') ?? false);
  const phasesOfThem = new Set(tells.map((name) => shipmentEvents[name].phase));
  expect([...phasesOfThem].sort()).toEqual(['return_received', 'return_transit', 'returned']);
});

test('on a return, that it goes on and that it is complete are no errors', () => {
  const differs = shipmentEventNames.filter((name) => flagOf(name, 'customer_merchant') !== shipmentEvents[name].flag);
  expect(differs).toEqual(['RETURN_IN_PROGRESS', 'RETURN_TO_SENDER_COMPLETED']);
  for (const name of differs) expect(flagOf(name, 'customer_partner')).toBe('normal');
  for (const name of shipmentEventNames) {
    expect(flagOf(name, 'merchant_customer')).toBe(shipmentEvents[name].flag);
  }
});

test('a shipment is directed to the merchant when the customer sends it, to the merchant or to a partner', () => {
  expect(directions.filter(isTowardsMerchant)).toEqual(['customer_merchant', 'customer_partner']);
});

test('the group depends on the direction', () => {
  expect(groupOf('SUCCESSFULLY_DELIVERED', 'merchant_customer')).toBe('shipment_delivered');
  expect(groupOf('SUCCESSFULLY_DELIVERED', 'partner_customer')).toBe('shipment_delivered');
  expect(groupOf('SUCCESSFULLY_DELIVERED', 'customer_merchant')).toBe('return_shipment_received');
  expect(groupOf('SUCCESSFULLY_DELIVERED', 'customer_partner')).toBe('return_shipment_received');
  expect(groupOf('PATCHED', 'merchant_customer')).toBeNull();
  expect(groupOf('PATCHED', 'customer_merchant')).toBeNull();
});

test('a name is an event only in the spelling of the contract', () => {
  expect(isShipmentEventName('OUT_FOR_DELIVERY')).toBe(true);
  expect(['out_for_delivery', 'DELIVERED', '', 'constructor', '__proto__'].filter(isShipmentEventName)).toEqual([]);
});
