import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, vi } from 'vitest';
import type { Storefront } from '#domain/pages/storefront.ts';
import type { Usage } from '#lib/local/aws/usage.ts';
import { keyOf } from '#platform/table/keys.ts';
import { everybody } from '#schemas/catalogues/enumerations.ts';
import { orderExamples } from '#schemas/examples/orders.ts';
import { type Answer, clientOf } from '#test/e2e/kit/client.ts';
import { postWebhook, setProvider } from '#test/e2e/kit/tracking-providers-tour.ts';
import { startEventReceiver } from '#test/kit/event-receiver.ts';
import { longLists } from '#test/kit/long-lists.ts';
import { fakeProviders } from '#test/kit/providers/index.ts';
import { queuedMessage } from '#test/kit/queue-messages.ts';
import type { RunningService } from '#test/kit/service.ts';
import { writtenAs } from '#test/kit/spread-shipments.ts';
import { storeItems } from '#test/kit/store-items.ts';
import { attempt, countBatch, invoke, recordsToCount, usagesOf } from './played-orders.ts';

/** What each operation of a path asked of AWS, with the heat of its keys. */
type Operations = Usage[][];

interface Measured<Name extends string> {
  slug: string;
  paths: Record<Name, Operations>;
}

type MeasuredPaths = Measured<
  'place' | 'fulfil' | 'update' | 'webhook' | 'delivery' | 'view' | 'largeView' | 'claim' | 'counts' | 'feed' | 'run'
>;
type MeasuredOrders = Measured<'place' | 'fulfil' | 'update'>;
type MeasuredLists = Measured<'ingest' | 'list'>;
type MeasuredSearches = Measured<'search'>;
type MeasuredPages = Measured<'firstView' | 'rating'>;
type MeasuredMails = Measured<'mail'>;

/** What ingest gets at once when there is much to do. */
export const ingested = 25;

/** The first operation warms caches, and is not measured. */
const played = 4;

const within = { timeout: 60_000, interval: 5 };

/** Plays each path some times in a shop where nothing else happens: always another order, another parcel, another customer. */
export async function measurePaths(service: RunningService, slug: string): Promise<MeasuredPaths> {
  await using shop = await openShop(service, slug);
  const placed = await each(() => shop.told(() => shop.place()));
  const [, ...orders] = shop.orders();
  const fulfilled = await each((n) => shop.told(() => shop.fulfil(shop.orders()[n]!)));
  const update = await each((n) => shop.told(() => shop.report([shop.orders()[n]!], 'SHIPMENT_EN_ROUTE')));
  const pages = await Promise.all([shop.orders()[0]!, ...orders].map(shop.pageOf));
  // A storefront that was never changed has no version.
  await shop.change('PATCH', '', { description: 'described' });
  const view = await each((n) => shop.alone('pages', () => shop.view(pages[n]!.token)));
  const claim = await each((n) => shop.told(() => shop.claim(pages[n]!.shipment)));
  await enlargeStorefront(service, shop);
  const largeView = await each((n) => shop.alone('pages', () => shop.view(pages[n]!.token)));
  const records = await recordsToCount(service.stack, slug);
  const half = Math.ceil(records.length / 2);
  const counts = [
    await countBatch(service.stack, records.slice(0, half)),
    await countBatch(service.stack, records.slice(half)),
  ];
  return {
    slug,
    paths: {
      ...{ place: placed, fulfil: fulfilled, update, view, claim, largeView, counts },
      delivery: update.map((usages) => usagesOf('delivery', usages)),
      webhook: await measureWebhooks(service, shop),
      feed: await measureFeed(service, shop, records.length),
      run: await measureRuns(shop),
    },
  };
}

/** The first steps of an order alone. */
export async function measureOrders(service: RunningService, slug: string): Promise<MeasuredOrders> {
  await using shop = await openShop(service, slug);
  const place = await each(() => shop.told(() => shop.place()));
  const fulfil = await each((n) => shop.told(() => shop.fulfil(shop.orders()[n]!)));
  const update = await each((n) => shop.told(() => shop.report([shop.orders()[n]!], 'SHIPMENT_EN_ROUTE')));
  return { slug, paths: { place, fulfil, update } };
}

/** In a shop with 60 orders, of which no endpoint hears. */
export async function measureLists(service: RunningService, slug: string): Promise<MeasuredLists> {
  await using shop = await openShop(service, slug, { hasEndpoint: false });
  for (let n = 0; n < 60; n++) await shop.place(true);
  const batches = [shop.orders().slice(0, ingested), shop.orders().slice(-ingested)];
  const ingest: Operations = [];
  for (const batch of batches) {
    service.stack.usage.take();
    await shop.report(batch, 'SHIPMENT_EN_ROUTE');
    ingest.push(usagesOf('ingest', service.stack.usage.take()));
  }
  return {
    slug,
    paths: {
      ingest,
      list: await each(() => shop.alone('orders', () => shop.read('/orders?per_page=50'))),
    },
  };
}

