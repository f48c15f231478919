import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, vi } from 'vitest';
import { Queue } from '#lib/local/queues/queue.ts';
import type { SentMail } from '#lib/local/ses/send-email.ts';
import { type Api, clientOf } from '#test/e2e/kit/client.ts';
import { connectShop } from '#test/e2e/kit/shop-system.ts';
import { type EventReceiver, startEventReceiver } from '#test/kit/event-receiver.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { everythingIn, type Place, type Stored, unreadStreams } from './everything.ts';
import { addPerson, type CanaryShop, type Person } from './person.ts';

const within = { timeout: 60_000, interval: 250 };

export interface Queued {
  queue: string;
  body: string;
}

/** A service with two shops, whose receivers keep and answer what they get, in all the ways that leave something behind. */
export interface World {
  service: RunningService;
  api: Api;
  key: string;
  receiver: EventReceiver;
  dataDir: string;
  place: Place;
  /** Every message that was put into a queue. */
  queued: readonly Queued[];
  /** Everything that is stored, when nothing is under way any more. */
  settled(): Promise<Stored[]>;
  /** Stops the service and starts it again on the same data, with what happens between. */
  restart(between: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export async function startWorld(): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'canary-'));
  const receiver = await startEventReceiver();
  const queued: Queued[] = [];
  const { send } = Queue.prototype;
  vi.spyOn(Queue.prototype, 'send').mockImplementation(function (this: Queue, messages) {
    queued.push(...messages.map(({ body }) => ({ queue: this.name, body })));
    return send.call(this, messages);
  });
  const start = () =>
    startService({
      hasNoSchedules: true,
      dataDir,
      environment: {
        ALLOW_LOCAL_TARGETS: 'true',
        RETRY_BASE_SECONDS: '0.01',
        INTEGRATION_TARGETS: JSON.stringify({ integration_1: { url: receiver.urlOf('/vendor'), dialect: 'klaviyo' } }),
      },
    });
  let service = await start();
  const world: World = {
    service,
    api: clientOf(service.stack.url),
    key: `${service.operator.username}:${service.operator.secret}`,
    receiver,
    dataDir,
    queued,
    place: placeOf(service, dataDir),
    settled: () => settled(world.place),
    restart: async (between) => {
      await service.stop();
      await between();
      service = await start();
      Object.assign(world, {
        service,
        api: clientOf(service.stack.url),
        place: placeOf(service, dataDir),
      });
    },
    stop: async () => {
      await service.stop();
      await receiver.stop();
      await rm(dataDir, { recursive: true });
    },
  };
  return world;
}

export function placeOf({ stack: { clientConfig }, tableName }: RunningService, dataDir: string): Place {
  return {
    dataDir,
    dynamodb: new DynamoDBClient(clientConfig),
    streams: new DynamoDBStreamsClient(clientConfig),
    tableName,
  };
}

/** Two looks that see the same after every function has read the stream to its end: only what is given up or waits for a time is in a queue. */
export async function settled(place: Place): Promise<Stored[]> {
  let before = new Set<string>();
  return vi.waitFor(
    async () => {
      expect(await unreadStreams(place)).toEqual([]);
      const stored = (await everythingIn(place)).filter(({ kind }) => kind !== 'file');
      const lines = stored
        .filter(({ kind }) => kind !== 'log')
        .map(({ kind, where, raw }) => `${kind} ${where} ${raw}`);
      const moved = lines.filter((line) => !before.has(line)).map((line) => line.slice(0, 200));
      before = new Set(lines);
      expect(moved.slice(0, 3)).toEqual([]);
      return stored;
    },
    { timeout: 60_000, interval: 1_000 },
  );
}

interface CanaryTargets {
  shop: CanaryShop;
  endpoints: Record<'ok' | 'later' | 'dead' | 'deleted', string>;
  automations: Record<'atOnce' | 'delayed', string>;
}

