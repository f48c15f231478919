import { createHmac } from 'node:crypto';
import { EventEmitter, on, once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver extends AsyncDisposable {
  url: string;
  /** What it answers from now on. */
  answer: (status: number) => void;
  /** The next request that was not taken yet. */
  next: () => Promise<Received>;
}

const patience = 30_000;

/** A merchant's server on this machine. */
export async function startReceiver(): Promise<Receiver> {
  let status = 200;
  const requests = new EventEmitter();
  const received = on(requests, 'request');
  const server = createServer(async (request, response) => {
    const body = await text(request);
    response.writeHead(status).end('noted');
    requests.emit('request', { headers: request.headers, body });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    answer: (given) => {
      status = given;
    },
    next: async () => {
      const late = once(AbortSignal.timeout(patience), 'abort').then(() => undefined);
      const request = await Promise.race([received.next(), late]);
      if (!request?.value) throw new Error('The receiver got no request.');
      return request.value[0];
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** The positions of the secrets that signed a request. */
export function signedWith({ headers, body }: Received, secrets: string[]): boolean[] {
  const header = String(headers['service-signature']);
  const [, time] = header.match(/^t=(\d+)(?:,v1=[0-9a-f]{64})+$/) ?? [];
  const given = [...header.matchAll(/v1=([0-9a-f]{64})/g)].map(([, signature]) => signature);
  return secrets.map((secret) => given.includes(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')));
}