const [minuteMs, dayMs] = [60_000, 86_400_000];

/** Of stored parcels, whose ids say in which shards they are: what a shard is read for depends on how many it has. */
export async function measureSearches(service: RunningService, slug: string): Promise<MeasuredSearches> {
  await using shop = await openShop(service, slug, { hasEndpoint: false });
  const { orderItems } = longLists({ slug, target: randomUUID(), newest: new Date() });
  await storeItems(
    service,
    writtenAs('in shards', 0, () => Array.from({ length: 60 }, (_, n) => orderItems(n)).flat()),
  );
  const search = () => shop.read('/shipments?per_page=50');
  return { slug, paths: { search: await each(() => shop.alone('shipments', search)) } };
}

/**
 * In a shop of which 100,000 parcels have changed within a day. Its search begins in the middle of half an hour, which is
 * where most has to be counted. Stored are the parcels of the last hour and of that half hour. The newest came when this half
 * hour began: so the same parcels are in the same cells at any time of the day, and the same numbers of them in each shard.
 */
export async function measureLargeShop(service: RunningService, slug: string): Promise<MeasuredSearches> {
  await using shop = await openShop(service, slug, { hasEndpoint: false });
  const [count, cellMs] = [100_000, 30 * minuteMs];
  const newest = new Date(Math.floor(Date.now() / cellMs) * cellMs);
  const lists = longLists({ slug, target: randomUUID(), newest, entryMs: dayMs / count });
  const cell = Math.floor((newest.getTime() - dayMs / 2) / cellMs) * cellMs;
  const positionAt = (ms: number) => Math.round(((newest.getTime() - ms) / dayMs) * count);
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
  const recent = positionAt(newest.getTime() - 2 * cellMs);
  const inShards = writtenAs('in shards', 0, () => [
    ...range(0, 400).flatMap(lists.orderItems),
    ...[...range(400, recent), ...range(positionAt(cell + cellMs), positionAt(cell))].map(lists.indexedParcel),
  ]);
  await storeItems(service, [...inShards, ...lists.counterItems(count)]);
  const from = new Date(cell + cellMs / 2).toISOString();
  const search = () => shop.read(`/shipments?per_page=50&updated_from=${from}`);
  return { slug, paths: { search: await each(() => shop.alone('shipments', search)) } };
}

/** In a shop that shows a promotion to everybody: each customer looks at the page of a delivered parcel, and rates its delivery. */
export async function measurePages(service: RunningService, slug: string): Promise<MeasuredPages> {
  await using shop = await openShop(service, slug, { hasEndpoint: false });
  await shop.change('PATCH', '/settings/tracking-page', { ratings_enabled: true });
  const promotion = { promotion_type: 'basic', promotion_properties: { title: 'An offer' } };
  await shop.change('POST', '/campaigns', { name: 'For everybody', segment: everybody, enabled: true, ...promotion });
  for (let n = 0; n < played; n++) await shop.place(true);
  await shop.report(shop.orders(), 'SUCCESSFULLY_DELIVERED');
  const pages = await Promise.all(shop.orders().map(shop.pageOf));
  const firstView = await each((n) => shop.alone('pages', () => shop.view(pages[n]!.token)));
  const rating = await each(async (n) => {
    const { token } = pages[n]!;
    const formKey = formKeyIn(await shop.view(token));
    return shop.alone('pages', () => shop.rate(token, formKey));
  });
  return { slug, paths: { firstView, rating } };
}

/** The form of a page says by it that it is from there. */
const formKeyIn = ({ text }: Answer): string => /name="form_key" value="([^"]+)"/.exec(text)![1]!;

/** A customer is mailed that the parcel is on its way. */
export async function measureMail(service: RunningService, slug: string): Promise<MeasuredMails> {
  await using shop = await openShop(service, slug, { hasEndpoint: false });
  await shop.change('PATCH', '/settings/emails', { enabled: true });
  const mail = await each(async () => {
    const isLogged = (usages: readonly Usage[]) => actionsOf(usages).includes('PutItem');
    // That the order is processed is not told, which the log has a moment later.
    const id = await shop.until(isLogged, () => shop.place(true)).then(() => shop.orders().at(-1)!);
    return shop.until(isMailed, () => shop.report([id], 'SHIPMENT_EN_ROUTE'));
  });
  return { slug, paths: { mail } };
}

