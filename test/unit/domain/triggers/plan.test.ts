import { describe, expect, test } from 'vitest';
import type { Shipment } from '#domain/orders/model.ts';
import {
  changedPlan,
  isConcerned,
  isGivenUp,
  type Plan,
  type PlannedShipment,
  planItem,
  planOf,
} from '#domain/triggers/plan.ts';
import type { OwnedTrigger } from '#domain/triggers/trigger-rules.ts';
import { keyOf } from '#platform/table/keys.ts';
import { thirdParties } from '#schemas/catalogues/integrations.ts';
import { recordLimits } from '#schemas/catalogues/limits.ts';
import { aShipment, aTrigger, hoursAfter, noon, orderId } from '#test/kit/internal-triggers.ts';

const at = (hours: number) => Date.parse(hoursAfter(noon, hours));
const shipment = aShipment([['SHIPMENT_EN_ROUTE', noon]]);
const owned: OwnedTrigger = { third_party: 'webhook', trigger: aTrigger() };
const elsewhere: OwnedTrigger = { ...owned, trigger: aTrigger({ phase_in: ['delivered'] }) };
const second: OwnedTrigger = { ...owned, trigger: aTrigger({ id: 't2', time_threshold_value: 48 }) };
const changed = (version: number, before?: Shipment): PlannedShipment => ({ slug: 'blue', shipment, version, before });
const plan = (version: number, planned: Plan['planned'] = { 'webhook#t1': at(24) }): Plan => ({
  planned,
  fired: {},
  version,
});
const fired = (version: number): Plan => ({ planned: {}, fired: { 'webhook#t1': at(0) }, version });
const none = planOf(undefined);
const now = new Date(noon);
const unchanged = undefined;

describe('a shipment that matches', () => {
  test('gets a plan with the time of each trigger and its version', () => {
    expect(changedPlan(changed(3), [owned, second], none, now)).toEqual(
      plan(3, { 'webhook#t1': at(24), 'webhook#t2': at(48) }),
    );
  });

  test('is planned for each owner of a trigger', () => {
    const triggers = [owned, { ...owned, third_party: 'integration_1' as const }];
    expect(changedPlan(changed(3), triggers, none, now)!.planned).toEqual({
      'webhook#t1': at(24),
      'integration_1#t1': at(24),
    });
  });

  test('keeps a plan with the same times', () => {
    expect(changedPlan(changed(3), [owned], plan(2), now)).toBe(unchanged);
  });

  test('moves a trigger that has another time', () => {
    expect(changedPlan(changed(3), [owned], plan(2, { 'webhook#t1': at(0) }), now)).toEqual(plan(3));
  });

  test('does not move a trigger that a newer version planned, but adds one that nobody planned', () => {
    const newer = plan(4, { 'webhook#t1': at(1) });
    expect(changedPlan(changed(3), [owned], newer, now)).toBe(unchanged);
    expect(changedPlan(changed(3), [owned, second], newer, now)).toEqual(
      plan(4, { 'webhook#t1': at(1), 'webhook#t2': at(48) }),
    );
  });

  test('is not planned again after the trigger has fired', () => {
    expect(changedPlan(changed(3), [owned], fired(2), now)).toBe(unchanged);
    expect(changedPlan(changed(3), [owned, second], fired(2), now)).toEqual({
      ...fired(3),
      planned: { 'webhook#t2': at(48) },
    });
  });
});

describe('a trigger that does not wait', () => {
  const atOnce: OwnedTrigger = { ...owned, trigger: aTrigger({ time_threshold_value: 0 }) };
  const later = new Date(hoursAfter(noon, 1));

  test('is due at once after the change that it matches', () => {
    expect(changedPlan(changed(3), [atOnce], none, later)).toEqual(plan(3, { 'webhook#t1': at(0) }));
    const before = aShipment([['ORDER_PROCESSED', hoursAfter(noon, -1)]]);
    expect(changedPlan(changed(3, before), [atOnce], none, later)).toEqual(plan(3, { 'webhook#t1': at(0) }));
  });

  test('is not due for a shipment that matched before the trigger was made', () => {
    expect(changedPlan(changed(3, shipment), [atOnce], none, later)).toBe(unchanged);
  });
});

describe('a shipment that does not match', () => {
  test('loses its plan', () => {
    expect(changedPlan(changed(3), [elsewhere], plan(2), now)).toEqual(plan(3, {}));
  });

  test('keeps the plan of a newer version, and the mark of a trigger that has fired', () => {
    expect(changedPlan(changed(3), [elsewhere], plan(4), now)).toBe(unchanged);
    expect(changedPlan(changed(3), [elsewhere], fired(2), now)).toBe(unchanged);
  });
});

