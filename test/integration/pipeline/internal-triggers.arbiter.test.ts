import { randomUUID } from 'node:crypto';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { BatchGetCommand, DeleteCommand, PutCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { SQSEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { internalTriggers } from '#pipeline/due/internal-triggers.ts';
import { table } from '#platform/table/client.ts';
import type { DueItem } from '#platform/table/due-item.ts';
import { keyOf } from '#platform/table/keys.ts';
import { thirdParties } from '#schemas/catalogues/integrations.ts';
import { fanOutLimits, recordLimits } from '#schemas/catalogues/limits.ts';
import { fillBacklog } from '#test/kit/due-backlog.ts';
import { handler as fanOut } from '#test/kit/fan-out.ts';
import { aTrigger, hoursAfter, noon, triggersItem } from '#test/kit/internal-triggers.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { firedOf, roundAt, shopWithTriggers, streamed } from '#test/kit/shop-with-triggers.ts';

/** Planning after stream records and firing at a schedule, on a real table with a fixed clock. */

const sqs = mockClient(SQSClient);
process.env.PARTS_QUEUE_URL = 'https://parts';

beforeEach(() => {
  memoryTable.renew();
  sqs.reset();
});
afterEach(() => vi.restoreAllMocks());

type CommandClass = abstract new (...args: never[]) => object;

const at = (hours: number) => Date.parse(hoursAfter(noon, hours));
const stuck = aTrigger({ phase_in: ['in_transit'] });

describe('an internal trigger', () => {
  test('fires when its hours have passed, and not before', async () => {
    const shop = shopWithTriggers('integration_1', stuck);
    await streamed(await shop.report('SHIPMENT_EN_ROUTE', 1));
    expect(await roundAt(24.999)).toMatchObject({ done: 0 });
    expect(await shop.fired()).toEqual([]);
    expect(await roundAt(25)).toMatchObject({ done: 1 });
    expect(await shop.fired()).toMatchObject([
      {
        kind: 'event',
        source: 'shipments',
        ref: 'shipments/in_transit/SHIPMENT_EN_ROUTE',
        event_group: 'shipment_internal_trigger',
        triggered_at: hoursAfter(noon, 25),
        order_id: shop.orderId,
        shipments: [{ shipment_id: shop.shipmentId, time: hoursAfter(noon, 1) }],
        only_for: 'integration_1',
        internal_trigger: { id: 't1', name: 'Stuck' },
        shop_slug: 'blue',
      },
    ]);
    expect(await roundAt(26)).toMatchObject({ done: 0, lost: 0 });
  });

  test('without a waiting time fires in the next round, once', async () => {
    const shop = shopWithTriggers('webhook', { ...stuck, time_threshold_value: 0 });
    await streamed(await shop.report('SHIPMENT_EN_ROUTE', 1));
    expect(await roundAt(1.01)).toMatchObject({ done: 1 });
    expect(await shop.fired()).toMatchObject([{ shipments: [{ time: hoursAfter(noon, 1) }] }]);
    await streamed(await shop.report('SHIPMENT_EN_ROUTE', 2));
    expect(await roundAt(2.01)).toMatchObject({ done: 0 });
    expect(await shop.fired()).toHaveLength(1);
  });

  test('fires after a year if it waits so long', async () => {
    const shop = shopWithTriggers('webhook', { ...stuck, time_threshold_value: 8760 });
    await streamed(await shop.report('SHIPMENT_EN_ROUTE', 1));
    expect(await roundAt(8760)).toMatchObject({ done: 0 });
    expect(await roundAt(8761)).toMatchObject({ done: 1 });
  });

  test('is cancelled by a later event that no longer matches', async () => {
    const shop = shopWithTriggers('webhook', stuck);
    const before = await shop.report('SHIPMENT_EN_ROUTE', 1);
    await streamed(before);
    expect(await shop.plans()).toHaveLength(1);
    await streamed({ before, after: await shop.report('USER_SUCCESSFULLY_DELIVERED', 20) });
    expect(await shop.plans()).toEqual([]);
    await roundAt(1000);
    expect(await shop.fired()).toEqual([]);
  });

  test('is moved by a later event', async () => {
    const shop = shopWithTriggers('webhook', stuck);
    await streamed(await shop.report('SHIPMENT_EN_ROUTE', 1));
    await streamed(await shop.report('SHIPMENT_EN_ROUTE', 20));
    expect(await shop.plans()).toMatchObject([{ due_at: hoursAfter(noon, 44) }]);
    expect(await roundAt(30)).toMatchObject({ done: 0 });
    expect(await roundAt(44)).toMatchObject({ done: 1 });
  });

  test('does not fire when it was cancelled or moved and the stream has not delivered that yet', async () => {
    const shop = shopWithTriggers('webhook', stuck);
    await streamed(await shop.report('SHIPMENT_EN_ROUTE', 1));
    await shop.report('SHIPMENT_EN_ROUTE', 20);
    expect(await roundAt(25)).toMatchObject({ done: 0, moved: 1 });
    expect(await shop.plans()).toMatchObject([{ due_at: hoursAfter(noon, 44), list_sk: hoursAfter(noon, 44) }]);
    await shop.report('USER_SUCCESSFULLY_DELIVERED', 21);
    expect(await roundAt(44)).toMatchObject({ done: 0, dropped: 1 });
    expect(await shop.plans()).toEqual([]);
    expect(await shop.fired()).toEqual([]);
  });

  test('does not fire when an event that no longer matches comes at the same time', async () => {
    const shop = shopWithTriggers('webhook', stuck);
    await streamed(await shop.report('SHIPMENT_EN_ROUTE', 1));
    const send = table.send.bind(table) as (command: unknown) => Promise<never>;
    let isFirst = true;
    vi.spyOn(table, 'send').mockImplementation(async (command: unknown) => {
      if (command instanceof TransactWriteCommand && isFirst) {
        isFirst = false;
        await shop.report('USER_SUCCESSFULLY_DELIVERED', 24);
      }
      return send(command);
    });
    expect(await roundAt(25)).toMatchObject({ done: 0, dropped: 1 });
    expect(await shop.fired()).toEqual([]);
  });

  test('fires once when two functions process the list at the same time', async () => {
    const triggers = Array.from({ length: 20 }, (_, i) => aTrigger({ id: `t${i}` }));
    const shop = shopWithTriggers('webhook', ...triggers);
    await streamed(await shop.report('SHIPMENT_EN_ROUTE', 1));
    const rounds = await Promise.all([roundAt(25), roundAt(25), roundAt(25)]);
    expect(rounds.reduce((sum, { done }) => sum + done, 0)).toBe(20);
    expect(await shop.fired()).toHaveLength(20);
  });

  test('fires once, whatever is reported and replayed afterwards', async () => {
    const shop = shopWithTriggers('webhook', stuck);
    const first = await shop.report('SHIPMENT_EN_ROUTE', 1);
    await streamed(first);
    await roundAt(25);
    await streamed(first);
    await streamed(first, await shop.report('SHIPMENT_EN_ROUTE', 30));
    expect(await roundAt(1000)).toMatchObject({ done: 0 });
    expect(await shop.fired()).toHaveLength(1);
    expect(await shop.plans()).toMatchObject([{ planned: {}, fired: { 'webhook#t1': at(25) } }]);
  });

  test('is not moved back by an older change that the stream repeats', async () => {
    const shop = shopWithTriggers('webhook', aTrigger());
    const older = await shop.report('SHIPMENT_EN_ROUTE', 1);
    const newer = await shop.report('SHIPMENT_EN_ROUTE', 20);
    await streamed(older, newer);
    await streamed(older);
    expect(await shop.plans()).toMatchObject([{ due_at: hoursAfter(noon, 44), version: newer.version }]);
  });

  test('is planned by the change that started its time, even if others follow in the same batch', async () => {
    const shop = shopWithTriggers('webhook', aTrigger({ phase_in: ['in_transit'] }));
    const [before, after] = [await shop.report('ORDER_PROCESSED', 1), await shop.report('SHIPMENT_EN_ROUTE', 1)];
    const touched = { ...after, version: 9 };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(hoursAfter(noon, 1000)) });
    await streamed({ before, after }, { before: after, after: touched });
    vi.useRealTimers();
    expect(await shop.plans()).toMatchObject([{ due_at: hoursAfter(noon, 25) }]);
  });

  test('of a draft fires after the hours since its creation, and not when the draft has become a parcel', async () => {
    const waiting = aTrigger({ phase_in: ['order_created'], time_threshold_type: 'created_at' });
    const shop = shopWithTriggers('webhook', waiting);
    await streamed(shop.order());
    expect(await shop.plans()).toMatchObject([{ due_at: hoursAfter(noon, 24), version: 0 }]);
    expect(await roundAt(24)).toMatchObject({ done: 1 });
    expect(await shop.fired()).toMatchObject([{ ref: 'shipments/order_created/ORDER_CREATED' }]);
  });

  test('of a draft is cancelled when the draft becomes a parcel', async () => {
    const waiting = aTrigger({ phase_in: ['order_created'] });
    const shop = shopWithTriggers('webhook', waiting);
    const drafts = shop.order();
    await streamed(drafts);
    await streamed(await shop.report('SHIPMENT_EN_ROUTE', 3), drafts);
    await roundAt(24);
    expect(await shop.fired()).toEqual([]);
  });

  test('that was deleted does not fire, and one that was changed fires as it is now', async () => {
    const shop = shopWithTriggers('webhook', stuck, { ...stuck, id: 't2' });
    await streamed(await shop.report('SHIPMENT_EN_ROUTE', 1));
    shop.setTriggers({ ...stuck, id: 't2', name: 'Longer', time_threshold_value: 48 });
    expect(await roundAt(25)).toMatchObject({ dropped: 1, moved: 1 });
    expect(await roundAt(49)).toMatchObject({ done: 1 });
    expect(await shop.fired()).toMatchObject([{ internal_trigger: { id: 't2', name: 'Longer' } }]);
  });

  test('of a deleted order is dropped', async () => {
    const shop = shopWithTriggers('webhook', aTrigger());
    await streamed(shop.order());
    shop.removeOrder();
    expect(await roundAt(24)).toMatchObject({ dropped: 1 });
    expect(await shop.plans()).toEqual([]);
  });
});

