import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currentPhase, latestEvents } from '#domain/orders/shipment-rules.ts';
import type { InternalTrigger } from '#domain/settings/trigger-settings.ts';
import { dueTime, triggerEvent, withLatestEvents } from '#domain/triggers/trigger-rules.ts';
import { directions, phases, shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';
import { aShipment, aTrigger, hoursAfter, noon } from '#test/kit/internal-triggers.ts';

const enRoute = aShipment([['SHIPMENT_EN_ROUTE', hoursAfter(noon, 1)]]);
const never = undefined;

describe('a trigger by event key', () => {
  const A = 'SHIPMENT_EN_ROUTE';
  const B = 'OUT_FOR_DELIVERY';
  test.each([
    { in: [], not: [], operator: 'AND', fires: true },
    { in: [], not: [], operator: 'OR', fires: true },
    { in: [A], not: [], operator: 'AND', fires: true },
    { in: [A], not: [], operator: 'OR', fires: true },
    { in: [B], not: [], operator: 'AND', fires: false },
    { in: [B], not: [], operator: 'OR', fires: false },
    { in: [], not: [A], operator: 'AND', fires: false },
    { in: [], not: [A], operator: 'OR', fires: false },
    { in: [], not: [B], operator: 'AND', fires: true },
    { in: [], not: [B], operator: 'OR', fires: true },
    { in: [A], not: [A], operator: 'AND', fires: false },
    { in: [A], not: [A], operator: 'OR', fires: true },
    { in: [B], not: [B], operator: 'AND', fires: false },
    { in: [B], not: [B], operator: 'OR', fires: true },
    { in: [A, B], not: [B], operator: 'AND', fires: true },
    { in: [B], not: [A], operator: 'OR', fires: false },
    { in: ['NO_SUCH_EVENT'], not: [], operator: 'AND', fires: false },
  ] as const)('in $in, not in $not, joined by $operator, fires: $fires', ({ in: wanted, not, operator, fires }) => {
    const trigger = aTrigger({ event_key_in: [...wanted], event_key_not_in: [...not], operator });
    expect(dueTime(trigger, enRoute) !== undefined).toBe(fires);
  });
});

describe('a trigger by phase and direction', () => {
  test.each<[string, Partial<InternalTrigger>, boolean]>([
    ['fires in a wanted phase', { phase_in: ['delivered', 'in_transit'] }, true],
    ['does not fire in another phase than the wanted one', { phase_in: ['delivered'] }, false],
    ['does not fire in an excluded phase', { phase_not_in: ['in_transit'] }, false],
    ['fires when another phase is excluded', { phase_not_in: ['delivered'] }, true],
    [
      'does not fire in a phase that is wanted and excluded',
      { phase_in: ['in_transit'], phase_not_in: ['in_transit'] },
      false,
    ],
    ['does not apply its operator to the phase', { phase_in: ['delivered'], operator: 'OR' }, false],
    ['does not fire for another direction', { shipment_direction: 'customer_merchant' }, false],
  ])('%s', (_, fields, fires) => {
    expect(dueTime(aTrigger(fields), enRoute) !== undefined).toBe(fires);
  });

  test('for the merchant direction fires for a shipment towards the merchant', () => {
    const back = aShipment([], { direction: 'customer_merchant' });
    expect(dueTime(aTrigger({ shipment_direction: 'customer_merchant' }), back)).toBe(hoursAfter(noon, 24));
  });
});

describe('the due time', () => {
  test('is counted from the newest event', () => {
    expect(dueTime(aTrigger(), enRoute)).toBe(hoursAfter(noon, 25));
  });

  test('is the time itself if the trigger does not wait, and a year later if it waits so long', () => {
    expect(dueTime(aTrigger({ time_threshold_value: 0 }), enRoute)).toBe(hoursAfter(noon, 1));
    expect(dueTime(aTrigger({ time_threshold_value: 8760 }), enRoute)).toBe('2027-11-14T13:00:00.000Z');
  });

  test('is counted from the creation when the trigger says so', () => {
    expect(dueTime(aTrigger({ time_threshold_type: 'created_at' }), enRoute)).toBe(hoursAfter(noon, 24));
  });

  test("is not moved by a late event, nor by a report of the shop after the carrier's", () => {
    const late = aShipment([
      ['SHIPMENT_EN_ROUTE', hoursAfter(noon, 5)],
      ['OUT_FOR_DELIVERY', hoursAfter(noon, 2)],
      ['ORDER_PROCESSED', hoursAfter(noon, 9)],
    ]);
    expect(dueTime(aTrigger({ event_key_in: ['SHIPMENT_EN_ROUTE'] }), late)).toBe(hoursAfter(noon, 29));
  });

  test('is not moved by a remark, which does not change the phase either', () => {
    const waiting = aShipment([
      ['ARRIVED_AT_PARCEL_SHOP', hoursAfter(noon, 1)],
      ['NOTIFICATION_SENT_TO_RECIPIENT', hoursAfter(noon, 3)],
    ]);
    expect(dueTime(aTrigger({ phase_in: ['collect'] }), waiting)).toBe(hoursAfter(noon, 25));
    expect(dueTime(aTrigger({ phase_in: ['in_transit'] }), waiting)).toBe(never);
  });

  describe('of a trigger that names a remark', () => {
    const trigger = aTrigger({ event_key_in: ['CARRIER_UNKNOWN'], phase_in: ['order_processed'] });
    const unknown = aShipment([
      ['ORDER_PROCESSED', hoursAfter(noon, 1)],
      ['CARRIER_UNKNOWN', hoursAfter(noon, 2)],
      ['PATCHED', hoursAfter(noon, 3)],
    ]);

    test('is counted from the remark, also if another follows', () => {
      expect(dueTime(trigger, unknown)).toBe(hoursAfter(noon, 26));
      expect(dueTime(trigger, withLatestEvents(unknown))).toBe(hoursAfter(noon, 26));
      const sent = triggerEvent(unknown, { third_party: 'webhook', trigger }, new Date(noon), 1);
      expect(sent).toMatchObject({ event_name: 'CARRIER_UNKNOWN', shipments: [{ time: hoursAfter(noon, 2) }] });
    });

    test('is never reached once the parcel has moved', () => {
      const moved = aShipment([
        ['CARRIER_UNKNOWN', hoursAfter(noon, 2)],
        ['SHIPMENT_EN_ROUTE', hoursAfter(noon, 4)],
      ]);
      expect(dueTime({ ...trigger, phase_in: [] }, moved)).toBe(never);
    });
  });

  test('of a trigger for new returns is reached by a return and not by an order', () => {
    const trigger = aTrigger({ phase_in: ['return_created'], shipment_direction: 'customer_merchant' });
    const parcel = aShipment([['ORDER_PROCESSED', noon]]);
    expect(dueTime(trigger, { ...parcel, direction: 'customer_merchant' })).toBe(hoursAfter(noon, 24));
    expect(dueTime({ ...trigger, shipment_direction: 'merchant_customer' }, parcel)).toBe(never);
  });

  test('is never reached after the year 9999, beyond which times do not sort as text', () => {
    const far = aShipment([['SHIPMENT_EN_ROUTE', '9999-12-31T23:59:59.999Z']]);
    expect(dueTime(aTrigger({ time_threshold_value: 1 }), far)).toBe(never);
  });

  test('of a draft is counted from the creation of the draft', () => {
    expect(dueTime(aTrigger({ phase_in: ['order_created'] }), aShipment())).toBe(hoursAfter(noon, 24));
  });
});

const times = fc.integer({ min: 0, max: 2000 }).map((hours) => hoursAfter(noon, hours));
const events = fc.array(fc.tuple(fc.constantFrom(...shipmentEventNames), times), { maxLength: 6 });
const timeOf = ({ time }: { time: string }) => time;
const someOf = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { maxLength: 4 });
const triggers: fc.Arbitrary<InternalTrigger> = fc.record({
  id: fc.constant('t1'),
  name: fc.constant('Any'),
  phase_in: someOf(phases),
  phase_not_in: someOf(phases),
  event_key_in: someOf<string>(shipmentEventNames),
  event_key_not_in: someOf<string>(shipmentEventNames),
  operator: fc.constantFrom('AND', 'OR'),
  time_threshold_type: fc.constantFrom('latest_event_time', 'created_at'),
  time_threshold_value: fc.integer({ min: 0, max: 8760 }),
  shipment_direction: fc.constantFrom(...directions),
});

