import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Trouble } from './fake-shop-system.ts';
import {
  type ShopwareHook,
  shopwareHook,
  shopwareJson,
  shopwareSignature,
  withoutDrafts,
} from './shopware-payloads.ts';

type Json = Record<string, unknown>;

/** What a fake shop knows of an app: the manifest, or the parts of it that somebody without one gives. */
interface FakeManifest {
  name: string;
  registrationUrl: string;
  secret: string;
  /** The entities that it may read. All, if absent. */
  reads?: readonly string[];
  webhooks?: readonly { name: string; url: string; event: string; onlyLiveVersion: boolean }[];
}

interface Installation {
  /** The app's answer to the registration, if it was one. */
  secret: string;
  confirmationUrl: string;
  clientId: string;
  clientSecret: string;
}

interface Asked {
  method: string;
  path: string;
  body: string;
  authorization: string | undefined;
}

/** A shop of shop_system_2 on this machine: its API, and its half of the handshake with an app. */
export interface FakeShopware extends AsyncDisposable {
  /** The shop's address, which it calls its `APP_URL`. */
  url: string;
  shopId: string;
  /** What its API has, by id. */
  orders: Map<string, Json>;
  put(...orders: Json[]): void;
  asked: Asked[];
  /** The credentials that its API takes, by their id. */
  clients: Map<string, string>;
  /** The next requests get these answers, one after the other, instead of those before. Null never answers. */
  meet(...troubles: Trouble[]): void;
  /** All tokens end before their time. */
  expireTokens(): void;
  /** For the tokens that it gives from now on. */
  tokenSeconds: number;
  /** The entities that may be read; undefined for all. */
  reads: readonly string[] | undefined;
  /** Registers at the app, checks its proof and confirms. Throws as the shop would refuse to install the app. */
  install(manifest: string | FakeManifest, options?: InstallOptions): Promise<Installation>;
  installed: (Installation & { manifest: FakeManifest }) | undefined;
  /** Signs the hook and sends it wherever the manifest says. One answer for each address. */
  send(hook: ShopwareHook): Promise<FakeAnswer[]>;
  /** The same to one address, and signed with another secret if one is given. */
  sendTo(url: string, hook: ShopwareHook | string, secret?: string): Promise<FakeAnswer>;
  /** Tells the app that it was removed, and forgets its credentials. */
  uninstall(): Promise<FakeAnswer[]>;
  stop(): Promise<void>;
}

interface InstallOptions {
  /** Newer shops write the address with escapes, others as it is. */
  isEscaped?: boolean;
  /** Newer shops also sign with the secret that the app had before, if they still know it. */
  signsWithPrevious?: boolean;
  /** To forge a request. */
  appSecret?: string;
  confirmationSecret?: string;
  shopUrl?: string;
  now?: Date;
}

interface FakeAnswer {
  status: number;
  text: string;
}

/** How the fake reaches the app. */
export type FakeSend = (
  url: string,
  request: { method: string; headers: Record<string, string>; body?: string },
) => Promise<FakeAnswer>;

const overHttp: FakeSend = async (url, request) => {
  const response = await fetch(url, { redirect: 'manual', ...request });
  return { status: response.status, text: await response.text() };
};

