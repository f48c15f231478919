import { expect, test } from 'vitest';
import type { Plan } from '#domain/triggers/plan.ts';
import { settlePlan } from '#domain/triggers/plan.ts';
import { aShipment, aTrigger, hoursAfter, noon } from '#test/kit/internal-triggers.ts';

const at = (hours: number) => Date.parse(hoursAfter(noon, hours));
const now = new Date(at(24));
const shipment = aShipment([['SHIPMENT_EN_ROUTE', noon]]);
const owned = (id: string, hours: number) => ({
  third_party: 'webhook' as const,
  trigger: aTrigger({ id, time_threshold_value: hours }),
});
const plan = (planned: Plan['planned'], fired: Plan['fired'] = {}): Plan => ({ planned, fired, version: 3 });
const many = 100;

test('triggers that are due fire, and later ones stay planned', () => {
  const [due, later] = [owned('due', 24), owned('later', 48)];
  const before = plan({ 'webhook#due': at(24), 'webhook#later': at(48) });
  expect(settlePlan(before, [due, later], shipment, now, many)).toEqual({
    plan: plan({ 'webhook#later': at(48) }, { 'webhook#due': at(24) }),
    fire: [due],
    results: ['done'],
  });
});

test('a trigger that is gone is dropped, and one whose hours have grown is moved', () => {
  const before = plan({ 'webhook#gone': at(24), 'webhook#longer': at(24) });
  expect(settlePlan(before, [owned('longer', 30)], shipment, now, many)).toEqual({
    plan: plan({ 'webhook#longer': at(30) }),
    fire: [],
    results: ['dropped', 'moved'],
  });
});

test('nothing of a shipment that is gone stays planned, but what has fired stays known', () => {
  const [due, later] = [owned('due', 24), owned('later', 48)];
  const before = plan({ 'webhook#due': at(24), 'webhook#later': at(48) }, { 'webhook#other': at(23.99) });
  expect(settlePlan(before, [due, later], undefined, now, many)).toEqual({
    plan: plan({}, { 'webhook#other': at(23.99) }),
    fire: [],
    results: ['dropped', 'dropped'],
  });
});

test('what is due and does not fit into one transaction stays due', () => {
  const triggers = ['a', 'b', 'c'].map((id) => owned(id, 24));
  const before = plan({ 'webhook#a': at(24), 'webhook#b': at(24), 'webhook#c': at(24) });
  const first = settlePlan(before, triggers, shipment, now, 2);
  expect(first.fire).toEqual(triggers.slice(0, 2));
  expect(first.plan.planned).toEqual({ 'webhook#c': at(24) });
  expect(settlePlan(first.plan, triggers, shipment, now, 2)).toMatchObject({ fire: [triggers[2]], results: ['done'] });
});
