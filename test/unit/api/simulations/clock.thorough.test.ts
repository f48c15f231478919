import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler as claims } from '#api/claims/handler.ts';
import { type AutomationRun, newRun } from '#domain/automations/run.ts';
import { createRun, runsOfEvents } from '#domain/automations/run-store.ts';
import { firstIdAt, lastIdAt } from '#domain/deliveries/delivery-items.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { subjectsOf } from '#domain/deliveries/event-payload.ts';
import type { OutboxEvent, StoredEvent } from '#domain/orders/outbox.ts';
import { keyOf } from '#platform/table/keys.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import { anAutomation, storedAutomation } from '#test/kit/automations.ts';
import { aTrigger, triggersItem } from '#test/kit/internal-triggers.ts';
import { invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { countsOf, newCampaign } from '#test/kit/page-shop.ts';
import {
  advanceSimulation,
  callSimulations,
  factsAt,
  holdsSimulations,
  outgoing,
  simulationShop,
  startSimulation,
  tryAdvance,
} from '#test/kit/simulations.ts';
import { asOperator, beforeRequest } from '#test/kit/table.ts';

/**
 * A parcel that stands still for 48 hours fires a trigger, and three days after it left an automation tells somebody. A
 * second automation hears the trigger.
 */
const stuck = aTrigger({ name: 'Stuck', phase_in: ['in_transit'], time_threshold_value: 48 });
const afterThreeDays = anAutomation({
  name: 'Ask how it was',
  trigger: { ref: 'shipments/in_transit/PICKUP_SUCCESSFUL' },
  delay_minutes: 3 * 24 * 60,
});
const whenStuck = anAutomation({
  uuid: '01930000-0000-7000-8000-0000000000bb',
  name: 'Apologise',
  trigger: { event_group: 'shipment_internal_trigger' },
  actions: [{ type: 'add_segment', params: { segment: 'waited' } }],
});

beforeEach(() =>
  holdsSimulations(
    triggersItem(simulationShop, 'webhook', stuck),
    storedAutomation(afterThreeDays),
    storedAutomation(whenStuck),
  ),
);

const day = 24 * 60;
const start_at = '2026-11-02T08:00:00.000Z';
const steps = [
  { event_name: 'ORDER_PROCESSED', after_minutes: 60 },
  { event_name: 'PICKUP_SUCCESSFUL', after_minutes: 120 },
  { event_name: 'OUT_FOR_DELIVERY', after_minutes: 2.5 * day },
  { event_name: 'SUCCESSFULLY_DELIVERED', after_minutes: 4 * day },
];
const script = { steps, start_at, order: { order_number: 'A1' } };

const expected = [
  ['2026-11-02T09:00:00.000Z', 'event'],
  ['2026-11-02T10:00:00.000Z', 'event'],
  ['2026-11-04T10:00:00.000Z', 'internal_trigger'],
  ['2026-11-04T10:00:00.000Z', 'automation_run'],
  ['2026-11-04T20:00:00.000Z', 'event'],
  ['2026-11-05T10:00:00.000Z', 'automation_run'],
  ['2026-11-06T08:00:00.000Z', 'event'],
];

interface Happened {
  at: string;
  kind: string;
}

const momentsOf = (happened: Happened[]) => happened.map(({ at, kind }) => [at, kind]);

const deliveries = () =>
  (memoryTable.all(partitions.deliveries) as unknown as Delivery[]).filter(({ kind }) => kind === 'automation');

/** What is left in the table, but for ids and the times of the test itself. */
function traces() {
  const runs = memoryTable.all(partitions.automationRuns) as unknown as AutomationRun[];
  return {
    events: outgoing().map(({ ref, triggered_at, event_group }) => ({ ref, triggered_at, event_group })),
    runs: runs.map(({ status, due_at, finished_at }) => ({ status, due_at, finished_at })),
    deliveries: deliveries().map(({ ref, status }) => ({ ref, status })),
    due: memoryTable.all(partitions.due),
  };
}

describe('a trigger after 48 hours and an automation with a delay of three days', () => {
  test('happen when the clock passes them, once, between the events around them', async () => {
    const { uuid } = await startSimulation(script);
    const { happened, clock, status } = await advanceSimulation(uuid, { by_minutes: 10 * day });
    expect(momentsOf(happened)).toEqual(expected);
    expect({ clock, status }).toEqual({ clock: '2026-11-12T08:00:00.000Z', status: 'ended' });
    expect(happened.map(({ title }: { title: string }) => title)).toEqual([
      'Parcel 1: Order ready to ship',
      expect.any(String),
      'Stuck',
      'Apologise',
      'Parcel 1: Out for delivery',
      'Ask how it was',
      expect.any(String),
    ]);
    const fired = outgoing().filter((event) => 'internal_trigger' in event);
    expect(fired).toMatchObject([{ triggered_at: '2026-11-04T10:00:00.000Z', only_for: 'webhook' }]);
    expect(deliveries()).toMatchObject([{ status: 'pending', simulation_id: uuid }]);
    expect(traces()).toMatchObject({ runs: [{ status: 'done' }, { status: 'done' }], due: [] });
  });

  test('leave the same traces whether the clock moves in one step or in fifty', async () => {
    const inOne = await startSimulation(script);
    await advanceSimulation(inOne.uuid, { by_minutes: 10 * day });
    const whole = traces();
    holdsSimulations(
      triggersItem(simulationShop, 'webhook', stuck),
      storedAutomation(afterThreeDays),
      storedAutomation(whenStuck),
    );
    const { uuid } = await startSimulation(script);
    const happened: Happened[] = [];
    for (let i = 0; i < 50; i++) {
      happened.push(...(await advanceSimulation(uuid, { by_minutes: (10 * day) / 50 })).happened);
    }
    expect(momentsOf(happened)).toEqual(expected);
    expect(traces()).toEqual(whole);
  });

  test('happen once if ten requests move the clock at the same time', async () => {
    const { uuid } = await startSimulation(script);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => advanceSimulation(uuid, { to: '2026-11-12T08:00:00Z' })),
    );
    const happened: Happened[] = answers.flatMap((answer) => answer.happened);
    expect(momentsOf(happened).toSorted()).toEqual(expected.toSorted());
    expect(answers.map(({ clock }) => clock)).toEqual(answers.map(() => '2026-11-12T08:00:00.000Z'));
    expect(traces().runs).toHaveLength(2);
    expect(deliveries()).toHaveLength(1);
  });

  test('happen once if requests die after one, two, three or four writes, and the next one goes on', async () => {
    const { uuid } = await startSimulation(script);
    const goal = { to: '2026-11-12T08:00:00Z' };
    let answer: Awaited<ReturnType<typeof tryAdvance>> | undefined;
    for (let tries = 0; answer?.status !== 200 && tries < 60; tries++) {
      let left = 1 + (tries % 4);
      beforeRequest(TransactWriteCommand, () => {
        if (left-- <= 0) throw new Error('killed');
      });
      answer = await tryAdvance(uuid, goal);
    }
    expect(answer?.body).toMatchObject({ clock: '2026-11-12T08:00:00.000Z', status: 'ended' });
    expect(traces()).toMatchObject({ runs: [{ status: 'done' }, { status: 'done' }], deliveries: [{}], due: [] });
    expect(outgoing().map(({ triggered_at }) => triggered_at)).toEqual([
      start_at,
      ...expected.filter(([, kind]) => kind !== 'automation_run').map(([at]) => at),
    ]);
  });

  test('do not happen again if a request is repeated', async () => {
    const { uuid } = await startSimulation(script);
    const goal = { to: '2026-11-12T08:00:00Z' };
    await advanceSimulation(uuid, goal);
    const before = traces();
    expect((await advanceSimulation(uuid, goal)).happened).toEqual([]);
    expect(traces()).toEqual(before);
  });

  test('are left to the clock by the pipeline: their events say so', async () => {
    const { uuid } = await startSimulation({ ...script, integrations: true });
    await advanceSimulation(uuid, { steps: 4 });
    const marks = outgoing().map(({ simulation }: OutboxEvent) => ({ ...simulation, made_at: undefined }));
    expect(new Set(marks.map((mark) => JSON.stringify(mark)))).toEqual(
      new Set([JSON.stringify({ id: uuid, integrations: true, on_clock: true })]),
    );
  });
});

