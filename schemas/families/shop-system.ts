import Type, { type Static } from 'typebox';
import { shopProviders } from '../catalogues/enumerations.ts';
import { shopWebhookLimits } from '../catalogues/limits.ts';
import { shopWebhookTypes, unreadableReasons } from '../catalogues/shop-webhooks.ts';
import { Choice, DateTime, Nothing, Nullable, paging, Shape, Text, Uuid } from '../shapes/shapes.ts';
import { ShopFulfilment, ShopObject, ShopOrder, ShopPrivacyRequest } from '../shapes/shop-payloads.ts';
import { declare, shopPath } from './operation.ts';

const WebhookType = () => Choice(shopWebhookTypes, { description: 'What the webhook reports.' });

const Registration = Shape('ShopSystemRegistration', {
  uuid: Uuid(),
  shop_slug: Type.String(),
  webhook_type: WebhookType(),
  name: Type.String(),
  external_id: Type.String({ description: "The id of the webhook in the shop's system." }),
  shopify_id: Nullable(Type.Integer({ description: 'The same id as a number, if the system is shop_system_1.' })),
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

const UnreadableWebhook = Shape('UnreadableShopWebhook', {
  received_at: DateTime({ description: 'When it came.' }),
  topic: Nullable(Type.String({ description: "The shop system's name for what it reported." })),
  reason: Choice(unreadableReasons, { description: 'Why nothing became of it.' }),
  field: Nullable(
    Type.String({
      description: "The field of the payload that is missing or wrong, or the key of the service's error.",
    }),
  ),
  order: Nullable(
    Type.String({ description: "The id or number of the order in the shop's system, if it could be read." }),
  ),
});

const IgnoredTopic = Shape('IgnoredShopTopic', {
  topic: Type.String({ description: "The shop system's name for what it reported." }),
  count: Type.Integer({ description: 'How many such webhooks came.' }),
  last_received_at: DateTime({ description: 'When the last of them came.' }),
});

const Inbound = Shape('ShopSystemInbound', {
  shop_provider: Nullable(Choice(shopProviders, { description: 'Whose webhooks the service takes.' })),
  is_connected: Type.Boolean({
    description:
      "Whether the service can call the shop's own API: the app is installed (shop_system_2), or the key is stored (the others).",
  }),
  last_received_at: Nullable(
    DateTime({ description: 'When the last signed webhook came, to about a minute. Null: none came yet.' }),
  ),
  last_topic: Nullable(Type.String({ description: 'What that one reported.' })),
  ignored: Type.Array(IgnoredTopic, {
    description: 'What the service has no use for, by topic. Each was answered with 200.',
  }),
  unreadable: Type.Array(UnreadableWebhook, {
    description:
      'Webhooks of shop_system_2 and shop_system_3 that changed nothing, or less than they should, newest first: up to ' +
      `${shopWebhookLimits.unreadableShown} of the last ${shopWebhookLimits.keptDays} days. ` +
      'Each was answered with 200, but for `shop_unreachable`: that is 502 at each try of the shop. ' +
      'When the cause is mended, the next change of the order makes up for them.',
  }),
});

const AppRegistration = Shape('ShopSystemAppRegistration', {
  proof: Type.String({ description: 'Proves that the service knows the secret of the manifest.' }),
  secret: Type.String({ description: 'Signs all further requests of the shop.' }),
  confirmation_url: Type.String({ description: 'Where the shop sends the second half of the handshake.' }),
});

/** As the shop sends it; what else it sends is ignored. */
const appText = (description: string) => Text(2048, { minLength: 1, description });

const anyObject = (description: string) =>
  Type.Optional(Nullable(Type.Unsafe<object>({ type: 'object', description })));

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
      '`integration_7`, or for shop_system_3 with that of `shop_system_3`. If the webhook already exists there, the service ' +
      'uses it. If the call fails, nothing is stored. A type that the system reports as a change of the order is refused with ' +
      '422. So is every type for shop_system_2: its registrations come with the app (`getAppManifest`).',
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
      "Returns the secret that the shop's system must sign its webhooks with. The first call creates the secret. Later calls " +
      'return the same one, except that each installation of the app of shop_system_2 agrees on a new one.',
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
      "Receives a webhook of the shop's system and creates or updates the order and its parcels. The `shop_provider` of the",
      'shop says whose payloads and signature these are: `X-Shopify-Hmac-Sha256` (shop_system_1, and without a provider),',
      '`shopware-shop-signature` (shop_system_2) or `X-WC-Webhook-Signature` (shop_system_3). The service finds the',
      "order by its `order_number`. It stores the order's `id` in the shop's system as `external_id`, and finds the order by",
      'it if the merchant uses other numbers. Each tracking number is one parcel. If `cancelled_at` is set, parcels that',
      'have not left yet get the event `ORDER_CANCELLED`. The service applies the mapping rules of the system.',
      '\n\nThe service ignores repeated webhooks. Each field keeps the newest value that the system gave it (by `updated_at`, then',
      'by the header `X-Shopify-Triggered-At`), or that you gave it by a call of your own. So a webhook that comes late adds what',
      'the order lacks, and overwrites nothing newer. Tracking numbers are only added. A parcel that you deleted comes back only by',
      'a webhook that is newer.',
      'A parcel of an unknown order gets 404 for one hour, so the shop can send it again',
      'after the order. After that it gets 200 and is ignored. Webhooks about deleted orders and about products change nothing.',
      '\n\nThe body described here is that of shop_system_1. The others send their own, in which the topic decides and not the',
      'type in the path. An unknown topic gets 200 and is counted. What cannot be read gets 200 and is listed with its reason',
      '(`getShopInbound`), because these systems drop a hook that fails. The call by which shop_system_3 tests the address',
      '(`webhook_id=…`) gets 200. If a webhook of shop_system_2 only names the order and the API of the shop does not answer, it',
      'gets 502, and the shop sends it again.',
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
    errors: ['order_not_found', 'bad_gateway'],
  },
  getShopInbound: {
    method: 'GET',
    path: `${shopPath}/shop-system/inbound`,
    role: 'viewer',
    summary: "Get what came from the shop's system",
    description:
      "Returns when the last webhook of the shop's system came, which topics were ignored, and which webhooks could not be read and why.",
    response: Inbound,
  },
  getAppManifest: {
    method: 'GET',
    path: `${shopPath}/shop-system/app/manifest`,
    role: 'admin',
    summary: 'Get the manifest of the app',
    description:
      "Returns the `manifest.xml` of the app that connects a shop of shop_system_2. Put it into a folder with the app's name, pack the folder as a ZIP and upload it in the shop's administration. The manifest holds a secret of the shop. If the `shop_provider` is another one, the answer is 422.",
    response: { mediaType: 'application/xml; charset=utf-8' },
    errors: ['invalid_payload'],
  },
  registerApp: {
    method: 'GET',
    path: `${shopPath}/shop-system/app/registration`,
    role: 'signed',
    signer: 'app',
    summary: 'Register the app',
    description:
      'The first half of the handshake, which the shop does when the app is installed. It is signed with the secret of the manifest, in the header `shopware-app-signature`. The answer proves that the service knows that secret and names the one that signs from then on.',
    query: Type.Object({
      'shop-id': appText('The id of the installation.'),
      'shop-url': appText('The address of the shop.'),
      timestamp: appText('The time of the request in Unix seconds.'),
    }),
    response: AppRegistration,
  },
  confirmApp: {
    method: 'POST',
    path: `${shopPath}/shop-system/app/confirmation`,
    role: 'signed',
    summary: 'Confirm the app',
    description:
      "The second half of the handshake, signed with the secret of the first half in the header `shopware-shop-signature`. The service keeps the credentials as the key of `shop_system_2`, encrypted, and uses them to read orders from the shop's API. From then on the secret is that of `webhook-config`, and the registrations are those of the manifest.",
    body: Shape('ShopSystemAppConfirmation', {
      apiKey: appText('The id of the credentials.'),
      secretKey: appText('The secret of the credentials.'),
      shopUrl: appText('The address of the shop.'),
      shopId: appText('The id of the installation.'),
    }),
    response: Nothing,
  },
  receiveAppEvent: {
    method: 'POST',
    path: `${shopPath}/shop-system/app/lifecycle`,
    role: 'signed',
    summary: 'Receive what happened to the app',
    description:
      'Receives that the app was activated, deactivated, updated or removed in the shop, signed as the webhooks are. When it was removed, the service forgets its credentials and registrations. Orders stay.',
    body: Shape('ShopSystemAppEvent', {
      data: anyObject('Holds `event`, such as `app.deleted`.'),
      source: anyObject('Holds `shopId`: only the shop that has confirmed the app removes it.'),
      timestamp: Type.Optional(Nullable(Type.Number({ description: 'When the shop sent it, in Unix seconds.' }))),
    }),
    anyBody: true,
    response: Nothing,
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
export type Inbound = Static<typeof Inbound>;
