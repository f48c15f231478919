import { type Fields, fieldsOf, listOf, parsed, textOf } from '#platform/foreign-json.ts';
import { logger } from '#platform/logging.ts';
import { type Call, type CallResult, createCall } from '#platform/outgoing/call.ts';
import { remember } from '#platform/recently-used.ts';

/** Reads orders from the API of a shop of shop_system_2, with the credentials of its app. */

export interface ShopCredentials {
  client_id: string;
  client_secret: string;
}

export interface ShopPorts {
  call: Call;
  now(): number;
  /** When the answer must be there, in milliseconds. Default: 4 s from now. */
  endsAt: number;
}

type ShopFailure = 'credentials_refused' | 'answer_invalid' | 'too_large' | 'shop_unreachable';

/** A shop waits 5 s for our answer to its webhook. The rest of that time is for the table. */
const totalTimeMs = 4_000;

/** An order with hundreds of products and their custom fields. */
const maxAnswerBytes = 2 * 1024 * 1024;

/** So many orders of a usual size are a quarter of that. */
export const maxOrdersOfSearch = 50;

const usualCall = createCall({ maxBytesRead: maxAnswerBytes });

/**
 * Reads orders in one search. The answer lacks those that the shop does not have.
 * @param base the address with which the app was installed: the credentials go nowhere else
 * @param ids at most `maxOrdersOfSearch`
 */
export async function readOrders(
  base: string,
  credentials: ShopCredentials,
  ids: readonly string[],
  { call = usualCall, now = Date.now, endsAt = now() + totalTimeMs }: Partial<ShopPorts> = {},
): Promise<{ orders: Map<string, Fields> } | { failure: ShopFailure }> {
  const key = JSON.stringify([base, credentials.client_id, credentials.client_secret]);
  const send = async (path: string, body: object, token?: string): Promise<CallResult> => {
    const deadlineMs = endsAt - now();
    if (deadlineMs <= 0) return { failure: 'timeout' };
    return call({ method: 'POST', url: base.replace(/\/+$/, '') + path, ...requestOf(body, token), deadlineMs });
  };

  const ask = async (): Promise<TokenAnswer> => {
    const result = await send('/api/oauth/token', { grant_type: 'client_credentials', ...credentials });
    const { access_token, expires_in } = jsonOf(result);
    const token = textOf(access_token, maxTokenCharacters);
    if (result.status !== 200 || token === undefined) return { failure: failureOf('token', result) };
    const until = now() + Number(expires_in) * 1000;
    if (Number.isFinite(until)) remember(knownTokens, key, { token, until }, maxTokens);
    return { token };
  };

  const known = knownTokens.get(key);
  const isGood = known !== undefined && known.until - spareMs > now();
  const given = isGood ? known : await askedOnce(key, ask);
  if ('failure' in given) return given;

  const search = { ids, limit: ids.length, ...criteria };
  const result = await send('/api/search/order', search, given.token);
  if (result.status === 401 && isGood) {
    // The shop ends tokens before their time when the app is installed anew.
    if (knownTokens.get(key) === known) knownTokens.delete(key);
    return readOrders(base, credentials, ids, { call, now, endsAt });
  }
  if (isCut(result) && ids.length > 1)
    return inHalves(ids, (half) => readOrders(base, credentials, half, { call, now, endsAt }));
  const { data } = jsonOf(result);
  if (result.status !== 200 || !Array.isArray(data)) return { failure: failureOf('search', result) };
  return { orders: new Map(listOf(data).map((order) => [String(order.id), order])) };
}

const isCut = ({ body }: CallResult): boolean => body !== undefined && body.length >= maxAnswerBytes;

type OrdersAnswer = Awaited<ReturnType<typeof readOrders>>;

/** Orders that are together longer than an answer may be. */
async function inHalves(
  ids: readonly string[],
  read: (half: readonly string[]) => Promise<OrdersAnswer>,
): Promise<OrdersAnswer> {
  const middle = Math.ceil(ids.length / 2);
  const first = await read(ids.slice(0, middle));
  const second = 'failure' in first ? first : await read(ids.slice(middle));
  if ('failure' in first || 'failure' in second) return second;
  return { orders: new Map([...first.orders, ...second.orders]) };
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

/** The app may read nothing any more, or less than its manifest asked for. */
const refusals: Record<'token' | 'search', readonly number[]> = { token: [400, 401, 403], search: [401, 403] };

/** Why there is no complete answer, where asking again does not help. The other reasons are those of the network. */
const lasting: Record<string, ShopFailure> = {
  answer_too_large: 'too_large',
  address_not_allowed: 'answer_invalid',
  private_address: 'answer_invalid',
  malformed_answer: 'answer_invalid',
  headers_too_large: 'answer_invalid',
};

/** Only what may pass by itself is called unreachable: the shop sends its webhook again then, and drops it in the end. */
function failureOf(step: 'token' | 'search', result: CallResult): ShopFailure {
  const { status = 0, failure } = result;
  logger.warn('shop system', { step, status, failure });
  if (failure !== undefined) return lasting[failure] ?? 'shop_unreachable';
  if (status >= 500 || status === 429) return 'shop_unreachable';
  if (refusals[step].includes(status)) return 'credentials_refused';
  return isCut(result) ? 'too_large' : 'answer_invalid';
}

/** The JSON object of a response; empty if it has none. */
const jsonOf = ({ body }: CallResult) => fieldsOf(parsed(body?.toString('utf8') ?? ''));

interface KnownToken {
  token: string;
  until: number;
}

type TokenAnswer = { token: string } | { failure: ShopFailure };

/** Of one execution environment, by shop and credentials. */
export const knownTokens = new Map<string, KnownToken>();
const maxTokens = 100;
const maxTokenCharacters = 8_000;
/** A token that ends while it is on its way would cost one more round. */
const spareMs = 60_000;

const asking = new Map<string, Promise<TokenAnswer>>();

/** Several orders are read at once, and a shop gives only so many tokens in a minute. */
function askedOnce(key: string, ask: () => Promise<TokenAnswer>): Promise<TokenAnswer> {
  const answer = asking.get(key) ?? ask().finally(() => asking.delete(key));
  asking.set(key, answer);
  return answer;
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
