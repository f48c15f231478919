import Type, { type Static } from 'typebox';
import { industries, shopProviders, shopRoles } from '../catalogues/enumerations.ts';
import { integrationIds, integrationsWith } from '../catalogues/integrations.ts';
import { accessLimits } from '../catalogues/limits.ts';
import { slugPattern } from '../catalogues/slug.ts';
import {
  CallableUrl,
  Choice,
  DateTime,
  Defaulted,
  LanguageTag,
  Link,
  Nothing,
  Nullable,
  paging,
  Shape,
  shownLinks,
  shownPictures,
  Text,
  Url,
  Uuid,
} from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const Slug = (options: object = {}) => Type.String({ pattern: slugPattern, ...options });

const details = {
  description: Nullable(Text(5000, { description: 'Describes the shop to its customers.' })),
  organization: Nullable(Text(255, { description: 'The organization that the shop belongs to. Premium shops only.' })),
  contact_phone: Nullable(Text(100, { description: 'The phone number for questions to the shop.' })),
  industry: Nullable(Choice(industries, { description: 'The industry of the shop.' })),
  shop_provider: Nullable(Choice(shopProviders, { description: 'The shop system that the shop runs on.' })),
  shop_faq_url: Nullable(
    Link({ description: `The link to the questions and answers page of the shop. ${shownLinks}` }),
  ),
  shop_service_url: Nullable(Link({ description: `The link to the customer service page of the shop. ${shownLinks}` })),
};

/** Callers can set these fields, but the shop response does not contain them. `getShopAddresses` shows them. */
const unshown = {
  contact_email: Nullable(Text(320, { description: 'The e-mail address for questions to the shop.' })),
  shop_admin_url: Nullable(
    CallableUrl({
      description:
        "The base URL for our calls to the shop's system. It must use https and a public address, not a private, loopback or link-local one. If you change its scheme, host or port, set the key of integration_7 again: the service does not send a key to another server than the one that it was set for.",
    }),
  ),
  shop_url: Nullable(Url({ description: `The address of the online shop. ${shownLinks}` })),
  logo_url: Nullable(Url({ description: `The address of the logo. ${shownPictures}` })),
};

const Name = Type.String({ minLength: 1, maxLength: 255, description: 'The name of the shop.' });

export const Shop = Shape('Shop', {
  uuid: Uuid(),
  created_at: DateTime(),
  updated_at: DateTime(),
  name: Name,
  slug: Slug({ description: 'Identifies the shop in paths.' }),
  ...details,
  language: Nullable(LanguageTag({ description: 'The language of texts that have no translation.' })),
  shop_currency: Type.String({ description: 'The currency of the shop as an ISO 4217 code.' }),
});

const ShopAddresses = Shape('ShopAddresses', { ...unshown, updated_at: DateTime() });

const ShopCreationSettings = Shape('ShopCreationSettings', {
  integration_1_enabled: Defaulted(
    Type.Boolean({
      description: 'Whether to send events to integration_1, the marketing platform.',
    }),
    false,
  ),
  integration_7_enabled: Defaulted(
    Type.Boolean({
      description: 'Whether to send events to integration_7, the shop system.',
    }),
    false,
  ),
  carriers_enabled: Defaulted(
    Type.Boolean({
      description: 'Whether to retrieve shipment updates from carriers.',
    }),
    false,
  ),
});

const language = Defaulted(
  Nullable(LanguageTag({ description: 'The language of texts that have no translation.' })),
  'en',
);

const ShopCreate = Shape('ShopCreate', {
  name: Name,
  slug: Slug({ description: 'Identifies the shop in paths. Must be unique. You cannot change it later.' }),
  ...Type.Partial(Type.Object({ ...details, ...unshown })).properties,
  language,
  settings: Type.Optional(Nullable(ShopCreationSettings)),
});

const ShopUpdate = Shape(
  'ShopUpdate',
  Type.Partial(Type.Object({ name: Name, ...details, ...unshown, language: Nullable(LanguageTag()) })).properties,
  { description: 'Fields that you leave out keep their values.' },
);

const ShopFilters = Type.Object({
  ...paging,
  uuid: Type.Optional(Uuid()),
  name: Type.Optional(Text(255)),
  slug: Type.Optional(Text(100)),
  search: Type.Optional(Text(255, { description: 'A part of the name or of the slug, in any case.' })),
  shop_provider: Type.Optional(Choice(shopProviders)),
  language: Type.Optional(LanguageTag()),
  organization: Type.Optional(Text(255)),
});

