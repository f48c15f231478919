import { describe, expect, test } from 'vitest';
import { loadTexts } from '#domain/texts/texts.ts';
import { languages } from '#schemas/catalogues/enumerations.ts';
import type { Tracking } from '#schemas/shapes/order-shapes.ts';
import { accepted, expectDone, type Fields, newMerchant, newNumber, trackingsOf } from '#test/e2e/kit/orders.ts';
import { type Receiver, startReceiver } from '#test/e2e/kit/receiver.ts';

async function newShop() {
  const shop = await newMerchant();
  const order = await shop.order({}, trackingsOf(newNumber('T')));
  const announce = async (body: Fields = {}) =>
    accepted(await shop.call('POST', '/shipments', { body: { order_id: order.uuid, order_id_type: 'uuid', ...body } }));
  return { shop, order, announce };
}

const payloadOf = async (receiver: Receiver) => JSON.parse((await receiver.next()).body);

describe('a new return', () => {
  test('is announced in its own phase to the endpoints that listen to new returns, and not to those for orders', async () => {
    await using returns = await startReceiver();
    await using created = await startReceiver();
    await using orders = await startReceiver();
    const { shop, order, announce } = await newShop();
    const listen = async ({ url }: Receiver, ...enabled_events: string[]) =>
      accepted(await shop.call('POST', '/webhooks', { body: { url, enabled_events } }));
    await listen(returns, 'shipments/return_created');
    await listen(created, 'shipments/return_created/ORDER_CREATED');
    await listen(orders, 'shipments/order_created', 'shipments/order_processed');

    const draft = await announce({ direction: 'customer_partner' });
    const news = { ref: 'shipments/return_created/ORDER_CREATED', event_group: 'return_shipment_created' };
    const event_data = { shipment_id: draft.uuid, event_name: 'ORDER_CREATED', phase: 'return_created' };
    for (const receiver of [returns, created]) {
      expect(await payloadOf(receiver)).toMatchObject({ ...news, event_data });
    }
    const sent = await announce({ tracking_number: newNumber('R') });
    expect(await payloadOf(returns)).toMatchObject({
      ref: 'shipments/return_created/ORDER_PROCESSED',
      event_data: { shipment_id: sent.uuid, phase: 'return_created' },
    });

    // The first event that the endpoint for orders gets is one of an order.
    expectDone(await shop.upsert({ id: order.order_number, trackings: trackingsOf(newNumber('T')) }));
    expect((await payloadOf(orders)).ref).toBe('shipments/order_processed/ORDER_PROCESSED');
  });

  test.each(languages)('has texts of its own in the language %s', async (language) => {
    const { shop, order, announce } = await newShop();
    const { uuid } = await announce({ tracking_number: newNumber('R') });
    const query = { order_number: order.order_number };
    const answer = await shop.call('GET', '/orders', { query, headers: { 'accept-language': language } });
    const trackings: Tracking[] = accepted(answer)[0].trackings;
    const { phases, returns, events } = await loadTexts(language);
    const [sale, back] = [false, true].map((isReturn) => trackings.find(({ is_return }) => is_return === isReturn)!);
    expect(back).toMatchObject({ uuid, phase: 'return_created' });
    expect(back!.events[0]).toMatchObject({ phase: 'return_created', language });
    expect(back!.events[0]!.event_strings).toEqual({ ...phases.return_created, ...returns.ORDER_PROCESSED });
    expect(sale!.events[0]!.event_strings).toEqual({ ...phases.order_processed, ...events.ORDER_PROCESSED });
  });

  test('is on its way with the first scan, like any other parcel', async () => {
    const { shop, order, announce } = await newShop();
    const number = newNumber('R');
    await announce({ tracking_number: number });
    accepted(await shop.call('POST', '/shipment-events', { body: { id: number, event_name: 'PICKUP_SUCCESSFUL' } }));
    const { trackings } = await shop.orderWith(order.order_number);
    const back = trackings.find(({ is_return }) => is_return)!;
    expect(back.phase).toBe('in_transit');
    expect(back.events.map(({ phase }) => phase)).toEqual(['return_created', 'in_transit']);
  });
});
