import { describe, expect, test } from 'vitest';
import { canMatchClaimEvents, isTriggered, runStartOf, skipReason } from '#domain/automations/decision.ts';
import type { AutomationRecord, Trigger } from '#domain/automations/model.ts';
import { causedBy, chainFault, chainOf } from '#domain/automations/model.ts';
import { newRun } from '#domain/automations/run.ts';
import { subjectsOf } from '#domain/deliveries/event-payload.ts';
import { messageEvent, type StoredEvent } from '#domain/orders/outbox.ts';
import { anAutomation } from '#test/kit/automations.ts';
import { claimOf } from '#test/kit/claims.ts';
import { orderWithEvent, triggeredAt } from '#test/kit/outbox-records.ts';

const event = orderWithEvent('blue', 'A', { parcels: 2 }).event as StoredEvent;
const [subject] = subjectsOf(event);
const payload = { ref: event.ref };
const begin = (fields: Partial<AutomationRecord> = {}, of: StoredEvent = event) =>
  runStartOf(anAutomation(fields), of, subjectsOf(of)[0]!, payload);
const hours = (count: number) => new Date(Date.parse(triggeredAt) + count * 3_600_000);
const happenedAgo = (count: number): StoredEvent =>
  ({ ...event, shipments: [{ ...subject!.occurrence, time: hours(-count).toISOString() }] }) as StoredEvent;

describe('an automation', () => {
  const rows: [trigger: Trigger, setOff: boolean][] = [
    [{ event_group: 'shipment_in_transit' }, true],
    [{ event_group: 'shipment_delivered' }, false],
    [{ event_group: 'shipment_delivered_all_events' }, false],
    [{ ref: 'shipments/in_transit/SHIPMENT_EN_ROUTE' }, true],
    [{ ref: 'shipments/in_transit' }, true],
    [{ ref: 'shipments' }, true],
    [{ ref: '*' }, true],
    [{ ref: 'claims' }, false],
    [{ ref: 'shipments/in' }, false],
  ];
  test.each(rows)('with the trigger %j runs after an event in transit: %j', (trigger, setOff) => {
    expect(isTriggered(anAutomation({ trigger }), event)).toBe(setOff);
    expect(isTriggered(anAutomation({ trigger, status: 'inactive' }), event)).toBe(false);
  });

  test('that listens to all deliveries runs after a delivery of any group', () => {
    const ref = 'shipments/delivered/DELIVERED_TO_NEIGHBOUR';
    const delivered = { ...event, ref, event_group: 'shipment_delivered_to_neighbour' };
    expect(isTriggered(anAutomation({ trigger: { event_group: 'shipment_delivered_all_events' } }), delivered)).toBe(
      true,
    );
  });

  test('runs after what the customer wrote in a claim, and not after what the shop wrote', () => {
    const written = (from: 'shop' | 'customer'): StoredEvent => ({
      ...messageEvent(claimOf(), { uuid: 'message', from }, 2, 'somebody'),
      shop_slug: 'blue',
    });
    for (const trigger of [{ ref: '*' }, { ref: 'claims/updated' }, { event_group: 'claim_updated' as const }]) {
      expect(isTriggered(anAutomation({ trigger }), written('customer'))).toBe(true);
      expect(isTriggered(anAutomation({ trigger }), written('shop'))).toBe(false);
    }
  });

  test('runs after an internal trigger only if it listens to the group of internal triggers', () => {
    const fired = { ...event, event_group: 'shipment_internal_trigger', internal_trigger: { id: 'i', name: 'late' } };
    expect(isTriggered(anAutomation({ trigger: { event_group: 'shipment_internal_trigger' } }), fired)).toBe(true);
    expect(isTriggered(anAutomation({ trigger: { ref: '*' } }), fired)).toBe(false);
  });
});

