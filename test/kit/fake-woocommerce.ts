import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Trouble } from './fake-shop-system.ts';

/** A hook as WooCommerce stores it. */
interface WooHook {
  id: number;
  name: string;
  status: 'active' | 'paused' | 'disabled';
  topic: string;
  delivery_url: string;
  secret: string;
}

/** A shop with the webhooks of WooCommerce's REST API, which can fail like a real one. */
export interface FakeWooCommerce extends AsyncDisposable {
  /** The `shop_admin_url`. */
  shopUrl: string;
  hooks: WooHook[];
  asked: { method: string; path: string; authorization: string | undefined }[];
  /** The next requests get these answers, one after the other. */
  meet(...troubles: Trouble[]): void;
  /** Does what the next request asks and answers with this instead. */
  loseAnswer(trouble: Trouble): void;
  stop(): Promise<void>;
}

export const consumerKey = { client_id: 'ck_of_the_fake_shop', client_secret: 'cs_of_the_fake_shop' };

/**
 * After https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks and the controllers of the plugin.
 * @param options.folder the path of a shop that is not at the root of its server
 */
export async function startFakeWooCommerce({ folder = '', isReadOnly = false } = {}): Promise<FakeWooCommerce> {
  const hooks: WooHook[] = [];
  const asked: FakeWooCommerce['asked'] = [];
  const troubles: Trouble[] = [];
  const lost: Trouble[] = [];
  let nextId = 142;

  const create = ({ name = 'Webhook created on …', topic = '', delivery_url = '', secret = '' }: Partial<WooHook>) => {
    if (!/^(?:coupon|customer|order|product)\.(?:created|updated|deleted|restored)$/.test(topic)) {
      return failed(400, 'woocommerce_rest_shop_webhook_invalid_topic', 'Webhook topic must be valid.');
    }
    if (!/^https?:\/\//.test(delivery_url)) {
      return failed(
        400,
        'woocommerce_rest_shop_webhook_invalid_delivery_url',
        'Webhook delivery URL must be a valid URL.',
      );
    }
    const hook: WooHook = { id: nextId++, name, status: 'active', topic, delivery_url, secret };
    hooks.push(hook);
    return [201, shown(hook)] satisfies Answer;
  };

  const change = (id: number, { secret, status }: Partial<WooHook>): Answer => {
    const hook = hooks.find((one) => one.id === id);
    if (!hook) return failed(400, 'woocommerce_rest_shop_webhook_invalid_id', 'Invalid ID.');
    Object.assign(hook, secret && { secret }, status && { status });
    return [200, shown(hook)];
  };

  /** Newest first, and `search` finds names only. */
  const list = (query: URLSearchParams): Answer => {
    const size = Number(query.get('per_page') ?? 10);
    const first = size * (Number(query.get('page') ?? 1) - 1);
    const found = hooks.filter(({ name }) => name.toLowerCase().includes((query.get('search') ?? '').toLowerCase()));
    return [
      200,
      found
        .toReversed()
        .slice(first, first + size)
        .map(shown),
    ];
  };

  const remove = (id: number, query: URLSearchParams): Answer => {
    if (query.get('force') !== 'true') {
      return failed(501, 'woocommerce_rest_trash_not_supported', 'Webhooks do not support trashing.');
    }
    const place = hooks.findIndex((hook) => hook.id === id);
    if (place < 0) return failed(404, 'woocommerce_rest_shop_webhook_invalid_id', 'Invalid ID.');
    return [200, shown(hooks.splice(place, 1)[0]!)];
  };

  const serve = ({ method, url, headers }: IncomingMessage, body: string): Answer => {
    const { pathname, searchParams } = new URL(url!, 'http://shop');
    const route = pathname.startsWith(`${folder}/wp-json/`) ? pathname.slice(`${folder}/wp-json`.length) : '';
    const [path, id] = /^\/wc\/v3\/webhooks(?:\/(\d+))?$/.exec(route) ?? [];
    if (path === undefined)
      return failed(404, 'rest_no_route', 'No route was found matching the URL and request method.');
    const fault = accessFault(headers.authorization, method !== 'GET' && isReadOnly);
    if (fault) return fault;
    if (method === 'POST') return id ? change(Number(id), JSON.parse(body)) : create(JSON.parse(body));
    return method === 'DELETE' ? remove(Number(id), searchParams) : list(searchParams);
  };

  const server = createServer(async (request, response) => {
    // The next fake has another address under the same name, and must not be asked through a connection to this one.
    response.setHeader('connection', 'close');
    const body = await textOf(request);
    const { method = '', url: path = '', headers } = request;
    asked.push({ method, path, authorization: headers.authorization });
    if (troubles.length > 0) return respond(response, troubles.shift()!);
    const [status, value] = serve(request, body);
    respond(response, lost.length > 0 ? lost.shift()! : { status, body: JSON.stringify(value) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return {
    shopUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${folder}/`,
    hooks,
    asked,
    meet: (...next) => void troubles.push(...next),
    loseAnswer: (trouble) => void lost.push(trouble),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

type Answer = [status: number, body: object];

const failed = (status: number, code: string, message: string): Answer => [status, { code, message, data: { status } }];

/** An unknown key counts as nobody, and only a wrong secret is named. */
function accessFault(authorization = '', isWithoutRight: boolean): Answer | undefined {
  const [client_id, client_secret] = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString().split(':');
  if (client_id !== consumerKey.client_id) {
    return failed(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.');
  }
  if (client_secret !== consumerKey.client_secret) {
    return failed(401, 'woocommerce_rest_authentication_error', 'Consumer secret is invalid.');
  }
  return isWithoutRight
    ? failed(401, 'woocommerce_rest_authentication_error', 'The API key provided does not have write permissions.')
    : undefined;
}

/** The secret is never shown. */
const shown = ({ secret: _, ...hook }: WooHook) => ({
  ...hook,
  resource: hook.topic.split('.')[0],
  event: hook.topic.split('.')[1],
  hooks: ['woocommerce_update_order', 'woocommerce_order_refunded'],
  date_created: '2026-11-10T17:15:47',
  date_created_gmt: '2026-11-10T16:15:47',
  date_modified: '2026-11-10T17:15:47',
  date_modified_gmt: '2026-11-10T16:15:47',
});

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function respond(response: ServerResponse, trouble: Trouble): void {
  if (trouble === null) return;
  response.writeHead(trouble.status, { 'content-type': 'application/json', ...trouble.headers }).end(trouble.body);
}