/** A fake has a port of its own, so that its connections end with it. */
export async function startFakeShopware(options: { send?: FakeSend } = {}): Promise<FakeShopware> {
  const { send = overHttp } = options;
  const troubles: Trouble[] = [];
  const tokens = new Map<string, number>();

  const server = createServer(async (request, response) => {
    response.setHeader('connection', 'close');
    const body = await bodyOf(request);
    const { method = '', url: path = '', headers } = request;
    shop.asked.push({ method, path, body, authorization: headers.authorization });
    if (troubles.length > 0) return respond(response, troubles.shift()!);
    const [status, value] = serve(request, parsed(body));
    respond(response, { status, body: JSON.stringify(value) });
  });

  const serve = (request: IncomingMessage, body: Json): Answer => {
    if (request.method !== 'POST') return fault(405, '0', 'Method Not Allowed');
    if (request.url === '/api/oauth/token') return token(body);
    const [scheme, given = ''] = (request.headers.authorization ?? '').split(' ');
    if (scheme !== 'Bearer' || (tokens.get(given) ?? 0) <= Date.now()) {
      return fault(401, '9', 'The resource owner or authorization server denied the request.');
    }
    if (request.url !== '/api/search/order') return fault(404, '0', 'Not Found');
    if (!/application\/json/.test(request.headers.accept ?? ''))
      return [200, { data: [{ type: 'order' }], included: [] }];
    return search(body);
  };

  const token = ({ grant_type, client_id, client_secret }: Json): Answer => {
    if (grant_type !== 'client_credentials') return fault(400, '2', 'The authorization grant type is not supported.');
    if (client_secret === undefined || shop.clients.get(String(client_id)) !== client_secret) {
      return fault(401, '4', 'Client authentication failed');
    }
    const access_token = randomBytes(24).toString('base64url');
    tokens.set(access_token, Date.now() + shop.tokenSeconds * 1000);
    return [200, { token_type: 'Bearer', expires_in: shop.tokenSeconds, access_token }];
  };

  const search = ({ ids, associations, includes, limit = 500 }: Json): Answer => {
    const missing = missingReads('order', associations as Associations, shop.reads);
    if (missing.length > 0) {
      const detail = JSON.stringify({ message: 'Missing privilege', missingPrivileges: missing });
      return fault(403, 'FRAMEWORK__MISSING_PRIVILEGE_ERROR', 'Forbidden', detail);
    }
    const found = (ids as string[]).flatMap((id) => shop.orders.get(id) ?? []).slice(0, Number(limit));
    const data = found.map((order) =>
      shown('order', order, associations as Associations, (includes ?? {}) as Includes),
    );
    return [200, { total: data.length, data, aggregations: [] }];
  };

  const signed = (text: string, secret: string, extra: Record<string, string> = {}) => ({
    'content-type': 'application/json',
    'sw-version': '6.6.8.2',
    'sw-context-language': '2fbb5fe2e29a4d70aa5854ce7ce3e20b',
    'sw-user-language': 'en-GB',
    'shopware-shop-signature': shopwareSignature(secret, text),
    ...extra,
  });

  const shop: FakeShopware = {
    url: '',
    shopId: randomBytes(12).toString('base64url').slice(0, 16),
    orders: new Map(),
    put: (...orders) => {
      for (const order of orders) shop.orders.set(String(order.id), order);
    },
    asked: [],
    clients: new Map(),
    meet: (...next) => void troubles.splice(0, troubles.length, ...next),
    expireTokens: () => tokens.clear(),
    tokenSeconds: 600,
    reads: undefined,
    installed: undefined,

    install: async (given, { isEscaped = true, signsWithPrevious = true, ...rest } = {}) => {
      const manifest = typeof given === 'string' ? manifestOf(given) : given;
      const { shopUrl = shop.url, now = new Date() } = rest;
      const timestamp = String(Math.floor(now.getTime() / 1000));
      const { secret: previous } = shop.installed ?? {};
      const named = { 'shop-id': shop.shopId, 'shop-url': shopUrl, timestamp };
      const added = isEscaped
        ? new URLSearchParams(named).toString()
        : Object.entries(named)
            .map((pair) => pair.join('='))
            .join('&');
      const address = manifest.registrationUrl;
      const query = address.includes('?') ? `${address.slice(address.indexOf('?') + 1)}&${added}` : added;
      const registration = await send(`${address.split('?')[0]}?${query}`, {
        method: 'GET',
        headers: {
          'shopware-app-signature': shopwareSignature(rest.appSecret ?? manifest.secret, query),
          'sw-version': '6.6.8.2',
          ...(previous && signsWithPrevious && { 'shopware-shop-signature': shopwareSignature(previous, query) }),
        },
      });
      const { proof, secret, confirmation_url: confirmationUrl, error } = parsed(registration.text);
      if (registration.status >= 400)
        throw new Error(`Registration: ${registration.status} ${error ?? registration.text}`);
      const expected = shopwareSignature(manifest.secret, shop.shopId + shopUrl + manifest.name);
      if (typeof proof !== 'string' || proof.trim() !== expected)
        throw new Error('The app gave no proof of its secret');
      if (typeof secret !== 'string' || typeof confirmationUrl !== 'string')
        throw new Error(`No secret: ${registration.text}`);
      if (secret.length < 64 || secret.length > 255) throw new Error('A secret has 64 to 255 characters');
      if (secret === previous) throw new Error('The app must give a new secret');

      const credentials = {
        clientId: `SWIA${randomBytes(12).toString('hex').toUpperCase()}`,
        clientSecret: randomBytes(30).toString('base64url'),
      };
      const { clientId: apiKey, clientSecret: secretKey } = credentials;
      shop.clients.set(apiKey, secretKey);
      const body = shopwareJson({ apiKey, secretKey, timestamp, shopUrl, shopId: shop.shopId });
      const beside: Record<string, string> =
        previous && signsWithPrevious ? { 'shopware-shop-signature-previous': shopwareSignature(previous, body) } : {};
      const headers = signed(body, rest.confirmationSecret ?? secret, beside);
      const confirmation = await send(confirmationUrl, { method: 'POST', headers, body });
      if (confirmation.status >= 400) throw new Error(`Confirmation: ${confirmation.status} ${confirmation.text}`);
      shop.reads = manifest.reads;
      shop.installed = { secret, confirmationUrl, ...credentials, manifest };
      return shop.installed;
    },

    send: async (hook) => {
      const { webhooks = [] } = shop.installed?.manifest ?? {};
      const answers: FakeAnswer[] = [];
      for (const { url, event, onlyLiveVersion } of webhooks) {
        const filtered = onlyLiveVersion ? liveOnly(hook) : hook;
        if (event === hook.data.event && filtered) answers.push(await shop.sendTo(url, filtered));
      }
      return answers;
    },

    sendTo: (url, hook, secret = shop.installed?.secret ?? '') => {
      const source = { url: shop.url, shopId: shop.shopId };
      const body = typeof hook === 'string' ? hook : shopwareJson({ ...hook, source: { ...hook.source, ...source } });
      return send(url, { method: 'POST', headers: signed(body, secret), body });
    },

    uninstall: async () => {
      const answers = await shop.send(shopwareHook('app.deleted', []));
      shop.clients.delete(shop.installed?.clientId ?? '');
      tokens.clear();
      shop.installed = undefined;
      return answers;
    },

    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
    [Symbol.asyncDispose]: () => shop.stop(),
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  shop.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return shop;
}

type Answer = [status: number, body: object];
type Associations = { [name: string]: { associations?: Associations } } | undefined;
type Includes = Record<string, readonly string[]>;

const fault = (status: number, code: string, title: string, detail = ''): Answer => [
  status,
  { errors: [{ code, status: String(status), title, detail }] },
];

/** What an entity leads to, and of which entity that is: whoever asks for it needs the right to read it. */
const leadsTo: Record<string, Record<string, string>> = {
  order: {
    lineItems: 'order_line_item',
    deliveries: 'order_delivery',
    addresses: 'order_address',
    billingAddress: 'order_address',
    orderCustomer: 'order_customer',
    currency: 'currency',
    language: 'language',
    transactions: 'order_transaction',
    stateMachineState: 'state_machine_state',
    tags: 'tag',
    salesChannel: 'sales_channel',
    documents: 'document',
  },
  order_line_item: { cover: 'media', product: 'product', promotion: 'promotion', children: 'order_line_item' },
  order_delivery: {
    shippingMethod: 'shipping_method',
    stateMachineState: 'state_machine_state',
    shippingOrderAddress: 'order_address',
    positions: 'order_delivery_position',
  },
  order_address: { country: 'country', countryState: 'country_state' },
  order_customer: { salutation: 'salutation', customer: 'customer' },
  order_transaction: { stateMachineState: 'state_machine_state', paymentMethod: 'payment_method' },
  language: { locale: 'locale' },
  sales_channel: { domains: 'sales_channel_domain' },
};

function missingReads(entity: string, asked: Associations, reads: readonly string[] | undefined): string[] {
  if (reads === undefined) return [];
  const own = reads.includes(entity) ? [] : [`${entity}:read`];
  const further = Object.entries(asked ?? {}).flatMap(([name, { associations }]) =>
    missingReads(leadsTo[entity]?.[name] ?? name, associations, reads),
  );
  return [...new Set([...own, ...further])];
}

/** What was not asked for is null, and of a named entity only the included fields are there. */
function shown(entity: string, value: unknown, asked: Associations, includes: Includes): unknown {
  if (Array.isArray(value)) return value.map((one) => shown(entity, one, asked, includes));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
    if (name !== 'apiAlias' && includes[entity] && !includes[entity].includes(name)) return [];
    const further = leadsTo[entity]?.[name];
    if (further === undefined) return [[name, field]];
    return [[name, asked?.[name] ? shown(further, field, asked[name].associations, includes) : null]];
  });
  return Object.fromEntries(entries);
}

