import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Action, AutomationRecord } from '#domain/automations/model.ts';
import { newClaim } from '#domain/claims/claim-rules.ts';
import { claimsOfOrder } from '#domain/claims/claim-store.ts';
import { insertClaim, updateClaim } from '#domain/claims/claim-writes.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import { keyOf } from '#platform/table/keys.ts';
import { signedWith, startReceiver } from '#test/e2e/kit/receiver.ts';
import { anAutomation } from '#test/kit/automations.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { itemsOf, orderWithEvent, triggeredAt } from '#test/kit/outbox-records.ts';
import { secret, startAutomationPipeline } from './automations/automation-pipeline.ts';

const pipeline = startAutomationPipeline();
afterAll(() => pipeline.stop());
beforeEach(() => {
  delete process.env.INTEGRATION_TARGETS;
  pipeline.reset(triggeredAt);
});

const shop = { slug: 'blue', uuid: 'shop-blue' };
const segment = (name: string): Action => ({ type: 'add_segment', params: { segment: name } });
const moveTo = (status: 'accepted' | 'closed' | 'pending' | 'rejected'): Action => ({
  type: 'update_claim',
  params: { status },
});
const other = (last: string) => `01930000-0000-7000-8000-0000000000${last}`;

/** An order whose parcels are on their way, and the event of it in the outbox. */
async function parcelsMove(parcels = 1) {
  const given = orderWithEvent('blue', 'A', { parcels });
  for (const item of [...itemsOf(given), given.event]) memoryTable.put(item);
  return { given, segments: async () => (await loadOrder('blue', given.order.uuid))!.order.segments ?? [] };
}

/** A claim on a parcel, whose events are in the outbox. */
async function claimIsMade() {
  const given = orderWithEvent('blue', 'A');
  for (const item of itemsOf(given)) memoryTable.put(item);
  const input = {
    reason: 'damage',
    selected_items: [],
    damaged_product_items: [],
    image_urls: [],
    optional_image_urls: [],
  };
  const claim = newClaim(other('c1'), input as never, given.shipments[0]!, new Date().toISOString());
  await insertClaim(shop, claim, given, { by: 'a-key' });
  const status = async () => (await claimsOfOrder('blue', given.order.uuid))[0]!.status;
  return { uuid: claim.uuid, status };
}

const withAutomation = (fields: Partial<AutomationRecord> = {}) => pipeline.addAutomation(anAutomation(fields));
const only = async () => {
  const runs = pipeline.runs();
  expect(runs).toHaveLength(1);
  return runs[0]!;
};

describe('an event that an automation listens to', () => {
  test('is sent to its webhook once for each parcel, as a delivery like all others', async () => {
    withAutomation();
    await parcelsMove(2);
    await pipeline.settle();
    const runs = pipeline.runs();
    expect(runs.map(({ status }) => status)).toEqual(['done', 'done']);
    const made = pipeline.deliveries();
    expect(made).toHaveLength(2);
    expect(made[0]).toMatchObject({ kind: 'automation', status: 'pending', event_group: 'shipment_in_transit' });
    const named = runs.flatMap(({ results }) => Object.values(results).map(({ delivery }) => delivery!.id));
    expect(new Set(named)).toEqual(new Set(made.map(({ id }) => id)));
  });

  test('is parked like any other delivery when its receiver is down', async () => {
    await using receiver = await startReceiver();
    withAutomation({ actions: [{ type: 'webhook', params: { url: receiver.url } }] });
    await parcelsMove();
    await pipeline.act(await pipeline.begun());
    const [made] = pipeline.deliveries();
    memoryTable.put({ ...keyOf.circuit('blue', String(made!.target)), state: 'open', failing: [], version: 1 });
    expect(await pipeline.deliver()).toBe(1);
    expect(pipeline.deliveries()).toMatchObject([{ status: 'parked', attempts: [] }]);
  });

  test('that is repeated, or whose run is queued again, changes nothing', async () => {
    withAutomation({ actions: [segment('moving'), ...anAutomation().actions] });
    const { segments } = await parcelsMove();
    const [body] = (await pipeline.begun()) as [string];
    await Promise.all([pipeline.act([body, body]), pipeline.act([body, body]), pipeline.act([body])]);
    const before = await only();
    expect(before).toMatchObject({ status: 'done' });
    expect(await pipeline.stream({ again: true })).toEqual([]);
    expect(await pipeline.act(pipeline.queued())).toBe(0);
    expect(await only()).toEqual(before);
    expect(pipeline.deliveries()).toHaveLength(1);
    expect(await segments()).toEqual(['moving']);
  });

  test('is repeated when the queue refuses its run', async () => {
    withAutomation();
    await parcelsMove();
    expect(await pipeline.stream()).toEqual([]);
    pipeline.sqs.on(SendMessageBatchCommand).rejects(new Error('down'));
    expect(await pipeline.stream()).toEqual(['0']);
    pipeline.sqs.on(SendMessageBatchCommand).resolves({});
    await pipeline.stream({ again: true });
    expect(await pipeline.act(pipeline.queued())).toBe(0);
    expect(await only()).toMatchObject({ status: 'done' });
  });

  test('leaves no run behind when fan-out is interrupted and the automation becomes inactive', async () => {
    withAutomation();
    await parcelsMove();
    await pipeline.stream();
    pipeline.queued(); // the messages and the answer to the stream are lost
    withAutomation({ status: 'inactive' });
    await pipeline.stream({ again: true });
    expect(await pipeline.act(pipeline.queued())).toBe(0);
    expect(await only()).toMatchObject({ status: 'skipped', reason: 'automation_inactive' });
  });

  test('that no automation listens to writes nothing', async () => {
    withAutomation({ trigger: { event_group: 'shipment_delivered' } });
    withAutomation({ uuid: other('b1'), status: 'inactive' });
    const conditions = { all: [{ field: 'event_data.phase', operator: 'eq' as const, value: 'delivered' }] };
    withAutomation({ uuid: other('b2'), conditions });
    await parcelsMove();
    await pipeline.settle();
    expect(pipeline.runs()).toEqual([]);
  });
});