test.each([-300, 300])('a clock that is %d days off leaves its entries in the logs at the real time', async (days) => {
  const began = new Date();
  const offset = days * day * 60_000;
  const { uuid } = await startSimulation({ ...script, start_at: new Date(began.getTime() + offset).toISOString() });
  await advanceSimulation(uuid, { by_minutes: 10 * day });
  const runs = memoryTable.all(partitions.automationRuns) as unknown as AutomationRun[];
  const ids = [...runs, ...deliveries()].map(({ id }) => id);
  expect(ids).toHaveLength(3);
  for (const id of ids) {
    expect(id >= firstIdAt(began) && id <= lastIdAt(new Date()), id).toBe(true);
  }
  const events = outgoing() as unknown as StoredEvent[];
  const found = await runsOfEvents(events, [afterThreeDays, whenStuck], 100);
  expect(found.map(({ id }) => id).toSorted()).toEqual(runs.map(({ id }) => id).toSorted());
});

test('a trigger that the shop makes later fires for what is still to come, and not for what has passed', async () => {
  holdsSimulations();
  const { uuid } = await startSimulation(script);
  await advanceSimulation(uuid, { by_minutes: 2 * day });
  const late = aTrigger({ id: 't2', name: 'Late', phase_in: ['in_transit'], time_threshold_value: 24 });
  const soon = aTrigger({ id: 't3', name: 'Soon', phase_in: ['in_transit'], time_threshold_value: 50 });
  memoryTable.put(triggersItem(simulationShop, 'webhook', late, soon));
  const { happened } = await advanceSimulation(uuid, { by_minutes: 8 * day });
  expect(happened.map(({ title }: { title: string }) => title)).toContain('Soon');
  expect(happened.map(({ title }: { title: string }) => title)).not.toContain('Late');
});