/** The hook without what happened to drafts; undefined if nothing is left. Hooks with an order are sent as they are. */
function liveOnly(hook: ShopwareHook): ShopwareHook | undefined {
  const { payload, event } = hook.data;
  if (!Array.isArray(payload) || payload.length === 0) return hook;
  const left = withoutDrafts(payload);
  return Object.keys(left as object).length > 0 ? { ...hook, data: { payload: left, event } } : undefined;
}

/** Reads a manifest as the shop does, as far as it matters here. */
function manifestOf(xml: string): FakeManifest {
  const one = (tag: string) => unescaped(new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? '').trim();
  const all = (pattern: RegExp) => [...xml.matchAll(pattern)].map(([, text = '']) => text);
  return {
    name: one('name'),
    registrationUrl: one('registrationUrl'),
    secret: one('secret'),
    reads: all(/<read>([^<]*)<\/read>/g).map((entity) => entity.trim()),
    webhooks: all(/<webhook\s([^>]*?)\/?>/g).map((attributes) => {
      const attribute = (name: string) => unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
      return {
        name: attribute('name'),
        url: attribute('url'),
        event: attribute('event'),
        onlyLiveVersion: attribute('onlyLiveVersion') === 'true',
      };
    }),
  };
}

const characters: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const unescaped = (text: string) =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return characters[name] ?? all;
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });

function parsed(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function respond(response: ServerResponse, trouble: Trouble): void {
  if (trouble === null) return;
  response.writeHead(trouble.status, { 'content-type': 'application/json', ...trouble.headers }).end(trouble.body);
}
