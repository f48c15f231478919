import { once } from 'node:events';
import { Agent, type ClientRequest, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import pMap from 'p-map';
import { expect, test } from 'vitest';
import { createClient, verifySignature } from '#schemas/client/index.ts';
import { type FakeLog, newDelivery, secret, startFakeLog, uuid } from '#test/kit/fake-delivery-log.ts';
import { newEvent, startFakeFeed } from '#test/kit/fake-feed.ts';
import { FeedReader } from '../../../../bin/listen/feed-reader.ts';
import { forwarding } from '../../../../bin/listen/forwarding.ts';
import { type Post, postTo } from '../../../../bin/listen/post.ts';
import { DeliveryReader } from '../../../../bin/listen/reading.ts';
import { Report } from '../../../../bin/listen/report.ts';

const total = 2000;
const disconnections = 50;
const timeout = 120_000;

/** A developer's server: counts how often each delivery arrives, and ends when all have. */
async function startReceiver(expected: number, onArrival = (_id: string) => {}) {
  const counts = new Map<string, number>();
  const all = Promise.withResolvers<void>();
  let unsigned = 0;
  let requests = 0;
  const server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray());
    const headers = incoming.headers as Record<string, string>;
    if (requests++ % 100 === 0 && !(await verifySignature(body, headers, secret))) unsigned++;
    const id = headers['webhook-id']!;
    counts.set(id, (counts.get(id) ?? 0) + 1);
    onArrival(id);
    response.writeHead(200).end();
    if (counts.size === expected) all.resolve();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    counts,
    unsigned: () => unsigned,
    all: all.promise,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const quiet = () => new Report(() => {});

test(
  'of 2,000 deliveries that are read over 50 lost connections none is lost and none is doubled',
  async () => {
    await using receiver = await startReceiver(total);
    let made = 0;
    let cut = 0;
    const held: ReturnType<typeof newDelivery>[] = [];
    // Each look at the list finds 20 more. One of them appears 40 looks, eight pages, later than its time says.
    const grow = (log: FakeLog) => {
      const some = Array.from({ length: Math.min(20, total - made) }, () => newDelivery(new Date()));
      made += some.length;
      held.push(...some.splice(0, 1));
      log.add(...some, ...(made === total ? held.splice(0) : held.splice(0, Math.max(0, held.length - 40))));
    };
    await using log = await startFakeLog({
      onList: (own) => made > 0 && grow(own),
      disconnects: (number) => {
        if (number % 40 !== 17 || cut === disconnections) return undefined;
        return ++cut % 2 === 0 ? 'before' : 'within';
      },
    });
    const ending = new AbortController();
    await using post = postTo(receiver.url);
    const client = createClient({ baseUrl: log.url, shop: 'blue', retries: 0 });
    const reader = new DeliveryReader({
      client,
      uuid,
      post,
      report: quiet(),
      signal: ending.signal,
      intervalMs: 10,
      sweepMs: 1000,
      backOff: { firstMs: 1, maxMs: 10 },
    });
    await reader.start();
    made = 1;
    log.add(newDelivery(new Date()));
    const running = reader.run();
    await Promise.race([receiver.all, running]);
    ending.abort();
    await running.catch(() => {});
    expect(cut).toBe(disconnections);
    expect([receiver.counts.size, receiver.unsigned()]).toEqual([total, 0]);
    expect([...receiver.counts.values()].filter((count) => count !== 1)).toEqual([]);
  },
  timeout,
);

test(
  'of 2,000 events that are read over 50 lost connections on each side and 5 restarts none is lost and none is doubled',
  async () => {
    const cut = { service: 0, receiver: 0 };
    let made = 0;
    // Each question finds 15 more.
    await using feed = await startFakeFeed({
      onPage: (own) => {
        const some = Array.from({ length: Math.min(15, total - made) }, () => newEvent());
        made += some.length;
        own.add(...some);
      },
      disconnects: (number) => {
        if (number % 2 !== 0 || cut.service === disconnections) return undefined;
        return ++cut.service % 2 === 0 ? 'before' : 'within';
      },
    });
    await using receiver = await startReceiver(total);
    await using post = postTo(receiver.url);
    await using gone = postTo('http://127.0.0.1:9/hook');
    let posts = 0;
    const postOrFail: Post = (outgoing) => {
      if (++posts % 40 !== 7 || cut.receiver === disconnections) return post(outgoing);
      cut.receiver++;
      return gone(outgoing);
    };
    let cursor: string | undefined;
    const save = async (given: string) => {
      cursor = given;
    };
    const bookmark = { read: async () => cursor, save };
    for (const share of [0.1, 0.3, 0.5, 0.7, 0.9, 1]) {
      const ending = new AbortController();
      const reader = new FeedReader({
        client: createClient({ baseUrl: feed.url, shop: 'blue' }),
        uuid,
        post: (outgoing) => {
          if (share < 1 && receiver.counts.size >= share * total) ending.abort();
          return postOrFail(outgoing);
        },
        report: quiet(),
        signal: ending.signal,
        bookmark,
        from: cursor === undefined ? 'start' : undefined,
        backOff: { firstMs: 1, maxMs: 10 },
      });
      await reader.start();
      const running = reader.run();
      await Promise.race([receiver.all, running.catch(() => {})]);
      ending.abort();
      await running.catch(() => {});
    }
    expect(cut).toEqual({ service: disconnections, receiver: disconnections });
    expect([receiver.counts.size, receiver.unsigned()]).toEqual([total, 0]);
    expect([...receiver.counts.values()].filter((count) => count !== 1)).toEqual([]);
  },
  timeout,
);

test(
  'of 2,000 deliveries that are passed on over 50 lost connections none is lost and none is doubled',
  async () => {
    // The receiver has the delivery when the service hangs up, or its answer does not reach the service.
    const hangUps = new Map<string, () => void>();
    const lostAnswers = new Set<string>();
    let cut = 0;
    await using receiver = await startReceiver(total, (id) => hangUps.get(id)?.());
    await using post = postTo(receiver.url);
    const forward = forwarding({ post, report: quiet(), sentAgainAt: async () => undefined });
    const server = createServer(async (incoming, response) => {
      const body = Buffer.concat(await incoming.toArray());
      const outcome = await forward({ headers: incoming.headers as Record<string, string>, body });
      if (lostAnswers.delete(String(incoming.headers['webhook-id']))) return void incoming.socket.destroy();
      return response.writeHead('status' in outcome ? outcome.status : 502).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const sent = (id: string, prepare = (_outgoing: ClientRequest) => {}) =>
      new Promise<number | undefined>((resolve) => {
        const outgoing = request({ port, host: '127.0.0.1', method: 'POST', headers: { 'webhook-id': id }, agent });
        prepare(outgoing);
        outgoing.on('error', () => resolve(undefined));
        outgoing.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
        outgoing.end('{"ref":"claims/created"}');
      });
    /** Sends a delivery until it is accepted, as the service does. */
    const deliver = async (number: number) => {
      const id = `delivery-${number}`;
      if (number % (total / disconnections) === 1) {
        const hangsUp = ++cut % 2 === 0;
        if (!hangsUp) lostAnswers.add(id);
        const first = await sent(id, (outgoing) => hangsUp && hangUps.set(id, () => outgoing.destroy()));
        expect(first).toBeUndefined();
      }
      while ((await sent(id)) !== 200);
    };
    const queue = Array.from({ length: total }, (_, number) => number);
    await pMap(queue, deliver, { concurrency: 8 });
    agent.destroy();
    server.close();
    server.closeAllConnections();
    expect(cut).toBe(disconnections);
    expect(receiver.counts.size).toBe(total);
    expect([...receiver.counts.values()].filter((count) => count !== 1)).toEqual([]);
  },
  timeout,
);