describe('an automation with a delay', () => {
  const delayed = { delay_minutes: 90, actions: [segment('waited')] };

  test('acts once when its time has come', async () => {
    withAutomation(delayed);
    const { segments } = await parcelsMove();
    await pipeline.settle();
    expect(await only()).toMatchObject({ status: 'scheduled', due_at: '2026-11-14T13:30:00.000Z', finished_at: null });
    await pipeline.later(89);
    expect(pipeline.queued()).toEqual([]);
    await pipeline.later(1);
    const bodies = pipeline.queued();
    await pipeline.act([...bodies, ...bodies]);
    expect(await only()).toMatchObject({ status: 'done', finished_at: '2026-11-14T13:30:00.000Z' });
    expect(await segments()).toEqual(['waited']);
    await pipeline.later(60);
    expect(pipeline.queued()).toEqual([]);
  });

  test('reaches its receiver when its time has come and not before, signed at that time', async () => {
    await using receiver = await startReceiver();
    withAutomation({ delay_minutes: 90, actions: [{ type: 'webhook', params: { url: receiver.url } }] });
    const { given } = await parcelsMove();
    await pipeline.settle();
    await pipeline.later(89);
    expect(pipeline.queued()).toEqual([]);
    expect(await pipeline.deliver()).toBe(0);
    await pipeline.later(1);
    await pipeline.act(pipeline.queued());
    expect(await pipeline.deliver()).toBe(1);
    const request = await receiver.next();
    expect(signedWith(request, [secret])).toEqual([true]);
    expect(request.headers['webhook-timestamp']).toBe(String(Date.parse('2026-11-14T13:30:00Z') / 1000));
    expect(JSON.parse(request.body)).toMatchObject({ shop_slug: 'blue', triggered_at: given.event.triggered_at });
    expect(pipeline.deliveries()).toMatchObject([{ status: 'delivered', attempt_count: 1 }]);
  });

  test('checks its conditions again on the order at that time', async () => {
    const conditions = { all: [{ field: 'context.order.order_name', operator: 'eq' as const, value: null }] };
    withAutomation({ ...delayed, conditions });
    const { given, segments } = await parcelsMove();
    await pipeline.settle();
    for (const item of itemsOf({ ...given, order: { ...given.order, order_name: 'now it has one' } })) {
      memoryTable.put(item);
    }
    await pipeline.later(90);
    await pipeline.settle();
    expect(await only()).toMatchObject({
      status: 'skipped',
      reason: 'conditions_not_met',
      conditions: [{ field: 'context.order.order_name', operator: 'eq', met: false }],
    });
    expect(await segments()).toEqual([]);
  });

  test('acts as it is defined at that time, and does nothing if it was switched off or deleted', async () => {
    withAutomation({ ...delayed, uuid: other('b1') });
    withAutomation({ ...delayed, uuid: other('b2') });
    withAutomation({ ...delayed, uuid: other('b3') });
    const { segments } = await parcelsMove();
    await pipeline.settle();
    withAutomation({ ...delayed, uuid: other('b1'), actions: [segment('another')] });
    withAutomation({ ...delayed, uuid: other('b2'), status: 'inactive' });
    memoryTable.remove(keyOf.record('automations', 'blue', other('b3')));
    await pipeline.later(90);
    await pipeline.settle();
    const outcomes = pipeline.runs().map(({ automation_id, status, reason }) => [automation_id, status, reason]);
    expect(outcomes.toSorted()).toEqual([
      [other('b1'), 'done', null],
      [other('b2'), 'skipped', 'automation_inactive'],
      [other('b3'), 'skipped', 'automation_deleted'],
    ]);
    expect(await segments()).toEqual(['another']);
  });

  test('acts although an outage delayed it for longer than its event may be old', async () => {
    withAutomation({ ...delayed, max_age_hours: 1, actions: [segment('vip')] });
    const { segments } = await parcelsMove();
    await pipeline.settle();
    await pipeline.later(90 + 48 * 60);
    await pipeline.settle();
    expect(await only()).toMatchObject({ status: 'done', reason: null });
    expect(await segments()).toEqual(['vip']);
  });
});