test('a change that cannot be planned is repeated and planned then', async () => {
  const shop = shopWithTriggers('webhook', stuck);
  const change = await shop.report('SHIPMENT_EN_ROUTE', 1);
  vi.spyOn(table, 'send').mockRejectedValueOnce(new Error('throttled'));
  expect(await streamed(change)).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
  expect(await streamed(change)).toEqual({ batchItemFailures: [] });
  expect(await shop.plans()).toHaveLength(1);
});

test('a shop without internal triggers has no plans', async () => {
  const shop = shopWithTriggers('webhook');
  expect(await streamed(await shop.report('SHIPMENT_EN_ROUTE', 1))).toEqual({ batchItemFailures: [] });
  expect(await shop.plans()).toEqual([]);
});

describe('a changed trigger', () => {
  // Planning after a change of triggers uses the machine's clock, which these tests set.
  const now = () => vi.setSystemTime(hoursAfter(noon, 2));
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  test('applies to existing shipments: a new one is planned, and one with fewer hours becomes due earlier', async () => {
    const shop = shopWithTriggers('webhook', stuck);
    await streamed(await shop.report('SHIPMENT_EN_ROUTE', 1));
    now();
    const shorter = { ...stuck, time_threshold_value: 12 };
    await streamed(shop.setTriggers(shorter, aTrigger({ id: 't2', time_threshold_value: 6 })));
    expect(await roundAt(2.1)).toMatchObject({ done: 1 });
    expect(await shop.plans()).toMatchObject([{ planned: { 'webhook#t1': at(13), 'webhook#t2': at(7) } }]);
    expect(await roundAt(3)).toMatchObject({ done: 0 });
  });

  test('applies to drafts', async () => {
    const shop = shopWithTriggers('webhook');
    now();
    await streamed(shop.setTriggers(aTrigger()));
    await roundAt(2.1);
    expect(await shop.plans()).toMatchObject([{ due_at: hoursAfter(noon, 24), version: 0 }]);
  });

  test('does not fire for shipments that were due before, neither at once nor after a change of the shipment', async () => {
    const shop = shopWithTriggers('webhook');
    const before = await shop.report('SHIPMENT_EN_ROUTE', 0);
    now();
    await streamed(shop.setTriggers(aTrigger({ time_threshold_value: 1 })));
    await roundAt(2.1);
    await streamed({ before, after: { ...before, version: 9 } });
    expect(await shop.plans()).toEqual([]);
  });

  test('without a waiting time fires for what happens after it was made, also to a shipment that existed before', async () => {
    const shop = shopWithTriggers('webhook');
    const before = await shop.report('SHIPMENT_EN_ROUTE', 0);
    now();
    await streamed(shop.setTriggers(aTrigger({ time_threshold_value: 0 })));
    await roundAt(2.1);
    await roundAt(2.2);
    expect(await shop.fired()).toEqual([]);
    await streamed({ before, after: await shop.report('SHIPMENT_EN_ROUTE', 2.3) });
    await roundAt(2.4);
    expect(await shop.fired()).toHaveLength(1);
  });
});

