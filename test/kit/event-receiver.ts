import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

/** How a merchant's system answers a request. */
export type Behaviour = (response: ServerResponse) => void;

export const accept: Behaviour = (response) => response.writeHead(200).end('ok');
export const refuse: Behaviour = (response) => response.writeHead(500).end('no');
/** Never answers. */
export const hang: Behaviour = () => {};

/** Merchants' systems on a loopback address, one for each path. Each accepts requests unless a test sets another behaviour. */
export interface EventReceiver extends AsyncDisposable {
  urlOf(path: string): string;
  received(path: string): Received[];
  behave(path: string, behaviour: Behaviour): void;
  stop(): Promise<void>;
}

export async function startEventReceiver(): Promise<EventReceiver> {
  const all: Received[] = [];
  const behaviours = new Map<string, Behaviour>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const path = request.url ?? '';
      all.push({ path, headers: request.headers, body: Buffer.concat(parts).toString('utf8'), at: Date.now() });
      (behaviours.get(path) ?? accept)(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return {
    urlOf: (path) => `http://127.0.0.1:${port}${path}`,
    received: (path) => all.filter((request) => request.path === path),
    behave: (path, behaviour) => void behaviours.set(path, behaviour),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
