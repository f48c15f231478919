import { BatchGetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test, vi } from 'vitest';
import { handler as claims } from '#api/claims/handler.ts';
import { handler as events } from '#api/events/handler.ts';
import { handler as orders } from '#api/orders/handler.ts';
import { handler as shipments } from '#api/shipments/handler.ts';
import { contentOf } from '#domain/orders/enclosed-events.ts';
import { eraseOrder } from '#domain/orders/erase-order.ts';
import type { StoredItem } from '#domain/orders/order-items.ts';
import { handler as ingest } from '#pipeline/ingest/handler.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { Action } from '#platform/table/writes.ts';
import { shipmentLimits } from '#schemas/catalogues/limits.ts';
import type { Order } from '#schemas/shapes/order-shapes.ts';
import type { Call } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeOrderWrite, orderWrites, outgoingOf } from '#test/kit/order-writes.ts';
import { batchOf, context } from '#test/kit/queue-messages.ts';
import { callsAt, holdsShops } from '#test/kit/shops-with-parcels.ts';
import { beforeNextRequest, dynamo } from '#test/kit/table.ts';

/** Orders that travel in one parcel share its tracking number, and each has its own shipment. */

holdsShops('blue', 'green');

const call = (handler: typeof orders, method: string, path: string, more: Partial<Call> = {}, slug = 'blue') =>
  callsAt(slug)(handler, method, path, more);

const trackings = (...numbers: string[]) => numbers.map((tracking_number) => ({ tracking_number }));
const upsert = (id: string, numbers: string[], slug?: string) =>
  call(orders, 'PUT', '/orders', { body: { id, order: {}, trackings: trackings(...numbers) } }, slug);

async function orderWith(order_number: string, slug?: string): Promise<Order> {
  const { body } = await call(orders, 'GET', '/orders', { query: { order_number } }, slug);
  return body[0];
}

async function eventsOf(order_number: string, slug?: string): Promise<string[]> {
  return (await orderWith(order_number, slug)).trackings.flatMap((one) => one.events.map(({ event_key }) => event_key));
}

const numbersOf = ({ trackings: all }: Order) => all.map(({ carrier }) => carrier.tracking_number);

/** Orders `1`, `2` and `3` in one parcel with the number T. The last one is the newest. */
async function threeOrders(): Promise<void> {
  for (const id of ['1', '2', '3']) {
    vi.setSystemTime(Date.now() + 1000);
    expect((await upsert(id, ['T'])).status).toBe(200);
  }
}

test('an event with a place is recorded for all orders of the parcel, and without the place for one that is erased', async () => {
  await threeOrders();
  const { uuid } = await orderWith('2');
  await eraseOrder({ slug: 'blue', uuid: 'shop' }, uuid, { at: new Date().toISOString(), by: 'somebody' });
  const location = { city: 'Kiel' };
  const body = { id: 'T', event_name: 'OUT_FOR_DELIVERY', event_time: '2030-01-01T00:00:00.000Z', location };
  expect((await call(events, 'POST', '/shipment-events', { body })).status).toBe(200);
  const placesOf = async (number: string) =>
    (await orderWith(number)).trackings
      .flatMap((one) => one.events.slice(-1))
      .map((event) => event.location?.city ?? null);
  expect(await Promise.all(['1', '2', '3'].map(placesOf))).toEqual([['Kiel'], [null], ['Kiel']]);
});

const create = (order_id: string, tracking_number: string) =>
  call(shipments, 'POST', '/shipments', { body: { order_id, order_id_type: 'order_number', tracking_number } });

const remove = (order_id: string, shipment_id: string) =>
  call(shipments, 'DELETE', '/orders/{order_id}/shipments/{shipment_id}', { params: { order_id, shipment_id } });

const report = (event_name: string, event_time = '2030-01-01T00:00:00.000Z', id = 'T') =>
  call(events, 'POST', '/shipment-events', { body: { id, event_name, event_time }, query: { notify: 'true' } });

const update = (event_name = 'OUT_FOR_DELIVERY') => ({
  tracking_number: 'T',
  event_name,
  event_time: '2030-01-01T00:00:00Z',
});

