import { createHash } from 'node:crypto';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler as api } from '#api/feed/handler.ts';
import { deliveryItem } from '#domain/deliveries/delivery-items.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { readCursor } from '#domain/feed/cursor.ts';
import { hourOf, wholeShop } from '#domain/feed/mark.ts';
import { type FeedEvent, readFeed } from '#domain/feed/reading.ts';
import { chunks } from '#platform/batches.ts';
import { table } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { put, tryCommit } from '#platform/table/writes.ts';
import { Random } from '#test/fuzz/random.ts';
import { deliveryInMessage, handler as fanOut } from '#test/kit/fan-out.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { itemsOf, listener, orderWithEvent, streamOf } from '#test/kit/outbox-records.ts';
import { keyFor, shopItem, tableWith } from '#test/kit/table.ts';
import { NotedChanges } from './noted-changes.ts';
import { UnreliableStream } from './unreliable-stream.ts';

/**
 * From the record of an event to the ledger: fan-out and counts die, their records come again, readers close places, and the
 * ledger has what the feed shows and what was queued, each once.
 */

const slug = 'blue';
const feed = { slug, generation: 3 };
const endpoints = ['01930000-0000-7000-8000-00000000000a', '01930000-0000-7000-8000-00000000000b'];
const receivers = [wholeShop, ...endpoints];
const admin = keyFor(slug, 'admin');
const random = new Random('the ledger of the feed');
const sqs = mockClient(SQSClient);

let changes: NotedChanges;
let counts: UnreliableStream;
const send = table.send;

beforeEach(() => {
  // The first round is in one hour, and all others are in the next.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-14T12:59:50.000Z') });
  process.env.DELIVERY_QUEUE_URL = 'https://deliveries';
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  tableWith(shopItem(slug), admin.item, ...endpoints.map((uuid) => listener(slug, uuid)), {
    ...keyOf.settings(slug),
    version: 3,
    events: { feed_enabled: true, generation: 3 },
    trigger_settings: { webhook: { trigger_delivered_all_events: true } },
  });
  memoryTable.put({ ...keyOf.simulation(slug, 'sim'), uuid: 'sim' });
  changes = new NotedChanges();
  counts = new UnreliableStream(random);
});
afterEach(() => {
  changes.end();
  table.send = send;
  vi.useRealTimers();
});

/** Orders of which some have many parcels, some were delivered (which fires two groups), and some are simulated. */
function events(count: number): DynamoDBRecord[] {
  const happenings = Array.from({ length: count }, (_, i) => {
    const name = random.chance(0.3) ? 'SUCCESSFULLY_DELIVERED' : 'SHIPMENT_EN_ROUTE';
    const placed = orderWithEvent(slug, `order-${i}`, { name, parcels: random.between(1, 3) });
    memoryTable.put(...itemsOf(placed));
    const simulation = { id: 'sim', made_at: '2026-11-14T12:00:00.000Z' };
    return i % 20 === 7 ? { event: { ...placed.event, simulation } } : placed;
  });
  return streamOf(...happenings).Records;
}

/** Fan-out dies at one of its requests, or does not. @returns the records that come again */
async function fannedOut(Records: DynamoDBRecord[]): Promise<DynamoDBRecord[]> {
  const { batchItemFailures } = await fanOut({ Records } as DynamoDBStreamEvent);
  const first = batchItemFailures[0]?.itemIdentifier;
  const from = first === undefined ? -1 : Records.findIndex(({ dynamodb }) => dynamodb!.SequenceNumber === first);
  return from === -1 ? [] : Records.slice(from);
}

/** While it runs, some requests are lost, before or after they were written. In a good hour none is. */
async function whileRequestsAreLost<T>(act: () => Promise<T>): Promise<T> {
  const lost = random.chance(0.6) ? 0.02 : 0;
  const before = table.send;
  const sent = before.bind(table) as (command: object) => Promise<unknown>;
  table.send = (async (command: object) => {
    const fate = random.number();
    if (fate < lost) throw Object.assign(new Error('lost'), { name: 'TimeoutError' });
    const answer = await sent(command);
    if (fate > 1 - lost) throw Object.assign(new Error('answer lost'), { name: 'TimeoutError' });
    return answer;
  }) as never;
  try {
    return await act();
  } finally {
    table.send = before;
  }
}