const actionsOf = (usages: readonly Usage[]) => usagesOf('delivery', usages).map(({ action }) => action);

/** The delivery is recorded last. */
function isMailed(usages: readonly Usage[]): boolean {
  const actions = actionsOf(usages);
  const sent = actions.indexOf('SendEmail');
  return sent >= 0 && actions.slice(sent + 1).includes('PutItem');
}

async function each(play: (n: number) => Promise<Usage[]>): Promise<Operations> {
  const all: Operations = [];
  for (let n = 0; n < played; n++) all.push(await play(n));
  return all.slice(1);
}

async function measureWebhooks({ stack, operator }: RunningService, shop: Shop): Promise<Operations> {
  const api = clientOf(stack.url);
  // Parcels of this carrier are not registered, so nobody is called.
  expect((await setProvider(api, keyTo(operator), { carriers: ['ups'] })).status).toBe(200);
  const [history] = fakeProviders.aftership.histories;
  const send = (n: number) => postWebhook(api, `${shop.series}${n}`, history!.checkpoints);
  return each((n) => shop.alone('provider', () => send(n)));
}

/** @param counted how many records the counts function had before */
async function measureFeed({ stack }: RunningService, shop: Shop, counted: number): Promise<Operations> {
  await shop.change('PATCH', '/settings/events', { feed_enabled: true });
  const batches: Operations = [];
  let until = counted;
  for (let batch = 0; batch < 2; batch++) {
    await shop.told(() => shop.place());
    const records = await recordsToCount(stack, shop.slug);
    batches.push(await countBatch(stack, records.slice(until)));
    until = records.length;
  }
  return batches;
}

async function measureRuns(shop: Shop): Promise<Operations> {
  const actions = [{ type: 'webhook', params: { url: shop.receiverUrl } }];
  const trigger = { ref: 'shipments/in_delivery/IN_DELIVERY' };
  await shop.change('POST', '/automations', { name: 'On every scan', trigger, actions });
  // The endpoint and the automation each have a delivery. That of the automation is there before it is sent.
  return each((n) => shop.told(() => shop.report([shop.orders()[n]!], 'IN_DELIVERY'), 'UpdateItem'));
}

interface Shop extends AsyncDisposable {
  slug: string;
  /** The beginning of its order numbers. Carriers know a parcel by its number alone, so no other shop may have the same. */
  series: string;
  receiverUrl: string;
  /** The numbers of its orders, oldest first. */
  orders(): string[];
  /** With its parcel, if it has one from the beginning. */
  place(hasParcel?: boolean): Promise<void>;
  fulfil(id: string): Promise<void>;
  /** The carrier reports the event of each of these orders. */
  report(ids: readonly string[], event: string): Promise<void>;
  pageOf(id: string): Promise<{ token: string; shipment: string }>;
  view(token: string): Promise<Answer>;
  rate(token: string, formKey: string): Promise<Answer>;
  claim(shipment: string): Promise<void>;
  read(path: string): Promise<Answer>;
  change(method: string, path: string, body: object): Promise<void>;
  /** What was asked of AWS until a delivery was recorded. @param recorded how, if not as a new one */
  told(play: () => Promise<unknown>, ...recorded: string[]): Promise<Usage[]>;
  /** What the function of a family asked of AWS. */
  alone(family: string, play: () => Promise<Answer>): Promise<Usage[]>;
  until(isDone: (usages: readonly Usage[]) => boolean, play: () => Promise<unknown>): Promise<Usage[]>;
}

const keyTo = ({ username, secret }: RunningService['operator']) => `${username}:${secret}`;

