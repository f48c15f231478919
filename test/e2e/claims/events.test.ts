import { expect, test } from 'vitest';
import { newClaimant, newParcel } from '#test/e2e/kit/claims.ts';
import { accepted } from '#test/e2e/kit/orders.ts';
import { type Receiver, signedWith, startReceiver } from '#test/e2e/kit/receiver.ts';

const payloadOf = async (receiver: Receiver) => JSON.parse((await receiver.next()).body);

test('the events of claims reach the endpoints that listen to them, with the order and all its claims', async () => {
  const shop = await newClaimant();
  await using all = await startReceiver();
  await using created = await startReceiver();
  await using parcels = await startReceiver();
  const listen = async ({ url }: Receiver, ...enabled_events: string[]) =>
    accepted(await shop.call('POST', '/webhooks', { body: { url, enabled_events } }));
  const { secret } = await listen(all, 'claims');
  const { uuid: listener } = await listen(created, 'claims/created');
  await listen(parcels, 'shipments/in_delivery');
  const { order, shipment_id, tracking_number } = await newParcel(shop, { email_id: 'kim@example.com' });

  const fields = { reason: 'damage', description: 'Broken', image_urls: ['https://images.example/1.jpg'] };
  const first = await shop.claim({ shipment_id, ...fields });
  const told = await all.next();
  expect(signedWith(told, [secret])).toEqual([true]);
  const { context, ...news } = JSON.parse(told.body);
  expect(news).toEqual({
    source: 'claims',
    ref: 'claims/created',
    version: 1,
    triggered_at: first.created_at,
    event_group: 'claim_created',
    event_data: {
      claim_id: first.uuid,
      event_name: 'created',
      created_at: first.created_at,
      updated_at: first.updated_at,
      event_group: 'claim_created',
      resolution_preference: null,
      status: 'pending',
      customer_signature_image_url: null,
      selected_items: [],
      optional_image_urls: [],
      ...fields,
    },
    shop_slug: shop.slug,
    shop_id: first.shop_id,
  });
  expect(context).toMatchObject({
    order: { uuid: order.uuid, order_number: order.order_number },
    customer: { email: 'kim@example.com' },
    shipments: [{ uuid: shipment_id }],
    claims: [first],
  });
  expect((await payloadOf(created)).event_data.claim_id).toBe(first.uuid);

  // Each event shows the update as it was, even if the claim has changed since.
  const moves = ['accepted', 'closed'];
  for (const status of moves) accepted(await shop.update(first.uuid, { status }));
  accepted(await shop.update(first.uuid, { status: 'closed' }));
  const updates = [await payloadOf(all), await payloadOf(all)];
  expect(updates.map(({ ref, event_group }) => [ref, event_group])).toEqual(
    moves.map(() => ['claims/updated', 'claim_updated']),
  );
  expect(updates.map(({ event_data }) => event_data.status).sort()).toEqual(moves);

  const second = await shop.claim({ tracking_number });
  accepted(await shop.call('DELETE', `/claims/${first.uuid}`));
  const body = { id: tracking_number, event_name: 'OUT_FOR_DELIVERY' };
  accepted(await shop.call('POST', '/shipment-events', { body, query: { notify: 'true' } }));
  const ids = ({ context: { claims } }: { context: { claims: { uuid: string }[] } }) => claims.map(({ uuid }) => uuid);
  expect(ids(await payloadOf(parcels))).toEqual([second.uuid]);
  expect((await payloadOf(all)).event_data.claim_id).toBe(second.uuid);
  const deliveries = accepted(await shop.call('GET', `/webhooks/${listener}/deliveries`));
  expect(deliveries.map(({ ref }: { ref: string }) => ref)).toEqual(['claims/created', 'claims/created']);
});