describe('for every trigger and all events', () => {
  test('the due time is the threshold after the chosen time, and the shipment matches the trigger', () => {
    fc.assert(
      fc.property(triggers, events, (trigger, reports) => {
        const shipment = aShipment(reports);
        const due = dueTime(trigger, shipment);
        if (due === undefined) return;
        const since = trigger.time_threshold_type === 'created_at' ? [noon] : latestEvents(shipment.events).map(timeOf);
        expect(since.map((time) => hoursAfter(time, trigger.time_threshold_value))).toContain(due);
        expect(trigger.phase_not_in).not.toContain(currentPhase(shipment));
        expect(trigger.shipment_direction).toBe(shipment.direction);
      }),
    );
  });

  test('all but the latest events can be left out', () => {
    fc.assert(
      fc.property(triggers, events, (trigger, reports) => {
        const shipment = aShipment(reports);
        expect(dueTime(trigger, withLatestEvents(shipment))).toBe(dueTime(trigger, shipment));
      }),
    );
  });

  test('the order of arrival does not change the due time', () => {
    fc.assert(
      fc.property(triggers, events, (trigger, reports) => {
        expect(dueTime(trigger, aShipment(reports.toReversed()))).toBe(dueTime(trigger, aShipment(reports)));
      }),
    );
  });

  test('a newer event never makes the due time earlier', () => {
    fc.assert(
      fc.property(triggers, events, fc.constantFrom(...shipmentEventNames), (trigger, reports, name) => {
        const before = dueTime(trigger, aShipment(reports));
        const after = dueTime(trigger, aShipment([...reports, [name, hoursAfter(noon, 2001)]]));
        if (before !== undefined && after !== undefined) expect(after >= before).toBe(true);
      }),
    );
  });
});