test('an automation without a delay on the creation of the order acts when the simulation starts', async () => {
  const welcome = anAutomation({ name: 'Welcome', trigger: { ref: 'shipments/order_created/ORDER_CREATED' } });
  holdsSimulations(storedAutomation(welcome));
  await startSimulation(script);
  expect(deliveries()).toHaveLength(1);
});

test('a campaign is on the tracking page while the clock is within its dates, and nobody counts that', async () => {
  holdsSimulations();
  const at = (days: number) => new Date(Date.now() + days * day * 60_000).toISOString();
  const { uuid: id } = await newCampaign('Next week', { start_date: at(2), end_date: at(5) });
  const { uuid, tracking_page_url } = await startSimulation({ ...script, start_at: at(0) });
  const shown: (string | null)[] = [];
  for (const days of [1, 2, 3]) {
    await advanceSimulation(uuid, { by_minutes: days * day });
    shown.push((await factsAt(tracking_page_url)).promotion?.promotion_id ?? null);
  }
  expect(shown).toEqual([null, id, null]);
  expect(await countsOf(id)).toEqual({ shown: 0, clicked: 0 });
});

test('a claim is made at the time of the clock, and a delayed automation that it starts waits for the clock', async () => {
  const later = anAutomation({ name: 'Look into it', trigger: { ref: 'claims' }, delay_minutes: 90 });
  holdsSimulations(storedAutomation(later));
  const { uuid, order_id } = await startSimulation(script);
  await advanceSimulation(uuid, { by_minutes: day });
  const claim = await invoke(claims, {
    method: 'POST',
    resource: '/v1/shops/{slug}/claims',
    params: { slug: simulationShop },
    headers: asOperator,
    body: { shipment_id: order_id.replace(/000$/, '001'), reason: 'damage' },
  });
  expect(claim.body).toMatchObject({ created_at: '2026-11-03T08:00:00.000Z' });
  const event = outgoing().find(({ ref }) => ref === 'claims/created') as unknown as StoredEvent;
  expect(event).toMatchObject({ triggered_at: '2026-11-03T08:00:00.000Z', simulation: { id: uuid } });
  const run = newRun(later, event, subjectsOf(event)[0]!, { status: 'scheduled', conditions: [] });
  await createRun(run);
  await createRun(run); // the stream may show an event twice
  expect((await advanceSimulation(uuid, { by_minutes: 89 })).happened).toEqual([]);
  expect(momentsOf((await advanceSimulation(uuid, { by_minutes: 1 })).happened)).toEqual([
    ['2026-11-03T09:30:00.000Z', 'automation_run'],
  ]);
  expect(deliveries()).toHaveLength(1);
  expect(memoryTable.all(partitions.due)).toEqual([]);
});

