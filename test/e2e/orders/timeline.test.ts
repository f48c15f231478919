import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Merchant, newMerchant, newNumber, trackingsOf } from '#test/e2e/kit/orders.ts';
import { type Receiver, startReceiver } from '#test/e2e/kit/receiver.ts';

let shop: Merchant;
let receiver: Receiver;

beforeAll(async () => {
  [shop, receiver] = await Promise.all([newMerchant(), startReceiver()]);
});

afterAll(() => receiver?.[Symbol.asyncDispose]());

test('an order that is found by its customer’s name tells what was sent to whom, and how that ended', async () => {
  const { body: endpoint } = await shop.call('POST', '/webhooks', { body: { url: receiver.url } });
  const number = newNumber('T');
  const order = await shop.order({ address: { name: 'Ünal Özgür' } }, trackingsOf(number));
  await receiver.next();
  const found = await shop.call('GET', '/search', { query: { q: 'ozgur u' } });
  expect(found.body).toMatchObject([{ matched: 'customer_name', order_id: order.uuid }]);
  await vi.waitFor(
    async () => {
      const { body } = await shop.call('GET', `/orders/${order.uuid}/timeline`);
      expect(body).toContainEqual(
        expect.objectContaining({
          kind: 'delivery',
          title: `shipments/order_processed/ORDER_PROCESSED was delivered to ${receiver.url}`,
          data: { delivery: expect.objectContaining({ target: endpoint.uuid, status: 'delivered', attempts: 1 }) },
        }),
      );
    },
    { timeout: 20_000 },
  );
});
