import { shopDataRequest, shopFulfilment, shopOrder } from '#test/kit/shop-payloads.ts';
import {
  type ShopwareHook,
  shopwareEntry,
  shopwareEvent,
  shopwareHook,
  shopwareId,
  shopwareOrder,
  shopwareSignature,
  shopwareStages,
  shopwareWritten,
} from '#test/kit/shopware-payloads.ts';
import { wooCompleted, wooErrorBody, wooProcessing } from '#test/kit/woocommerce-payloads.ts';
import type { MeasuredShop } from './measured-shop.ts';
import type { Scenario } from './scenarios.ts';

const registrations = 'functions/api/shop-system/registration-store.ts';
const secrets = 'functions/api/shop-system/shop-secret.ts';
const signature = 'functions/api/shop-system/shop-signature.ts';
const log = 'functions/api/shop-system/inbound-log.ts';
const app = 'functions/api/shop-system/app.ts';
const orders = 'functions/domain/orders/order-store.ts';

const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';
const registration = '`SHOP#slug` / `REGISTRATION#type`';
const all = '`SHOP#slug` / `REGISTRATION#…`';
const token = '`SHOP#slug` / `INTEGRATION#integration_7`';
const signed = '`SHOP#slug` / `SHOP`, `SHOPSYSTEM`, `SETTINGS`';

const marks = '`SHOPWEBHOOKS#slug`';
const credentials = '`SHOP#slug` / `INTEGRATION#shop_system_2`';

const hooks = '/shop-system/webhooks';

/** That a webhook came is written once a minute: here by one that is not counted. */
const noteShopify = ({ shopSystem }: MeasuredShop) => shopSystem.send('product-update', { id: 1 }).then(() => '');
const noteWooCommerce = ({ wooCommerce }: MeasuredShop) =>
  wooCommerce.send('product.updated', { id: 1 }).then(() => '');
const noteShopware = (shop: MeasuredShop) => sendShopware(shop, shopwareHook('order.deleted', [])).then(() => '');

const sendShopware = ({ shopware }: MeasuredShop, hook: ShopwareHook | string) =>
  shopware.system.sendTo(shopware.inbound, hook);

/** The shop has the order as it is, and the hook is measured with a token that the service has already. */
const tellShopware = (shop: MeasuredShop, hook: ShopwareHook, order: Record<string, unknown>) => {
  shop.shopware.system.put(order);
  return sendShopware(shop, hook);
};

/** Registers the app once more, as the shop does when it is installed again. */
async function register({ shopware }: MeasuredShop) {
  const { manifest } = shopware.system.installed!;
  const query = `shop-id=${shopware.system.shopId}&shop-url=${shopware.system.url}&timestamp=${Math.floor(Date.now() / 1000)}`;
  const headers = { 'shopware-app-signature': shopwareSignature(manifest.secret, query) };
  const response = await fetch(`${manifest.registrationUrl}?${query}`, { headers });
  return { status: response.status, text: await response.text() };
}

