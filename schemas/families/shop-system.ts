import Type, { type Static } from 'typebox';
import { shopWebhookTypes } from '../catalogues/shop-webhooks.ts';
import { Choice, DateTime, Nothing, paging, Shape, Uuid } from '../shapes/shapes.ts';
import { ShopFulfilment, ShopObject, ShopOrder, ShopPrivacyRequest } from '../shapes/shop-payloads.ts';
import { declare, shopPath } from './operation.ts';

const WebhookType = () => Choice(shopWebhookTypes, { description: 'What the webhook reports.' });

const Registration = Shape('ShopSystemRegistration', {
  uuid: Uuid(),
  shop_slug: Type.String(),
  webhook_type: WebhookType(),
  name: Type.String(),
  shopify_id: Type.Integer({ description: "The id of the webhook in the shop's system." }),
  topic: Type.String({ description: "The shop system's name for the type. Example: `orders/create`." }),
  hook_url: Type.String({ description: "The URL that the shop's system calls." }),
  fields: Type.Array(Type.String(), {
    description: "The fields that the shop's system sends. An empty list means all fields.",
  }),
  created_at: DateTime(),
  updated_at: DateTime(),
});

const registrationsPath = `${shopPath}/shop-system/webhooks` as const;
const byUuid = `${registrationsPath}/{uuid}` as const;
const byType = `${registrationsPath}/types/{webhook_type}` as const;
const uuidParams = Type.Object({ uuid: Uuid() });
const typeParams = Type.Object({ webhook_type: WebhookType() });

/** The errors of a call to the shop's system. */
const remoteErrors = ['partner_key_not_found', 'partner_key_missing_permissions', 'bad_gateway'] as const;

const removal =
  "Removes the webhook in the shop's system and then the registration. If the shop's system fails, the registration stays, " +
  'and you can try again. If the webhook no longer exists there, only the registration is removed.';

export const shopSystem = declare({
  createRegistration: {
    method: 'POST',
    path: registrationsPath,
    role: 'admin',
    summary: 'Register a shop webhook',
    description:
      "Registers a webhook in the shop's system. The service calls the `shop_admin_url` of the shop with the stored key of " +
      '`integration_7`. If the webhook already exists there, the service uses it. If the call fails, nothing is stored.',
    body: Shape('ShopSystemRegistrationCreate', { webhook_type: WebhookType() }),
    response: Registration,
    errors: ['registration_exists', ...remoteErrors],
  },
  listRegistrations: {
    method: 'GET',
    path: registrationsPath,
    role: 'viewer',
    summary: 'List registrations',
    description: "Returns the webhooks that are registered in the shop's system, newest first.",
    query: Type.Object(paging),
    response: Type.Array(Registration),
  },
  getRegistration: {
    method: 'GET',
    path: byUuid,
    role: 'viewer',
    summary: 'Get a registration',
    description: 'Returns one registration by its uuid.',
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
    description: 'Returns the registration of a webhook type.',
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
    summary: 'Get the secret of the shop webhooks',
    description:
      "Returns the secret that the shop's system must sign its webhooks with. It is for shop_system_1, whose header and payloads `receiveShopWebhook` takes. The first call creates the secret. Later calls return the same one.",
    response: Shape('ShopSystemWebhookConfig', {
      webhook_secret: Type.String({ description: "The secret to enter in the shop's system." }),
    }),
  },
  receiveShopWebhook: {
    method: 'POST',
    path: `${shopPath}/shop-system/inbound/{webhook_type}`,
    role: 'signed',
    summary: 'Receive a shop webhook',
    description: [
      "Receives a webhook of the shop's system and creates or updates the order and its parcels. The service finds the",
      "order by its `order_number`. It stores the order's `id` in the shop's system as `external_id`, and finds the order by",
      'it if the merchant uses other numbers. Each tracking number is one parcel. If `cancelled_at` is set, parcels that',
      'have not left yet get the event `ORDER_CANCELLED`. The service applies the mapping rules of `shop_system_1.order`.',
      '\n\nThe service ignores repeated webhooks, and webhooks that are older than the stored state (by `updated_at`, then by',
      'the header `X-Shopify-Triggered-At`). A parcel of an unknown order gets 404 for one hour, so the shop can send it again',
      'after the order. After that it gets 200 and is ignored. Webhooks about deleted orders and about products change nothing.',
    ].join(' '),
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
  receiveShopPrivacyWebhook: {
    method: 'POST',
    path: `${shopPath}/shop-system/inbound/privacy`,
    role: 'signed',
    summary: 'Receive a privacy request of the shop system',
    description: [
      "Receives what the shop's system asks about personal data: enter this address in it for all three topics. The header",
      '`X-Shopify-Topic` says which it is. `customers/data_request` becomes a disclosure of the customer, `customers/redact` an',
      "erasure of the customer and of the orders of `orders_to_redact`, and `shop/redact` an erasure of all the shop's orders. They",
      'are found by the id and the e-mail address of the customer and by the ids of the orders (`external_id`). The response comes',
      'at once; the request runs in the background, and `GET …/privacy/requests` shows it with `requested_by: shop_system`. The same',
      'request sent again while it runs is the same request.',
    ].join(' '),
    body: ShopPrivacyRequest,
    response: Nothing,
  },
});

export type Registration = Static<typeof Registration>;