/** Passes carrier updates to ingest, and returns how many of them failed. */
async function receive(...updates: object[]): Promise<number> {
  return (await ingest(batchOf(updates), context)).batchItemFailures.length;
}

/** The names of the events that listeners get about an order. */
async function sentOf(order_number: string): Promise<string[]> {
  const { uuid } = await orderWith(order_number);
  return outgoingOf('blue', uuid).map(({ event_name }) => event_name);
}

const writes = () => orderWrites().length;

/** Makes every write to one order fail, as long as it is set. */
async function failWritesOf(order_number: string): Promise<void> {
  const { uuid } = await orderWith(order_number);
  const isOfOrder = (actions: Action[]) => actions.some(({ Put }) => String(Put?.Item?.pk).includes(uuid));
  beforeOrderWrite((actions) => {
    if (isOfOrder(actions)) throw Object.assign(new Error('full'), { name: 'ThrottlingException' });
  });
}

describe('an upsert', () => {
  test('gives each order in a parcel its own shipment with the number', async () => {
    await threeOrders();
    const found = await Promise.all(['1', '2', '3'].map((id) => orderWith(id)));
    expect(found.map(numbersOf)).toEqual([['T'], ['T'], ['T']]);
    expect(found.map(({ state }) => state)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(new Set(found.map(({ trackings: [one] }) => one!.uuid)).size).toBe(3);
  });

  test.each(['1', '2', '3'])('ignores a number that its order has, whoever had it first (order %s)', async (id) => {
    await threeOrders();
    const before = memoryTable.all('TRACKINGREF#');
    expect((await upsert(id, ['T'])).status).toBe(200);
    expect(numbersOf(await orderWith(id))).toEqual(['T']);
    expect(memoryTable.all('TRACKINGREF#')).toEqual(before);
  });

  test('submits the parcel for tracking for each order, because a carrier may have scanned it before', async () => {
    await threeOrders();
    const written = orderWrites().flatMap((actions) =>
      actions.flatMap(({ Put }) => (Put?.Item?.document ? [Put.Item] : [])),
    );
    const parcels = written.flatMap((item) => contentOf(item as StoredItem).announcement?.submitted ?? []);
    expect(parcels).toMatchObject(Array(3).fill({ tracking_number: 'T' }));
    expect(new Set(parcels.map(({ uuid }) => uuid)).size).toBe(3);
  });

  test('of another order at the same time succeeds too', async () => {
    const ids = Array.from({ length: 10 }, (_, i) => `N-${i}`);
    const answers = await Promise.all(ids.map((id) => upsert(id, ['T', `own-${id}`])));
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
    for (const id of ids) expect(numbersOf(await orderWith(id))).toEqual(['T', `own-${id}`]);
  });

  test('of the same order at the same time adds one shipment', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => upsert('1', ['T'])));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(numbersOf(await orderWith('1'))).toEqual(['T']);
    expect(memoryTable.all('TRACKINGREF#')).toHaveLength(1);
  });

  test('that loses the first place to another order between its reads and its write takes another place', async () => {
    beforeNextRequest(TransactWriteCommand, () =>
      memoryTable.put({ ...keyOf.tracking('blue', 'T', 0), order_id: 'other', shipment_id: 'other' }),
    );
    expect((await upsert('1', ['T'])).status).toBe(200);
    expect(memoryTable.all('TRACKINGREF#')).toHaveLength(2);
    expect(numbersOf(await orderWith('1'))).toEqual(['T']);
  });
});

const fill = (number: string) => {
  const places = Array.from({ length: shipmentLimits.ordersInOneParcel }, (_, place) => place);
  memoryTable.put(...places.map((place) => ({ ...keyOf.tracking('blue', number, place), order_id: `${place}` })));
};

