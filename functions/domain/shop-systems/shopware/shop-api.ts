import { type Fields, fieldsOf, listOf, parsed, textOf } from '#platform/foreign-json.ts';
import { logger } from '#platform/logging.ts';
import { type Call, type CallResult, createCall } from '#platform/outgoing/call.ts';

/** Reads orders from the API of a shop of shop_system_2, with the credentials of its app. */

export interface ShopCredentials {
  client_id: string;
  client_secret: string;
}

export interface ShopPorts {
  call: Call;
  now(): number;
  /** When the answer must be there, in milliseconds. Default: 4 s from now. */
  endsAt?: number | undefined;
}

export type ShopFailure = 'credentials_refused' | 'order_not_found' | 'shop_unreachable';

export type ShopAnswer = { order: Fields } | { failure: ShopFailure };

/** A shop waits 5 s for our answer to its webhook. The rest of that time is for the table. */
const totalTimeMs = 4_000;

/** An order with hundreds of products and their custom fields. */
const maxAnswerBytes = 2 * 1024 * 1024;

const usualPorts: ShopPorts = { call: createCall({ maxBytesRead: maxAnswerBytes }), now: Date.now };

/** @param base the address with which the app was installed: the credentials go nowhere else */
export async function readOrder(
  base: string,
  credentials: ShopCredentials,
  id: string,
  ports: ShopPorts = usualPorts,
): Promise<ShopAnswer> {
  const { call, now, endsAt = now() + totalTimeMs } = ports;
  const send = async (path: string, body: object, token?: string): Promise<CallResult> => {
    const deadlineMs = endsAt - now();
    if (deadlineMs <= 0) return { failure: 'timeout' };
    return call({ method: 'POST', url: base.replace(/\/+$/, '') + path, ...requestOf(body, token), deadlineMs });
  };

  const fresh = async (): Promise<{ token: string } | { failure: ShopFailure }> => {
    const result = await send('/api/oauth/token', { grant_type: 'client_credentials', ...credentials });
    const { access_token, expires_in } = jsonOf(result);
    const token = textOf(access_token, maxTokenCharacters);
    if (result.status !== 200 || token === undefined) return { failure: failureOf('token', result) };
    remember(keyOf(base, credentials), token, now() + Number(expires_in) * 1000);
    return { token };
  };

  const search = async (token: string) => send('/api/search/order', { ids: [id], limit: 1, ...criteria }, token);

  const known = remembered(keyOf(base, credentials), now());
  if (known !== undefined) {
    const result = await search(known);
    // The shop ends tokens before their time when the app is installed anew.
    if (result.status !== 401) return answerOf(result);
    tokens.delete(keyOf(base, credentials));
  }
  const given = await fresh();
  return 'failure' in given ? given : answerOf(await search(given.token));
}

function requestOf(body: object, token: string | undefined) {
  return {
    headers: {
      // Without it the shop answers with JSON:API, in which the parts of an order lie apart.
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': 'post-purchase-service',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: Buffer.from(JSON.stringify(body)),
  };
}

function answerOf(result: CallResult): ShopAnswer {
  const { data } = jsonOf(result);
  if (result.status !== 200 || !Array.isArray(data)) return { failure: failureOf('search', result) };
  const [order] = listOf(data);
  return order ? { order } : { failure: 'order_not_found' };
}

/** The app may read nothing any more, or less than its manifest asked for. Everything else may pass. */
const refusals: Record<'token' | 'search', readonly number[]> = { token: [400, 401, 403], search: [401, 403] };

function failureOf(step: 'token' | 'search', { status, failure }: CallResult): ShopFailure {
  logger.warn('shop system', { step, status, failure });
  return refusals[step].includes(status ?? 0) ? 'credentials_refused' : 'shop_unreachable';
}

/** The JSON object of a response; empty if it has none. */
const jsonOf = ({ body }: CallResult) => fieldsOf(parsed(body?.toString('utf8') ?? ''));

interface Remembered {
  token: string;
  until: number;
}

/** Of one execution environment. The oldest goes first. */
const tokens = new Map<string, Remembered>();
const maxTokens = 100;
const maxTokenCharacters = 8_000;
/** A token that ends while it is on its way would cost one more round. */
const spareMs = 60_000;

const keyOf = (base: string, { client_id, client_secret }: ShopCredentials) =>
  JSON.stringify([base, client_id, client_secret]);

function remember(key: string, token: string, until: number): void {
  tokens.delete(key);
  if (Number.isFinite(until)) tokens.set(key, { token, until });
  if (tokens.size > maxTokens) tokens.delete(tokens.keys().next().value!);
}

function remembered(key: string, now: number): string | undefined {
  const known = tokens.get(key);
  return known && known.until - spareMs > now ? known.token : undefined;
}

/** What is read of an entity, and of those that it leads to. */
interface Wanted {
  entity: string;
  /** Without it all: mapping rules may name any field of what belongs to the order itself. */
  fields?: readonly string[];
  associations?: Record<string, Wanted>;
}

const named: readonly string[] = ['name', 'translated'];
const state: Wanted = { entity: 'state_machine_state', fields: ['technicalName'] };
const address: Wanted = {
  entity: 'order_address',
  associations: {
    country: { entity: 'country', fields: ['iso', ...named] },
    countryState: { entity: 'country_state', fields: ['shortCode', ...named] },
  },
};

/**
 * Entities and associations: src/Core/Checkout/Order/OrderDefinition.php and its Aggregate folder in
 * github.com/shopware/shopware at cfc087d. `includes`: guides/development/integrations-api/search-criteria.md in
 * github.com/shopware/docs at 23afd5c.
 */
const wanted: Wanted = {
  entity: 'order',
  associations: {
    lineItems: {
      entity: 'order_line_item',
      associations: { cover: { entity: 'media', fields: ['url', 'alt', 'translated'] } },
    },
    deliveries: {
      entity: 'order_delivery',
      associations: {
        shippingMethod: { entity: 'shipping_method', fields: named },
        stateMachineState: state,
        positions: { entity: 'order_delivery_position', fields: ['orderLineItemId', 'quantity'] },
        shippingOrderAddress: address,
      },
    },
    addresses: address,
    orderCustomer: { entity: 'order_customer' },
    currency: { entity: 'currency', fields: ['isoCode'] },
    language: {
      entity: 'language',
      fields: ['locale'],
      associations: { locale: { entity: 'locale', fields: ['code'] } },
    },
    transactions: { entity: 'order_transaction', associations: { stateMachineState: state } },
    stateMachineState: state,
    tags: { entity: 'tag', fields: ['name'] },
    salesChannel: {
      entity: 'sales_channel',
      fields: ['domains'],
      associations: { domains: { entity: 'sales_channel_domain', fields: ['url', 'languageId'] } },
    },
  },
};

const partsOf = ({ associations = {} }: Wanted): Wanted[] =>
  Object.values(associations).flatMap((part) => [part, ...partsOf(part)]);

const entities = [wanted, ...partsOf(wanted)];

/** The entities that the app must be allowed to read. A search for one that it may not read fails as a whole. */
export const neededReads: readonly string[] = [...new Set(entities.map(({ entity }) => entity))];

const associationsOf = ({ associations }: Wanted): object =>
  associations
    ? {
        associations: Object.fromEntries(
          Object.entries(associations).map(([name, part]) => [name, associationsOf(part)]),
        ),
      }
    : {};

const criteria = {
  ...associationsOf(wanted),
  includes: Object.fromEntries(entities.flatMap(({ entity, fields }) => (fields ? [[entity, fields]] : []))),
};
