import Type, { type Static } from 'typebox';
import { industries, shopProviders, shopRoles } from '../catalogues/enumerations.ts';
import { integrationIds, integrationsWith } from '../catalogues/integrations.ts';
import { slugPattern } from '../catalogues/slug.ts';
import { Choice, DateTime, LanguageTag, Nothing, Nullable, paging, Shape, Text, Url, Uuid } from '../shapes/shapes.ts';
import { declare, shopPath } from './operation.ts';

const Slug = (options: object = {}) => Type.String({ pattern: slugPattern, ...options });

const details = {
  description: Nullable(Text(5000)),
  organization: Nullable(Text(255, { description: 'Premium only.' })),
  contact_phone: Nullable(Text(100)),
  industry: Nullable(Choice(industries)),
  shop_provider: Nullable(Choice(shopProviders)),
  shop_faq_url: Nullable(Text(2048)),
  shop_service_url: Nullable(Text(2048)),
};

/** Accepted, but not shown in a shop. */
const unshown = {
  contact_email: Nullable(Text(320)),
  shop_admin_url: Nullable(
    Url({ description: 'Where we call the shop: https, and no private, loopback or link-local address.' }),
  ),
  shop_url: Nullable(Url()),
  logo_url: Nullable(Url()),
};

const Name = Type.String({ minLength: 1, maxLength: 255 });

export const Shop = Shape('Shop', {
  uuid: Uuid(),
  created_at: DateTime(),
  updated_at: DateTime(),
  name: Name,
  slug: Slug(),
  ...details,
  language: Nullable(LanguageTag()),
  shop_currency: Type.String({ description: 'ISO 4217.' }),
});

const ShopCreationSettings = Shape('ShopCreationSettings', {
  integration_1_enabled: Type.Boolean({ default: false, description: 'Send triggers to the marketing platform.' }),
  integration_7_enabled: Type.Boolean({ default: false, description: 'Send triggers to the shop system.' }),
  carriers_enabled: Type.Boolean({ default: false, description: 'Retrieve shipment updates from carriers.' }),
});

const language = Nullable(LanguageTag({ default: 'en', description: 'Fallback for translations.' }));

const ShopCreate = Shape('ShopCreate', {
  name: Name,
  slug: Slug({ description: 'Identifies the shop in paths; cannot be changed.' }),
  ...Type.Partial(Type.Object({ ...details, ...unshown })).properties,
  language,
  settings: Type.Optional(Nullable(ShopCreationSettings)),
});

const ShopUpdate = Shape(
  'ShopUpdate',
  Type.Partial(Type.Object({ name: Name, ...details, ...unshown, language: Nullable(LanguageTag()) })).properties,
  { description: 'What is absent stays as it is.' },
);

const ShopFilters = Type.Object({
  ...paging,
  uuid: Type.Optional(Uuid()),
  name: Type.Optional(Text(255)),
  slug: Type.Optional(Text(100)),
  shop_provider: Type.Optional(Choice(shopProviders)),
  language: Type.Optional(LanguageTag()),
  organization: Type.Optional(Text(255)),
});

const Role = Choice(shopRoles);
/** The end of the year 9999: a larger number is no time that anything can hold. */
const Expiration = (options: object = {}) =>
  Type.Integer({ minimum: 0, maximum: 253_402_300_799, description: 'Unix seconds; 0 never expires.', ...options });

const keyFields = {
  id: Type.String({ minLength: 1, maxLength: 16 }),
  secret: Type.String(),
  shops: Type.Array(Shape('ShopAccess', { shop_slug: Type.String(), role: Role })),
  expiration: Expiration(),
};

const ApiKey = Shape('ApiKey', {
  ...keyFields,
  secret: Type.String({ description: 'The password of Basic authentication. Shown only here.' }),
  username: Type.String({ description: 'The username of Basic authentication.' }),
});

const ApiKeys = Shape('ApiKeys', {
  username: Type.String(),
  tokens: Type.Array(
    Shape('MaskedApiKey', { ...keyFields, secret: Type.String({ description: 'The last four characters.' }) }),
  ),
});

const ApiKeyCreate = Shape('ApiKeyCreate', {
  role: Choice(shopRoles, { default: 'admin' }),
  expiration: Expiration({ default: 0 }),
});

/** No control characters or halves of characters: credentials leave in HTTP headers. The bound keeps them within what KMS encrypts directly. */
const Credential = (options: object = {}) =>
  Type.String({ minLength: 1, maxLength: 400, pattern: '^[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]*$', ...options });

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
  },
  { description: 'The last four characters of each value; null where nothing is stored.' },
);

const integrationParams = Type.Object({ integration: Choice(integrationIds) });

export const shops = declare({
  createShop: {
    method: 'POST',
    path: '/v1/shops',
    role: 'superadmin',
    summary: 'Create a shop',
    body: ShopCreate,
    response: Nothing,
    errors: ['shop_exists'],
  },
  searchShops: {
    method: 'GET',
    path: '/v1/shops',
    role: 'viewer',
    summary: 'Search shops',
    description: 'Only shops in the scope of the API key, newest first. Filters must all match.',
    query: ShopFilters,
    response: Type.Array(Shop),
  },
  getShop: { method: 'GET', path: shopPath, role: 'viewer', summary: 'Get a shop', response: Shop },
  updateShop: {
    method: 'PATCH',
    path: shopPath,
    role: 'admin',
    summary: 'Update a shop',
    body: ShopUpdate,
    response: Nothing,
  },
  listApiKeys: {
    method: 'GET',
    path: `${shopPath}/api-keys`,
    role: 'admin',
    summary: 'List API keys',
    response: ApiKeys,
  },
  createApiKey: {
    method: 'POST',
    path: `${shopPath}/api-keys`,
    role: 'admin',
    summary: 'Create an API key',
    description: 'The secret is shown once: only a hash of it is stored.',
    body: ApiKeyCreate,
    response: ApiKey,
  },
  deleteApiKey: {
    method: 'DELETE',
    path: `${shopPath}/api-keys/{token_id}`,
    role: 'admin',
    summary: 'Delete an API key',
    description: 'Requests with the key fail from now on.',
    params: Type.Object({ token_id: Type.String({ minLength: 1, maxLength: 16 }) }),
    response: Shape('DeletedApiKey', { token_id: Type.String() }),
    errors: ['api_key_not_found'],
  },
  listIntegrationKeys: {
    method: 'GET',
    path: `${shopPath}/keys`,
    role: 'admin',
    summary: 'List integration keys, masked',
    response: IntegrationKeys,
  },
  setIntegrationKey: {
    method: 'PUT',
    path: `${shopPath}/keys/{integration}`,
    role: 'admin',
    summary: 'Set the key of an integration',
    description: 'Encrypted at rest; it leaves the service only towards its integration.',
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
    params: integrationParams,
    response: Nothing,
    errors: ['partner_key_not_found'],
  },
});

export type Shop = Static<typeof Shop>;
export type ShopCreate = Static<typeof ShopCreate>;
export type ShopUpdate = Static<typeof ShopUpdate>;
export type ShopFilters = Static<typeof ShopFilters>;
export type IntegrationKeys = Static<typeof IntegrationKeys>;
export type ApiKeys = Static<typeof ApiKeys>;

function shapeFor<T>(ids: readonly string[], shape: T): Record<string, T> {
  return Object.fromEntries(ids.map((id) => [id, shape]));
}