describe('a parcel that has no room for another order', () => {
  test('refuses an upsert with the place of each such number, and nothing changes', async () => {
    fill('T');
    fill('U');
    const before = memoryTable.all();
    const { status, body } = await upsert('1', ['A', 'T', 'T', 'U']);
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([
      { loc: ['body', 'trackings', 1, 'tracking_number'], msg: expect.stringContaining('100 orders') },
      { loc: ['body', 'trackings', 3, 'tracking_number'] },
    ]);
    expect(memoryTable.all()).toEqual(before);
  });

  test('refuses the whole upsert also beyond its first transaction', async () => {
    fill('T');
    const before = memoryTable.all();
    const numbers = Array.from({ length: 49 }, (_, i) => `A-${i}`);
    expect((await upsert('1', [...numbers, 'T'])).body.errors).toMatchObject([{ loc: ['body', 'trackings', 49, {}] }]);
    expect(memoryTable.all()).toEqual(before);
  });

  test('refuses one order of a bulk call and lets the others pass', async () => {
    fill('T');
    const body = ['1', '2'].map((id, i) => ({ id, order: {}, trackings: trackings(i === 0 ? 'T' : 'A') }));
    const answer = await call(orders, 'PUT', '/orders/bulk', { body });
    expect(answer.body.errors).toMatchObject([{ loc: ['body', 0, 'trackings', 0, 'tracking_number'] }]);
    expect(numbersOf(await orderWith('2'))).toEqual(['A']);
  });

  test('refuses a new shipment, and takes it when another order has left', async () => {
    await upsert('1', []);
    fill('T');
    const { status, body } = await create('1', 'T');
    expect([status, body.errors[0].loc]).toEqual([422, ['body', 'tracking_number']]);
    memoryTable.remove(keyOf.tracking('blue', 'T', 42));
    expect((await create('1', 'T')).status).toBe(200);
    expect(memoryTable.read(keyOf.tracking('blue', 'T', 42))).toBeDefined();
  });
});

describe('a new shipment', () => {
  test('is refused if its order has the number, and not if another order has it', async () => {
    await upsert('1', ['T']);
    await upsert('2', ['A']);
    expect(await create('1', 'T')).toMatchObject({ status: 409, body: { key: 'shipment_exists' } });
    expect(await create('2', 'T')).toMatchObject({ status: 200, body: { tracking_number: 'T' } });
    expect(await create('2', 'T')).toMatchObject({ status: 409, body: { key: 'shipment_exists' } });
    expect(numbersOf(await orderWith('2'))).toEqual(['A', 'T']);
  });
});

describe('an update of the carrier', () => {
  test('reaches every order in the parcel, in all shops, with one event for each order', async () => {
    await threeOrders();
    await upsert('4', ['T'], 'green');
    await upsert('5', ['other']);
    expect(await receive(update(), update('PICKUP_SUCCESSFUL'))).toBe(0);
    const added = ['OUT_FOR_DELIVERY', 'PICKUP_SUCCESSFUL'];
    for (const id of ['1', '2', '3']) {
      expect(await eventsOf(id)).toEqual(['ORDER_PROCESSED', 'PICKUP_SUCCESSFUL', 'OUT_FOR_DELIVERY']);
      expect((await sentOf(id)).toSorted()).toEqual(['ORDER_PROCESSED', ...added].toSorted());
    }
    expect(await eventsOf('4', 'green')).toHaveLength(3);
    expect(await eventsOf('5')).toEqual(['ORDER_PROCESSED']);
  });

  test('costs one read and one write for each order, and four reads for all of them together', async () => {
    await threeOrders();
    dynamo.resetHistory();
    await receive(update());
    const sent = dynamo.calls().map(({ args }) => args[0].constructor.name);
    const counts = [...Map.groupBy(sent, (name) => name)].map(([name, all]) => [name, all.length]);
    expect(Object.fromEntries(counts)).toEqual({ QueryCommand: 1 + 3, BatchGetCommand: 3, PutCommand: 3 });
  });

  test('that is repeated changes nothing', async () => {
    await threeOrders();
    await receive(update());
    const before = [memoryTable.all(), writes()];
    expect(await receive(update(), update())).toBe(0);
    expect([memoryTable.all(), writes()]).toEqual(before);
  });

  test('reaches the others if one order cannot be written, and that one when the message comes again', async () => {
    await threeOrders();
    await failWritesOf('2');
    expect(await receive(update())).toBe(1);
    expect(await eventsOf('1')).toContain('OUT_FOR_DELIVERY');
    expect(await eventsOf('2')).not.toContain('OUT_FOR_DELIVERY');
    expect(await eventsOf('3')).toContain('OUT_FOR_DELIVERY');
    beforeOrderWrite(() => {});
    expect(await receive(update())).toBe(0);
    for (const id of ['1', '2', '3']) {
      expect((await eventsOf(id)).filter((name) => name === 'OUT_FOR_DELIVERY')).toHaveLength(1);
    }
  });

  test('reaches an order that joins the parcel later from then on', async () => {
    await upsert('1', ['T']);
    await receive(update('PICKUP_SUCCESSFUL'));
    await upsert('2', ['T']);
    await receive(update('PICKUP_SUCCESSFUL'), update());
    expect(await eventsOf('2')).toEqual(['ORDER_PROCESSED', 'PICKUP_SUCCESSFUL', 'OUT_FOR_DELIVERY']);
    expect(await eventsOf('1')).toEqual(['ORDER_PROCESSED', 'PICKUP_SUCCESSFUL', 'OUT_FOR_DELIVERY']);
  });
});

