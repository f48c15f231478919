import { describe, expect, test } from 'vitest';
import type { Shipment } from '#domain/orders/model.ts';
import { type KnownPlan, planChange } from '#domain/triggers/plan.ts';
import { type OwnedTrigger, triggerDueItem } from '#domain/triggers/trigger-rules.ts';
import { keyOf } from '#platform/table/keys.ts';
import { aShipment, aTrigger, hoursAfter, noon, orderId } from '#test/kit/internal-triggers.ts';

const shipment = aShipment([['SHIPMENT_EN_ROUTE', noon]]);
const owned: OwnedTrigger = { third_party: 'webhook', trigger: aTrigger() };
const planned = (version: number) => ({ slug: 'blue', shipment, version });
const plan = (version: number, due = hoursAfter(noon, 24)): KnownPlan =>
  triggerDueItem('blue', shipment, version, owned, due);
const fired = (version: number): KnownPlan => {
  const { due_at: _due, ...rest } = plan(version);
  return { ...rest, fired_at: noon };
};
const now = new Date(noon);
const nothing = { put: [], remove: [] };
const elsewhere: OwnedTrigger = { ...owned, trigger: aTrigger({ phase_in: ['delivered'] }) };

describe('a shipment that matches', () => {
  test('gets a plan with its key, its time and its version', () => {
    const { put, remove } = planChange(planned(3), [owned], [], now);
    expect(remove).toEqual([]);
    expect(put).toEqual([
      {
        ...keyOf.dueTrigger('blue', orderId, shipment.uuid, 'webhook', 't1'),
        list_pk: expect.stringMatching(/^DUE#[0-7]$/),
        list_sk: hoursAfter(noon, 24),
        kind: 'internal_trigger',
        shop_slug: 'blue',
        due_at: hoursAfter(noon, 24),
        order_id: orderId,
        shipment_id: shipment.uuid,
        third_party: 'webhook',
        trigger_id: 't1',
        version: 3,
      },
    ]);
  });

  test('gets one plan for each trigger and each owner of it', () => {
    const triggers = [
      owned,
      { ...owned, third_party: 'integration_1' as const },
      { ...owned, trigger: aTrigger({ id: 't2' }) },
    ];
    expect(new Set(planChange(planned(3), triggers, [], now).put.map(({ sk }) => sk)).size).toBe(3);
  });

  test('keeps a plan with the same time', () => {
    expect(planChange(planned(3), [owned], [plan(2)], now)).toEqual(nothing);
  });

  test('moves a plan with another time', () => {
    expect(planChange(planned(3), [owned], [plan(2, noon)], now).put).toMatchObject([{ due_at: hoursAfter(noon, 24) }]);
  });

  test('does not change the plan of a newer version', () => {
    expect(planChange(planned(3), [owned], [plan(4, noon)], now)).toEqual(nothing);
  });

  test('is planned again when an attempt was given up', () => {
    const { due_at: _due, ...rest } = plan(2);
    expect(planChange(planned(3), [owned], [rest], now).put).toHaveLength(1);
  });

  test('is not planned again after the trigger has fired', () => {
    expect(planChange(planned(3), [owned], [fired(2)], now)).toEqual(nothing);
  });
});

describe('a shipment that does not match', () => {
  test('loses its plan', () => {
    const known = plan(2);
    expect(planChange(planned(3), [elsewhere], [known], now)).toEqual({ put: [], remove: [known] });
  });

  test('keeps the plan of a newer version, and the mark of a trigger that has fired', () => {
    expect(planChange(planned(3), [elsewhere], [plan(4)], now)).toEqual(nothing);
    expect(planChange(planned(3), [elsewhere], [fired(2)], now)).toEqual(nothing);
  });
});

describe('a due time in the past', () => {
  const later = new Date(hoursAfter(noon, 100));
  const changed = (before: Shipment | undefined) => planChange({ ...planned(3), before }, [owned], [], later);

  test('is planned when the change itself led to it', () => {
    expect(changed(undefined).put).toHaveLength(1);
    expect(changed(aShipment()).put).toHaveLength(0);
    expect(changed(aShipment([['SHIPMENT_EN_ROUTE', hoursAfter(noon, -1)]])).put).toHaveLength(1);
    expect(changed(aShipment([], { direction: 'customer_merchant' })).put).toHaveLength(1);
  });

  test('is not planned when it had passed before the change, as for a trigger that was made later', () => {
    expect(changed(shipment)).toEqual(nothing);
    expect(planChange({ ...planned(3), before: shipment }, [owned], [], now).put).toHaveLength(1);
  });

  test('leaves its existing plan as it is', () => {
    expect(planChange({ ...planned(3), before: shipment }, [owned], [plan(2)], later)).toEqual(nothing);
  });
});

test('the plan of a deleted trigger is removed', () => {
  expect(planChange(planned(3), [], [plan(2)], now).remove).toHaveLength(1);
});
