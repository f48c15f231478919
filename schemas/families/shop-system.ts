import Type, { type Static } from 'typebox';
import { shopWebhookTypes } from '../catalogues/shop-webhooks.ts';
import { Choice, DateTime, Nothing, paging, Shape, Uuid } from '../shapes/shapes.ts';
import { ShopFulfilment, ShopObject, ShopOrder } from '../shapes/shop-payloads.ts';
import { declare, shopPath } from './operation.ts';

const WebhookType = () => Choice(shopWebhookTypes);

const Registration = Shape('ShopSystemRegistration', {
  uuid: Uuid(),
  shop_slug: Type.String(),
  webhook_type: WebhookType(),
  name: Type.String(),
  shopify_id: Type.Integer({ description: "The hook's id in the shop's system." }),
  topic: Type.String(),
  hook_url: Type.String({ description: 'Where the shop sends it.' }),
  fields: Type.Array(Type.String(), { description: 'The fields that the shop sends; empty: all of them.' }),
  created_at: DateTime(),
  updated_at: DateTime(),
});

const registrationsPath = `${shopPath}/shop-system/webhooks` as const;
const byUuid = `${registrationsPath}/{uuid}` as const;
const byType = `${registrationsPath}/types/{webhook_type}` as const;
const uuidParams = Type.Object({ uuid: Uuid() });
const typeParams = Type.Object({ webhook_type: WebhookType() });

/** What can go wrong where the shop's system is asked. */
const remoteErrors = ['partner_key_not_found', 'partner_key_missing_permissions', 'bad_gateway'] as const;

const removal =
  "The hook is removed in the shop's system first. Where that fails, the registration stays: try again. One that is " +
  'gone there already is removed here.';

export const shopSystem = declare({
  createRegistration: {
    method: 'POST',
    path: registrationsPath,
    role: 'admin',
    summary: "Register a webhook in the shop's system",
    description:
      "Registers the hook at the shop's `shop_admin_url`, with the stored key of `integration_7`. A hook that is there " +
      'already, such as after an answer that got lost, is taken over. Where it fails, nothing is stored.',
    body: Shape('ShopSystemRegistrationCreate', { webhook_type: WebhookType() }),
    response: Registration,
    errors: ['registration_exists', ...remoteErrors],
  },
  listRegistrations: {
    method: 'GET',
    path: registrationsPath,
    role: 'viewer',
    summary: "List the webhooks that are registered in the shop's system",
    description: 'Newest first.',
    query: Type.Object(paging),
    response: Type.Array(Registration),
  },
  getRegistration: {
    method: 'GET',
    path: byUuid,
    role: 'viewer',
    summary: 'Get a registration',
    params: uuidParams,
    response: Registration,
    errors: ['registration_not_found'],
  },
  deleteRegistration: {
    method: 'DELETE',
    path: byUuid,
    role: 'admin',
    summary: 'Remove a registration',
    description: removal,
    params: uuidParams,
    response: Nothing,
    errors: ['registration_not_found', ...remoteErrors],
  },
  getRegistrationOfType: {
    method: 'GET',
    path: byType,
    role: 'viewer',
    summary: 'Get the registration of a type',
    params: typeParams,
    response: Registration,
    errors: ['registration_not_found'],
  },
  deleteRegistrationOfType: {
    method: 'DELETE',
    path: byType,
    role: 'admin',
    summary: 'Remove the registration of a type',
    description: removal,
    params: typeParams,
    response: Nothing,
    errors: ['registration_not_found', ...remoteErrors],
  },
  getWebhookConfig: {
    method: 'GET',
    path: `${shopPath}/shop-system/webhook-config`,
    role: 'admin',
    summary: "Get the secret that the shop's system signs with",
    description: 'Made by the first call, and the same ever after.',
    response: Shape('ShopSystemWebhookConfig', { webhook_secret: Type.String() }),
  },
  receiveShopWebhook: {
    method: 'POST',
    path: `${shopPath}/shop-system/inbound/{webhook_type}`,
    role: 'signed',
    summary: "Receive a webhook of the shop's system",
    description:
      'Orders and their parcels are upserted by what the payload says: the order by its `order_number`, with its `id` in ' +
      "the shop's system as `external_id` (which decides where the merchant numbers otherwise), a parcel for each tracking number, `ORDER_CANCELLED` for what has not left where " +
      '`cancelled_at` is set. The mapping rules of `shop_system_1.order` are applied. What came before is ignored, and ' +
      'so is what is older than what is known (`updated_at`, then the header `X-Shopify-Triggered-At`). A parcel of an ' +
      'unknown order is answered 404 for an hour, so that it comes again after its order; then it is acknowledged. ' +
      'Deleted orders stay here; they and products are only acknowledged.',
    params: typeParams,
    body: {
      parameter: 'webhook_type',
      shapes: {
        'order-creation': ShopOrder,
        'order-fulfillment': ShopOrder,
        'order-partial-fulfillment': ShopOrder,
        'order-update': ShopOrder,
        'order-cancelled': ShopOrder,
        'order-fulfillment-update': ShopFulfilment,
        'order-deletion': ShopObject,
        'product-creation': ShopObject,
        'product-update': ShopObject,
        'product-deletion': ShopObject,
      },
    },
    response: Nothing,
    errors: ['order_not_found'],
  },
});

export type Registration = Static<typeof Registration>;