describe('a due time in the past', () => {
  const later = new Date(hoursAfter(noon, 100));
  const planAfter = (before?: Shipment) => changedPlan(changed(3, before), [owned], none, later);

  test('is planned when the change itself led to it', () => {
    expect(planAfter()).toEqual(plan(3));
    expect(planAfter(aShipment())).toBe(unchanged);
    expect(planAfter(aShipment([['SHIPMENT_EN_ROUTE', hoursAfter(noon, -1)]]))).toEqual(plan(3));
    expect(planAfter(aShipment([], { direction: 'customer_merchant' }))).toEqual(plan(3));
  });

  test('is not planned when it had passed before the change, as for a trigger that was made later', () => {
    expect(planAfter(shipment)).toBe(unchanged);
    expect(changedPlan(changed(3, shipment), [owned], none, now)).toEqual(plan(3));
  });

  test('leaves its existing plan as it is', () => {
    const known = plan(2, { 'webhook#t1': at(30) });
    expect(changedPlan(changed(3, shipment), [owned], known, later)).toBe(unchanged);
  });
});

test('the events of a shipment are looked through a few times, however many triggers the shop has', () => {
  let reads = 0;
  const events = new Proxy(shipment.events, {
    get: (target, name, receiver) => {
      if (name === '0') reads++;
      return Reflect.get(target, name, receiver);
    },
  });
  const watched = { ...changed(3), shipment: { ...shipment, events }, before: { ...shipment, events } };
  const triggers = Array.from({ length: 160 }, (_, i) => ({ ...owned, trigger: aTrigger({ id: `t${i}` }) }));
  isConcerned(watched, triggers);
  changedPlan(watched, triggers, none, now);
  expect(reads).toBeLessThan(10);
});

describe('a deleted trigger', () => {
  test('is not planned any more', () => {
    expect(changedPlan(changed(3), [], plan(2), now)).toEqual(plan(3, {}));
  });

  test('leaves no mark, unless it has just fired', () => {
    const known = { ...plan(2, {}), fired: { 'webhook#old': at(-1), 'webhook#new': at(0) - 60_000 } };
    expect(changedPlan(changed(3), [owned], known, now)!.fired).toEqual({ 'webhook#new': at(0) - 60_000 });
  });
});

describe('a change', () => {
  test('concerns a shipment that a trigger matches now or matched before', () => {
    expect(isConcerned(changed(3), [owned])).toBe(true);
    expect(isConcerned(changed(3), [elsewhere])).toBe(false);
    const delivered = aShipment([['SUCCESSFULLY_DELIVERED', noon]]);
    expect(isConcerned(changed(3, delivered), [elsewhere])).toBe(true);
  });

  test('of the drafts of an order concerns the drafts that it added', () => {
    const draft = { ...changed(0), shipment: aShipment() };
    expect(isConcerned(draft, [owned])).toBe(true);
    expect(isConcerned({ ...draft, before: aShipment() }, [owned])).toBe(false);
  });
});

describe('the item of a plan', () => {
  const itemOf = (content: Plan) => planItem('blue', shipment, content, 7);

  test('is in the list of due items at the earliest of its times', () => {
    expect(itemOf(plan(3, { 'webhook#t2': at(48), 'webhook#t1': at(24) }))).toEqual({
      ...keyOf.dueTriggers('blue', orderId, shipment.uuid),
      list_pk: expect.stringMatching(/^DUE#[0-7]$/),
      list_sk: hoursAfter(noon, 24),
      kind: 'internal_trigger',
      shop_slug: 'blue',
      due_at: hoursAfter(noon, 24),
      order_id: orderId,
      shipment_id: shipment.uuid,
      planned: { 'webhook#t1': at(24), 'webhook#t2': at(48) },
      fired: {},
      version: 3,
      revision: 7,
    });
  });

  test('leaves the list when everything has fired, and is kept for 400 days after that', () => {
    const item = itemOf(fired(3))!;
    expect(item).toMatchObject({ fired: { 'webhook#t1': at(0) }, expires_at: at(400 * 24) / 1000 });
    expect(item).not.toHaveProperty('list_pk');
  });

  test('does not exist when there is nothing to remember', () => {
    expect(itemOf(none)).toBeUndefined();
  });

  test('that was given up still has what was planned', () => {
    const { due_at: _due, ...givenUp } = itemOf(plan(2))!;
    expect(planOf(givenUp)).toEqual(plan(2));
    expect([givenUp, itemOf(plan(2)), itemOf(fired(3)), undefined].map(isGivenUp)).toEqual([true, false, false, false]);
  });

  test('stays small with as many triggers as a shop can have', () => {
    const names = thirdParties.flatMap((thirdParty) =>
      Array.from({ length: recordLimits.internalTriggers }, (_, i) => `${thirdParty}#${orderId.slice(0, -2)}${10 + i}`),
    );
    const { planned } = itemOf(plan(3, Object.fromEntries(names.map((name) => [name, at(24)]))))!;
    // DynamoDB counts the UTF-8 of a name, half a byte for each digit of a number, and two bytes more.
    const bytes = Object.keys(planned).reduce((sum, name) => sum + name.length + 13 / 2 + 2, 0);
    expect(Object.keys(planned)).toHaveLength(160);
    expect(bytes).toBeLessThan(10 * 1024);
  });
});