describe('a backlog of triggers', () => {
  test('is processed in several rounds that each end in time, and nothing fires twice', async () => {
    const due = 250;
    const orders = fillBacklog(due);
    const rounds = [];
    do {
      let remaining = 50_000;
      rounds.push(await roundAt(25, () => (remaining -= 1000)));
    } while (rounds.at(-1)!.unfinished && rounds.length < 10);
    expect(rounds.length).toBeGreaterThan(1);
    expect(rounds.reduce((sum, { done }) => sum + done, 0)).toBe(due);
    expect((await Promise.all(orders.map(firedOf))).flat()).toHaveLength(due);
  });

  test('fires once for each, also when an order changes while its triggers share transactions with others', async () => {
    const due = 200;
    const orders = fillBacklog(due);
    const send = table.send.bind(table) as (command: unknown) => Promise<never>;
    let transactions = 0;
    vi.spyOn(table, 'send').mockImplementation(async (command: unknown) => {
      if (command instanceof TransactWriteCommand && ++transactions === 2) {
        const changed = memoryTable.read(keyOf.order('blue', orders[0]!))!;
        memoryTable.put({ ...changed, version: Number(changed.version) + 1 });
      }
      return send(command);
    });
    expect(await roundAt(25)).toMatchObject({ done: due, lost: 0, postponed: 0 });
    expect(transactions).toBeGreaterThan(1);
    expect((await Promise.all(orders.map(firedOf))).map(({ length }) => length)).toEqual([50, 50, 50, 50]);
  });
});

