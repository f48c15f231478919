import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '#schemas/client/index.ts';
import { serveOnLoopback } from '#test/kit/loopback-server.ts';
import { newWebhookShop } from '#test/kit/webhook-shop.ts';
import { type Api, clientOf } from '../kit/client.ts';
import { Stacks, superAdmin } from '../kit/local-stack.ts';
import { run } from '../kit/processes.ts';
import { startReceiver } from '../kit/receiver.ts';
import { assembly } from '../kit/shared-stack.ts';

const disconnections = 50;
const timeout = 300_000;

/** Server and number of connections that were cut on purpose. */
interface Cutting extends AsyncDisposable {
  url: string;
  cuts(): number;
}

/**
 * Stands between `listen` and the service. It cuts three of four questions for events, until it has cut enough: before the service gets
 * them, while the service is at work, or in the middle of the answer.
 */
async function startFront(serviceUrl: () => string): Promise<Cutting> {
  let requests = 0;
  let cuts = 0;
  const server = await serveOnLoopback((request, response) => {
    const isOfFeed = /\/events\?/.test(request.url!);
    const isCut = isOfFeed && ++requests % 4 !== 0 && cuts < disconnections;
    const kind = isCut ? cuts++ % 3 : undefined;
    const hangUp = () => void request.socket.destroy();
    if (kind === 0) return hangUp();
    const { host: _host, ...headers } = request.headers;
    const passedOn = httpRequest(serviceUrl() + request.url, { method: request.method!, headers }, async (answer) => {
      const body = Buffer.concat(await answer.toArray().catch(() => [])) as Buffer;
      if (!answer.complete) return hangUp();
      response.writeHead(answer.statusCode!, answer.headers);
      if (kind === undefined) response.end(body);
      else response.write(body.subarray(0, body.length / 2), hangUp);
    });
    passedOn.on('error', hangUp).end();
    if (kind === 1) passedOn.once('finish', hangUp);
  });
  return { ...server, cuts: () => cuts };
}

/** The developer's server. It drops two of three requests without an answer, until it has dropped enough. */
async function startDeveloper(): Promise<Cutting & { ids: string[]; hasTaken: (count: number) => Promise<void> }> {
  const ids: string[] = [];
  let requests = 0;
  let cuts = 0;
  const waiting = new Set<() => void>();
  const server = await serveOnLoopback(async (request, response) => {
    if (++requests % 3 !== 0 && cuts < disconnections) {
      cuts++;
      return void request.socket.destroy();
    }
    await request.resume().toArray();
    ids.push(String(request.headers['webhook-id']));
    response.writeHead(200).end();
    for (const look of waiting) look();
  });
  const hasTaken = (count: number) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (ids.length < count) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { ...server, ids, hasTaken, cuts: () => cuts };
}

test(
  'through 50 disconnections on each side and restarts of everything, listen posts every event once and in order',
  async () => {
    await using stacks = new Stacks();
    const settings = { DATA_DIR: stacks.folder(), ASSEMBLY: assembly };
    let stack = await stacks.start(settings);
    const restart = async () => {
      stack = await stacks.start(settings);
    };
    const api: Api = (...call) => clientOf(stack.url)(...call);
    await using merchant = await startReceiver();
    await using front = await startFront(() => stack.url);
    await using developer = await startDeveloper();
    const shop = await newWebhookShop(api, superAdmin);
    await shop.call('PATCH', '/settings/events', { body: { feed_enabled: true } });
    const { uuid } = await shop.addEndpoint(merchant.url);
    let made = 0;
    const happen = async (count: number) => {
      await shop.fulfil(count);
      made += count;
    };
    const state = join(stacks.folder(), 'cursor.json');
    const listen = () =>
      run('listen.ts', [
        ...['--api', front.url, '--key', superAdmin, '--shop', shop.slug, '--endpoint', uuid],
        ...['--url', developer.url, '--state', state, ...(made === 0 ? ['--from', 'start'] : [])],
      ]);
    /** Events come one after the other until so many connections were cut on both sides. */
    const until = async (cuts: number) => {
      while (Math.min(front.cuts(), developer.cuts()) < cuts) {
        await happen(2);
        await developer.hasTaken(made);
      }
    };

    let listener = listen();
    await until(15);
    // listen ends while events are on their way, and others come before it runs again.
    await happen(3);
    listener.child.kill('SIGTERM');
    expect(await listener.ended, listener.stderr()).toBe(0);
    await happen(3);
    listener = listen();
    await until(30);
    // The service is killed under listen.
    await stack.kill();
    await restart();
    await until(40);
    // Both at once.
    await happen(3);
    listener.child.kill('SIGTERM');
    await Promise.all([listener.ended, stack.stop()]);
    await restart();
    await happen(3);
    listener = listen();
    await until(disconnections);
    await happen(3);
    await developer.hasTaken(made);
    listener.child.kill('SIGTERM');
    expect(await listener.ended, listener.stderr()).toBe(0);

    const client = createClient({ baseUrl: stack.url, key: superAdmin, shop: shop.slug });
    const truth: string[] = [];
    for await (const { id } of client.events({ endpoint: uuid, until: 'end' })) truth.push(id);
    expect(truth).toHaveLength(made);
    expect(developer.ids).toEqual(truth);
    expect([front.cuts(), developer.cuts()]).toEqual([disconnections, disconnections]);
  },
  timeout,
);
