import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { BatchGetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deleted, updated } from '#domain/claims/claim-rules.ts';
import { claimItem, pageClaimItem } from '#domain/claims/claim-store.ts';
import { deliveryItem, newDelivery } from '#domain/deliveries/delivery-items.ts';
import type { Attempt, Delivery } from '#domain/deliveries/delivery-rules.ts';
import { newOrderId, type Order, type Shipment } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { asDraft, fulfilled, newShipment, reported } from '#domain/orders/shipment-rules.ts';
import { handler } from '#pipeline/counts/handler.ts';
import { countedLists } from '#platform/table/counted-lists.ts';
import { keyOf, laneOfModel } from '#platform/table/keys.ts';
import { type CountedList, countersAt } from '#platform/table/list-counters.ts';
import { packText } from '#platform/table/packed-text.ts';
import type { RecordKindName } from '#schemas/catalogues/table.ts';
import { claimOf } from '#test/kit/claims.ts';
import { type Item, memoryTable } from '#test/kit/memory-table.ts';
import { batchOf, context } from '#test/kit/queue-messages.ts';
import { beforeRequest, dynamo, tableWith } from '#test/kit/table.ts';

const now = new Date('2026-11-14T12:00:00.000Z');
const at = now.toISOString();
const day = '2026-11-14';

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  tableWith();
});
afterEach(() => vi.useRealTimers());

type Images = { before?: object | undefined; after?: object | undefined };

/** As Lambda passes them: bytes are base64 text. */
const image = (item: object) =>
  JSON.parse(
    JSON.stringify(
      marshall(item, { removeUndefinedValues: true }),
      function (this: Record<string, unknown>, name, value) {
        const bytes = this[name];
        return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : value;
      },
    ),
  );

let sequence = 0;
beforeEach(() => {
  sequence = 0;
});

function record({ before, after }: Images): DynamoDBRecord {
  sequence += 1;
  const { pk, sk } = (after ?? before) as { pk: string; sk: string };
  return {
    eventID: `event-${sequence}`,
    eventName: before ? (after ? 'MODIFY' : 'REMOVE') : 'INSERT',
    dynamodb: {
      Keys: marshall({ pk, sk }) as never,
      SequenceNumber: String(sequence),
      ApproximateCreationDateTime: now.getTime() / 1000,
      ...(before && { OldImage: image(before) }),
      ...(after && { NewImage: image(after) }),
    },
  };
}

const count = (...records: DynamoDBRecord[]) => handler({ Records: records } as DynamoDBStreamEvent);

const countersOf = (key: { pk: string; sk: string }) => {
  const { pk: _pk, sk: _sk, expires_at: _expires, ...counters } = memoryTable.read(key) ?? (key as Item);
  return counters;
};

const order = newOrder(newOrderId(now), { order_number: '1001', order_placed_at: '2026-11-12T23:59:00Z' }, now);

function parcel(slot = 1, changes: Partial<Shipment> = {}): Shipment {
  const carrier = { tracking_number: `T${slot}`, carrier_reference: null, tracking_url: null };
  const made = fulfilled(newShipment(order, slot, 'merchant_customer', at), { ...carrier, placed_at: at }, at);
  return { ...made, ...changes };
}

const moved = (shipment: Shipment, event_name: Parameters<typeof reported>[1]['event']['event_name'], minute: number) =>
  reported(shipment, { event: { event_name, time: new Date(now.getTime() + minute * 60_000).toISOString() } }, at)
    .shipment;

const stored = (shipment: Shipment, slug = 'blue') => shipmentItem(slug, shipment, 1);

