import { describe, expect, test, vi } from 'vitest';
import { handler as events } from '#api/events/handler.ts';
import { handler as orders } from '#api/orders/handler.ts';
import { handler as shipments } from '#api/shipments/handler.ts';
import { handler as ingest } from '#pipeline/ingest/handler.ts';
import type { Order, OrderInput, TrackingInput } from '#schemas/shapes/order-shapes.ts';
import { outgoingOf } from '#test/kit/order-writes.ts';
import { batchOf, context } from '#test/kit/queue-messages.ts';
import { callsAt, holdsShops } from '#test/kit/shops-with-parcels.ts';

holdsShops('blue');

const call = callsAt('blue');

const numbered = (...numbers: string[]): TrackingInput[] => numbers.map((tracking_number) => ({ tracking_number }));
const upsert = (order: OrderInput | undefined, trackings: TrackingInput[] = []) =>
  call(orders, 'PUT', '/orders', { body: { id: '1', ...(order && { order }), trackings } });
const stored = async (): Promise<Order> =>
  (await call(orders, 'GET', '/orders', { query: { order_number: '1' } })).body[0];

async function orderOf(order: OrderInput, trackings: TrackingInput[] = []): Promise<Order> {
  expect((await upsert(order, trackings)).status).toBe(200);
  vi.setSystemTime(Date.now() + 3_600_000);
  return stored();
}

const remove = (shipment_id: string, order_id = '1') =>
  call(shipments, 'DELETE', '/orders/{order_id}/shipments/{shipment_id}', { params: { order_id, shipment_id } });
const report = (event_name: string, id: string) =>
  call(events, 'POST', '/shipments/{shipment_id}/events', { params: { shipment_id: id }, body: { event_name } });
const numbersOf = ({ trackings }: Order) => trackings.map(({ carrier }) => carrier.tracking_number);
const eventsOf = ({ trackings }: Order) => trackings.map((one) => one.events.map(({ event_key }) => event_key));

describe('the shipment to delete', () => {
  test.each([
    ['its tracking number', () => 'Ab-1'],
    ['its tracking number in another spelling', () => 'aB 1'],
    ['its uuid', ({ trackings }: Order) => trackings[0]!.uuid],
    ['its uuid in capitals', ({ trackings }: Order) => trackings[0]!.uuid.toUpperCase()],
  ])('is named by %s', async (_, idOf) => {
    const order = await orderOf({}, numbered('Ab-1', 'T2'));
    expect(await remove(idOf(order))).toMatchObject({ status: 200, body: null });
    expect(numbersOf(await stored())).toEqual(['T2']);
    expect((await remove(idOf(order))).body).toMatchObject({ key: 'shipment_not_found' });
  });

  test('can be a draft, whose parcel is then no longer expected', async () => {
    const order = await orderOf({ expected_number_of_shipments: 3 });
    expect((await remove(order.trackings[1]!.uuid, order.uuid)).status).toBe(200);
    const after = await stored();
    expect(after.trackings.map(({ uuid }) => uuid)).toEqual([order.trackings[0]!.uuid, order.trackings[2]!.uuid]);
    expect(after).toMatchObject({ state: 'placed', expected_number_of_shipments: 2 });
    expect((await remove(order.trackings[1]!.uuid)).status).toBe(404);
  });

  test('can be a draft with an item of its own, also of a return', async () => {
    const order = await orderOf({ expected_number_of_shipments: 2 });
    await report('ORDER_IN_PROCESSING', order.trackings[0]!.uuid);
    const body = { order_id: '1', order_id_type: 'order_number' };
    const { uuid: back } = (await call(shipments, 'POST', '/shipments', { body })).body;
    for (const id of [order.trackings[0]!.uuid, back]) expect((await remove(id)).status).toBe(200);
    const after = await stored();
    expect(after.trackings.map(({ uuid }) => uuid)).toEqual([order.trackings[1]!.uuid]);
    expect(after.expected_number_of_shipments).toBe(1);
  });

  test('completes a partially fulfilled order if it is the last draft', async () => {
    const order = await orderOf({ expected_number_of_shipments: 2 }, numbered('T1'));
    expect(order.state).toBe('partially_fulfilled');
    await remove(order.trackings[1]!.uuid);
    expect(await stored()).toMatchObject({ state: 'fulfilled', expected_number_of_shipments: 1 });
  });

  test('is not one of another order', async () => {
    const order = await orderOf({}, numbered('T1', 'T2'));
    await call(orders, 'PUT', '/orders', { body: { id: '2', order: {}, trackings: [] } });
    expect((await remove(order.trackings[0]!.uuid, '2')).body).toMatchObject({ key: 'shipment_not_found' });
  });
});