describe('an event by tracking number', () => {
  test('is recorded for every order in the parcel, each with its notification', async () => {
    await threeOrders();
    expect((await report('IN_DELIVERY')).status).toBe(200);
    for (const id of ['1', '2', '3']) {
      expect(await eventsOf(id)).toEqual(['ORDER_PROCESSED', 'IN_DELIVERY']);
      expect(await sentOf(id)).toContain('IN_DELIVERY');
    }
  });

  test('is answered with the shipment of the newest order', async () => {
    await threeOrders();
    const newest = (await orderWith('3')).trackings[0]!.uuid;
    const body = { event_name: 'AT_TRANSPORT_HUB', event_time: '2029-01-01T00:00:00.000Z' };
    await call(events, 'POST', '/shipments/{shipment_id}/events', { body, params: { shipment_id: newest } });
    const { body: answer } = await report('IN_DELIVERY');
    const keys = answer.events.map(({ event_key }: { event_key: string }) => event_key);
    expect(keys).toEqual(['ORDER_PROCESSED', 'AT_TRANSPORT_HUB', 'IN_DELIVERY']);
    expect(await eventsOf('1')).toEqual(['ORDER_PROCESSED', 'IN_DELIVERY']);
  });

  test('is refused only if every shipment has it, and otherwise completes those that do not', async () => {
    await upsert('1', ['T']);
    await report('IN_DELIVERY');
    await upsert('2', ['T']);
    expect((await report('IN_DELIVERY')).status).toBe(200);
    for (const id of ['1', '2']) expect(await eventsOf(id)).toEqual(['ORDER_PROCESSED', 'IN_DELIVERY']);
    expect(await report('IN_DELIVERY')).toMatchObject({ status: 409, body: { key: 'shipment_event_exists' } });
  });

  test('is not found only if no order has the number', async () => {
    await threeOrders();
    expect(await report('IN_DELIVERY', undefined, 'U')).toMatchObject({ body: { key: 'shipment_not_found' } });
    memoryTable.put({ ...keyOf.tracking('blue', 'T', 50), order_id: crypto.randomUUID(), shipment_id: 'deleted' });
    expect((await report('IN_DELIVERY')).status).toBe(200);
  });

  test('reports the failure of one order after all others got it, and the next try completes it', async () => {
    await threeOrders();
    await failWritesOf('3');
    expect((await report('IN_DELIVERY')).status).toBe(429);
    for (const id of ['1', '2']) expect(await eventsOf(id)).toContain('IN_DELIVERY');
    beforeOrderWrite(() => {});
    expect((await report('IN_DELIVERY')).status).toBe(200);
    for (const id of ['1', '2', '3']) expect(await eventsOf(id)).toEqual(['ORDER_PROCESSED', 'IN_DELIVERY']);
  });
});