describe('parcels', () => {
  const first = parcel();
  const moving = moved(first, 'ARRIVAL_AT_TRANSPORT_HUB', 1);

  test('are counted in their phase, and move from one to another', async () => {
    await count(record({ after: stored(first) }), record({ after: stored(parcel(2)) }));
    expect(countersOf(keyOf.countsNow('blue'))).toEqual({ 'phase#order_processed': 2 });
    await count(record({ before: stored(first), after: stored(moving) }));
    expect(countersOf(keyOf.countsNow('blue'))).toEqual({ 'phase#order_processed': 1, 'phase#in_transit': 1 });
  });

  test('that are deleted are no longer counted', async () => {
    await count(record({ after: stored(first) }));
    await count(record({ before: stored(first) }));
    expect(countersOf(keyOf.countsNow('blue'))).toEqual({ 'phase#order_processed': 0 });
  });

  test('cost nothing where only something else changed', async () => {
    await count(record({ before: stored(moving), after: stored(moved(moving, 'ARRIVAL_AT_TRANSPORT_HUB', 5)) }));
    expect(dynamo.commandCalls(TransactWriteCommand)).toEqual([]);
  });

  describe('with a remark', () => {
    const remarked = moved(moving, 'SHIPMENT_UPDATED_PICKUP', 2);
    const delivered = moved(remarked, 'SUCCESSFULLY_DELIVERED', 3);
    const nothing = { 'phase#in_transit': 0, 'phase#delivered': 0 };

    test('stay in their phase', async () => {
      await count(record({ after: stored(moving) }), record({ before: stored(moving), after: stored(remarked) }));
      expect(countersOf(keyOf.countsNow('blue'))).toEqual({ 'phase#in_transit': 1 });
      await count(record({ before: stored(remarked), after: stored(delivered) }));
      await count(record({ before: stored(delivered) }));
      expect(countersOf(keyOf.countsNow('blue'))).toEqual(nothing);
    });

    /** The versions before counted a parcel in the phase of a remark, and did not store what they counted. */
    const storedBefore = (shipment: Shipment) => {
      const { counted_phase: _, ...item } = stored(shipment);
      return item;
    };

    test('leave the phase in which a version before counted them', async () => {
      await count(record({ after: storedBefore(remarked) }));
      expect(countersOf(keyOf.countsNow('blue'))).toEqual({ 'phase#collect': 1 });
      await count(record({ before: storedBefore(remarked), after: stored(moved(remarked, 'PATCHED', 4)) }));
      expect(countersOf(keyOf.countsNow('blue'))).toEqual({ 'phase#collect': 0, 'phase#in_transit': 1 });
    });
  });

  test('without a number are counted by the lines of their order', async () => {
    const waiting = (count: number, changes: Partial<Order> = {}) => {
      const drafts = Array.from({ length: count }, (_, i) => ({ slot: i + 1, created_at: at }));
      return orderItem('blue', { ...order, ...changes, drafts }, 1);
    };
    const simulated = { simulation_id: 'simulation' };
    await count(record({ after: waiting(3) }), record({ before: waiting(3), after: waiting(1) }));
    await count(record({ after: waiting(5, simulated) }));
    expect(countersOf(keyOf.countsNow('blue'))).toEqual({ 'phase#order_created': 1 });
  });
});

describe('orders', () => {
  const placed = (changes: Partial<Order>) => orderItem('blue', { ...order, drafts: [], ...changes }, 1);

  test('count for the day on which they were placed', async () => {
    await count(record({ after: placed({}) }));
    expect(countersOf(keyOf.dayCounts('blue', '2026-11-12'))).toEqual({ orders: 1 });
  });

  test('leave the day when they are deleted, and move when they get another time', async () => {
    const [early, late] = [placed({}), placed({ order_placed_at: '2026-11-13T08:00:00.000Z' })];
    await count(record({ after: early }), record({ before: early, after: late }));
    expect(countersOf(keyOf.dayCounts('blue', '2026-11-12'))).toEqual({});
    expect(countersOf(keyOf.dayCounts('blue', '2026-11-13'))).toEqual({ orders: 1 });
    await count(record({ before: late }));
    expect(countersOf(keyOf.dayCounts('blue', '2026-11-13'))).toEqual({ orders: 0 });
  });

  test('are not unpacked where neither their time nor their drafts changed', async () => {
    const unreadable = { ...placed({}), document: Buffer.from('no document') };
    expect(await count(record({ before: unreadable, after: { ...unreadable, version: 2 } }))).toEqual({
      batchItemFailures: [],
    });
  });

  test('are kept for two years and a month, and those of an old day for two days', async () => {
    await count(record({ after: placed({}) }));
    await count(
      record({
        after: placed({ created_at: '2014-01-02T08:00:00.000Z', order_placed_at: '2014-01-01T08:00:00.000Z' }),
      }),
    );
    const expiry = (on: string) => new Date(Number(memoryTable.read(keyOf.dayCounts('blue', on))!.expires_at) * 1000);
    expect(expiry('2026-11-12').toISOString()).toBe('2028-12-12T00:00:00.000Z');
    expect(expiry('2014-01-01').getTime()).toBeGreaterThan(Date.now() + 1.9 * 24 * 3600 * 1000);
  });

  test.each<[string, Partial<Order>]>([
    ['of a simulation', { simulation_id: 'simulation' }],
    ['of a day that nobody can ask for any more', { order_placed_at: '2024-09-01T00:00:00.000Z' }],
    ['of a far future', { order_placed_at: '2029-01-01T00:00:00.000Z' }],
  ])('%s do not count', async (_, changes) => {
    await count(record({ after: placed(changes) }));
    expect(memoryTable.all('STATISTICS#')).toEqual([]);
  });

  test('of a simulation have parcels that do not count either', async () => {
    await count(record({ after: stored(parcel(1, { simulation_id: 'simulation' })) }));
    expect(memoryTable.all('STATISTICS#')).toEqual([]);
  });
});

