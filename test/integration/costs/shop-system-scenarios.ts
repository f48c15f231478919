import { shopDataRequest, shopFulfilment, shopOrder } from '#test/kit/shop-payloads.ts';
import type { Scenario } from './scenarios.ts';

const registrations = 'functions/api/shop-system/registration-store.ts';
const secrets = 'functions/api/shop-system/shop-signature.ts';
const orders = 'functions/domain/orders/order-store.ts';

const authenticated = '`KEYS#username` / token id; `SHOP#slug` / `SHOP`';
const registration = '`SHOP#slug` / `REGISTRATION#type`';
const all = '`SHOP#slug` / `REGISTRATION#…`';
const token = '`SHOP#slug` / `INTEGRATION#integration_7`';
const signed = '`SHOP#slug` / `SHOP`, `SHOPSYSTEM`, `SETTINGS`';

const hooks = '/shop-system/webhooks';

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
    run: ({ shopSystem }) => shopSystem.send('order-creation', shopOrder({ id: 2, order_number: 2 })),
  },
  {
    operation: 'receiveShopWebhook',
    case: 'a parcel of a known order',
    access: `${signed}; external id and tracking; all of \`ORDER#slug#uuid\`; what \`upsertOrder\` writes`,
    code: orders,
    run: ({ shopSystem }) =>
      shopSystem.send('order-fulfillment-update', shopFulfilment(['cost-parcel'], { order_id: 2 })),
  },
  {
    operation: 'receiveShopWebhook',
    case: 'one that came before',
    access: `${signed}; number and external id; all of \`ORDER#slug#uuid\``,
    code: orders,
    run: ({ shopSystem }) => shopSystem.send('order-creation', shopOrder()),
  },
  {
    operation: 'receiveShopWebhook',
    case: 'of a product',
    access: signed,
    code: 'functions/api/shop-system/shop-signature.ts',
    run: ({ shopSystem }) => shopSystem.send('product-update', { id: 1 }),
  },
  {
    operation: 'receiveShopPrivacyWebhook',
    access: `${signed}; \`PRIVACY#slug\` / \`REQUEST#uuid\` and \`RUNNING#question\` in one transaction`,
    code: 'functions/domain/privacy/request-store.ts',
    run: ({ shopSystem }) => shopSystem.send('privacy', shopDataRequest()),
  },
];
