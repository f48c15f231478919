import { shopSlug } from '#lib/smoke/walks.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/kit/loopback-server.ts';
import { api, superAdmin, url } from './shared-stack.ts';

/** What the proxy does with a request. The connection breaks before the service gets it, or before its answer is sent. */
export type Fate = 'passes' | 'fails' | 'breaks' | 'loses the answer';

export interface ProxiedRequest {
  method: string;
  path: string;
}

/** The local stack behind a proxy at which some requests fail. */
export function stackBehindProxy(fateOf: (request: ProxiedRequest) => Fate): Promise<LoopbackServer> {
  return serveOnLoopback(async (request, response) => {
    const fate = fateOf({ method: request.method!, path: request.url! });
    if (fate === 'breaks') return request.socket.destroy();
    if (fate === 'fails') {
      const body = { key: 'unexpected', message: 'The service failed.' };
      return response.writeHead(500, { 'x-correlation-id': 'broken-1' }).end(JSON.stringify(body));
    }
    const { host: _host, connection: _connection, 'transfer-encoding': _encoding, ...headers } = request.headers;
    const body = Buffer.concat(await request.toArray());
    const answer = await fetch(url + request.url, {
      method: request.method!,
      headers: headers as Record<string, string>,
      body: body.length > 0 ? body : null,
    });
    const text = await answer.text();
    if (fate === 'loses the answer') return request.socket.destroy();
    const passed = ['x-correlation-id', 'set-cookie'].map((name) => [name, answer.headers.get(name) ?? '']);
    return response.writeHead(answer.status, Object.fromEntries(passed)).end(text);
  });
}

const lists = [
  '/webhooks',
  '/simulations',
  '/claims',
  '/discounts',
  '/deals',
  '/announcements',
  '/campaigns',
  '/automations',
  '/api-keys',
];

/** How much of what can be deleted the acceptance test left in its shop. */
export async function left(): Promise<Record<string, number>> {
  const counts = lists.map(async (path) => {
    const { body } = await api('GET', `/v1/shops/${shopSlug}${path}`, { key: superAdmin });
    return [path, (body.claims ?? body.tokens ?? body).length] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

export const nothing = Object.fromEntries(lists.map((path) => [path, 0]));