/** A shop with each kind of receiver. */
export async function addShop(world: World, slug: string): Promise<CanaryTargets> {
  const { api, key, receiver, service } = world;
  const { secret, call } = await connectShop(api, key, slug, receiver.urlOf('/shop-system'));
  const must = async (method: string, path: string, body: object) => {
    const { status, text, body: answer } = await call(method, path, body);
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
    return answer;
  };
  /** A receiver that says in its answer what it got, as some do. */
  const echo = (path: string, status: number, headers: Record<string, string> = {}) =>
    receiver.behave(path, (response) => response.writeHead(status, headers).end(receiver.received(path).at(-1)!.body));
  echo(`/${slug}/ok`, 200);
  echo(`/${slug}/later`, 503, { 'retry-after': '1800' });
  echo(`/${slug}/dead`, 500);
  echo(`/${slug}/deleted`, 200);
  const endpoint = async (name: string) =>
    (await must('POST', '/webhooks', { url: receiver.urlOf(`/${slug}/${name}`) })).uuid;
  const endpoints = {
    ok: await endpoint('ok'),
    later: await endpoint('later'),
    dead: await endpoint('dead'),
    deleted: await endpoint('deleted'),
  };
  // From now on nothing is sent to the dead endpoint, and what it should get is parked.
  for (let failures = 0; failures < 10; failures++) await must('POST', `/webhooks/${endpoints.dead}/test`, {});
  await vi.waitFor(async () => {
    const { body } = await call('GET', `/webhooks/${endpoints.dead}/health`);
    expect(body.circuit.state).toBe('open');
  }, within);
  await must('PUT', '/keys/integration_1', { api_key: 'a-key-of-the-integration' });
  await must('PATCH', '/settings/triggers', { integration_1: true });
  await must('PATCH', '/settings/tracking-page', { ratings_enabled: true, withdrawal_enabled: true });
  await must('PATCH', '/settings/emails', { enabled: true });
  await must('PATCH', '/settings/events', { feed_enabled: true });
  await must('PATCH', '/settings/carriers', { shipment_updates: true });
  const automation = async (name: string, fields: object) => {
    const actions = [{ type: 'webhook', params: { url: receiver.urlOf(`/${slug}/automation`) } }];
    return (await must('POST', '/automations', { name, trigger: { ref: '*' }, actions, ...fields })).uuid;
  };
  const automations = {
    atOnce: await automation('at once', {}),
    delayed: await automation('delayed', { delay_minutes: 600 }),
  };
  await must('POST', '/settings/triggers/webhook/internal-triggers', {
    name: 'Stuck',
    operator: 'AND',
    time_threshold_type: 'created_at',
    time_threshold_value: 24,
  });
  const shop: CanaryShop = {
    api,
    key,
    slug,
    secret,
    sqs: new SQSClient(service.stack.clientConfig),
    carrierUpdates: service.stack.outputs.CarrierUpdatesQueueUrl!,
    unsubscribePage: (address) => vi.waitFor(() => linkIn(service.stack.mails(), address), within),
  };
  return { shop, endpoints, automations };
}

/** The page behind the link of a mail to the address. */
function linkIn(mails: readonly SentMail[], address: string): string {
  const links = mails.filter(({ to }) => to === address).flatMap(({ headers }) => headers['List-Unsubscribe'] ?? []);
  expect(links, `mails to ${address}`).not.toEqual([]);
  return new URL(links[0]!.slice(1, -1)).pathname;
}

/** What is to be mailed waits for its turn without anything that changes. */
const allMailed = ({ api, key }: World, slug: string): Promise<void> =>
  vi.waitFor(async () => {
    const { body } = await api('GET', `/v1/shops/${slug}/integrations/email/deliveries`, {
      key,
      query: { per_page: 100 },
    });
    const statuses: string[] = body.map(({ status }: { status: string }) => status);
    expect(statuses).not.toEqual([]);
    expect(statuses.filter((status) => !['delivered', 'skipped', 'cancelled'].includes(status))).toEqual([]);
  }, within);

export interface Canaries {
  first: Person;
  neighbour: Person;
  stranger: Person;
  shop: CanaryTargets;
  otherShop: CanaryTargets;
}

/** Two people in one shop, one in another, and one endpoint that got everything and is deleted. */
export async function addCanaries(world: World): Promise<Canaries> {
  const shop = await addShop(world, 'canary-shop');
  const otherShop = await addShop(world, 'canary-other');
  const [first, neighbour, stranger] = await Promise.all([
    addPerson(shop.shop, 'za', 230),
    addPerson(shop.shop, 'zb', 230),
    addPerson(otherShop.shop, 'zc'),
  ]);
  await world.settled();
  await Promise.all([shop, otherShop].map((one) => allMailed(world, one.shop.slug)));
  await world.settled();
  // What the shop systems asked for.
  for (let rounds = 0; rounds < 3; rounds++) await world.service.stack.invoke('PrivacyWork', {});
  for (const {
    shop: { slug },
    endpoints,
  } of [shop, otherShop]) {
    await world.api('DELETE', `/v1/shops/${slug}/webhooks/${endpoints.deleted}`, { key: world.key });
  }
  return { first, neighbour, stranger, shop, otherShop };
}