describe('an order that a round has read', () => {
  test('may be older than the plan of a parcel that came later, and is read anew', async () => {
    const trigger = aTrigger();
    const shop = shopWithTriggers('integration_1', trigger);
    await streamed(shop.order());
    const settle = internalTriggers(new Date(hoursAfter(noon, 25)));
    expect(await settle(await onlyPlan(shop))).toEqual(['done']);
    const withAnother = { ...shop.orderOf(2), version: 2 };
    memoryTable.put(withAnother);
    await streamed(withAnother);
    const plans = await shop.plans();
    const later = plans.find(({ shipment_id }) => shipment_id !== shop.shipmentId)!;
    expect(await settle(later as DueItem)).toEqual(['done']);
    expect(await shop.fired()).toHaveLength(2);
  });

  test('may have an older version of the parcel, for which a trigger would not be due at all', async () => {
    const atOnce = { ...stuck, id: 't2', time_threshold_value: 0 };
    const shop = shopWithTriggers('integration_1', aTrigger(), atOnce);
    await streamed(shop.order());
    const settle = internalTriggers(new Date(hoursAfter(noon, 25)));
    expect(await settle(await onlyPlan(shop))).toEqual(['done']);
    await streamed(await shop.report('SHIPMENT_EN_ROUTE', 24.5));
    expect(await settle(await onlyPlan(shop))).toEqual(['done']);
    const fired = await shop.fired();
    expect(fired).toHaveLength(2);
    expect(fired).toEqual(
      expect.arrayContaining(
        ['t1', 't2'].map((id) => expect.objectContaining({ internal_trigger: { id, name: 'Stuck' } })),
      ),
    );
  });

  async function onlyPlan(shop: ReturnType<typeof shopWithTriggers>): Promise<DueItem> {
    const plans = await shop.plans();
    expect(plans).toHaveLength(1);
    return plans[0] as DueItem;
  }
});