test('a testing automation records what it would have done, and does nothing', async () => {
  withAutomation({ status: 'testing', delay_minutes: 5, actions: [segment('vip'), ...anAutomation().actions] });
  const { segments } = await parcelsMove();
  await pipeline.settle();
  const { status, results } = await only();
  expect(status).toBe('tested');
  expect(Object.values(results)).toEqual([{ status: 'would_do' }, { status: 'would_do' }]);
  await pipeline.later(10);
  await pipeline.settle();
  expect(await segments()).toEqual([]);
  expect(pipeline.deliveries()).toEqual([]);
});

describe('an automation of claims', () => {
  const ofClaims = { trigger: { ref: 'claims' } } as const;

  test('moves a claim, and is not triggered by that again', async () => {
    withAutomation({ ...ofClaims, actions: [moveTo('accepted')] });
    const { status } = await claimIsMade();
    await pipeline.settle();
    expect(await status()).toBe('accepted');
    const runs = pipeline.runs().map(({ event, status: end, reason }) => [event.ref, end, reason]);
    expect(runs.toSorted()).toEqual([
      ['claims/created', 'done', null],
      ['claims/updated', 'skipped', 'loop'],
    ]);
  });

  test('is not triggered through another automation either', async () => {
    withAutomation({ ...ofClaims, uuid: other('b1'), actions: [moveTo('rejected')] });
    const conditions = { all: [{ field: 'event_data.status', operator: 'eq' as const, value: 'rejected' }] };
    withAutomation({ ...ofClaims, uuid: other('b2'), conditions, actions: [moveTo('pending')] });
    const { status } = await claimIsMade();
    await pipeline.settle();
    expect(await status()).toBe('pending');
    const loops = pipeline.runs().filter(({ reason }) => reason === 'loop');
    expect(loops.map(({ automation_id }) => automation_id)).toEqual(expect.arrayContaining([other('b1')]));
  });

  test('records a refused move of a claim, and does not try again', async () => {
    withAutomation({ ...ofClaims, trigger: { ref: 'claims/created' }, actions: [moveTo('accepted')] });
    const { uuid, status } = await claimIsMade();
    await updateClaim(shop, uuid, { status: 'closed' }, { by: 'a-key', now: new Date() });
    await pipeline.settle();
    const { status: end, results } = await only();
    expect(end).toBe('failed');
    expect(Object.values(results)).toEqual([{ status: 'failed', reason: 'claim_transition_invalid' }]);
    expect(await status()).toBe('closed');
  });

  test('moves a claim once, even if its function was interrupted before it recorded that and another moved the claim since', async () => {
    withAutomation({ trigger: { ref: 'claims/created' }, actions: [moveTo('rejected'), segment('x')] });
    const { uuid, status } = await claimIsMade();
    const bodies = await pipeline.begun();
    failOn(2);
    expect(await pipeline.act(bodies)).toBe(1);
    vi.restoreAllMocks();
    expect(await status()).toBe('rejected');
    await updateClaim(shop, uuid, { status: 'pending' }, { by: 'a-key', now: new Date() });
    expect(await pipeline.act(bodies)).toBe(0);
    expect(await status()).toBe('pending');
    expect(await only()).toMatchObject({ status: 'done' });
  });

  test('has no claim to move after an event of a parcel', async () => {
    withAutomation({ actions: [moveTo('closed')] });
    await parcelsMove();
    await pipeline.settle();
    expect(Object.values((await only()).results)).toEqual([{ status: 'failed', reason: 'not_of_a_claim' }]);
  });
});