test('claims are counted by status, without the deleted ones and without what the tracking page shows of them', async () => {
  const pending = claimOf({ order_id: order.uuid });
  const accepted = updated(pending, { status: 'accepted' }, at)!.claim;
  const gone = deleted(accepted, at)!.claim;
  const item = (claim: typeof pending, version: number) => claimItem('blue', claim, version);
  await count(
    record({ after: item(pending, 1) }),
    record({ after: pageClaimItem('token', pending) }),
    record({ before: item(pending, 1), after: item(accepted, 2) }),
  );
  expect(countersOf(keyOf.countsNow('blue'))).toEqual({ 'claim#accepted': 1 });
  await count(record({ before: item(accepted, 2), after: item(gone, 3) }));
  expect(countersOf(keyOf.countsNow('blue'))).toEqual({ 'claim#accepted': 0 });
});

test('claims count for their day and the parcels of their cohort, until they are deleted', async () => {
  const cohort = { day: '2026-11-10', carrier: 'dhl', country: 'DE' };
  const claim = claimOf({ order_id: order.uuid, cohort });
  const item = (one: typeof claim, version: number) => claimItem('blue', one, version);
  const accepted = updated(claim, { status: 'accepted' }, at)!.claim;
  const counted = () => [keyOf.dayCounts('blue', day), keyOf.cohortCounts('blue', cohort)].map(countersOf);
  await count(record({ after: item(claim, 1) }), record({ before: item(claim, 1), after: item(accepted, 2) }));
  await count(record({ after: item({ ...claim, simulation_id: 'simulation' }, 1) }));
  expect(counted()).toEqual([{ claims: 1 }, { c: 1 }]);
  await count(record({ before: item(accepted, 2), after: item(deleted(accepted, at)!.claim, 3) }));
  expect(counted()).toEqual([{ claims: 0 }, { c: 0 }]);
});

test('claims of the release before count for their day from their next write on, so that none is below zero', async () => {
  const before = claimOf({ order_id: order.uuid });
  const after = updated({ ...before, cohort: null }, { status: 'accepted' }, at)!.claim;
  const counted = () => memoryTable.all('STATISTICS#').map(({ pk: _, expires_at: __, ...counters }) => counters);
  await count(record({ after: claimItem('blue', before, 1) }));
  await count(
    record({ before: claimItem('blue', before, 1), after: claimItem('blue', deleted(before, at)!.claim, 2) }),
  );
  expect(counted()).toEqual([{ sk: 'NOW', 'claim#pending': 0 }]);
  await count(record({ before: claimItem('blue', before, 1), after: claimItem('blue', after, 2) }));
  expect(countersOf(keyOf.dayCounts('blue', day))).toEqual({ claims: 1 });
});

describe('on tracking pages', () => {
  const visited = (visits: string[], slug: object = { slug: 'blue' }) => ({
    ...keyOf.pageVisits('token'),
    ...slug,
    visits,
    language: 'de',
  });
  const [first, second] = ['2026-11-13T23:50:00.000Z', '2026-11-14T00:30:00.000Z'] as const;

  test('each visit counts once for its day, and another language within it does not', async () => {
    await count(
      record({ after: visited([first]) }),
      record({ before: visited([first]), after: { ...visited([first]), language: 'fr' } }),
      record({ before: visited([first]), after: visited([first, second]) }),
    );
    expect(countersOf(keyOf.dayCounts('blue', '2026-11-13'))).toEqual({ pages_opened: 1 });
    expect(countersOf(keyOf.dayCounts('blue', '2026-11-14'))).toEqual({ pages_opened: 1 });
  });

  test('only the new visit counts if the list is full, or a release of before wrote the others', async () => {
    const full = Array.from({ length: 20 }, (_, i) => `2026-11-12T${String(i).padStart(2, '0')}:00:00.000Z`);
    await count(record({ before: visited(full), after: visited([...full.slice(1), second]) }));
    await count(record({ before: visited([first], {}), after: visited([first, second]) }));
    expect(memoryTable.all('STATISTICS#')).toHaveLength(1);
    expect(countersOf(keyOf.dayCounts('blue', '2026-11-14'))).toEqual({ pages_opened: 2 });
  });

  test('what a release of before wrote has no shop and counts nothing', async () => {
    await count(
      record({ after: visited([first], {}) }),
      record({ after: { ...keyOf.pageShown('token', 'campaign'), at: first } }),
      record({ after: { ...keyOf.pageClicked('token', 'campaign'), slug: 'blue' } }),
    );
    expect(memoryTable.all('STATISTICS#')).toEqual([]);
  });

  test('promotions count when they are first shown and first followed', async () => {
    await count(
      record({ after: { ...keyOf.pageShown('token', 'campaign'), slug: 'blue', at: first } }),
      record({ after: { ...keyOf.pageClicked('token', 'campaign'), slug: 'blue', at: second } }),
    );
    expect(countersOf(keyOf.dayCounts('blue', '2026-11-13'))).toEqual({ promotions_shown: 1 });
    expect(countersOf(keyOf.dayCounts('blue', '2026-11-14'))).toEqual({ promotions_clicked: 1 });
  });
});