async function openShop({ stack, operator }: RunningService, slug: string, { hasEndpoint = true } = {}): Promise<Shop> {
  const api = clientOf(stack.url);
  const receiver = await startEventReceiver();
  const receiverUrl = receiver.urlOf('/events');
  const settings = { carriers_enabled: true };
  await succeeded(api('POST', '/v1/shops', { key: keyTo(operator), body: { name: slug, slug, settings } }));
  const made = await succeeded(api('POST', `/v1/shops/${slug}/api-keys`, { key: keyTo(operator) }));
  const key = `${slug}:${made.body.secret}`;
  const call = (method: string, path: string, body?: object) =>
    succeeded(api(method, `/v1/shops/${slug}${path}`, { key, ...(body && { body }) }));
  if (hasEndpoint) await call('POST', '/webhooks', { url: receiverUrl });
  const series = String(randomInt(100_000, 1_000_000));
  const ids: string[] = [];

  const until: Shop['until'] = async (isDone, play) => {
    stack.usage.take();
    await play();
    const seen: Usage[] = [];
    await vi.waitFor(() => {
      seen.push(...stack.usage.take());
      expect(isDone(seen), actionsOf(seen).join() || 'no delivery').toBe(true);
    }, within);
    return seen;
  };
  return {
    slug,
    series,
    receiverUrl,
    orders: () => [...ids],
    place: async (hasParcel = false) => {
      const id = `${series}${String(ids.length).padStart(4, '0')}`;
      ids.push(id);
      await call('PUT', '/orders', { id, order: orderOf(id), trackings: hasParcel ? [parcelOf(id)] : [] });
    },
    fulfil: async (id) => {
      await call('PUT', '/orders', { id, trackings: [parcelOf(id)] });
    },
    report: async (some, event_name) => {
      const event = { event_name, event_time: new Date().toISOString() };
      const messages = some.map((id) => JSON.stringify({ tracking_number: parcelOf(id).tracking_number, ...event }));
      // Not through the queue, which would wait a second for more.
      const Records = messages.map((message, n) => queuedMessage(`${event_name}-${n}`, message));
      expect(await invoke(stack, 'ingest', { Records })).toEqual({ batchItemFailures: [] });
    },
    pageOf: async (id) => {
      const { body } = await call('GET', `/orders?order_number=${id}`);
      const [{ tracking_page_url, trackings }] = body;
      return { token: tracking_page_url.split('/').at(-1), shipment: trackings[0].uuid };
    },
    view: (token) => succeeded(api('GET', `/t/${token}`)),
    rate: async (token, formKey) => {
      const body = new FormData();
      body.set('form_key', formKey);
      body.set('stars', '5');
      const answer = await succeeded(api('POST', `/t/${token}/rating`, { body, staysHere: true }));
      // A form with a fault is shown again, with 200.
      expect(answer.status, answer.text).toBe(303);
      return answer;
    },
    claim: async (shipment_id) => {
      await call('POST', '/claims', { shipment_id, reason: 'damage' });
    },
    read: (path) => call('GET', path),
    change: async (method, path, body) => {
      await call(method, path, body);
    },
    told: (play, ...recorded) =>
      until((usages) => [attempt, ...recorded].every((action) => actionsOf(usages).includes(action)), play),
    alone: async (family, play) => {
      stack.usage.take();
      await succeeded(play());
      return stack.usage.take().filter(({ functionId }) => functionId.toLowerCase().includes(family));
    },
    until,
    [Symbol.asyncDispose]: receiver.stop,
  };
}

async function succeeded(answering: Promise<Answer>): Promise<Answer> {
  const answer = await answering;
  expect(answer.status, answer.text).toBeOneOf([200, 204, 303]);
  return answer;
}

const { order } = orderExamples.upsertOrder.body;

/**
 * The order of the examples, of another customer each time: a shop has many, and each has keys of their own. With a long id, its
 * events have clearly more than a kilobyte. Else their random ids would decide about a unit.
 */
const orderOf = (id: string) => ({
  ...order,
  external_id: createHash('sha512').update(id).digest('hex'),
  order_name: `#${id}`,
  order_placed_at: new Date().toISOString(),
  expected_number_of_shipments: 1,
  email_id: `customer-${id}@example.com`,
  external_customer_id: `C-${id}`,
  address: { ...order.address, name: `${lettersOf(id)}son`, zip_code: id },
});

/** No two orders of a shop have the same first two letters, by which customers are found. */
function lettersOf(id: string): string {
  const n = Number(id.slice(-4));
  return [n / 26, n % 26].map((letter) => String.fromCharCode(97 + Math.floor(letter))).join('');
}

const parcelOf = (id: string) => ({ tracking_number: `0034043416${id}`, carrier_reference: 'dhl' });

/** About 300 KB, compressed: what a shop shows with hundreds of campaigns. The version stays the present one. */
async function enlargeStorefront({ table, tableName: TableName }: RunningService, shop: Shop): Promise<void> {
  const read = async (Key: object) => (await table.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
  const view = await read(keyOf.storefrontView(shop.slug));
  await shop.change('PATCH', '', { description: 'changed' });
  const { version } = (await read(keyOf.storefrontVersion(shop.slug)))!;
  const shown = JSON.parse(gunzipSync(view!.document).toString()) as Storefront;
  const text = randomBytes(300 * 1024 - view!.document.length).toString('base64');
  const document = gzipSync(JSON.stringify({ ...shown, announcements: [{ language: 'de', text }] }));
  await table.send(new PutCommand({ TableName, Item: { ...view, version, document } }));
}