/** The n-th transaction from now on, and all after it, fail as if the table were unreachable. */
function failOn(count: number) {
  const send = DynamoDBDocumentClient.prototype.send;
  let transactions = 0;
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(function (this: never, ...args: never[]) {
    const [command] = args as unknown as [object];
    if (command instanceof TransactWriteCommand && ++transactions >= count) return Promise.reject(unreachable());
    return (send as (...rest: never[]) => never).apply(this, args);
  } as never);
}

const unreachable = () => Object.assign(new Error('out of reach'), { name: 'ServiceUnavailable' });

describe('an action towards an integration', () => {
  const notify: Action = { type: 'integration', params: { integration: 'integration_1' } };

  test('is a delivery of its own when the integration has an address and a key, whatever its switch', async () => {
    process.env.INTEGRATION_TARGETS = JSON.stringify({ integration_1: { url: 'https://i.example', scheme: 'bearer' } });
    memoryTable.put({ ...keyOf.integrationKey('blue', 'integration_1'), integration: 'integration_1' });
    withAutomation({ actions: [notify] });
    await parcelsMove();
    await pipeline.settle();
    expect(await only()).toMatchObject({ status: 'done' });
    expect(pipeline.deliveries()).toMatchObject([{ target: 'integration_1', kind: 'integration' }]);
  });

  test('fails for good when the integration has no address or no key', async () => {
    withAutomation({ actions: [notify, segment('told')] });
    const { segments } = await parcelsMove();
    await pipeline.settle();
    // A map has no order in DynamoDB.
    expect(new Set(Object.values((await only()).results))).toEqual(
      new Set([{ status: 'failed', reason: 'integration_not_configured' }, { status: 'done' }]),
    );
    expect(await segments()).toEqual(['told']);
  });
});

describe('a run that fails repeatedly', () => {
  test('returns to the queue, and is recorded as failed when the queue gives it up', async () => {
    withAutomation();
    await parcelsMove();
    const bodies = await pipeline.begun();
    failOn(1);
    expect(await pipeline.act(bodies)).toBe(1);
    vi.restoreAllMocks();
    expect(await only()).toMatchObject({ status: 'pending' });
    expect(await pipeline.giveUp([...bodies, '{}'])).toBe(0);
    expect(await only()).toMatchObject({ status: 'failed', reason: 'given_up' });
    expect(await pipeline.act(bodies)).toBe(0);
    expect(pipeline.deliveries()).toEqual([]);
  });

  test('is kept when it is given up, and acts once when it is sent again', async () => {
    withAutomation();
    await parcelsMove();
    await pipeline.giveUp(await pipeline.begun());
    expect(pipeline.givenUp()).toHaveLength(1);
    const twice = [...pipeline.givenUp(), ...pipeline.givenUp()];
    // Of two at once, the one that did not open the run comes again, because it cannot know whether the other one did.
    expect(await pipeline.act(twice)).toBeLessThanOrEqual(1);
    expect(await pipeline.act(twice)).toBe(0);
    expect(await only()).toMatchObject({ status: 'done', reason: null });
    expect(pipeline.deliveries()).toHaveLength(1);
  });

  test('that no longer exists is dropped, and an unreadable message is kept as it is', async () => {
    const gone = JSON.stringify({ shop_slug: 'blue', automation_id: 'a', run_id: 'b' });
    expect(await pipeline.act([gone, 'no json'])).toBe(0);
    expect(pipeline.givenUp()).toEqual(['no json']);
  });
});

test('an order gets no more segments than the contract allows, and none twice', async () => {
  withAutomation({ actions: [segment('vip')] });
  const given = orderWithEvent('blue', 'A');
  const full = { ...given, order: { ...given.order, segments: Array.from({ length: 100 }, (_, i) => `s${i}`) } };
  for (const item of [...itemsOf(full), given.event]) memoryTable.put(item);
  await pipeline.settle();
  expect(Object.values((await only()).results)).toEqual([{ status: 'failed', reason: 'too_many_segments' }]);
});
