import { describe, expect, test } from 'vitest';
import { isExpected, isUnderWay, meaningOf, progressOf, situationOf } from '#domain/tracking-page/journey.ts';
import { flagOf, phaseOf, type ShipmentEventName, shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';
import { now } from '#test/kit/page-samples.ts';

const facts = (event_name: ShipmentEventName, is_return = false) => ({
  event_name,
  is_return,
  phase: phaseOf(event_name, is_return ? 'customer_merchant' : 'merchant_customer'),
  flag: flagOf(event_name, is_return ? 'customer_merchant' : 'merchant_customer'),
  pickup: null,
});

const situation = (name: ShipmentEventName, isReturn = false) => situationOf(facts(name, isReturn), now);

describe.each([
  ['to the customer', false],
  ['back to the shop', true],
])('a parcel %s', (_, isReturn) => {
  test('has a way on after every event', () => {
    for (const name of shipmentEventNames) {
      const parcel = facts(name, isReturn);
      const { actions } = meaningOf(situationOf(parcel, now), parcel);
      expect(actions.length, name).toBeGreaterThan(0);
      const { steps, current } = progressOf(parcel);
      expect(steps[current], name).toBeDefined();
      expect(new Set(steps).size, name).toBe(steps.length);
    }
  });

  test('never looks fine after an error, and never bad after good news', () => {
    for (const name of shipmentEventNames) {
      const parcel = facts(name, isReturn);
      const { tone } = meaningOf(situationOf(parcel, now), parcel);
      if (parcel.flag === 'error') expect(['attention', 'failed'], name).toContain(tone);
      if (parcel.phase === 'delivered') expect(tone, name).toBe('arrived');
      if (parcel.phase === 'in_transit' && parcel.flag === 'normal') expect(tone, name).toBe('moving');
    }
  });
});

test('each kind of trouble has its own advice', () => {
  expect(situation('DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME')).toBe('not_at_home');
  expect(situation('DELIVERY_ATTEMPTED_ADDRESSEE_MOVED')).toBe('wrong_address');
  expect(situation('HELD_AT_CUSTOMS_FOR_ADDITIONAL_PAYMENT')).toBe('at_customs');
  expect(situation('SHIPMENT_LOST')).toBe('not_delivered');
  expect(situation('SHIPMENT_DAMAGED')).toBe('damaged_on_the_way');
  expect(situation('SUCCESSFULLY_DELIVERED_TO_NEIGHBOR')).toBe('delivered_neighbour');
  expect(situation('CARRIER_UNKNOWN')).toBe('no_tracking');
  expect(situation('RETURN_IN_PROGRESS')).toBe('sent_back');
  expect(situation('RETURN_IN_PROGRESS', true)).toBe('return_on_the_way');
  expect(situation('ORDER_CREATED', true)).toBe('return_registered');
  expect(situation('SUCCESSFULLY_DELIVERED', true)).toBe('return_received');
});

test('a return never has the advice or the steps of a parcel that arrives', () => {
  const ofReturns = ['delayed', 'at_customs', 'no_tracking'];
  for (const name of shipmentEventNames) {
    const advice = situation(name, true);
    if (!ofReturns.includes(advice)) expect(advice, name).toMatch(/^return_/);
    for (const step of progressOf(facts(name, true)).steps) expect(step, name).toMatch(/return|cancelled/);
  }
});

test('each state of a return has its own advice, and only what went wrong looks so', () => {
  const seen = (name: ShipmentEventName) => {
    const { steps, current } = progressOf(facts(name, true));
    const { tone } = meaningOf(situation(name, true), facts(name, true));
    return [situation(name, true), steps[current], tone];
  };
  expect(seen('RETURN_TO_SENDER_COMPLETED')).toEqual(['return_received', 'return_received', 'arrived']);
  expect(seen('SUCCESSFULLY_COLLECTED')).toEqual(['return_received', 'return_received', 'arrived']);
  expect(seen('ARRIVED_AT_PARCEL_SHOP')).toEqual(['return_on_the_way', 'return_on_the_way', 'moving']);
  expect(seen('DELIVERY_ATTEMPTED')).toEqual(['delayed', 'return_on_the_way', 'attention']);
  expect(seen('HELD_AT_CUSTOMS_FOR_ADDITIONAL_PAYMENT')).toEqual(['at_customs', 'return_on_the_way', 'attention']);
  expect(seen('SHIPMENT_DAMAGED')).toEqual(['return_stuck', 'return_on_the_way', 'failed']);
  expect(seen('RETURN_TO_SENDER_FAILED')).toEqual(['return_stuck', 'not_returned', 'failed']);
  expect(seen('SHIPMENT_RETURNING_TO_SENDER')).toEqual(['return_stuck', 'not_returned', 'failed']);
  expect(seen('ORDER_CANCELLED')).toEqual(['return_cancelled', 'cancelled', 'failed']);
});

test('a parcel that waits says until when, as long as that is not over', () => {
  const waiting = (date_to: string | null) => {
    const pickup = { type: null, name: null, address: null, url: null, opening_hours: null, date_to };
    return situationOf({ ...facts('ARRIVED_AT_PARCEL_LOCKER'), pickup }, now);
  };
  expect([waiting(null), waiting('2026-11-20T20:00:00Z'), waiting('2026-11-15T20:00:00Z')]).toEqual([
    'collect',
    'collect_until',
    'collect_late',
  ]);
});

test('the progress bar follows the way that the parcel takes', () => {
  expect(progressOf(facts('OUT_FOR_DELIVERY'))).toMatchObject({ current: 3 });
  expect(progressOf(facts('SUCCESSFULLY_COLLECTED')).steps.at(-1)).toBe('collected');
  expect(progressOf(facts('SHIPMENT_LOST')).steps.at(-1)).toBe('not_delivered');
  expect(progressOf(facts('ORDER_CANCELLED')).steps).toEqual(['ordered', 'cancelled']);
  expect(progressOf(facts('SUCCESSFULLY_DELIVERED', true))).toMatchObject({ current: 2 });
  expect(progressOf(facts('SHIPMENT_RETURNED_TO_SENDER', true)).steps.at(-1)).toBe('not_returned');
});

test('an arrival is of interest only while the parcel comes', () => {
  expect(isExpected(facts('IN_DELIVERY'))).toBe(true);
  expect(isExpected(facts('DELIVERY_ATTEMPTED_FAILED_WILL_TRY_AGAIN'))).toBe(true);
  expect(isExpected(facts('SHIPMENT_LOST'))).toBe(false);
  expect(isExpected(facts('SHIPMENT_DAMAGED'))).toBe(false);
  expect(isExpected(facts('SUCCESSFULLY_DELIVERED'))).toBe(false);
  expect(isExpected(facts('IN_DELIVERY', true))).toBe(false);
  expect(isUnderWay(facts('SUCCESSFULLY_DELIVERED'))).toBe(false);
  expect(isUnderWay(facts('ARRIVED_AT_PARCEL_SHOP'))).toBe(true);
});
