import { expect, test } from 'vitest';
import { accepted, expectDone, newMerchant, newNumber, numbersOf, trackingsOf } from '#test/e2e/kit/orders.ts';
import { startReceiver } from '#test/e2e/kit/receiver.ts';

test('orders in one parcel get one webhook each, with their own order', async () => {
  const shop = await newMerchant();
  await using receiver = await startReceiver();
  const endpoint = { url: receiver.url, enabled_events: ['shipments/in_delivery', 'claims/created'] };
  accepted(await shop.call('POST', '/webhooks', { body: endpoint }));
  const number = newNumber('T');
  const orders = [await shop.order({}, trackingsOf(number)), await shop.order({}, trackingsOf(number))];
  const next = async () => JSON.parse((await receiver.next()).body);

  const body = { id: number, event_name: 'OUT_FOR_DELIVERY' };
  accepted(await shop.call('POST', '/shipment-events', { body, query: { notify: 'true' } }));
  const told = [await next(), await next()];
  const subjects = told.map(({ event_data, context }) => [
    event_data.shipment_id,
    event_data.order_number,
    event_data.tracking_number,
    context.order.uuid,
    context.shipments.length,
  ]);
  const expected = orders.map(({ uuid, order_number, trackings }) => [
    trackings[0]!.uuid,
    order_number,
    number,
    uuid,
    1,
  ]);
  expect(subjects.toSorted()).toEqual(expected.toSorted());

  const claim = { tracking_number: number, order_number: orders[0]!.order_number, reason: 'damage' };
  const { uuid, order_id } = accepted(await shop.call('POST', '/claims', { body: claim }));
  expect(order_id).toBe(orders[0]!.uuid);
  expect((await next()).event_data.claim_id).toBe(uuid);
});

test('the shipment of one order can be deleted, and the others keep theirs', async () => {
  const shop = await newMerchant();
  const number = newNumber('T');
  const [first, second, third] = [
    await shop.order({}, trackingsOf(number)),
    await shop.order({}, trackingsOf(number)),
    await shop.order({}, trackingsOf(number)),
  ];
  expect((await shop.shipments({ tracking_number: number })).pagination.total).toBe(3);
  for (const deleted of [second, first]) {
    expectDone(await shop.call('DELETE', `/orders/${deleted.uuid}/shipments/${number}`));
    expect(numbersOf(await shop.orderWith(deleted.order_number))).toEqual([null]);
  }
  const { shipments } = await shop.shipments({ tracking_number: number });
  expect(shipments.map(({ order_id }) => order_id)).toEqual([third.uuid]);
  accepted(await shop.call('POST', '/shipment-events', { body: { id: number, event_name: 'IN_DELIVERY' } }));
  expect((await shop.orderWith(third.order_number)).trackings[0]!.phase).toBe('in_delivery');
});
