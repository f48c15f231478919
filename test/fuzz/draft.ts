import type { GatewayEvent } from '#platform/http/request.ts';
import { shopTopics } from '#schemas/catalogues/shop-webhooks.ts';
import type { DeclaredOperation } from '#schemas/families/index.ts';
import { isBodyByParameter, isForm, isMultipart, pathParameters, pathsOf } from '#schemas/families/operation.ts';
import { wholeImages } from '#test/kit/images.ts';
import { type Call, eventOf } from '#test/kit/invoke.ts';
import { multipart, type Part } from '#test/kit/multipart.ts';
import { fakeProviders } from '#test/kit/providers/index.ts';
import { signatureOf } from '#test/kit/shop-payloads.ts';
import { shopwareSignature } from '#test/kit/shopware-payloads.ts';
import { type CallerName, credentialsOf, pickCaller, shops } from './callers.ts';
import { jsonText } from './json-text.ts';
import { installedShop, likelyBodies } from './likely-bodies.ts';
import { accepts, type Schema, type Source, validValue } from './valid-values.ts';

/** A request before it is sent, in parts that can be broken one by one. */
export interface Draft {
  operation: DeclaredOperation;
  caller: CallerName;
  method: string;
  resource: string;
  params: Record<string, string>;
  query: Record<string, string[]>;
  headers: Record<string, string>;
  body?: unknown;
  /** Sent instead of the body. */
  text?: string;
  bytes?: Buffer;
}

/** The secrets of a chapter's callers, and those of the shop's own system. */
export type Secrets = Partial<Record<CallerName | 'shop system' | AppSecret, string>>;

/** The secret in the manifest of the app, and the one of its registration that is not confirmed yet. */
type AppSecret = 'app' | 'registered app';

/** A request that the declaration allows. The rules of the operation may still refuse it. */
export function validDraft(
  operation: DeclaredOperation,
  source: Source,
  secrets: Secrets,
  caller = pickCaller(operation, source.random),
): Draft {
  const { random } = source;
  const resource = random.pick(pathsOf(operation));
  const params = paramsOf(operation, caller, source);
  const content = contentOf(operation, params, source);
  return {
    operation,
    caller,
    method: operation.method,
    resource,
    params,
    query: queryOf(operation, params, source),
    ...content,
    headers: {
      ...credentialsOf(caller, secrets, random),
      ...commonHeaders(operation, source),
      ...topicOf(operation, source),
      ...content.headers,
    },
  };
}

function commonHeaders({ csv }: DeclaredOperation, { random }: Source): Record<string, string> {
  return {
    ...(csv &&
      random.chance(0.4) && { Accept: random.pick(['text/csv', 'text/*', 'text/csv, application/json;q=0.5']) }),
    ...(random.chance(0.2) && { 'Accept-Language': random.pick(['de', 'el, en;q=0.5', 'pt-BR', '*', 'xx']) }),
    ...(random.chance(0.05) && { 'Service-Version': random.pick(['2026-01-01', '1', 'latest']) }),
  };
}

/** Shops of shop_system_3 name it beside the body. */
function topicOf({ id }: DeclaredOperation, { random }: Source): Record<string, string> {
  return id === 'receiveShopWebhook' && random.chance(0.9) ? { 'X-WC-Webhook-Topic': random.pick(wooTopics) } : {};
}

const wooTopics = [...Object.values(shopTopics.shop_system_3), 'order.restored', 'coupon.created', 'action.wc_x'];

/** The last parameter names a thing that was seen, and the others are what stood beside it. */
function paramsOf(
  { method, path, params }: DeclaredOperation,
  caller: CallerName,
  source: Source,
): Record<string, string> {
  const { random, seen } = source;
  const own = caller === 'admin of another shop' ? 'green' : 'blue';
  const other = () => random.pick([...shops, seen.pick(random, 'slug') ?? 'gone']);
  const values: Record<string, string> = {};
  let beside: Record<string, string> = {};
  for (const name of pathParameters(path)
    .filter((one) => one !== 'slug')
    .toReversed()) {
    const schema = (params?.properties[name] ?? { type: 'string' }) as Schema;
    const known = random.chance(0.9) ? (beside[name] ?? seenId(path, name, schema, source)) : undefined;
    values[name] = known ?? String(validValue(schema, source, name));
    beside = { ...seen.besides(values[name]), ...beside };
  }
  const removesShop = method === 'DELETE' && path.endsWith('/{slug}');
  const slug = !removesShop && random.chance(0.9) ? own : other();
  return { ...(path.includes('{slug}') && { slug }), ...values };
}

function seenId(path: string, name: string, schema: Schema, { random, seen }: Source): string | undefined {
  const collection = collectionOf(path, name);
  const names = name === 'uuid' ? [collection] : [collection, name];
  for (let tries = 0; tries < 4 && !schema.enum; tries++) {
    const id = seen.pick(random, ...names);
    if (id !== undefined && accepts(schema, id)) return id;
  }
  return undefined;
}