describe('the last parcel of an order', () => {
  const products = [{ title: 'A' }, { title: 'B' }];
  const own = [{ title: 'A' }];

  test.each([
    ['its own', own, own],
    ['those of the order', undefined, products],
  ])('leaves a draft with its products: %s', async (_, given, shown) => {
    const order = await orderOf({ products }, [{ tracking_number: 'T1', ...(given && { products: given }) }]);
    expect((await remove('T1')).status).toBe(200);
    const after = await stored();
    expect(after).toMatchObject({ state: 'placed', expected_number_of_shipments: 1 });
    expect(after.trackings).toMatchObject([
      { products: shown, phase: 'order_created', carrier: { tracking_number: null } },
    ]);
    expect(after.trackings[0]!.uuid).not.toBe(order.trackings[0]!.uuid);
    expect(after.trackings[0]!.updated_at).toBe(new Date().toISOString());
  });

  test('leaves a draft without an event, which the next parcel takes', async () => {
    await orderOf({}, numbered('T1'));
    await remove('T1');
    const told = outgoingOf('blue').map((event) => event.event_name);
    expect(told).toEqual(['ORDER_PROCESSED']);
    const [draft] = (await stored()).trackings;
    await upsert(undefined, numbered('T2'));
    expect(await stored()).toMatchObject({ state: 'fulfilled', trackings: [{ uuid: draft!.uuid }] });
    expect(numbersOf(await stored())).toEqual(['T2']);
  });

  test('leaves a draft that knows what happened to the order, and nothing of what happened to the parcel', async () => {
    const order = await orderOf({}, numbered('T1'));
    const [parcel] = order.trackings;
    for (const name of ['ORDER_CANCELLED', 'SHIPMENT_EN_ROUTE', 'SHIPMENT_CANCELLED'])
      expect((await report(name, parcel!.uuid)).status).toBe(200);
    await remove('T1');
    const after = await stored();
    expect(eventsOf(after)).toEqual([['ORDER_CREATED', 'ORDER_CANCELLED']]);
    expect(after.trackings[0]!.phase).toBe('order_cancelled');
  });

  test('is the last one although the customer sends something back', async () => {
    await orderOf({}, numbered('T1'));
    const body = { order_id: '1', order_id_type: 'order_number', tracking_number: 'R1' };
    await call(shipments, 'POST', '/shipments', { body });
    await remove('T1');
    expect(numbersOf(await stored())).toEqual(['R1', null]);
    await remove('R1');
    expect(numbersOf(await stored())).toEqual([null]);
  });

  test('is replaced by another draft if it is one itself', async () => {
    const order = await orderOf({ products });
    const [draft] = order.trackings;
    expect((await remove(draft!.uuid)).status).toBe(200);
    const after = await stored();
    expect(after).toMatchObject({ state: 'placed', expected_number_of_shipments: 1, trackings: [{ products }] });
    expect(after.trackings[0]!.uuid).not.toBe(draft!.uuid);
    expect((await remove(draft!.uuid)).status).toBe(404);
  });

  test('takes no update of the carrier any more', async () => {
    await orderOf({}, numbered('T1'));
    await remove('T1');
    const update = { tracking_number: 'T1', event_name: 'OUT_FOR_DELIVERY', event_time: '2030-01-01T00:00:00Z' };
    await ingest(batchOf([update]), context);
    expect(eventsOf(await stored())).toEqual([['ORDER_CREATED']]);
  });
});

describe('a deletion at the same time as', () => {
  const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

  test('one of the other parcel leaves one draft', async () => {
    await orderOf({}, numbered('T1', 'T2'));
    expect(statuses(await Promise.all([remove('T1'), remove('T2')]))).toEqual([200, 200]);
    expect(numbersOf(await stored())).toEqual([null]);
  });

  test('one of the same draft deletes one', async () => {
    const { trackings } = await orderOf({ expected_number_of_shipments: 3 });
    const { uuid } = trackings[0]!;
    expect(statuses(await Promise.all([remove(uuid), remove(uuid), remove(uuid)]))).toEqual([200, 404, 404]);
    expect((await stored()).trackings).toHaveLength(2);
  });

  test('an upsert leaves an order that has the shipments of one after the other', async () => {
    const { trackings } = await orderOf({ expected_number_of_shipments: 2 });
    const both = [remove(trackings[0]!.uuid), upsert(undefined, numbered('T1'))];
    expect(statuses(await Promise.all(both))).toEqual([200, 200]);
    const after = await stored();
    expect(after.trackings.map(({ uuid }) => uuid)).toEqual([trackings[1]!.uuid]);
    // The upsert took the draft before or after its deletion.
    expect([['T1'], [null]]).toContainEqual(numbersOf(after));
  });
});
