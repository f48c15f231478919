import type { shopSystem } from '#schemas/families/shop-system.ts';
import { shopDataRequest, shopFulfilment, shopOrder } from '#test/kit/shop-payloads.ts';
import type { Answer, Api } from './client.ts';
import { installApp } from './shop-app.ts';
import { connectShop } from './shop-system.ts';

export type Tour = Record<keyof typeof shopSystem | 'cancelOrder' | 'renameOrder' | 'shareParcel' | 'askAgain', Answer>;

/**
 * Every operation of the family once, and every kind of write that a webhook can cause, on a shop of its own. An
 * operation that fails does not keep the later ones from being called.
 */
export async function tourOfShopSystem(api: Api, key: string, slug: string, adminUrl: string): Promise<Tour> {
  const { call, send } = await connectShop(api, key, slug, adminUrl);
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
    // The order has another external id from now on.
    renameOrder: await send('order-update', shopOrder({ id: 7, updated_at })),
    cancelOrder: await send(
      'order-cancelled',
      shopOrder({ order_number: 8, id: 8, cancelled_at: updated_at, updated_at }),
    ),
    getShopInbound: await call('GET', '/shop-system/inbound'),
    // Last, because the shop has another system and another secret from here on.
    ...(await installApp(api, key, slug)),
  };
}