/** The fake shop system answers at once, because its own costs are not ours. */
export const shopSystemScenarios: Scenario[] = [
  {
    operation: 'createRegistration',
    access: `${authenticated}; ${registration}, read and written; ${token}`,
    code: registrations,
    run: ({ shopSystem }) => shopSystem.call('POST', hooks, { webhook_type: 'order-creation' }),
  },
  {
    operation: 'listRegistrations',
    access: `${authenticated}; ${all}`,
    code: registrations,
    run: ({ shopSystem }) => shopSystem.call('GET', hooks),
  },
  {
    operation: 'getRegistration',
    access: `${authenticated}; ${all}`,
    code: registrations,
    run: ({ shopSystem }) => shopSystem.call('GET', `${hooks}/${shopSystem.registration}`),
  },
  {
    operation: 'getRegistrationOfType',
    access: `${authenticated}; ${registration}`,
    code: registrations,
    run: ({ shopSystem }) => shopSystem.call('GET', `${hooks}/types/order-update`),
  },
  {
    operation: 'deleteRegistration',
    access: `${authenticated}; ${all}; ${token}; ${registration}`,
    code: registrations,
    run: ({ shopSystem }) => shopSystem.call('DELETE', `${hooks}/${shopSystem.registration}`),
  },
  {
    operation: 'deleteRegistrationOfType',
    access: `${authenticated}; ${registration}, read and deleted; ${token}`,
    code: registrations,
    run: ({ shopSystem }) => shopSystem.call('DELETE', `${hooks}/types/order-creation`),
  },
  {
    operation: 'getWebhookConfig',
    case: 'the first time',
    access: `${authenticated}; \`SHOP#slug\` / \`SHOPSYSTEM\`, read and written`,
    code: secrets,
    run: ({ call }) => call('GET', '/v1/shops/cost-shop-003/shop-system/webhook-config'),
  },
  {
    operation: 'getWebhookConfig',
    access: `${authenticated}; \`SHOP#slug\` / \`SHOPSYSTEM\``,
    code: secrets,
    run: ({ shopSystem }) => shopSystem.call('GET', '/shop-system/webhook-config'),
  },
  {
    operation: 'receiveShopWebhook',
    case: 'a new order',
    access: `${signed}; number and external id; order with its event, number, external id`,
    code: orders,
    prepare: noteShopify,
    run: ({ shopSystem }) => shopSystem.send('order-creation', shopOrder({ id: 2, order_number: 2 })),
  },
  {
    operation: 'receiveShopWebhook',
    case: 'a parcel of a known order',
    access: `${signed}; external id and tracking; all of \`ORDER#slug#uuid\`; what \`upsertOrder\` writes`,
    code: orders,
    prepare: noteShopify,
    run: ({ shopSystem }) =>
      shopSystem.send('order-fulfillment-update', shopFulfilment(['cost-parcel'], { order_id: 2 })),
  },
  {
    operation: 'receiveShopWebhook',
    case: 'one that came before',
    access: `${signed}; number and external id; all of \`ORDER#slug#uuid\``,
    code: orders,
    prepare: noteShopify,
    run: ({ shopSystem }) => shopSystem.send('order-creation', shopOrder()),
  },
  {
    operation: 'receiveShopWebhook',
    case: 'of a product',
    access: signed,
    code: signature,
    prepare: noteShopify,
    run: ({ shopSystem }) => shopSystem.send('product-update', { id: 1 }),
  },
  {
    operation: 'receiveShopPrivacyWebhook',
    access: `${signed}; \`PRIVACY#slug\` / \`REQUEST#uuid\` and \`RUNNING#question\` in one transaction`,
    code: 'functions/domain/privacy/request-store.ts',
    run: ({ shopSystem }) => shopSystem.send('privacy', shopDataRequest()),
  },
  {
    operation: 'receiveShopWebhook',
    case: 'of WooCommerce, a new order',
    access: `${signed}; number and external id; order with its event, number, external id`,
    code: orders,
    prepare: noteWooCommerce,
    run: ({ wooCommerce }) => wooCommerce.send('order.created', wooProcessing({ id: 2, number: '2' })),
  },
  {
    operation: 'receiveShopWebhook',
    case: 'of WooCommerce, parcels of a known order',
    access: `${signed}; number, external id and tracking; all of \`ORDER#slug#uuid\`; what \`upsertOrder\` writes`,
    code: orders,
    prepare: noteWooCommerce,
    run: ({ wooCommerce }) => wooCommerce.send('order.updated', wooCompleted({ id: 2, number: '2' })),
  },
  {
    operation: 'receiveShopWebhook',
    case: 'of WooCommerce, one that came before',
    access: `${signed}; number and external id; all of \`ORDER#slug#uuid\``,
    code: orders,
    prepare: noteWooCommerce,
    run: ({ wooCommerce }) => wooCommerce.send('order.created', wooProcessing()),
  },
  {
    operation: 'receiveShopWebhook',
    case: 'of WooCommerce, of a topic that nobody needs',
    access: `${signed}; ${marks} / \`IGNORED#topic\``,
    code: log,
    prepare: noteWooCommerce,
    run: ({ wooCommerce }) => wooCommerce.send('coupon.created', { id: 1 }),
  },
  {
    operation: 'receiveShopWebhook',
    case: 'of WooCommerce, that cannot be read',
    access: `${signed}; ${marks} / \`UNREADABLE#time#id\``,
    code: log,
    prepare: noteWooCommerce,
    run: ({ wooCommerce }) => wooCommerce.send('order.updated', wooErrorBody),
  },
  {
    operation: 'receiveShopWebhook',
    case: 'of Shopware, a new order, read from the shop',
    access: `${signed}; ${credentials}; number and external id; order with its event, number, external id`,
    code: orders,
    prepare: noteShopware,
    run: (shop) => {
      const order = shopwareOrder({ id: shopwareId(2), orderNumber: '2' });
      return tellShopware(shop, shopwareWritten(shopwareEntry({ primaryKey: order.id })), order);
    },
  },
  {
    operation: 'receiveShopWebhook',
    case: 'of Shopware, a parcel of a known order',
    access: `${signed}; ${credentials}; number, external id and tracking; all of \`ORDER#slug#uuid\`; what \`upsertOrder\` writes`,
    code: orders,
    prepare: noteShopware,
    run: (shop) => {
      const order = shopwareStages.shipped({ id: shopwareId(2), orderNumber: '2' });
      return tellShopware(shop, shopwareEvent('state_enter.order_delivery.state.shipped', order), order);
    },
  },
  {
    operation: 'receiveShopWebhook',
    case: 'of Shopware, one that came before',
    access: `${signed}; ${credentials}; number and external id; all of \`ORDER#slug#uuid\``,
    code: orders,
    prepare: noteShopware,
    run: (shop) => tellShopware(shop, shopwareEvent('checkout.order.placed'), shopwareOrder()),
  },
  {
    operation: 'receiveShopWebhook',
    case: 'of Shopware, of a topic that nobody needs',
    access: `${signed}; ${marks} / \`IGNORED#topic\``,
    code: log,
    prepare: noteShopware,
    run: (shop) => sendShopware(shop, shopwareHook('product.written', [])),
  },
  {
    operation: 'receiveShopWebhook',
    case: 'of Shopware, that cannot be read',
    access: `${signed}; ${marks} / \`UNREADABLE#time#id\``,
    code: log,
    prepare: noteShopware,
    run: (shop) => sendShopware(shop, 'not JSON'),
  },
  {
    operation: 'getShopInbound',
    access: `${authenticated}; ${marks} / all; the key of the system`,
    code: log,
    run: ({ wooCommerce }) => wooCommerce.call('GET', '/shop-system/inbound'),
  },
  {
    operation: 'getAppManifest',
    access: `${authenticated}; \`SHOP#slug\` / \`SHOPSYSTEM\``,
    code: app,
    run: ({ shopware }) => shopware.call('GET', '/shop-system/app/manifest'),
  },
  {
    operation: 'registerApp',
    access: `${signed}; \`SHOPSYSTEM\` written`,
    code: app,
    run: register,
  },
  {
    operation: 'confirmApp',
    access: `${signed}; \`SHOPSYSTEM\`, ${credentials} and ${registration} written in one transaction`,
    code: app,
    prepare: async (shop) => (await register(shop)).text,
    run: ({ shopware }, registered) => {
      const { secret, confirmation_url } = JSON.parse(registered) as { secret: string; confirmation_url: string };
      const { system } = shopware;
      const { clientId: apiKey, clientSecret: secretKey } = system.installed!;
      system.installed!.secret = secret;
      const body = JSON.stringify({ apiKey, secretKey, shopUrl: system.url, shopId: system.shopId });
      return system.sendTo(confirmation_url, body);
    },
  },
  {
    operation: 'receiveAppEvent',
    case: 'the app was activated',
    access: signed,
    code: app,
    run: ({ shopware }) => sendTo(shopware, shopwareHook('app.activated', [])),
  },
  {
    operation: 'receiveAppEvent',
    case: 'the app was removed',
    access: `${signed}; \`SHOPSYSTEM\`, ${credentials} and ${registration} written in one transaction`,
    code: app,
    run: ({ shopware }) => sendTo(shopware, shopwareHook('app.deleted', [])),
  },
];

const sendTo = ({ system, inbound }: MeasuredShop['shopware'], hook: ShopwareHook) =>
  system.sendTo(inbound.replace('inbound/order-update', 'app/lifecycle'), hook);
