import { describe, expect, test } from 'vitest';
import { isEventFilter, matchesEvent } from '#domain/endpoints/endpoint.ts';
import { claimRefs, withdrawalRefs } from '#schemas/catalogues/event-filters.ts';
import { phases, refsOf, returnEventNames, shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';

const refs = [...shipmentEventNames.flatMap(refsOf), ...claimRefs, ...withdrawalRefs];

describe('a filter of events', () => {
  test.each([
    ['*', refs.length],
    ['shipments', shipmentEventNames.length + returnEventNames.length],
    ['shipments/return_created', 2],
    ['shipments/return_created/ORDER_CREATED', 1],
    ['claims', claimRefs.length],
    ['claims/created', 1],
    ['withdrawals/*', withdrawalRefs.length],
    ['withdrawals/settled', 1],
    ['claims/updated', 1],
    ['shipments/delivered/SUCCESSFULLY_DELIVERED', 1],
  ])('%s matches %d of all events', (filter, count) => {
    expect(isEventFilter(filter)).toBe(true);
    expect(refs.filter((ref) => matchesEvent([filter], ref))).toHaveLength(count);
  });

  test('by phase matches exactly the events of the phase', () => {
    for (const phase of phases) {
      expect(isEventFilter(`shipments/${phase}`)).toBe(true);
      const wanted = refs.filter((ref) => matchesEvent([`shipments/${phase}`], ref));
      expect(wanted).toEqual(refs.filter((ref) => ref.split('/')[0] === 'shipments' && ref.split('/')[1] === phase));
    }
  });

  test('of a single event matches that event and no other', () => {
    for (const ref of refs) {
      expect(isEventFilter(ref)).toBe(true);
      expect(refs.filter((other) => matchesEvent([ref], other))).toEqual([ref]);
    }
  });

  test.each([
    '',
    '**',
    'orders',
    'Shipments',
    'shipments/',
    'shipments/*',
    'shipments/deliver',
    'shipments/delivered/',
    'shipments/delivered/UNKNOWN',
    'shipments/in_transit/SUCCESSFULLY_DELIVERED',
    'shipments/return_created/SUCCESSFULLY_DELIVERED',
    'shipments/delivered/SUCCESSFULLY_DELIVERED/x',
    'claims/deleted',
    'claims/CLAIM_CREATED',
    'constructor',
  ])('cannot be %j', (filter) => {
    expect(isEventFilter(filter)).toBe(false);
  });

  test('that begins like a phase does not match the events of the phase', () => {
    expect(matchesEvent(['shipments/return'], 'shipments/returned/SHIPMENT_RETURNED_TO_SENDER')).toBe(false);
    expect(matchesEvent(['shipments/delivered'], 'shipments/delivery_failed/SHIPMENT_LOST')).toBe(false);
  });

  test('is enough if it matches among others, and an empty list matches nothing', () => {
    expect(matchesEvent(['claims', 'shipments/delivered'], 'shipments/delivered/SUCCESSFULLY_DELIVERED')).toBe(true);
    expect(matchesEvent([], 'claims/created')).toBe(false);
  });
});