describe('a run', () => {
  test('begins at once, or after the delay of its automation', () => {
    expect(begin()).toEqual({ status: 'pending', conditions: [] });
    expect(begin({ delay_minutes: 1 })).toEqual({ status: 'scheduled', conditions: [] });
  });

  test('does not begin when the conditions do not hold, and a test records that', () => {
    const conditions = { all: [{ field: 'ref', operator: 'eq' as const, value: 'x' }] };
    const outcome = [{ field: 'ref', operator: 'eq', met: false }];
    expect(begin({ conditions })).toBeUndefined();
    expect(begin({ conditions, status: 'testing' })).toEqual({
      status: 'skipped',
      reason: 'conditions_not_met',
      conditions: outcome,
    });
  });

  test('of a test ends at once with what it would have done', () => {
    const { status, results } = begin({ status: 'testing', delay_minutes: 5 })!;
    expect(status).toBe('tested');
    expect(Object.values(results!)).toEqual([{ status: 'would_do' }]);
  });

  test('is skipped when its event is too old, unless an internal trigger fired it', () => {
    expect(begin({ max_age_hours: 4 }, happenedAgo(4))).toMatchObject({ status: 'pending' });
    expect(begin({ max_age_hours: 4 }, happenedAgo(4.1))).toMatchObject({ status: 'skipped', reason: 'too_old' });
    const fired = { ...happenedAgo(48), internal_trigger: { id: 'i', name: 'late' } };
    expect(begin({ max_age_hours: 4 }, fired)).toMatchObject({ status: 'pending' });
  });

  test('is skipped when its automation caused the event, directly or through others', () => {
    const by = (...chain: string[]) => ({ ...event, by: `automation:${chain.join(',')}` }) as StoredEvent;
    const { uuid } = anAutomation();
    expect(begin({}, by(uuid))).toMatchObject({ status: 'skipped', reason: 'loop' });
    expect(begin({}, by(uuid, 'other'))).toMatchObject({ status: 'skipped', reason: 'loop' });
    expect(begin({}, by('other', 'another'))).toMatchObject({ status: 'pending' });
    expect(begin({}, by('a', 'b', 'c'))).toMatchObject({ status: 'skipped', reason: 'chain_too_long' });
  });
});

test('the chain of automations is read from the cause of an event', () => {
  expect(chainOf({ by: causedBy(['a'], 'b') })).toEqual(['a', 'b']);
  expect(chainOf({ by: 'token-id' })).toEqual([]);
  expect(chainOf({})).toEqual([]);
  expect(chainFault([], 'a')).toBeUndefined();
});

test('a trigger listens to claims, to shipments or to both', () => {
  const ofClaims = [{ ref: '*' }, { ref: 'claims' }, { ref: 'claims/created' }, { event_group: 'claim_updated' }];
  expect(ofClaims.map(canMatchClaimEvents)).toEqual([true, true, true, true]);
  expect([{ ref: 'shipments' }, { event_group: 'shipment_delivered' }].map(canMatchClaimEvents)).toEqual([
    false,
    false,
  ]);
});

describe('a run that is due', () => {
  const delayed = anAutomation({ delay_minutes: 60 });
  const run = newRun(delayed, event, subject!, { status: 'scheduled', conditions: [] });

  test('is skipped when its automation is deleted, inactive or listens to something else', () => {
    expect(skipReason(undefined, run)).toBe('automation_deleted');
    expect(skipReason({ ...delayed, status: 'inactive' }, run)).toBe('automation_inactive');
    expect(skipReason({ ...delayed, trigger: { ref: 'claims' } }, run)).toBe('trigger_changed');
    expect(skipReason(delayed, run)).toBeUndefined();
  });
});

describe('the id of a run', () => {
  const idOf = (automation: AutomationRecord, place: number) =>
    newRun(automation, event, subjectsOf(event)[place]!, { status: 'pending', conditions: [] }).id;

  test('follows from its automation, event and subject, and begins with the time of the event', () => {
    const [first, other] = [anAutomation(), anAutomation({ uuid: '01930000-0000-7000-8000-0000000000bb' })];
    expect(idOf(first, 0)).toBe(idOf({ ...first, name: 'renamed', delay_minutes: 7 }, 0));
    expect(new Set([idOf(first, 0), idOf(first, 1), idOf(other, 0)]).size).toBe(3);
    expect(idOf(first, 0).replace('-', '').slice(0, 12)).toBe(Date.parse(triggeredAt).toString(16).padStart(12, '0'));
  });
});

test('a run stores only the event of its own subject, without the outbox keys, for 30 days after it is due', () => {
  const run = newRun(anAutomation({ delay_minutes: 60 }), event, subject!, { status: 'scheduled', conditions: [] });
  expect(run.event).toMatchObject({ id: event.id, shipments: [subject!.occurrence] });
  expect(Object.keys(run.event)).not.toEqual(expect.arrayContaining(['pk']));
  expect(run.expires_at).toBe(hours(1).getTime() / 1000 + 30 * 24 * 3600);
});