describe('deliveries', () => {
  const source = {
    event_id: 'e',
    subject_id: 's',
    ref: 'claims/created',
    event_group: null,
    triggered_at: at,
    shop_slug: 'blue',
  };
  const fresh = newDelivery(source, { id: 'endpoint', kind: 'webhook' }, now);
  const attempt = (minute: number, changes: Partial<Attempt> = {}): Attempt => ({
    at: new Date(now.getTime() + minute * 60_000).toISOString(),
    duration_ms: 80,
    ...changes,
  });
  const change = (before: Delivery, after: Delivery) =>
    record({ before: deliveryItem(before), after: deliveryItem(after) });
  const key = keyOf.deliveryCounts('blue', day, 'endpoint');
  const idOf = (event_id: string) => newDelivery({ ...source, event_id }, { id: 'endpoint', kind: 'webhook' }, now).id;

  test('count each attempt once, and their end', async () => {
    const failedOnce = { ...fresh, attempts: [attempt(1, { status: 500, error: 'http_500' })] };
    const arrived: Delivery = { ...failedOnce, status: 'delivered', attempts: [...failedOnce.attempts, attempt(2)] };
    await count(change(fresh, failedOnce), change(failedOnce, arrived));
    expect(countersOf(key)).toEqual({ attempts_failed: 1, delivered: 1, 'ms#100': 2 });
  });

  test('to customers count as mails on the day on which they are sent, and not if they fail', async () => {
    const mail = newDelivery(source, { id: 'email', kind: 'email' }, now);
    const sent: Delivery = { ...mail, status: 'delivered', attempts: [attempt(1)] };
    await count(
      record({ after: deliveryItem(sent) }),
      change(sent, { ...sent, attempts: [...sent.attempts] }),
      record({ after: deliveryItem({ ...mail, id: idOf('f'), status: 'failed', attempts: [attempt(1)] }) }),
      record({ after: deliveryItem({ ...sent, id: idOf('s'), simulation_id: 'simulation' }) }),
      record({ after: deliveryItem({ ...fresh, status: 'delivered', attempts: [attempt(1)] }) }),
    );
    expect(countersOf(keyOf.dayCounts('blue', day))).toEqual({ mails_sent: 1 });
  });

  test('whose list of attempts is full count the new attempt only', async () => {
    const full = Array.from({ length: 30 }, (_, i) => attempt(i, { error: 'timeout', duration_ms: 10_000 }));
    const next = [...full.slice(1), attempt(40, { error: 'timeout', duration_ms: 10_000 })];
    await count(change({ ...fresh, attempts: full }, { ...fresh, attempts: next }));
    expect(countersOf(key)).toEqual({ attempts_failed: 1, 'ms#10000': 1 });
  });

  test('that are new with their first attempt count it, and their end', async () => {
    const failed = attempt(1, { status: 410, error: 'http_410' });
    await count(
      record({ after: deliveryItem({ ...fresh, status: 'delivered', attempts: [attempt(1)] }) }),
      record({ after: deliveryItem({ ...fresh, id: idOf('b'), status: 'failed', attempts: [failed] }) }),
      record({ after: deliveryItem({ ...fresh, id: idOf('c'), attempts: [attempt(1, { error: 'timeout' })] }) }),
      record({ after: deliveryItem({ ...fresh, id: idOf('d'), status: 'failed' }) }),
      record({ after: deliveryItem({ ...fresh, id: idOf('e') }) }),
    );
    expect(countersOf(key)).toEqual({ attempts_failed: 2, delivered: 1, failed: 2, 'ms#100': 3 });
  });

  test('that are sent again count nothing for that', async () => {
    const failed: Delivery = { ...fresh, status: 'failed', attempts: [attempt(1, { error: 'timeout' })] };
    await count(change(failed, { ...failed, status: 'pending', run_since: at }));
    expect(memoryTable.all('STATISTICS#')).toEqual([]);
  });
});