const onlyLost = (error: Error) => expect(error.name).toBe('TimeoutError');

const readAll = async (receiver: string): Promise<FeedEvent[]> => {
  const found: FeedEvent[] = [];
  let after: ReturnType<typeof readCursor>;
  for (let atEnd = false; !atEnd; ) {
    const page = await readFeed(feed, { after, limit: 100, receiver }, new Date(Date.now() + 6000));
    found.push(...page.events);
    after = readCursor(slug, page.next);
    atEnd = page.at_end;
  }
  return found;
};

const queued = (): Delivery[] => {
  const bodies = sqs
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args }) => args[0].input.Entries!.map(({ MessageBody }) => deliveryInMessage(MessageBody!)));
  return [...new Map(bodies.map((delivery) => [delivery.id, delivery])).values()];
};

async function ledgerOf(receiver: string) {
  const { status, body } = await invoke(api, {
    method: 'GET',
    resource: '/v1/shops/{slug}/events/ledger',
    params: { slug },
    query: receiver === wholeShop ? {} : { endpoint: receiver },
    headers: basic(slug, admin.secret),
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { hour: string; count: number; digest: string; delivered: number | null }[];
}

/** What a receiver sums. */
function sumsOf(told: readonly { id: string; hour: string }[]) {
  const byHour = Map.groupBy(told, ({ hour }) => hour);
  return [...byHour].toSorted().map(([hour, ofHour]) => {
    const sum = ofHour.reduce((all, { id }) => all + BigInt(`0x${createHash('sha256').update(id).digest('hex')}`), 0n);
    return { hour, count: ofHour.length, digest: (sum % 2n ** 256n).toString(16).padStart(64, '0') };
  });
}

test('the ledger of the shop and of each endpoint has what the feed shows and what was queued, each once, whatever died', async () => {
  const records = events(150);
  const waiting = chunks(records, 10);
  let [died, rounds] = [0, 0];
  while (waiting.length > 0) {
    expect(rounds++).toBeLessThan(300);
    // Several functions at the same time, and now and then a reader that does not wait for those who are dead.
    const batches = waiting.splice(0, 4);
    const [left] = await whileRequestsAreLost(() =>
      Promise.all([Promise.all(batches.map(fannedOut)), readAll(wholeShop).catch(onlyLost)]),
    );
    const again = left.filter((some) => some.length > 0);
    died += again.length;
    waiting.push(...again);
    // Records also come again that were handled.
    if (random.chance(0.2)) waiting.push(random.pick(batches).slice(0, 5));
    await counts.take(changes.take());
    await counts.catchUp();
    vi.setSystemTime(Date.now() + random.between(10_000, 60_000));
  }
  expect(died).toBeGreaterThan(5);

  const deliveries = queued();
  const arrived = deliveries.filter(() => random.chance(0.9));
  for (const some of chunks(arrived, 20)) {
    await tryCommit(some.map((delivery) => put(deliveryItem({ ...delivery, status: 'delivered' }))));
    await counts.take(changes.take());
    await counts.catchUp();
  }
  await counts.end();
  expect([...counts.happened.keys()]).toEqual(expect.arrayContaining(['killed', 'comes again', 'twice at once']));

  const hours = new Set<string>();
  for (const receiver of receivers) {
    const shown = (await readAll(receiver)).map(({ id, at }) => ({ id, hour: hourOf(Date.parse(at)) }));
    expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
    const ledger = await ledgerOf(receiver);
    expect(ledger.map(({ hour, count, digest }) => ({ hour, count, digest }))).toEqual(sumsOf(shown));
    for (const { hour } of ledger) hours.add(hour);
    if (receiver === wholeShop) continue;
    const sent = deliveries.filter(({ target }) => target === receiver);
    expect(sumsOf(sent.map(({ id, feed: place }) => ({ id, hour: place!.hour })))).toEqual(sumsOf(shown));
    const got = arrived.filter(({ target }) => target === receiver);
    expect(ledger.map(({ delivered }) => delivered)).toEqual(
      ledger.map(({ hour }) => got.filter(({ feed: place }) => place!.hour === hour).length),
    );
  }
  expect(hours.size).toBeGreaterThan(1);
  expect(deliveries.filter(({ simulation_id }) => simulation_id === 'sim').length).toBeGreaterThan(0);
});
