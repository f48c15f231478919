import type { shopSystem } from '#schemas/families/shop-system.ts';
import { consumerKey, startFakeWooCommerce } from '#test/kit/fake-woocommerce.ts';
import { shopDataRequest, shopFulfilment, shopOrder, signatureOf } from '#test/kit/shop-payloads.ts';
import type { Answer, Api } from './client.ts';
import { installApp } from './shop-app.ts';
import { type ConnectedShop, connectShop } from './shop-system.ts';

type FurtherRequest =
  | 'cancelOrder'
  | 'renameOrder'
  | 'shareParcel'
  | 'askAgain'
  | 'registerInWooCommerce'
  | 'ignoreTopic'
  | 'listUnreadable'
  | 'readOrder';

type Tour = Record<keyof typeof shopSystem | FurtherRequest, Answer>;

/**
 * Every operation of the family once, and every kind of write that a webhook can cause, on a shop of its own. An
 * operation that fails does not keep the later ones from being called.
 */
export async function tourOfShopSystem(api: Api, key: string, slug: string, adminUrl: string): Promise<Tour> {
  const { call, send, secret } = await connectShop(api, key, slug, adminUrl);
  const hooks = '/shop-system/webhooks';
  const createRegistration = await call('POST', hooks, { webhook_type: 'order-creation' });
  await call('POST', hooks, { webhook_type: 'order-update' });
  const uuid = createRegistration.body?.uuid ?? '00000000-0000-4000-8000-000000000000';
  const updated_at = '2026-11-12T00:00:00Z';
  return {
    createRegistration,
    getWebhookConfig: await call('GET', '/shop-system/webhook-config'),
    listRegistrations: await call('GET', hooks),
    getRegistration: await call('GET', `${hooks}/${uuid}`),
    getRegistrationOfType: await call('GET', `${hooks}/types/order-creation`),
    deleteRegistration: await call('DELETE', `${hooks}/${uuid}`),
    deleteRegistrationOfType: await call('DELETE', `${hooks}/types/order-update`),
    receiveShopWebhook: await send('order-creation', shopOrder({ fulfillments: [shopFulfilment([`T-${slug}`])] })),
    receiveShopPrivacyWebhook: await send('privacy', shopDataRequest()),
    // The first request is still being answered.
    askAgain: await send('privacy', shopDataRequest()),
    shareParcel: await send(
      'order-creation',
      shopOrder({ order_number: 9, id: 9, fulfillments: [shopFulfilment([`T-${slug}`, `U-${slug}`])] }),
    ),
    // The order has another external id from now on, and everything else that one transaction can write.
    renameOrder: await send(
      'order-update',
      shopOrder({
        id: 7,
        updated_at,
        shipping_address: { ...shopOrder().shipping_address, name: 'Ada Berg' },
        fulfillments: [shopFulfilment([`V-${slug}`, `W-${slug}`])],
      }),
    ),
    cancelOrder: await send(
      'order-cancelled',
      shopOrder({ order_number: 8, id: 8, cancelled_at: updated_at, updated_at }),
    ),
    // Last, because the shop has another system from here on.
    ...(await tourOfWooCommerce(call, (rest, request) => api('POST', `/v1/shops/${slug}${rest}`, request), secret)),
    getShopInbound: await call('GET', '/shop-system/inbound'),
    ...(await installApp(api, key, slug)),
  };
}

async function tourOfWooCommerce(
  call: ConnectedShop['call'],
  post: (path: string, request: { body: string; headers: Record<string, string> }) => Promise<Answer>,
  secret: string,
) {
  await using woo = await startFakeWooCommerce();
  await call('PATCH', '', { shop_provider: 'shop_system_3', shop_admin_url: woo.shopUrl });
  await call('PUT', '/keys/shop_system_3', consumerKey);
  const send = (topic: string, body: string) =>
    post('/shop-system/inbound/order-update', {
      body,
      headers: {
        'content-type': 'application/json',
        'x-wc-webhook-topic': topic,
        'x-wc-webhook-signature': signatureOf(secret, body),
      },
    });
  return {
    registerInWooCommerce: await call('POST', '/shop-system/webhooks', { webhook_type: 'order-update' }),
    ignoreTopic: await send('coupon.created', '{"id":1}'),
    listUnreadable: await send('order.updated', '{"id":'),
  };
}