describe('the counters of lists', () => {
  const placedAt = (time: string) => orderItem('blue', { ...order, order_placed_at: time }, 1);
  const placeOf = (time: string, uuid: string) => `${time}#${uuid}`;
  /** What is counted where an entry with this key stands, for each level. */
  const countedAt = (list: CountedList, key: string) =>
    countersAt(list, key).map(({ key: item, name }) => Number(countersOf(item)[name] ?? 0));
  const parcels = (by: 'created_at' | 'updated_at') => countedLists.parcels('blue', by, 'withNumber');
  const drafts = countedLists.drafts('blue');

  test('have an order once, also after it was placed at another time, and not after it is gone', async () => {
    const [early, late] = ['2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'];
    const orders = countedLists.orders('blue');
    await count(record({ after: placedAt(early) }), record({ before: placedAt(early), after: placedAt(late) }));
    expect(countedAt(orders, early)).toEqual([0]);
    expect(countedAt(orders, late)).toEqual([1]);
    await count(record({ before: placedAt(late) }));
    expect(countedAt(orders, late)).toEqual([0]);
  });

  const uuid = '01930000-0000-7000-8000-000000000001';
  const recordOf = (kind: RecordKindName) => ({ ...keyOf.record(kind, 'blue', uuid), uuid });
  test.each<[string, object, CountedList]>([
    ['discount', recordOf('discounts'), countedLists.records('blue', 'discounts')],
    ['announcement', recordOf('announcements'), countedLists.records('blue', 'announcements')],
    ['campaign', recordOf('campaigns'), countedLists.records('blue', 'campaigns')],
    ['test', recordOf('abTests'), countedLists.records('blue', 'abTests')],
    ['deal', recordOf('deals'), countedLists.dealsOfAllShops()],
    ['simulation', keyOf.simulation('blue', uuid), countedLists.simulations('blue')],
    ['shop', { ...keyOf.shop('blue'), uuid }, countedLists.shops()],
  ])('have a %s once, also after it was changed, and not after it is gone', async (_, item, list) => {
    await count(record({ after: item }), record({ before: item, after: { ...item, version: 2 } }));
    expect(countedAt(list, uuid)).toEqual([1, 1]);
    await count(record({ before: item }));
    expect(countedAt(list, uuid)).toEqual([0, 0]);
  });

  test('are complete for a new shop, and not for one that changes', async () => {
    const shop = { ...keyOf.shop('blue'), uuid };
    await count(record({ before: shop, after: { ...shop, name: 'Blue' } }));
    expect(memoryTable.read(keyOf.countedLists('blue'))).toBeUndefined();
    await count(record({ after: shop }));
    expect(memoryTable.read(keyOf.countedLists('blue'))).toBeDefined();
  });

  test('have no simulation that is being removed, and it may go', async () => {
    const [item, removed] = [{}, { removed_at: at }].map((fields) => ({
      ...keyOf.simulation('blue', uuid),
      ...fields,
    }));
    await count(record({ after: item }), record({ before: item, after: removed }));
    await count(record({ before: removed }));
    expect(countedAt(countedLists.simulations('blue'), uuid)).toEqual([0, 0]);
  });

  test('have no record of which a shop can have only few', async () => {
    await count(record({ after: recordOf('automations') }));
    expect(memoryTable.all('POSITIONS#')).toEqual([]);
  });

  test('have a parcel by its creation and by its last change', async () => {
    const changed = parcel(1, { updated_at: '2026-11-14T13:00:00.000Z' });
    await count(record({ after: stored(parcel()) }), record({ before: stored(parcel()), after: stored(changed) }));
    expect(countedAt(parcels('created_at'), at)).toEqual([1]);
    expect(countedAt(parcels('updated_at'), at)).toEqual([0]);
    expect(countedAt(parcels('updated_at'), changed.updated_at)).toEqual([1]);
  });

  test.each([[[0, 1]], [[1, 0]]])(
    'have a draft once that gets an item of its own, in whatever order %j its records come',
    async (places) => {
      const later = '2026-11-14T12:30:00.000Z';
      const lines = [1, 2].map((slot) => ({ slot, created_at: slot === 1 ? at : later }));
      const [two, one] = [
        orderItem('blue', { ...order, drafts: lines }, 1),
        orderItem('blue', { ...order, drafts: lines.slice(1) }, 2),
      ];
      await count(record({ after: two }));
      // Both stand where the newest is, as in the index.
      expect([countedAt(drafts, at), countedAt(drafts, later)]).toEqual([[0], [2]]);
      const waiting = asDraft(newShipment(order, 1, 'merchant_customer', at));
      const records = [record({ before: two, after: one }), record({ after: stored(waiting) })];
      for (const place of places) await count(records[place]!);
      const withoutNumber = countedLists.parcels('blue', 'created_at', 'withoutNumber');
      expect([countedAt(drafts, later), countedAt(withoutNumber, at)]).toEqual([[1], [1]]);
      await count(record({ before: stored(waiting), after: stored(parcel()) }));
      expect([countedAt(withoutNumber, at), countedAt(parcels('created_at'), at)]).toEqual([[0], [1]]);
    },
  );

  test('have no deleted claim, and not what the tracking page shows of one', async () => {
    const claim = claimOf();
    const [item, gone] = [claimItem('blue', claim, 1), claimItem('blue', deleted(claim, at)!.claim, 2)];
    await count(record({ after: item }), record({ after: pageClaimItem('token', claim) }));
    expect(countedAt(countedLists.claimsByCreation('blue'), placeOf(claim.created_at, claim.uuid))).toEqual([1]);
    await count(record({ before: item, after: gone }));
    expect(countedAt(countedLists.claimsByUpdate('blue'), placeOf(claim.updated_at, claim.uuid))).toEqual([0]);
  });

  test('have each delivery and each run, and no second entry for a run that waits', async () => {
    const source = { event_id: 'e', subject_id: 's', ref: 'r', event_group: null, triggered_at: at, shop_slug: 'blue' };
    const delivery = newDelivery(source, { id: 'endpoint', kind: 'webhook' }, now);
    const run = { shop_slug: 'blue', automation_id: 'a', id: delivery.id };
    await count(
      record({ after: deliveryItem(delivery) }),
      record({ after: { ...keyOf.automationRun('blue', 'a', run.id), ...run } }),
      record({ after: { ...keyOf.dueRun('blue', 'a', run.id), ...run } }),
    );
    expect(countedAt(countedLists.deliveries('blue', 'endpoint'), delivery.id)).toEqual([1, 1]);
    expect(countedAt(countedLists.automationRuns('blue', 'a'), run.id)).toEqual([1, 1]);
    // The days are counted in one item of the shop, which stays.
    const items = memoryTable.all('POSITIONS#').map(({ sk, expires_at }) => [sk, expires_at !== undefined]);
    expect(items.sort()).toEqual([
      ['day#2026-11-14', false],
      ['hour#2026-11-14T12', true],
      ['hour#2026-11-14T12', true],
    ]);
  });

  test('have no delivery that was removed with its simulation', async () => {
    const source = { event_id: 'e', subject_id: 's', ref: 'r', event_group: null, triggered_at: at, shop_slug: 'blue' };
    const target = { id: 'endpoint', kind: 'webhook' } as const;
    const [real, simulated] = [
      deliveryItem(newDelivery(source, target, now)),
      deliveryItem(newDelivery({ ...source, event_id: 'f', simulation_id: 's' }, target, now)),
    ];
    await count(record({ after: real }), record({ after: simulated }));
    await count(record({ before: simulated }));
    expect(countedAt(countedLists.deliveries('blue', 'endpoint'), real.id)).toEqual([1, 1]);
    expect(memoryTable.all('STATISTICS#')).toEqual([]);
  });

  test('take all lists of an order in one item, also those of its endpoints', async () => {
    await count(record({ after: placedAt(at) }), record({ after: stored(parcel()) }));
    expect(memoryTable.all('POSITIONS#')).toHaveLength(1);
  });
});

