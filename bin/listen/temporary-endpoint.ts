import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApiError, type Client } from '#schemas/client/index.ts';
import { type Forward, forwarding, sentAgainAtOf } from './forwarding.ts';
import type { Post } from './post.ts';
import type { Report } from './report.ts';

/** By it a later run finds what a killed one has left behind. */
const description = 'Temporary, made by npm run listen';

const probeMs = 2000;

export interface TemporaryEndpoint extends AsyncDisposable {
  uuid: string;
  secret: string;
}

/** An endpoint on this machine, whose requests are passed on. It is deleted at the end. */
export async function makeEndpoint(client: Client<'slug'>, post: Post, report: Report): Promise<TemporaryEndpoint> {
  await removeLeftOvers(client, report);
  const path = `/${randomUUID()}`;
  let forward: Forward | undefined;
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || request.url !== path || !forward) {
      request.resume();
      return response.writeHead(request.url === path ? 204 : 404).end();
    }
    return passOn(request, response, forward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const { uuid, secret } = await client.createWebhook({ body: { url, description } }).catch((error) => {
    close();
    throw error;
  });
  forward = forwarding({ post, report, sentAgainAt: sentAgainAtOf(client, uuid) });
  return {
    uuid,
    secret,
    [Symbol.asyncDispose]: async () => {
      const isGone = await client.deleteWebhook({ params: { uuid } }).then(
        () => true,
        (error) => error instanceof ApiError && error.status === 404,
      );
      if (!isGone) report.say('The endpoint could not be deleted. The next run does that.');
      close();
    },
  };
}

async function passOn(request: IncomingMessage, response: ServerResponse, forward: Forward): Promise<void> {
  try {
    const body = Buffer.concat(await request.toArray());
    const outcome = await forward({ headers: request.headers as Record<string, string>, body });
    if (!('status' in outcome)) response.writeHead(502).end(`The receiver: ${outcome.failure}`);
    else {
      const { status, text, retryAfter } = outcome;
      response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end(text);
    }
  } catch {
    // The service went away, or does not say whether it repeats the delivery. It comes again.
    if (!response.headersSent) response.writeHead(503).end();
  }
}

/** Another run that is still there answers at its address. */
async function removeLeftOvers(client: Client<'slug'>, report: Report): Promise<void> {
  for await (const endpoint of client.paged('searchWebhooks')) {
    if (endpoint.description !== description || (await answers(endpoint.url))) continue;
    await client.deleteWebhook({ params: { uuid: endpoint.uuid } });
    report.say('Deleted the endpoint of a run that was killed.');
  }
}

const answers = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(probeMs) }).then(
    ({ status }) => status === 204,
    () => false,
  );
