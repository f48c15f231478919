import { beforeEach, describe, expect, test } from 'vitest';
import { handler as claims } from '#api/claims/handler.ts';
import { handler as events } from '#api/events/handler.ts';
import { handler as orders } from '#api/orders/handler.ts';
import { handler as shipments } from '#api/shipments/handler.ts';
import { handler as ingest } from '#pipeline/ingest/handler.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { Order } from '#schemas/shapes/order-shapes.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { orderWrites } from '#test/kit/order-writes.ts';
import { eventsOf, parcelItems } from '#test/kit/parcels.ts';
import { batchOf, context } from '#test/kit/queue-messages.ts';
import { callsAt, holdsShops } from '#test/kit/shops-with-parcels.ts';
import { dynamo } from '#test/kit/table.ts';

/** A tracking number is the same number with other spaces, dots, dashes and cases. It is shown as it was first given. */

const slug = 'blue';
const given = 'ab-12.3 x';
const others = ['AB123X', 'ab123x', 'AB 123-X', given];

holdsShops(slug);

const call = callsAt(slug);

const upsert = (id: string, ...numbers: string[]) =>
  call(orders, 'PUT', '/orders', {
    body: { id, order: {}, trackings: numbers.map((tracking_number) => ({ tracking_number })) },
  });

async function numbersOf(order_number: string): Promise<(string | null)[]> {
  const { body } = await call(orders, 'GET', '/orders', { query: { order_number } });
  return (body as Order[])[0]!.trackings.map(({ carrier }) => carrier.tracking_number);
}

const references = () => memoryTable.all('TRACKINGREF#').map(({ pk, sk }) => `${pk} ${sk}`);
const both = [`TRACKINGREF#${slug}#AB123X REF`, `TRACKINGREF#${slug}#${given} REF`];

const report = (id: string, event_name = 'IN_DELIVERY') =>
  call(events, 'POST', '/shipment-events', { body: { id, id_type: 'tracking_number', event_name } });

const find = (tracking_number: string) => call(shipments, 'GET', '/shipments', { query: { tracking_number } });

const remove = (order_id: string, shipment_id: string) =>
  call(shipments, 'DELETE', '/orders/{order_id}/shipments/{shipment_id}', { params: { order_id, shipment_id } });

describe('two spellings in one order', () => {
  test('are one parcel for an upsert, in one request and in several', async () => {
    expect((await upsert('1', given, ...others)).status).toBe(200);
    for (const number of others) expect((await upsert('1', number)).status).toBe(200);
    expect(await numbersOf('1')).toEqual([given]);
  });

  test('are one parcel for upserts at the same time', async () => {
    await Promise.all(others.map((number) => upsert('1', number)));
    expect(await numbersOf('1')).toHaveLength(1);
  });

  test.each(others)('are refused as a new shipment (%s)', async (tracking_number) => {
    await upsert('1', given);
    const body = { order_id: '1', order_id_type: 'order_number', tracking_number };
    expect(await call(shipments, 'POST', '/shipments', { body })).toMatchObject({
      status: 409,
      body: { key: 'shipment_exists' },
    });
  });
});

describe.each(others)('a parcel is found by another spelling (%s)', (number) => {
  beforeEach(() => upsert('1', given));

  test('in a search of shipments, and in the search by anything', async () => {
    expect((await find(number)).body).toMatchObject({ shipments: [{ tracking_number: given }] });
    const { body } = await call(orders, 'GET', '/search', { query: { q: number } });
    expect(body).toMatchObject([{ matched: 'tracking_number', order_number: '1' }]);
  });

  test('by an event and by a claim', async () => {
    expect((await report(number)).status).toBe(200);
    const body = { reason: 'damage', tracking_number: number };
    const { body: claim } = await call(claims, 'POST', '/claims', { body });
    expect(claim).toMatchObject({ order_number: '1', tracking_number: given });
    const named = { ...body, shipment_id: claim.shipment_id };
    expect((await call(claims, 'POST', '/claims', { body: named })).status).toBe(200);
  });

  test('by an update of the carrier, which is recorded once', async () => {
    const update = { tracking_number: number, event_name: 'OUT_FOR_DELIVERY', event_time: '2030-01-01T00:00:00Z' };
    dynamo.resetHistory();
    expect(await ingest(batchOf([update]), context)).toEqual({ batchItemFailures: [] });
    expect(eventsOf(slug)).toEqual(['ORDER_PROCESSED', 'OUT_FOR_DELIVERY']);
    expect(orderWrites()).toHaveLength(1);
  });

  test('by its deletion, which leaves no reference', async () => {
    expect(references()).toEqual(both);
    expect((await remove('1', number)).status).toBe(200);
    expect(references()).toEqual([`TRACKINGREF#${slug}#${given} GONE`]);
  });
});