describe('a batch', () => {
  const inserts = (slugs: string[]) => slugs.map((slug, i) => record({ after: stored(parcel(i + 1), slug) }));

  test('is written once for each shop, whatever it holds', async () => {
    await count(...inserts(Array.from({ length: 40 }, (_, i) => (i % 2 ? 'blue' : 'red'))));
    const [written, ...more] = dynamo.commandCalls(TransactWriteCommand);
    // The mark, and for each shop its figures and its lists.
    expect(written!.args[0].input.TransactItems).toHaveLength(5);
    expect(more).toEqual([]);
  });

  test('that comes again counts nothing twice, also with more records after it', async () => {
    const records = inserts(['blue', 'blue', 'red']);
    await count(...records);
    await count(...records);
    expect(countersOf(keyOf.countsNow('blue'))).toEqual({ 'phase#order_processed': 2 });
    await count(...records, ...inserts(['blue']));
    expect(countersOf(keyOf.countsNow('blue'))).toEqual({ 'phase#order_processed': 3 });
    expect(countersOf(keyOf.countsNow('red'))).toEqual({ 'phase#order_processed': 1 });
  });

  test('of more shops than a transaction can change goes on where it stopped', async () => {
    const slugs = Array.from({ length: 150 }, (_, i) => `shop-${i}`);
    const records = inserts(slugs);
    let writes = 0;
    beforeRequest(TransactWriteCommand, () => {
      writes += 1;
      if (writes === 2) throw Object.assign(new Error('down'), { name: 'InternalServerError' });
    });
    const { batchItemFailures } = await count(...records);
    expect(batchItemFailures).toEqual([{ itemIdentifier: '50' }]);
    await count(...records);
    expect(slugs.map((slug) => countersOf(keyOf.countsNow(slug)))).toEqual(
      slugs.map(() => ({ 'phase#order_processed': 1 })),
    );
  });

  const toCountry = (i: number) =>
    moved(
      { ...parcel(i + 1), country: String.fromCharCode(65 + (i % 26), 65 + Math.floor(i / 26)) },
      'ARRIVAL_AT_TRANSPORT_HUB',
      1,
    );

  test('has its lanes learned when it is counted, and not when it comes again', async () => {
    const lane = { carrier: '-', country: 'BA' };
    const learned = (slug: string) => memoryTable.read(keyOf.arrivalModel(slug, lane));
    const again = record({ after: stored(toCountry(1), 'again') });
    // As a function leaves it that counted the batch and died.
    memoryTable.put(
      { ...keyOf.countedRecords(again.eventID!), until: again.dynamodb!.SequenceNumber! },
      { ...keyOf.dayCounts('again', day), 's#-#BA': 1 },
    );
    await count(again, record({ after: stored(toCountry(1), 'fresh') }));
    expect(learned('again')).toBeUndefined();
    expect(learned('fresh')).toMatchObject({ parcels: 0 });
  });

  test('of more counters of one item than an expression can change is counted in parts', async () => {
    await count(...Array.from({ length: 450 }, (_, i) => record({ after: stored(toCountry(i)) })));
    const written = dynamo.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.TransactItems!);
    expect(written.length).toBe(3);
    const expressions = written.flat().map(({ Update }) => Update?.UpdateExpression ?? '');
    expect(Math.max(...expressions.map(({ length }) => length))).toBeLessThan(4096);
    expect(Object.keys(countersOf(keyOf.dayCounts('blue', day)))).toHaveLength(450);
  });

  test('whose items are too large together for a transaction is counted in halves', async () => {
    const records = inserts(Array.from({ length: 40 }, (_, i) => `shop-${i}`));
    beforeRequest(TransactWriteCommand, ({ TransactItems }) => {
      const tooLarge = { CancellationReasons: [{ Code: 'None' }, { Code: 'ValidationError' }] };
      if (TransactItems!.length > 21)
        throw Object.assign(new Error('4 MB'), { name: 'TransactionCanceledException' }, tooLarge);
    });
    expect(await count(...records)).toEqual({ batchItemFailures: [] });
    const counters = memoryTable.all('STATISTICS#').filter(({ sk }) => laneOfModel(sk) === undefined);
    expect(counters).toHaveLength(40);
    expect(await count(...records)).toEqual({ batchItemFailures: [] });
    expect(countersOf(keyOf.countsNow('shop-39'))).toEqual({ 'phase#order_processed': 1 });
  });

  test('is counted also if nothing can be learned from it', async () => {
    dynamo.on(QueryCommand).rejects(Object.assign(new Error('down'), { name: 'InternalServerError' }));
    expect(await count(record({ after: stored(toCountry(1), 'unlearned') }))).toEqual({ batchItemFailures: [] });
    expect(dynamo.commandCalls(QueryCommand)).not.toEqual([]);
    expect(countersOf(keyOf.dayCounts('unlearned', day))).toEqual({ 's#-#BA': 1 });
  });

  test('is reported from its first record if the table does not answer', async () => {
    dynamo.on(BatchGetCommand).rejects(Object.assign(new Error('down'), { name: 'InternalServerError' }));
    expect(await count(...inserts(['blue']))).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
  });
});

