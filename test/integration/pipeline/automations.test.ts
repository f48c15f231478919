import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Action, AutomationRecord } from '#domain/automations/model.ts';
import { newClaim } from '#domain/claims/claim-rules.ts';
import { claimsOfOrder } from '#domain/claims/claim-store.ts';
import { insertClaim, updateClaim } from '#domain/claims/claim-writes.ts';
import { loadOrder } from '#domain/orders/order-store.ts';
import { keyOf } from '#platform/table/keys.ts';
import { signedWith, startReceiver } from '#test/e2e/kit/receiver.ts';
import { anAutomation } from '#test/unit/kit/automations.ts';
import { happening, itemsOf, triggeredAt } from '#test/unit/kit/outbox-records.ts';
import { type Engine, secret, startEngine } from './automations/engine.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());
beforeEach(async () => {
  delete process.env.INTEGRATION_TARGETS;
  await engine.reset(triggeredAt);
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
  const given = happening('blue', 'A', { parcels });
  for (const item of [...itemsOf(given), given.event]) await engine.put(item);
  return { given, segments: async () => (await loadOrder('blue', given.order.uuid))!.order.segments ?? [] };
}

/** A claim on a parcel, whose events are in the outbox. */
async function claimIsMade() {
  const given = happening('blue', 'A');
  for (const item of itemsOf(given)) await engine.put(item);
  const input = {
    reason: 'damage',
    selected_items: [],
    damaged_product_items: [],
    image_urls: [],
    optional_image_urls: [],
  };
  const claim = newClaim(other('c1'), input as never, given.shipments[0]!, new Date().toISOString());
  await insertClaim(shop, claim, given, 'a-key');
  const status = async () => (await claimsOfOrder('blue', given.order.uuid))[0]!.status;
  return { uuid: claim.uuid, status };
}

const withAutomation = (fields: Partial<AutomationRecord> = {}) => engine.addAutomation(anAutomation(fields));
const only = async () => {
  const runs = await engine.runs();
  expect(runs).toHaveLength(1);
  return runs[0]!;
};

describe('an event that an automation waits for', () => {
  test('is handed over to its webhook once for each parcel, through the deliveries of all', async () => {
    await withAutomation();
    await parcelsMove(2);
    await engine.settle();
    const runs = await engine.runs();
    expect(runs.map(({ status }) => status)).toEqual(['done', 'done']);
    const made = await engine.deliveries();
    expect(made).toHaveLength(2);
    expect(made[0]).toMatchObject({ kind: 'automation', status: 'pending', event_group: 'shipment_in_transit' });
    const named = runs.flatMap(({ results }) => Object.values(results).map(({ delivery }) => delivery!.id));
    expect(new Set(named)).toEqual(new Set(made.map(({ id }) => id)));
  });

  test('waits like any other delivery where its receiver is held to be down', async () => {
    await using receiver = await startReceiver();
    await withAutomation({ actions: [{ type: 'webhook', params: { url: receiver.url } }] });
    await parcelsMove();
    await engine.act(await engine.begun());
    const [made] = await engine.deliveries();
    await engine.put({ ...keyOf.circuit('blue', String(made!.target)), state: 'open', failing: [], version: 1 });
    expect(await engine.deliver()).toBe(1);
    expect(await engine.deliveries()).toMatchObject([{ status: 'parked', attempts: [] }]);
  });

  test('that comes again, or whose run is queued again, changes nothing', async () => {
    await withAutomation({ actions: [segment('moving'), ...anAutomation().actions] });
    const { segments } = await parcelsMove();
    const [body] = (await engine.begun()) as [string];
    await Promise.all([engine.act([body, body]), engine.act([body, body]), engine.act([body])]);
    const before = await only();
    expect(before).toMatchObject({ status: 'done' });
    expect(await engine.stream({ again: true })).toEqual([]);
    expect(await engine.act(engine.queued())).toBe(0);
    expect(await only()).toEqual(before);
    expect(await engine.deliveries()).toHaveLength(1);
    expect(await segments()).toEqual(['moving']);
  });

  test('comes again where the queue does not take its run', async () => {
    await withAutomation();
    await parcelsMove();
    expect(await engine.stream()).toEqual([]);
    engine.sqs.on(SendMessageBatchCommand).rejects(new Error('down'));
    expect(await engine.stream()).toEqual(['0']);
    engine.sqs.on(SendMessageBatchCommand).resolves({});
    await engine.stream({ again: true });
    expect(await engine.act(engine.queued())).toBe(0);
    expect(await only()).toMatchObject({ status: 'done' });
  });

  test('does not leave a run behind where fan-out ends before its time and the automation sleeps since', async () => {
    await withAutomation();
    await parcelsMove();
    await engine.stream();
    engine.queued(); // whatever was sent is lost, as is the answer to the stream
    await withAutomation({ status: 'inactive' });
    await engine.stream({ again: true });
    expect(await engine.act(engine.queued())).toBe(0);
    expect(await only()).toMatchObject({ status: 'skipped', reason: 'automation_inactive' });
  });

  test('of which no automation wants to know leaves no trace', async () => {
    await withAutomation({ trigger: { event_group: 'shipment_delivered' } });
    await withAutomation({ uuid: other('b1'), status: 'inactive' });
    const conditions = { all: [{ field: 'event_data.phase', operator: 'eq' as const, value: 'delivered' }] };
    await withAutomation({ uuid: other('b2'), conditions });
    await parcelsMove();
    await engine.settle();
    expect(await engine.runs()).toEqual([]);
  });
});

describe('an automation with a delay', () => {
  const delayed = { delay_minutes: 90, actions: [segment('waited')] };

  test('acts when its time has come, and once', async () => {
    await withAutomation(delayed);
    const { segments } = await parcelsMove();
    await engine.settle();
    expect(await only()).toMatchObject({ status: 'scheduled', due_at: '2026-11-14T13:30:00.000Z', finished_at: null });
    await engine.later(89);
    expect(engine.queued()).toEqual([]);
    await engine.later(1);
    const bodies = engine.queued();
    await engine.act([...bodies, ...bodies]);
    expect(await only()).toMatchObject({ status: 'done', finished_at: '2026-11-14T13:30:00.000Z' });
    expect(await segments()).toEqual(['waited']);
    await engine.later(60);
    expect(engine.queued()).toEqual([]);
  });

  test('reaches its receiver when its time has come, and not before, signed at that time', async () => {
    await using receiver = await startReceiver();
    await withAutomation({ delay_minutes: 90, actions: [{ type: 'webhook', params: { url: receiver.url } }] });
    const { given } = await parcelsMove();
    await engine.settle();
    await engine.later(89);
    expect(engine.queued()).toEqual([]);
    expect(await engine.deliver()).toBe(0);
    await engine.later(1);
    await engine.act(engine.queued());
    expect(await engine.deliver()).toBe(1);
    const request = await receiver.next();
    expect(signedWith(request, [secret])).toEqual([true]);
    expect(request.headers['webhook-timestamp']).toBe(String(Date.parse('2026-11-14T13:30:00Z') / 1000));
    expect(JSON.parse(request.body)).toMatchObject({ shop_slug: 'blue', triggered_at: given.event.triggered_at });
    expect(await engine.deliveries()).toMatchObject([{ status: 'delivered', attempt_count: 1 }]);
  });

  test('looks at the conditions again, on the order as it is then', async () => {
    const conditions = { all: [{ field: 'context.order.order_name', operator: 'eq' as const, value: null }] };
    await withAutomation({ ...delayed, conditions });
    const { given, segments } = await parcelsMove();
    await engine.settle();
    for (const item of itemsOf({ ...given, order: { ...given.order, order_name: 'now it has one' } })) {
      await engine.put(item);
    }
    await engine.later(90);
    await engine.settle();
    expect(await only()).toMatchObject({
      status: 'skipped',
      reason: 'conditions_not_met',
      conditions: [{ field: 'context.order.order_name', operator: 'eq', met: false }],
    });
    expect(await segments()).toEqual([]);
  });

  test('does what it says by then, and nothing where it has been switched off or deleted', async () => {
    await withAutomation({ ...delayed, uuid: other('b1') });
    await withAutomation({ ...delayed, uuid: other('b2') });
    await withAutomation({ ...delayed, uuid: other('b3') });
    const { segments } = await parcelsMove();
    await engine.settle();
    await withAutomation({ ...delayed, uuid: other('b1'), actions: [segment('another')] });
    await withAutomation({ ...delayed, uuid: other('b2'), status: 'inactive' });
    await engine.remove(keyOf.record('automations', 'blue', other('b3')));
    await engine.later(90);
    await engine.settle();
    const outcomes = (await engine.runs()).map(({ automation_id, status, reason }) => [automation_id, status, reason]);
    expect(outcomes.toSorted()).toEqual([
      [other('b1'), 'done', null],
      [other('b2'), 'skipped', 'automation_inactive'],
      [other('b3'), 'skipped', 'automation_deleted'],
    ]);
    expect(await segments()).toEqual(['another']);
  });

  test('does nothing where it comes far too late', async () => {
    await withAutomation({ ...delayed, max_age_hours: 1 });
    const { segments } = await parcelsMove();
    await engine.settle();
    await engine.later(90 + 61);
    await engine.settle();
    expect(await only()).toMatchObject({ status: 'skipped', reason: 'too_old' });
    expect(await segments()).toEqual([]);
  });
});

test('a test records what it would have done, and does nothing', async () => {
  await withAutomation({ status: 'testing', delay_minutes: 5, actions: [segment('vip'), ...anAutomation().actions] });
  const { segments } = await parcelsMove();
  await engine.settle();
  const { status, results } = await only();
  expect(status).toBe('tested');
  expect(Object.values(results)).toEqual([{ status: 'would_do' }, { status: 'would_do' }]);
  await engine.later(10);
  await engine.settle();
  expect(await segments()).toEqual([]);
  expect(await engine.deliveries()).toEqual([]);
});

describe('an automation of claims', () => {
  const ofClaims = { trigger: { ref: 'claims' } } as const;

  test('moves a claim, and is not set off by that again', async () => {
    await withAutomation({ ...ofClaims, actions: [moveTo('accepted')] });
    const { status } = await claimIsMade();
    await engine.settle();
    expect(await status()).toBe('accepted');
    const runs = (await engine.runs()).map(({ event, status: end, reason }) => [event.ref, end, reason]);
    expect(runs.toSorted()).toEqual([
      ['claims/created', 'done', null],
      ['claims/updated', 'skipped', 'loop'],
    ]);
  });

  test('is not set off through another one either', async () => {
    await withAutomation({ ...ofClaims, uuid: other('b1'), actions: [moveTo('rejected')] });
    const conditions = { all: [{ field: 'event_data.status', operator: 'eq' as const, value: 'rejected' }] };
    await withAutomation({ ...ofClaims, uuid: other('b2'), conditions, actions: [moveTo('pending')] });
    const { status } = await claimIsMade();
    await engine.settle();
    expect(await status()).toBe('pending');
    const loops = (await engine.runs()).filter(({ reason }) => reason === 'loop');
    expect(loops.map(({ automation_id }) => automation_id)).toEqual(expect.arrayContaining([other('b1')]));
  });

  test('says so where the claim does not allow the move, and does not try again', async () => {
    await withAutomation({ ...ofClaims, trigger: { ref: 'claims/created' }, actions: [moveTo('accepted')] });
    const { uuid, status } = await claimIsMade();
    await updateClaim(shop, uuid, { status: 'closed' }, { by: 'a-key', now: new Date() });
    await engine.settle();
    const { status: end, results } = await only();
    expect(end).toBe('failed');
    expect(Object.values(results)).toEqual([{ status: 'failed', reason: 'claim_transition_invalid' }]);
    expect(await status()).toBe('closed');
  });

  test('moves it once, though its function ended before it could say so and somebody moved the claim since', async () => {
    await withAutomation({ trigger: { ref: 'claims/created' }, actions: [moveTo('rejected'), segment('x')] });
    const { uuid, status } = await claimIsMade();
    const bodies = await engine.begun();
    failOn(2);
    expect(await engine.act(bodies)).toBe(1);
    vi.restoreAllMocks();
    expect(await status()).toBe('rejected');
    await updateClaim(shop, uuid, { status: 'pending' }, { by: 'a-key', now: new Date() });
    expect(await engine.act(bodies)).toBe(0);
    expect(await status()).toBe('pending');
    expect(await only()).toMatchObject({ status: 'done' });
  });

  test('has nothing to move where the event is a parcel’s', async () => {
    await withAutomation({ actions: [moveTo('closed')] });
    await parcelsMove();
    await engine.settle();
    expect(Object.values((await only()).results)).toEqual([{ status: 'failed', reason: 'not_of_a_claim' }]);
  });
});

/** The n-th transaction from now on, and all after it, fail as if the table were out of reach. */
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

  test('is a delivery of its own where the integration has an address and a key, whatever its switch', async () => {
    process.env.INTEGRATION_TARGETS = JSON.stringify({ integration_1: { url: 'https://i.example', scheme: 'bearer' } });
    await engine.put({ ...keyOf.integrationKey('blue', 'integration_1'), integration: 'integration_1' });
    await withAutomation({ actions: [notify] });
    await parcelsMove();
    await engine.settle();
    expect(await only()).toMatchObject({ status: 'done' });
    expect(await engine.deliveries()).toMatchObject([{ target: 'integration_1', kind: 'integration' }]);
  });

  test('fails for good where it has none', async () => {
    await withAutomation({ actions: [notify, segment('told')] });
    const { segments } = await parcelsMove();
    await engine.settle();
    // A map has no order on AWS.
    expect(new Set(Object.values((await only()).results))).toEqual(
      new Set([{ status: 'failed', reason: 'integration_not_configured' }, { status: 'done' }]),
    );
    expect(await segments()).toEqual(['told']);
  });
});