const Role = Choice(shopRoles);
/** The maximum is the end of the year 9999. Common date types cannot hold a later time. */
const Expiration = (options: object = {}) =>
  Type.Integer({
    minimum: 0,
    maximum: 253_402_300_799,
    description: 'When the key expires, in Unix seconds. 0: never.',
    ...options,
  });

const keyFields = {
  id: Type.String({
    minLength: 1,
    maxLength: 16,
    description: 'Identifies the key. Use it as `token_id` to delete the key.',
  }),
  name: Nullable(Type.String({ description: 'What you call the key. Null if it got no name.' })),
  secret: Type.String(),
  shops: Type.Array(Shape('ShopAccess', { shop_slug: Type.String(), role: Role }), {
    description: 'The shops that the key gives access to, with its role in each.',
  }),
  expiration: Expiration(),
  created_at: DateTime({ description: 'When the key was made.' }),
  last_used_at: Nullable(
    Type.String({
      format: 'date',
      description:
        'The day (UTC) of the last request with the key. Null if it was not used since the service has noted this.',
    }),
  ),
};

const ApiKey = Shape('ApiKey', {
  ...keyFields,
  secret: Type.String({ description: 'The password for HTTP Basic authentication. No later response shows it.' }),
  username: Type.String({ description: 'The username for HTTP Basic authentication.' }),
});

const ApiKeys = Shape('ApiKeys', {
  username: Type.String({ description: 'The username for HTTP Basic authentication with these keys.' }),
  tokens: Type.Array(
    Shape('MaskedApiKey', {
      ...keyFields,
      secret: Type.String({ description: 'The last four characters of the secret.' }),
    }),
    { description: 'The API keys of the shop.' },
  ),
});

const ApiKeyCreate = Shape('ApiKeyCreate', {
  name: Type.Optional(
    Nullable(
      Text(accessLimits.keyNameCharacters, {
        minLength: 1,
        description: 'Who or what uses the key, for example "Mara in support". Histories call it by this name.',
      }),
    ),
  ),
  role: Defaulted(
    Choice(shopRoles, {
      description:
        '`viewer` reads. `editor` also writes orders, shipments, events, claims, images and promotions. `admin` also reads and writes settings, keys, webhooks and the shop.',
    }),
    'admin',
  ),
  expiration: Defaulted(Expiration(), 0),
});

/**
 * The service sends credentials in HTTP headers, so they must not contain control characters. The maximum length
 * keeps them within the size that KMS encrypts directly.
 */
const Credential = (options: object = {}) =>
  Type.String({ minLength: 1, maxLength: 400, pattern: '^[^\\u0000-\\u001f\\u007f]*$', ...options });

const SingleKey = Shape('SingleKey', { api_key: Credential({ minLength: 16, maxLength: 128 }) });
const ClientCredentials = Shape('ClientCredentials', {
  client_id: Credential(),
  client_secret: Type.Optional(Nullable(Credential())),
});
const BasicCredentials = Shape('BasicCredentials', { username: Credential(), password: Credential() });

const MaskedClient = Shape('MaskedClientCredentials', {
  client_id: Nullable(Type.String()),
  client_secret: Nullable(Type.String()),
});
const MaskedBasic = Shape('MaskedBasicCredentials', {
  username: Nullable(Type.String()),
  password: Nullable(Type.String()),
});

const IntegrationKeys = Shape(
  'IntegrationKeys',
  {
    integration_1: Nullable(Type.String()),
    integration_2: Nullable(Type.String()),
    integration_3: Nullable(Type.String()),
    integration_4: Nullable(Type.String()),
    integration_5: MaskedClient,
    integration_6: MaskedBasic,
    integration_7: Nullable(Type.String()),
    shop_system_2: MaskedClient,
    shop_system_3: MaskedClient,
    set_again: Type.Optional(
      Type.Array(Choice(integrationIds), {
        description:
          'The integrations whose key must be set again, because their address leads to another server than when the key was set. Until then the service does not use the key. The field is absent if there are none.',
      }),
    ),
  },
  { description: 'Each value shows the last four characters of the stored key. Null means that no key is stored.' },
);

const integrationParams = Type.Object({ integration: Choice(integrationIds) });