test('orders that write the number of their parcel differently share it', async () => {
  await upsert('1', given);
  await upsert('2', 'AB123X');
  await upsert('3', 'ab123x');
  expect((await find('ab 123 x')).body.pagination.total).toBe(3);
  expect((await report('AB-123-X')).status).toBe(200);
  expect(eventsOf(slug).filter((name) => name === 'IN_DELIVERY')).toHaveLength(3);
});

test('a number of dashes only is a number as it is given', async () => {
  expect((await upsert('1', '--', '-')).status).toBe(200);
  expect(await numbersOf('1')).toEqual(['--', '-']);
});

test('many numbers with two references each are written in several transactions', async () => {
  const numbers = Array.from({ length: 50 }, (_, i) => `n-${i}`);
  expect((await upsert('1', ...numbers)).status).toBe(200);
  expect(await numbersOf('1')).toEqual(numbers);
  expect(references()).toHaveLength(100);
});

describe('what an earlier version of the service wrote', () => {
  // It made one reference, under the number as it was given.
  beforeEach(() => {
    const [head, ...items] = parcelItems(slug, given) as { order_id?: string }[];
    const { order_id } = items.at(-1)!;
    memoryTable.put(head!, ...items, { ...keyOf.orderNumber(slug, given), order_id });
  });

  test.each(others)('is found by every spelling (%s)', async (number) => {
    expect((await find(number)).body.pagination.total).toBe(1);
    expect((await report(number)).status).toBe(200);
    expect((await remove(given, number)).status).toBe(200);
    expect(references()).toEqual([`TRACKINGREF#${slug}#${given} GONE`]);
  });

  test('is found beside what this one wrote', async () => {
    await upsert('2', 'AB123X');
    expect((await find('ab123x')).body.pagination.total).toBe(2);
  });

  test('may be several parcels with one number in one order, which stay and are found', async () => {
    memoryTable.remove(keyOf.orderNumber(slug, given));
    const [head, ...items] = parcelItems(slug, ...others) as { order_id?: string }[];
    const { order_id } = items.at(-1)!;
    memoryTable.put(head!, ...items, { ...keyOf.orderNumber(slug, 'AB123X'), order_id });
    for (let i = 0; i < 3; i++) expect((await upsert('AB123X', 'AB123X')).status).toBe(200);
    expect(await numbersOf('AB123X')).toEqual(others);
    expect((await remove('AB123X', 'ab123x')).status).toBe(200);
    expect(await numbersOf('AB123X')).toEqual(others.filter((number) => number !== 'ab123x'));
  });

  test('gets its second reference from the next upsert that names it', async () => {
    expect(references()).toEqual([both[1]]);
    expect((await upsert(given, 'AB123X')).status).toBe(200);
    expect(references()).toEqual(both);
    expect(await numbersOf(given)).toEqual([given]);
  });
});

describe('a reference that was lost', () => {
  const lost = keyOf.tracking(slug, 'T', 0);

  beforeEach(async () => {
    await upsert('1', 'T');
    memoryTable.remove(lost);
  });

  const withoutOrder = () =>
    call(orders, 'PUT', '/orders', { body: { id: '1', trackings: [{ tracking_number: 'T' }] } });

  test.each([
    ['an upsert', () => upsert('1', 'T')],
    ['an upsert that changes nothing else', withoutOrder],
  ])('is made again by %s that names the number', async (_name, write) => {
    expect((await report('T')).status).toBe(404);
    expect((await write()).status).toBe(200);
    expect(memoryTable.read(lost)).toMatchObject({ shipment_id: expect.stringMatching(/001$/) });
    expect((await report('T')).status).toBe(200);
    expect(await numbersOf('1')).toEqual(['T']);
  });

  test('is made again at another place if another order has taken its own', async () => {
    await upsert('2', 'T');
    await upsert('1', 'T');
    expect((await find('T')).body.pagination.total).toBe(2);
    const before = references();
    await upsert('1', 'T');
    expect(references()).toEqual(before);
  });

  test('does not keep its shipment from being deleted, and that of another order stays', async () => {
    await upsert('2', 'T');
    expect((await remove('1', 'T')).status).toBe(200);
    expect((await find('T')).body.pagination.total).toBe(1);
    expect((await remove('2', 'T')).status).toBe(200);
  });
});