describe('a run that fails again and again', () => {
  test('comes back to the queue, and is failed once the queue gives it up', async () => {
    await withAutomation();
    await parcelsMove();
    const bodies = await engine.begun();
    failOn(1);
    expect(await engine.act(bodies)).toBe(1);
    vi.restoreAllMocks();
    expect(await only()).toMatchObject({ status: 'pending' });
    expect(await engine.giveUp([...bodies, '{}'])).toBe(0);
    expect(await only()).toMatchObject({ status: 'failed', reason: 'given_up' });
    expect(await engine.act(bodies)).toBe(0);
    expect(await engine.deliveries()).toEqual([]);
  });

  test('of which nothing is known any more is let go, and what is no message ends as a dead letter', async () => {
    const gone = JSON.stringify({ shop_slug: 'blue', automation_id: 'a', run_id: 'b' });
    expect(await engine.act([gone, 'no json'])).toBe(1);
  });
});

test('an order takes no more segments than the contract lets it have, and none twice', async () => {
  await withAutomation({ actions: [segment('vip')] });
  const given = happening('blue', 'A');
  const full = { ...given, order: { ...given.order, segments: Array.from({ length: 100 }, (_, i) => `s${i}`) } };
  for (const item of [...itemsOf(full), given.event]) await engine.put(item);
  await engine.settle();
  expect(Object.values((await only()).results)).toEqual([{ status: 'failed', reason: 'too_many_segments' }]);
});