export const shops = declare({
  createShop: {
    method: 'POST',
    path: '/v1/shops',
    role: 'superadmin',
    summary: 'Create a shop',
    description: 'Creates a shop. The slug must be unique and cannot change later.',
    body: ShopCreate,
    response: Nothing,
    errors: ['shop_exists'],
  },
  searchShops: {
    method: 'GET',
    path: '/v1/shops',
    role: 'viewer',
    summary: 'Search shops',
    description: 'Returns the shops that your API key has access to and that match all given filters, newest first.',
    query: ShopFilters,
    response: Type.Array(Shop),
    errors: ['payload_too_large'],
  },
  getShop: {
    method: 'GET',
    path: shopPath,
    role: 'viewer',
    summary: 'Get a shop',
    description: 'Returns one shop.',
    response: Shop,
  },
  getShopAddresses: {
    method: 'GET',
    path: `${shopPath}/addresses`,
    role: 'admin',
    summary: 'Get the addresses of a shop',
    description:
      'Returns the addresses of a shop that no other response shows: for questions of customers, of the online shop, of its logo, and for our calls to its system. `PATCH` of the shop changes them.',
    response: ShopAddresses,
  },
  updateShop: {
    method: 'PATCH',
    path: shopPath,
    role: 'admin',
    summary: 'Update a shop',
    description: 'Changes the given fields of a shop. Fields that you leave out keep their values.',
    body: ShopUpdate,
    response: Nothing,
    ifMatch: true,
  },
  deleteShop: {
    method: 'DELETE',
    path: shopPath,
    role: 'superadmin',
    summary: 'Remove a shop',
    description:
      'Removes a shop and everything that it holds: orders, parcels, claims, images, settings, endpoints, automations, logs, keys. Its keys end at once, and no request finds the shop any more. The rest is removed in the background, and the slug is free when that is done: until then a new shop with it is refused with `shop_exists`. It cannot be undone.',
    query: Type.Object({
      confirm: Text(100, { description: 'The slug of the shop once more, so that nobody removes one by mistake.' }),
    }),
    response: Nothing,
  },
  listApiKeys: {
    method: 'GET',
    path: `${shopPath}/api-keys`,
    role: 'admin',
    summary: 'List API keys',
    description: 'Returns the API keys of the shop. Each secret shows only its last four characters.',
    response: ApiKeys,
    errors: ['payload_too_large'],
  },
  createApiKey: {
    method: 'POST',
    path: `${shopPath}/api-keys`,
    role: 'admin',
    summary: 'Create an API key',
    description:
      'Creates an API key for the shop. The response shows the secret. Store it safely: the service keeps only a hash and cannot show it again.',
    body: ApiKeyCreate,
    response: ApiKey,
  },
  deleteApiKey: {
    method: 'DELETE',
    path: `${shopPath}/api-keys/{token_id}`,
    role: 'admin',
    summary: 'Delete an API key',
    description: 'Deletes an API key. Requests with this key fail from now on.',
    params: Type.Object({ token_id: Type.String({ minLength: 1, maxLength: 16 }) }),
    response: Shape('DeletedApiKey', { token_id: Type.String() }),
    errors: ['api_key_not_found'],
  },
  listIntegrationKeys: {
    method: 'GET',
    path: `${shopPath}/keys`,
    role: 'admin',
    summary: 'List integration keys',
    description: 'Returns the stored keys of all integrations. Each value shows only its last four characters.',
    response: IntegrationKeys,
  },
  setIntegrationKey: {
    method: 'PUT',
    path: `${shopPath}/keys/{integration}`,
    role: 'admin',
    summary: 'Set the key of an integration',
    description:
      "Stores the key that the service uses to call an integration. The key is encrypted, and the service sends it only to that integration. A key of integration_3, integration_7 or shop_system_3 is for the server at the present `rest_endpoint` or `shop_admin_url`, and so is the key of another integration that the operator has connected to the shop's own system: set the address first, and set the key again when the address changes to another scheme, host or port.",
    params: integrationParams,
    body: {
      parameter: 'integration',
      shapes: {
        ...shapeFor(integrationsWith('api_key'), SingleKey),
        ...shapeFor(integrationsWith('client'), ClientCredentials),
        ...shapeFor(integrationsWith('basic'), BasicCredentials),
      },
    },
    response: Nothing,
  },
  deleteIntegrationKey: {
    method: 'DELETE',
    path: `${shopPath}/keys/{integration}`,
    role: 'admin',
    summary: 'Delete the key of an integration',
    description: 'Deletes the stored key of an integration.',
    params: integrationParams,
    response: Nothing,
    errors: ['partner_key_not_found'],
  },
});

export type Shop = Static<typeof Shop>;
export type ShopAddresses = Static<typeof ShopAddresses>;
export type ShopCreate = Static<typeof ShopCreate>;
export type ShopUpdate = Static<typeof ShopUpdate>;
export type ShopFilters = Static<typeof ShopFilters>;
export type IntegrationKeys = Static<typeof IntegrationKeys>;

function shapeFor<T>(ids: readonly string[], shape: T): Record<string, T> {
  return Object.fromEntries(ids.map((id) => [id, shape]));
}
