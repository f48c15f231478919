import { BatchGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { beforeEach, describe, expect, test } from 'vitest';
import { deleted, updated } from '#domain/claims/claim-rules.ts';
import { claimItem } from '#domain/claims/claim-store.ts';
import { deliveryItem, newDelivery } from '#domain/deliveries/delivery-items.ts';
import type { Attempt, Delivery } from '#domain/deliveries/delivery-rules.ts';
import { newOrderId, type Order, type Shipment } from '#domain/orders/model.ts';
import { draftsItem, orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { fulfilled, newShipment, reported } from '#domain/orders/shipment-rules.ts';
import { pageClaimItem } from '#domain/pages/page-items.ts';
import { handler } from '#pipeline/counts/handler.ts';
import { keyOf } from '#platform/table/keys.ts';
import { claimOf } from '#test/kit/claims.ts';
import { type Item, memoryTable } from '#test/kit/memory-table.ts';
import { beforeRequest, dynamo, tableWith } from '#test/kit/table.ts';

const now = new Date('2026-11-14T12:00:00.000Z');
const at = now.toISOString();
const day = '2026-11-14';

beforeEach(() => tableWith());

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

  test('without a number are counted by the lines of their order', async () => {
    const drafts = (count: number) =>
      draftsItem('blue', { ...order, drafts: Array.from({ length: count }, (_, slot) => ({ slot, created_at: at })) });
    await count(record({ after: drafts(3) }), record({ before: drafts(3), after: drafts(1) }));
    expect(countersOf(keyOf.countsNow('blue'))).toEqual({ 'phase#order_created': 1 });
  });
});

describe('orders', () => {
  const placed = (changes: Partial<Order>) => orderItem('blue', { ...order, ...changes }, 1);

  test('count for the day on which they were placed', async () => {
    await count(record({ after: placed({}) }));
    expect(countersOf(keyOf.orderCounts('blue', '2026-11-12'))).toEqual({ orders: 1 });
  });

  test.each<[string, Partial<Order>]>([
    ['of a simulation', { simulation_id: 'simulation' }],
    ['of a day that nobody can ask for any more', { order_placed_at: '2026-09-01T00:00:00.000Z' }],
    ['of a far future', { order_placed_at: '2027-01-01T00:00:00.000Z' }],
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

  test('count each attempt once, and their end', async () => {
    const failedOnce = { ...fresh, attempts: [attempt(1, { status: 500, error: 'http_500' })] };
    const arrived: Delivery = { ...failedOnce, status: 'delivered', attempts: [...failedOnce.attempts, attempt(2)] };
    await count(change(fresh, failedOnce), change(failedOnce, arrived));
    expect(countersOf(key)).toEqual({ attempts_failed: 1, delivered: 1, 'ms#100': 2 });
  });

  test('whose list of attempts is full count the new attempt only', async () => {
    const full = Array.from({ length: 30 }, (_, i) => attempt(i, { error: 'timeout', duration_ms: 10_000 }));
    const next = [...full.slice(1), attempt(40, { error: 'timeout', duration_ms: 10_000 })];
    await count(change({ ...fresh, attempts: full }, { ...fresh, attempts: next }));
    expect(countersOf(key)).toEqual({ attempts_failed: 1, 'ms#10000': 1 });
  });

  test('that are sent again count nothing for that', async () => {
    const failed: Delivery = { ...fresh, status: 'failed', attempts: [attempt(1, { error: 'timeout' })] };
    await count(change(failed, { ...failed, status: 'pending', run_since: at }));
    expect(memoryTable.all('STATISTICS#')).toEqual([]);
  });
});

describe('a batch', () => {
  const inserts = (slugs: string[]) => slugs.map((slug, i) => record({ after: stored(parcel(i + 1), slug) }));

  test('is written once for each shop, whatever it holds', async () => {
    await count(...inserts(Array.from({ length: 40 }, (_, i) => (i % 2 ? 'blue' : 'red'))));
    const [written, ...more] = dynamo.commandCalls(TransactWriteCommand);
    expect(written!.args[0].input.TransactItems).toHaveLength(3);
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
    expect(batchItemFailures).toEqual([{ itemIdentifier: '100' }]);
    await count(...records);
    expect(slugs.map((slug) => countersOf(keyOf.countsNow(slug)))).toEqual(
      slugs.map(() => ({ 'phase#order_processed': 1 })),
    );
  });

  test('with a record that cannot be read counts the others', async () => {
    const broken = record({ after: { ...keyOf.shipment('blue', 'o', 's'), document: 'no document' } });
    expect(await count(broken, ...inserts(['blue']))).toEqual({ batchItemFailures: [] });
    expect(countersOf(keyOf.countsNow('blue'))).toEqual({ 'phase#order_processed': 1 });
  });

  test('is reported from its first record if the table does not answer', async () => {
    dynamo.on(BatchGetCommand).rejects(Object.assign(new Error('down'), { name: 'InternalServerError' }));
    expect(await count(...inserts(['blue']))).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
  });
});
