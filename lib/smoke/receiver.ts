import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SmokeFault } from './client.ts';

/** Where the walk of webhooks has its events sent. */
export interface Receiver extends AsyncDisposable {
  url: string;
  /** The endpoint's first event, with the signature checked. It waits from the call on. Absent where only the deployment sees what arrives. */
  signedEvent?: (secret: string) => Promise<unknown>;
}

/** An event is delivered within seconds, and after a cold start of three functions. */
export const deliveryMs = 30_000;

/** A server on this machine, for a deployment that runs here too. */
export async function localReceiver(): Promise<Receiver> {
  const requests = new EventEmitter();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    response.writeHead(200).end();
    requests.emit('event', { signature: String(request.headers['service-signature']), body });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const first = once(requests, 'event');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/smoke`,
    signedEvent: async (secret) => {
      const late = once(AbortSignal.timeout(deliveryMs), 'abort').then(() => {
        throw new SmokeFault(`No event reached the webhook in ${deliveryMs / 1000} s.`);
      });
      const [{ signature, body }] = await Promise.race([first, late]);
      if (!isSigned(signature, body, secret)) throw new SmokeFault('The event at the webhook has a wrong signature.');
      return JSON.parse(body);
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export const remoteReceiver = (url: string): Receiver => ({ url, [Symbol.asyncDispose]: async () => {} });

function isSigned(header: string, body: string, secret: string): boolean {
  const time = header.match(/^t=(\d+),/)?.[1];
  return header.includes(`v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`);
}