describe('the work for a shop with as many triggers as it can have', () => {
  const drafts = 100;
  const allTriggers = () => {
    const triggers = Array.from({ length: recordLimits.internalTriggers }, () => aTrigger({ id: randomUUID() }));
    for (const thirdParty of thirdParties) memoryTable.put(triggersItem('blue', thirdParty, ...triggers));
    return thirdParties.length * triggers.length;
  };
  /** How many requests of each kind the work sends. */
  const requestsOf = async (work: () => Promise<unknown>) => {
    const sent = vi.spyOn(table, 'send');
    await work();
    return (Command: CommandClass) => sent.mock.calls.filter(([command]) => command instanceof Command).length;
  };

  const attributes = { SentTimestamp: String(Date.now()) };
  const partsSent = () =>
    sqs
      .commandCalls(SendMessageBatchCommand)
      .flatMap(({ args }) => args[0].input.Entries!.map(({ MessageBody }) => MessageBody!));
  const fromQueue = (...parts: string[]) =>
    ({
      Records: parts.map((body, i) => ({ messageId: String(i), eventSource: 'aws:sqs', body, attributes })),
    }) as unknown as SQSEvent;

  test('is one write for each new draft of an order, and none for a draft that does not change', async () => {
    const shop = shopWithTriggers('webhook');
    expect(allTriggers()).toBe(160);
    const after = shop.orderOf(drafts);

    sqs.on(SendMessageBatchCommand).resolves({});
    const first = await requestsOf(() => streamed(after));
    expect([first(PutCommand), first(QueryCommand), first(BatchGetCommand)]).toEqual([0, 1, 0]);
    vi.restoreAllMocks();
    const parts = partsSent();
    for (const part of parts) {
      const sent = await requestsOf(() => fanOut(fromQueue(part)));
      expect(sent(PutCommand)).toBeLessThanOrEqual(fanOutLimits.unitsOfPart);
      expect([sent(QueryCommand), sent(BatchGetCommand)]).toEqual([1, 1]);
      vi.restoreAllMocks();
    }
    expect(parts).toHaveLength(drafts / fanOutLimits.unitsOfPart);
    expect(await shop.plans()).toHaveLength(drafts);

    const repeated = await requestsOf(() => fanOut(fromQueue(...parts)));
    expect([repeated(PutCommand), repeated(DeleteCommand)]).toEqual([0, 0]);
    vi.restoreAllMocks();

    const added = await requestsOf(() => streamed({ before: after, after: shop.orderOf(drafts + 1) }));
    expect([added(PutCommand), added(BatchGetCommand)]).toEqual([1, 1]);
  });

  test('is two transactions and one read of the order when all of them fire at once', async () => {
    const shop = shopWithTriggers('webhook');
    const all = allTriggers();
    await streamed(shop.order());
    const sent = await requestsOf(() => roundAt(24));
    expect(sent(TransactWriteCommand)).toBe(2);
    // The eight shards of the list, the triggers and the order.
    expect(sent(QueryCommand)).toBe(10);
    vi.restoreAllMocks();
    expect(new Set((await shop.fired()).map(({ id }) => id)).size).toBe(all);
    expect((await shop.fired()).filter((event) => 'snapshot' in event)).toHaveLength(2);
    expect(await roundAt(1000)).toMatchObject({ done: 0, lost: 0 });
  });
});

describe('a plan that changes while another function works with it', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(hoursAfter(noon, 2)) }));
  afterEach(() => void vi.useRealTimers());

  test('is read again by the function that plans: what has fired meanwhile does not fire again', async () => {
    const [soon, later] = [aTrigger({ id: 'soon' }), aTrigger({ id: 'later', time_threshold_value: 48 })];
    const shop = shopWithTriggers('webhook', soon);
    const before = await shop.report('SHIPMENT_EN_ROUTE', 1);
    await streamed(before);
    shop.setTriggers(soon, later);
    beforeNext(PutCommand, () => roundAt(25));
    await streamed({ before, after: { ...before, version: 9 } });
    expect(await shop.plans()).toMatchObject([
      { planned: { 'webhook#later': at(49) }, fired: { 'webhook#soon': at(25) }, version: 9 },
    ]);
    await roundAt(1000);
    expect(await shop.fired()).toHaveLength(2);
  });

  test('is read again by the function that fires: what was added meanwhile is not lost', async () => {
    const [soon, later] = [aTrigger({ id: 'soon' }), aTrigger({ id: 'later', time_threshold_value: 48 })];
    const shop = shopWithTriggers('webhook', soon);
    const before = await shop.report('SHIPMENT_EN_ROUTE', 1);
    await streamed(before);
    shop.setTriggers(soon, later);
    beforeNext(TransactWriteCommand, () => streamed({ before, after: { ...before, version: 9 } }));
    expect(await roundAt(25)).toMatchObject({ done: 1 });
    expect(await shop.plans()).toMatchObject([
      { planned: { 'webhook#later': at(49) }, fired: { 'webhook#soon': at(25) } },
    ]);
  });

  /** Does something just before the next request of the kind. */
  function beforeNext(Command: CommandClass, act: () => Promise<unknown>): void {
    const send = table.send.bind(table) as (command: unknown) => Promise<never>;
    let isNext = true;
    vi.spyOn(table, 'send').mockImplementation(async (command: unknown) => {
      if (command instanceof Command && isNext) {
        isNext = false;
        await act();
      }
      return send(command);
    });
  }
});