describe('the clock', () => {
  const errorOf = async (uuid: string, body: object) => {
    const { status, body: error } = await tryAdvance(uuid, body);
    return [status, error.key];
  };

  test('does not go back', async () => {
    const { uuid } = await startSimulation(script);
    await advanceSimulation(uuid, { by_minutes: 30 });
    expect(await errorOf(uuid, { to: start_at })).toEqual([422, 'simulation_clock_backwards']);
    expect(await errorOf(uuid, { by_minutes: -1 })).toEqual([422, 'simulation_clock_backwards']);
    expect((await callSimulations('GET', '/{uuid}', { params: { uuid } })).body.clock).toBe('2026-11-02T08:30:00.000Z');
  });

  test('goes 60 days past the last step, and no step further', async () => {
    const { uuid } = await startSimulation(script);
    expect((await advanceSimulation(uuid, { steps: 9 })).status).toBe('ended');
    expect(await errorOf(uuid, { steps: 1 })).toEqual([409, 'simulation_ended']);
    expect((await advanceSimulation(uuid, { to: '2027-01-05T08:00:00Z' })).clock).toBe('2027-01-05T08:00:00.000Z');
    expect(await errorOf(uuid, { by_minutes: 1 })).toEqual([409, 'simulation_ended']);
  });

  test('takes one kind of goal, and a script or a journey', async () => {
    const { uuid } = await startSimulation(script);
    expect(await errorOf(uuid, {})).toEqual([422, 'invalid_payload']);
    expect(await errorOf(uuid, { steps: 1, by_minutes: 1 })).toEqual([422, 'invalid_payload']);
    for (const body of [{}, { journey: 'lost', steps }, { steps: [] }, { journey: 'nowhere' }]) {
      expect((await callSimulations('POST', '', { body })).status).toBe(422);
    }
    const mixed = [steps[0], { ...steps[1], is_return: true }];
    expect((await callSimulations('POST', '', { body: { steps: mixed } })).status).toBe(422);
  });
});

test('an order number that another order has is refused, and nothing is made', async () => {
  await startSimulation(script);
  const items = memoryTable.all().length;
  expect((await callSimulations('POST', '', { body: script })).body.key).toBe('order_exists');
  expect(memoryTable.all()).toHaveLength(items);
});

test('a shop has up to 50 running simulations; one that ended leaves room', async () => {
  memoryTable.put({ ...keyOf.simulationCount(simulationShop), entries: 49 });
  const { uuid } = await startSimulation({ steps: [steps[0]!] });
  const refused = await callSimulations('POST', '', { body: { journey: 'lost' } });
  expect([refused.status, refused.body.errors[0].msg]).toEqual([422, expect.stringContaining('50 running')]);
  await advanceSimulation(uuid, { steps: 1 });
  expect((await callSimulations('POST', '', { body: { journey: 'lost' } })).status).toBe(200);
});
