import { expect, test } from 'vitest';
import { handler as events } from '#api/events/handler.ts';
import { handler as orders } from '#api/orders/handler.ts';
import { handler as shipments } from '#api/shipments/handler.ts';
import type { Order } from '#schemas/shapes/order-shapes.ts';
import { callsAt, holdsShops } from '#test/kit/shops-with-parcels.ts';

holdsShops('blue');
const call = callsAt('blue');

const stored = async (): Promise<Order> =>
  (await call(orders, 'GET', '/orders', { query: { order_number: '1' } })).body[0];
const report = (body: object) => call(events, 'POST', '/shipment-events', { body: { id: 'T1', ...body } });

test('an event tells where it happened, on which clock, when the parcel comes and where it can be collected', async () => {
  await call(orders, 'PUT', '/orders', { body: { id: '1', order: {}, trackings: [{ tracking_number: 'T1' }] } });
  const place = { timezone: 'Europe/Paris', location: { city: 'Lyon', country_code: 'FR' } };
  const expected_delivery = { start: '2026-11-18T10:00:00+01:00', end: '2026-11-18T12:00:00+01:00' };
  const pickup = { name: 'Kiosk', opening_hours: { Monday: '08:00–19:00' } };
  const answer = await report({ event_name: 'ARRIVED_AT_PARCEL_SHOP', ...place, expected_delivery, pickup });
  expect(answer.body).toMatchObject({ expected_delivery, pickup_location: pickup });
  const [tracking] = (await stored()).trackings;
  expect(tracking!.events.at(-1)).toMatchObject(place);
  expect(tracking).toMatchObject({ pickup, estimated_arrival: { from: expected_delivery.start } });
});

test('a link that nobody should open is refused', async () => {
  await call(orders, 'PUT', '/orders', { body: { id: '1', order: {}, trackings: [{ tracking_number: 'T1' }] } });
  const { status } = await report({ event_name: 'ARRIVED_AT_PARCEL_SHOP', pickup: { url: 'javascript:alert(1)' } });
  expect(status).toBe(422);
});

test('a return says when it got its number', async () => {
  await call(orders, 'PUT', '/orders', { body: { id: '1', order: {}, trackings: [{ tracking_number: 'T1' }] } });
  const tracking_placed_at = '2026-11-10T10:00:00+01:00';
  const body = { order_id: '1', order_id_type: 'order_number', tracking_number: 'R1', tracking_placed_at };
  expect((await call(shipments, 'POST', '/shipments', { body })).status).toBe(200);
  const back = (await stored()).trackings.find(({ is_return }) => is_return)!;
  expect(back.events).toMatchObject([{ event_name: 'ORDER_PROCESSED', time: '2026-11-10T09:00:00.000Z' }]);
});