/** The part of a path before a parameter, or its last part without one. */
export function collectionOf(path: string, parameter?: string): string {
  const parts = path.split('/');
  const end = parameter === undefined ? parts.length : parts.indexOf(`{${parameter}}`);
  return parts.slice(0, end).findLast((part) => part !== '' && !part.startsWith('{')) ?? '';
}

function queryOf({ query }: DeclaredOperation, { slug }: Record<string, string>, source: Source): Draft['query'] {
  if (!query) return {};
  const values = validValue(query as Schema, { ...source, density: source.density / 2 }) as { confirm?: unknown };
  // Only a shop that no caller has: the others are needed.
  if ('confirm' in values && !shops.includes(slug as never)) values.confirm = slug;
  // A shop that installs the app says when it asks.
  if ('timestamp' in values) Object.assign(values, installation(source));
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [String(value)]]));
}

const installation = ({ now }: Source) => ({
  'shop-id': installedShop.shopId,
  'shop-url': installedShop.shopUrl,
  timestamp: String(Math.floor(now / 1000)),
});

function contentOf(operation: DeclaredOperation, params: Record<string, string>, source: Source): Partial<Draft> {
  const { id, body } = operation;
  if (!body) return {};
  if (isForm(body)) return fieldsOf(body.form as Schema, source);
  if (isMultipart(body)) return formOf(body.multipart as Schema, source);
  const likely = likelyBodies[id];
  if (likely && source.random.chance(0.6)) return { body: likely(source, params) };
  const shape = isBodyByParameter(body) ? body.shapes[params[body.parameter]!] : body;
  return { body: validValue((shape ?? {}) as Schema, source) };
}

/** A form without files, as a browser sends it. */
function fieldsOf(shape: Schema, source: Source): Partial<Draft> {
  const values = validValue(shape, source) as Record<string, unknown>;
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((one) => typeof one === 'string')
      .map((one): [string, string] => [name, one]),
  );
  return {
    text: new URLSearchParams(pairs).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  };
}

function formOf({ properties = {} }: Schema, source: Source): Partial<Draft> {
  const { random } = source;
  const parts = Object.entries(properties).map(([name, field]): [string, Part] => [
    name,
    field.enum
      ? String(random.pick(field.enum))
      : { bytes: random.pick(Object.values(wholeImages)), filename: random.pick(['a.png', 'ä.jpg', '']) },
  ]);
  const { body, headers } = multipart(...parts);
  return { bytes: body, headers };
}

/** The event of the gateway. Another system signs what it sends, also what is broken. */
export function gatewayEvent(draft: Draft, secrets: Secrets): GatewayEvent {
  const { method, resource, params, query, bytes } = draft;
  const rawBody =
    bytes?.toString('base64') ?? draft.text ?? (draft.body === undefined ? undefined : jsonText(draft.body));
  const headers = { ...signatureHeaders(draft, bytes ?? rawBody ?? '', secrets), ...draft.headers };
  const lastValues = Object.fromEntries(Object.entries(query).map(([name, values]) => [name, values.at(-1)!]));
  const call: Call = {
    method,
    resource,
    params,
    headers,
    query: lastValues,
    ...(rawBody !== undefined && { rawBody }),
  };
  const event = eventOf(call);
  const sourceIp = draft.caller === 'stranger' ? '198.51.100.7' : '192.0.2.1';
  const requestContext = { ...event.requestContext, identity: { sourceIp } as never };
  return { ...event, requestContext, multiValueQueryStringParameters: query, isBase64Encoded: bytes !== undefined };
}

function signatureHeaders(
  { operation, caller, params, query }: Draft,
  content: Buffer | string,
  secrets: Secrets,
): Record<string, string> {
  if (operation.role !== 'signed' || caller === 'nobody') return {};
  if (operation.signer === 'provider') return providerHeaders(params.provider ?? '', content, caller === 'stranger');
  const secret = (name: keyof Secrets) => (caller === 'stranger' ? 'wrong' : (secrets[name] ?? 'none'));
  if (operation.signer === 'app') return { 'shopware-app-signature': signedQuery(secret('app'), query) };
  return systemHeaders(secret(operation.id === 'confirmApp' ? 'registered app' : 'shop system'), content);
}

/** As each of the three systems signs, because a request before this one may have changed which the shop has. */
function systemHeaders(secret: string, content: Buffer | string): Record<string, string> {
  const signature = signatureOf(secret, content);
  return {
    'X-Shopify-Hmac-Sha256': signature,
    'X-WC-Webhook-Signature': signature,
    'shopware-shop-signature': Buffer.from(signature, 'base64').toString('hex'),
  };
}

const signedQuery = (secret: string, query: Draft['query']) =>
  shopwareSignature(
    secret,
    Object.entries(query)
      .map(([name, values]) => `${name}=${values.at(-1)}`)
      .join('&'),
  );

function providerHeaders(name: string, content: Buffer | string, isWrong: boolean) {
  const fake = Object.values(fakeProviders).find((provider) => provider.name === name);
  return fake?.signed(Buffer.from(content), isWrong ? 'wrong' : fake.webhookSecret) ?? {};
}