describe('the deletion of one shipment', () => {
  test.each(['1', '2', '3'])('leaves the others, which still get updates (order %s)', async (id) => {
    await threeOrders();
    expect((await remove(id, 'T')).status).toBe(200);
    expect(await receive(update())).toBe(0);
    expect((await report('SUCCESSFULLY_DELIVERED')).status).toBe(200);
    expect(await eventsOf(id)).toEqual(['ORDER_CREATED']);
    for (const other of ['1', '2', '3'].filter((one) => one !== id)) {
      expect(await eventsOf(other)).toEqual(['ORDER_PROCESSED', 'OUT_FOR_DELIVERY', 'SUCCESSFULLY_DELIVERED']);
    }
    expect((await remove(id, 'T')).status).toBe(404);
    expect((await upsert(id, ['T'])).status).toBe(200);
    expect(numbersOf(await orderWith(id))).toEqual(['T']);
  });

  test('of each order leaves only a mark of the number, and what the carrier reports waits for another order', async () => {
    await threeOrders();
    for (const id of ['2', '1', '3']) expect((await remove(id, 'T')).status).toBe(200);
    expect(memoryTable.all('TRACKINGREF#')).toMatchObject([keyOf.goneTracking('blue', 'T')]);
    expect(await receive(update())).toBe(1);
    await upsert('4', ['T']);
    expect(await receive(update())).toBe(0);
    expect(await eventsOf('4')).toContain('OUT_FOR_DELIVERY');
  });
});

describe('a search of shipments', () => {
  const search = (query: Record<string, string> = {}) =>
    call(shipments, 'GET', '/shipments', { query: { tracking_number: 'T', ...query } });

  test('by tracking number shows the shipment of every order in the parcel, page by page', async () => {
    await threeOrders();
    const { body } = await search();
    expect(body.pagination).toMatchObject({ total: 3, total_pages: 1 });
    const ids = await Promise.all(['1', '2', '3'].map(async (id) => (await orderWith(id)).uuid));
    expect(body.shipments.map(({ order_id }: { order_id: string }) => order_id).toSorted()).toEqual(ids.toSorted());
    const second = await search({ per_page: '2', page: '2' });
    expect(second.body).toMatchObject({ shipments: [{ tracking_number: 'T' }], pagination: { total: 3 } });
  });

  test('by tracking number leaves out a shipment that was deleted in between', async () => {
    await threeOrders();
    memoryTable.put({ ...keyOf.tracking('blue', 'T', 50), order_id: crypto.randomUUID(), shipment_id: 'deleted' });
    expect((await search()).body.pagination.total).toBe(3);
    dynamo.resetHistory();
    await search();
    expect(dynamo.commandCalls(BatchGetCommand)).toHaveLength(3);
  });
});

describe('a claim by tracking number', () => {
  const claim = (fields: object) => call(claims, 'POST', '/claims', { body: { reason: 'damage', ...fields } });

  test('is about the newest order in the parcel, and its event too', async () => {
    await threeOrders();
    expect((await claim({ tracking_number: 'T' })).body).toMatchObject({ order_number: '3', tracking_number: 'T' });
    expect(await sentOf('3')).toContain('CLAIM_CREATED');
    for (const id of ['1', '2']) expect(await sentOf(id)).not.toContain('CLAIM_CREATED');
  });

  test('is about the order that it names by its number or by the uuid of its shipment', async () => {
    await threeOrders();
    const { uuid } = (await orderWith('1')).trackings[0]!;
    const named = await claim({ tracking_number: 'T', order_number: '2' });
    expect(named.body).toMatchObject({ order_number: '2', tracking_number: 'T' });
    const identified = await claim({ tracking_number: 'T', shipment_id: uuid, order_number: null });
    expect(identified.body).toMatchObject({ order_number: '1', shipment_id: uuid });
  });

  test('is refused with an order that is not in the parcel', async () => {
    await threeOrders();
    await upsert('4', ['A']);
    const { uuid } = (await orderWith('1')).trackings[0]!;
    const wrong = [
      { tracking_number: 'T', order_number: '4' },
      { tracking_number: 'T', order_number: 'unknown' },
      { tracking_number: 'A', order_number: '1' },
      { shipment_id: uuid, order_number: '2' },
    ];
    for (const fields of wrong) {
      const { status, body } = await claim(fields);
      expect([status, body.errors?.[0]?.loc]).toEqual([422, ['body', 'order_number']]);
    }
    expect(await claim({ tracking_number: 'U', order_number: '1' })).toMatchObject({ status: 404 });
  });
});