describe('a record that cannot be read', () => {
  const sqs = mockClient(SQSClient);
  process.env.STREAM_FAILURES_QUEUE_URL = 'https://failures';
  process.env.STREAM_REPLAYS_QUEUE_URL = 'https://replays';
  beforeEach(() => {
    sqs.reset();
    sqs.on(SendMessageBatchCommand).resolves({});
  });

  /** A parcel of the shop that changed so long ago. */
  const changed = (
    slot: number,
    ageMinutes: number,
    slug = 'blue',
    change: (item: object) => object = (item) => item,
  ) => {
    const made = record({ after: change(stored(parcel(slot), slug)) });
    made.dynamodb!.ApproximateCreationDateTime = Date.now() / 1000 - ageMinutes * 60;
    return made;
  };
  const withDocument = (document: Buffer) => (item: object) => ({ ...item, document });
  const newer = withDocument(Buffer.concat([Buffer.from([0x78, 0xf9, 1, 2, 3, 4]), randomBytes(40)]));
  const damaged = withDocument(packText('{"uuid":'));
  const ofNewKind = (item: object) => ({ ...item, sk: '~RETURN#1' });
  const counted = (slug = 'blue') => countersOf(keyOf.countsNow(slug))['phase#order_processed'] ?? 0;
  const putAside = () =>
    sqs
      .commandCalls(SendMessageBatchCommand, { QueueUrl: 'https://failures' })
      .flatMap(({ args }) => args[0].input.Entries!.map(({ MessageBody }) => MessageBody!));

  test.each([
    ['a newer version packed it', newer],
    ['it is of a kind that a newer version added', ofNewKind],
  ])('because %s waits, and with it all that follows', async (_, change) => {
    const batch = [changed(1, 600), changed(2, 600, 'blue', change), changed(3, 600)];
    expect(await count(...batch)).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
    expect([counted(), putAside()]).toEqual([1, []]);
    // The newer version gets what is left.
    const mended = { ...changed(2, 600), eventID: batch[1]!.eventID!, dynamodb: { ...changed(2, 600).dynamodb } };
    mended.dynamodb.SequenceNumber = '2';
    expect(await count(mended, batch[2]!)).toEqual({ batchItemFailures: [] });
    expect(counted()).toBe(3);
  });

  test('by its own fault is put aside, and the others are counted', async () => {
    expect(await count(changed(1, 20), changed(2, 20, 'blue', damaged), changed(3, 20))).toEqual({
      batchItemFailures: [],
    });
    expect(counted()).toBe(2);
    expect(putAside().map((body) => JSON.parse(body))).toMatchObject([
      { kind: 'shipment_change', reason: 'SyntaxError', sequence_number: '2' },
    ]);
  });

  test('is not put aside at once, nor if no record of its batch can be read, as after a bad deployment', async () => {
    const [first] = [await count(changed(1, 1), changed(2, 1, 'blue', damaged))];
    expect(first).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
    expect(await count(changed(3, 600, 'red', damaged), changed(4, 600, 'blue', damaged))).toEqual({
      batchItemFailures: [{ itemIdentifier: '3' }],
    });
    expect(putAside()).toEqual([]);
  });

  test('stays in the stream if it cannot be kept, and nothing after it is counted', async () => {
    sqs.on(SendMessageBatchCommand).rejects(new Error('refused'));
    const batch = [changed(1, 20), changed(2, 20, 'blue', damaged), changed(3, 20)];
    expect(await count(...batch)).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
    sqs.on(SendMessageBatchCommand).resolves({});
    expect(await count(...batch.slice(1))).toEqual({ batchItemFailures: [] });
    expect(counted()).toBe(2);
  });

  test('is not put aside before what precedes it is counted, so that there are no copies of it', async () => {
    dynamo.on(TransactWriteCommand).rejects(Object.assign(new Error('down'), { name: 'InternalServerError' }));
    const batch = [changed(1, 3), changed(2, 3, 'blue', damaged), changed(3, 3)];
    expect(await count(...batch)).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    expect(putAside()).toEqual([]);
  });

  test('is counted when an operator replays it, once, although a batch began with it', async () => {
    const whole = changed(1, 20);
    const broken = structuredClone(whole);
    broken.dynamodb!.NewImage!.document = { B: Buffer.from(packText('{"uuid":')).toString('base64') };
    expect(await count(broken, changed(2, 20))).toEqual({ batchItemFailures: [] });
    expect(counted()).toBe(1);
    const packed = gzipSync(JSON.stringify(whole)).toString('base64');
    const replay = () => handler(batchOf([{ packed }]), context);
    expect(await replay()).toEqual({ batchItemFailures: [] });
    expect(await replay()).toEqual({ batchItemFailures: [] });
    expect(counted()).toBe(2);
  });

  test('waits in the queue of replays while its form is unknown, and is put aside again if it is at fault', async () => {
    const replay = (change: (item: object) => object) => {
      const packed = gzipSync(JSON.stringify(changed(1, 600, 'blue', change))).toString('base64');
      return handler(batchOf([{ packed }]), context);
    };
    expect((await replay(newer)).batchItemFailures).toHaveLength(1);
    expect(await handler(batchOf(['no record']), context)).toEqual({ batchItemFailures: [] });
    expect(putAside()).toEqual(['no record']);
  });
});
