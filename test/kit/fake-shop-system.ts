import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A hook as the shop system stores it. */
interface FakeHook {
  id: number;
  topic: string;
  address: string;
  format: string;
  fields: string[];
}

interface Asked {
  method: string;
  path: string;
  token: string | undefined;
}

/** The answer to a request instead of the real one; null never answers. */
export type Trouble = { status: number; headers?: Record<string, string>; body?: string } | null;

export const unwell: Trouble = { status: 500, body: '<html>oops</html>' };
export const busy = (retryAfter = '0.01'): Trouble => ({ status: 429, headers: { 'retry-after': retryAfter } });
export const hangs: Trouble = null;

/** A shop system with the webhooks of its admin API, which can fail like a real one. */
export interface FakeShopSystem extends AsyncDisposable {
  /** The `shop_admin_url`. */
  adminUrl: string;
  hooks: FakeHook[];
  asked: Asked[];
  /** The next requests get these answers, one after the other. */
  meet(...troubles: Trouble[]): void;
  /** Does what the next request asks and answers with this instead. */
  loseAnswer(trouble: Trouble): void;
  stop(): Promise<void>;
}

export interface FakeShopOptions {
  token?: string;
  /** Topics that the token has no scope for. */
  outOfScope?: readonly string[];
}

export const fakeToken = 'token-of-the-fake-shop';

export async function startFakeShopSystem(options: FakeShopOptions = {}): Promise<FakeShopSystem> {
  const { token = fakeToken, outOfScope = [] } = options;
  const hooks: FakeHook[] = [];
  const asked: Asked[] = [];
  const troubles: Trouble[] = [];
  const lost: Trouble[] = [];
  let nextId = 4_759_306_000_001;

  const register = ({ topic = '', address = '', format = 'json', fields = [] }: Partial<FakeHook>): Answer => {
    if (outOfScope.includes(topic)) return [422, { errors: { topic: [`Invalid topic specified: ${topic}`] } }];
    if (hooks.some((hook) => hook.topic === topic && hook.address === address)) {
      return [422, { errors: { address: ['for this topic has already been taken'] } }];
    }
    const hook = { id: nextId++, topic, address, format, fields };
    hooks.push(hook);
    return [201, { webhook: hook }];
  };

  const list = (query: URLSearchParams): Answer => {
    const matches = (hook: FakeHook) =>
      (['topic', 'address'] as const).every((name) => !query.has(name) || query.get(name) === hook[name]);
    return [200, { webhooks: hooks.filter(matches) }];
  };

  const remove = (id: number): Answer => {
    const place = hooks.findIndex((hook) => hook.id === id);
    if (place < 0) return [404, { errors: 'Not Found' }];
    hooks.splice(place, 1);
    return [200, {}];
  };

  const serve = (request: IncomingMessage, body: string): Answer => {
    if (request.headers['x-shopify-access-token'] !== token) return [401, { errors: '[API] Invalid API key' }];
    const { pathname, searchParams } = new URL(request.url!, 'http://shop');
    const [, id] = /^\/admin\/webhooks(?:\/(\d+))?\.json$/.exec(pathname) ?? [];
    if (request.method === 'POST' && id === undefined) return register(JSON.parse(body).webhook);
    if (request.method === 'GET') return list(searchParams);
    if (request.method === 'DELETE') return remove(Number(id));
    return [404, { errors: 'Not Found' }];
  };

  const server = createServer(async (request, response) => {
    // The next fake has another address under the same name, and must not be asked through a connection to this one.
    response.setHeader('connection', 'close');
    const body = await textOf(request);
    const { method = '', url: path = '', headers } = request;
    asked.push({ method, path, token: headers['x-shopify-access-token'] as string | undefined });
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
    adminUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/admin/`,
    hooks,
    asked,
    meet: (...next) => void troubles.push(...next),
    loseAnswer: (trouble) => void lost.push(trouble),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

type Answer = [status: number, body: object];

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function respond(response: ServerResponse, trouble: Trouble): void {
  if (trouble === null) return;
  response.writeHead(trouble.status, { 'content-type': 'application/json', ...trouble.headers }).end(trouble.body);
}
