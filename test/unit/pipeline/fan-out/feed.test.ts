import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { catchAllGroup } from '#domain/deliveries/notifications.ts';
import { blocksFrom, lastBlock } from '#domain/feed/blocks.ts';
import { markIn, wholeShop } from '#domain/feed/mark.ts';
import { readFeed } from '#domain/feed/reading.ts';
import { withSnapshot } from '#domain/orders/outbox.ts';
import { eraseEverything } from '#domain/privacy/erase-everything.ts';
import { receiversOf } from '#domain/privacy/erase-trail.ts';
import { keyOf } from '#platform/table/keys.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import { consumedBy } from '#test/kit/consumed.ts';
import { deliveryInMessage, handler } from '#test/kit/fan-out.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import {
  type EventOptions,
  integrationKey,
  itemsOf,
  listener,
  type OrderWithEvent,
  orderWithEvent,
  streamOf,
} from '#test/kit/outbox-records.ts';
import { batchOf } from '#test/kit/queue-messages.ts';
import { beforeNextRequest, beforeRequest, dynamo, shopItem, tableWith } from '#test/kit/table.ts';

const sqs = mockClient(SQSClient);
const queues = { deliveries: 'https://deliveries', parts: 'https://parts' };
Object.assign(process.env, {
  DELIVERY_QUEUE_URL: queues.deliveries,
  PARTS_QUEUE_URL: queues.parts,
  INTEGRATION_TARGETS: JSON.stringify({ integration_1: { url: 'https://integration.example', scheme: 'bearer' } }),
});

const hour = '2026-11-14T12:00:00Z';
const feed = { slug: 'blue', generation: 3 };
const settings = (more: object = {}) => ({ ...keyOf.settings('blue'), version: 3, ...more });
const on = settings({ events: { feed_enabled: true, generation: 3 } });
const off = settings({ events: { feed_enabled: false, generation: 3 } });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-14T12:59:58.500Z') });
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
});
afterEach(() => vi.useRealTimers());

const seconds = (count: number) => vi.setSystemTime(Date.now() + count * 1000);

const bodiesTo = (queue: string) =>
  sqs
    .commandCalls(SendMessageBatchCommand, { QueueUrl: queue })
    .flatMap(({ args }) => args[0].input.Entries!.map(({ MessageBody }) => MessageBody!));
const sent = (): Delivery[] => bodiesTo(queues.deliveries).map(deliveryInMessage);

/** The record of the stream is handled, also when it comes again. @returns the deliveries that were queued */
async function handled(...events: (OrderWithEvent | { event: object })[]): Promise<Delivery[]> {
  sqs.resetHistory();
  expect(await handler(streamOf(...events))).toEqual({ batchItemFailures: [] });
  return sent();
}

const given = (event: OrderWithEvent, ...items: object[]) => tableWith(shopItem('blue'), ...itemsOf(event), ...items);

const payloadOf = ({ event }: OrderWithEvent) => memoryTable.read(keyOf.payload('blue', event.id));
async function entries(): Promise<string[]> {
  const found: string[] = [];
  for await (const block of blocksFrom(feed, 0)) found.push(...block.entries.map(({ event_id }) => event_id));
  return found;
}

const shown = async (receiver = wholeShop) =>
  (await readFeed(feed, { limit: 100, receiver }, new Date(Date.now() + 60_000))).events;
const idsOf = (things: readonly { id: string }[]) => things.map(({ id }) => id).toSorted();

/** All that was asked of the table, by the kinds of requests and the partitions. */
const requests = () =>
  dynamo.calls().map(({ args: [command] }) => {
    const named = JSON.stringify(command.input).match(/"[A-Z_]+#[^"]*"/g) ?? [];
    return [command.constructor.name, ...named.filter((text) => !text.includes('HEARTBEAT'))].join(' ');
  });

describe('while the feed is off', () => {
  test.each([
    ['was never on', undefined],
    ['is off again', off],
  ])('an event costs no request more, if it %s', async (_, stored) => {
    const event = orderWithEvent('blue', 'A');
    given(event, listener('blue', 'one'), ...(stored ? [stored] : []));
    const deliveries = await handled(event);
    expect(deliveries).toHaveLength(1);
    expect(deliveries[0]).not.toHaveProperty('feed');
    expect(payloadOf(event)).not.toHaveProperty('feed');
    expect(requests().filter((text) => text.includes(partitions.feed))).toEqual([]);
    const written = [PutCommand, UpdateCommand, TransactWriteCommand].flatMap((kind) =>
      dynamo.commandCalls(kind as typeof PutCommand),
    );
    expect(written.map(({ args }) => args[0].input.Item?.pk)).toEqual([keyOf.payload('blue', event.event.id).pk]);
  });

  test('an event that nobody wants is not stored', async () => {
    const event = orderWithEvent('blue', 'A');
    given(event, off);
    await handled(event);
    expect(memoryTable.all(partitions.payloads)).toEqual([]);
    expect(dynamo.commandCalls(PutCommand)).toEqual([]);
  });
});

describe('an event', () => {
  test('takes a place, and its deliveries to endpoints have the hour of that', async () => {
    const event = orderWithEvent('blue', 'A');
    const integration = [integrationKey('blue', 'integration_1'), { ...on, triggers: { integration_1: true } }];
    given(event, listener('blue', 'one'), listener('blue', 'two'), ...integration);
    const deliveries = await handled(event);
    const mark = markIn(payloadOf(event))!;
    const { number: block } = (await lastBlock(feed))!;
    expect(mark).toMatchObject({ generation: 3, block, index: 0, at: Date.now(), groups: 1 });
    expect(mark.endpoints).toEqual(['one', 'two']);
    expect(await entries()).toEqual([event.event.id]);
    expect(deliveries.map(({ target, feed }) => [target, feed])).toEqual([
      ['one', { generation: 3, hour }],
      ['two', { generation: 3, hour }],
      ['integration_1', undefined],
    ]);
  });

  test.each<[string, EventOptions]>([
    ['nobody listens to', {}],
    ['has no group', { name: 'CARRIER_UNKNOWN' }],
    ['is old', { time: '2026-11-01T12:00:00.000Z' }],
  ])('is in the feed if it %s, and nothing is sent', async (_, options) => {
    const event = orderWithEvent('blue', 'A', options);
    given(event, on, listener('blue', 'one', options.name || options.time ? {} : { enabled_events: ['claims'] }));
    expect(await handled(event)).toEqual([]);
    expect(await shown()).toMatchObject([
      { ref: event.event.ref, payload: { event_data: { shipment_id: event.shipments[0]!.uuid } } },
    ]);
    expect(await shown('one')).toEqual([]);
  });

  test.each([
    ['integration_1', 0],
    ['email', 0],
    ['webhook', 1],
  ])('that is only for %s is in it %i times', async (only_for, times) => {
    const placed = orderWithEvent('blue', 'A');
    given(placed, on, listener('blue', 'one'), integrationKey('blue', 'integration_1'));
    await handled({ ...placed, event: { ...placed.event, only_for } } as OrderWithEvent);
    expect(await shown()).toHaveLength(times);
    expect(await entries()).toHaveLength(times);
  });

  test.each([1, 5])(
    'of %i parcels tells each endpoint what it is sent, and the shop of each parcel',
    async (parcels) => {
      const event = orderWithEvent('blue', 'A', { parcels, name: 'SUCCESSFULLY_DELIVERED' });
      const asked = { ...on, trigger_settings: { webhook: { trigger_delivered_all_events: true } } };
      given(
        event,
        asked,
        listener('blue', 'one'),
        listener('blue', 'two', { enabled_events: ['shipments/delivered'] }),
      );
      const deliveries = await handled(event);
      expect(deliveries).toHaveLength(4 * parcels);
      for (const endpoint of ['one', 'two']) {
        const own = deliveries.filter(({ target }) => target === endpoint);
        const told = await shown(endpoint);
        expect(idsOf(told)).toEqual(idsOf(own));
        expect(told.filter((one) => 'event_group' in one && one.event_group === catchAllGroup)).toHaveLength(parcels);
      }
      const ofShop = (await shown()) as unknown as { payload: { event_data: { tracking_number: string } } }[];
      expect(new Set(ofShop.map(({ payload }) => payload.event_data.tracking_number)).size).toBe(parcels);
      expect(await entries()).toHaveLength(1);
    },
  );
});

test('the events of a batch share few writes, and each has a place of its own', async () => {
  const events = Array.from({ length: 10 }, (_, i) => orderWithEvent('blue', `A${i}`));
  tableWith(shopItem('blue'), on, listener('blue', 'one'), ...events.flatMap(itemsOf));
  await handled(...events);
  expect((await entries()).toSorted()).toEqual(idsOf(events.map(({ event }) => event)));
  const written = requests().filter((text) => /^(Put|Update)Command/.test(text) && text.includes('BLOCK#'));
  expect(written.length).toBeLessThanOrEqual(3);
  expect(
    requests().filter((text) => text.startsWith('QueryCommand') && text.includes(partitions.feed)).length,
  ).toBeLessThanOrEqual(3);
  expect(idsOf(await shown('one'))).toEqual(idsOf(sent()));
});

test.each([1, 10])(
  '%i events at once cost one read unit and one write unit more than without a feed',
  async (count) => {
    const costs = async (stored: object) => {
      const all = Array.from({ length: count + 1 }, (_, i) => {
        const placed = orderWithEvent('blue', `A${i}`);
        return { event: withSnapshot([placed.event], placed)[0]! };
      });
      tableWith(shopItem('blue'), stored, listener('blue', '01930000-0000-7000-8000-00000000000a'));
      // The first one of all begins a block.
      await handled(all[0]!);
      return consumedBy(() => handled(...all.slice(1)));
    };
    const [without, withFeed] = [await costs(off), await costs(on)];
    expect(withFeed.units - without.units).toBe(2);
  },
);

describe('a record that comes again', () => {
  test('tells the endpoints of the first time, in the hour of the first time', async () => {
    const event = orderWithEvent('blue', 'A');
    given(event, on, listener('blue', 'one'), listener('blue', 'two'));
    const first = await handled(event);
    const before = payloadOf(event);
    seconds(3600);
    memoryTable.put(listener('blue', 'new'), listener('blue', 'two', { enabled_events: ['claims'] }));
    const again = await handled(event);
    expect(again.map(({ id, target, payload_part, feed }) => [id, target, payload_part, feed])).toEqual(
      first.map(({ id, target, payload_part, feed }) => [id, target, payload_part, feed]),
    );
    expect(again[0]!.feed).toEqual({ generation: 3, hour });
    expect(payloadOf(event)).toEqual(before);
    expect(idsOf(await shown('one'))).toEqual(idsOf(again.filter(({ target }) => target === 'one')));
    expect(await shown('new')).toEqual([]);
    expect(await shown()).toHaveLength(1);
  });

  test('is not in a feed that was switched on in between, and is delivered without an hour', async () => {
    const event = orderWithEvent('blue', 'A');
    given(event, listener('blue', 'one'));
    const first = await handled(event);
    memoryTable.put(on, listener('blue', 'new'));
    const again = await handled(event);
    expect(again.map(({ target }) => target).toSorted()).toEqual(['new', 'one']);
    expect(again).toContainEqual(first[0]);
    expect(again.filter(({ feed }) => feed)).toEqual([]);
    expect(await shown()).toEqual([]);
  });

  test.each([
    ['off', off],
    ['off and on', settings({ version: 5, events: { feed_enabled: true, generation: 5 } })],
  ])('keeps its hour and its endpoints in a feed that was switched %s in between', async (_, changed) => {
    const event = orderWithEvent('blue', 'A');
    given(event, on, listener('blue', 'one'));
    const first = await handled(event);
    seconds(3600);
    memoryTable.put(changed, listener('blue', 'new'));
    const again = await handled(event);
    expect(again.map(({ id, feed }) => [id, feed])).toEqual(first.map(({ id, feed }) => [id, feed]));
  });

  test('stores its payloads in a place that a reader has closed, though the feed was switched off since', async () => {
    const event = orderWithEvent('blue', 'A');
    given(event, on, listener('blue', 'one'));
    // The function dies between the place and the payloads.
    beforeRequest(PutCommand, ({ Item }) => {
      if (String(Item?.pk).startsWith(partitions.payloads)) throw Object.assign(new Error(), { name: 'TimeoutError' });
    });
    expect((await handler(streamOf(event))).batchItemFailures).toHaveLength(1);
    expect(await shown()).toEqual([]);
    expect(payloadOf(event)).toHaveProperty('feed_closed');
    const left = memoryTable.all().filter(({ sk }) => sk !== on.sk);
    tableWith(...left, off);
    expect(await handled(event)).toHaveLength(1);
    expect(payloadOf(event)).toHaveProperty('body');
    expect(payloadOf(event)).not.toHaveProperty('feed');
  });
});

describe('an event that is done in parts', () => {
  const parcels = 30;
  const placed = orderWithEvent('blue', 'A', { parcels });
  const [stored] = withSnapshot([placed.event], placed);
  const endpoints = Array.from({ length: 20 }, (_, i) => listener('blue', `endpoint-${i}`));

  test('tells the endpoints of its mark, in one hour', async () => {
    tableWith(shopItem('blue'), on, ...endpoints, stored!);
    await handler(streamOf({ event: stored! }));
    const [whole] = bodiesTo(queues.parts).map((body) => JSON.parse(body));
    expect(await entries()).toEqual([]);
    sqs.resetHistory();
    await handler(batchOf([whole], { group: 'blue' }));
    const parts = bodiesTo(queues.parts).map((body) => JSON.parse(body));
    expect(await entries()).toEqual([placed.event.id]);
    seconds(3600);
    memoryTable.put(listener('blue', 'new'));
    memoryTable.remove(endpoints[0]!);
    sqs.resetHistory();
    for (const part of parts) await handler(batchOf([part], { group: 'blue' }));
    expect(sent()).toHaveLength(20 * parcels);
    expect(new Set(sent().map(({ feed }) => feed?.hour))).toEqual(new Set([hour]));
    for (const endpoint of ['endpoint-0', 'endpoint-7']) {
      expect(idsOf(await shown(endpoint))).toEqual(idsOf(sent().filter(({ target }) => target === endpoint)));
    }
    expect(await shown('new')).toEqual([]);
  });

  test('is put aside if its payloads are gone and a reader has closed its place', async () => {
    process.env.DEAD_PARTS_QUEUE_URL = 'https://dead-parts';
    const closed = { ...keyOf.payload('blue', placed.event.id), feed_closed: ['3.1.0'] };
    tableWith(shopItem('blue'), on, endpoints[0]!, stored!, closed);
    const { order_id, id: event_id } = placed.event;
    await handler(batchOf([{ shop_slug: 'blue', order_id, event_id, from: 0, to: 1 }], { group: 'blue' }));
    expect(bodiesTo('https://dead-parts')).toHaveLength(1);
    expect(sent()).toEqual([]);
  });
});

describe('a simulated event', () => {
  const placed = orderWithEvent('blue', 'A');
  const simulation = { ...keyOf.simulation('blue', 'sim'), uuid: 'sim' };
  const event = { ...placed.event, simulation: { id: 'sim', made_at: '2026-11-14T12:00:00.000Z' } };
  const simulated = { ...placed, event } as OrderWithEvent;

  test('is in the feed, and says so', async () => {
    given(placed, on, listener('blue', 'one'), simulation);
    const deliveries = await handled(simulated);
    expect(deliveries).toMatchObject([{ simulation_id: 'sim', feed: { generation: 3, hour } }]);
    expect(await shown('one')).toMatchObject([{ id: deliveries[0]!.id, simulation_id: 'sim' }]);
  });

  test('whose simulation is removed while it is stored leaves nothing but an empty place', async () => {
    given(placed, on, listener('blue', 'one'), simulation);
    beforeNextRequest(TransactWriteCommand, () =>
      memoryTable.put({ ...simulation, removed_at: '2026-11-14T12:00:00Z' }),
    );
    await handled(simulated);
    expect(payloadOf(placed)).toBeUndefined();
    expect(await shown()).toEqual([]);
    expect(await entries()).toHaveLength(1);
  });
});

describe('an order that was erased', () => {
  const event = orderWithEvent('blue', 'A');
  const erase = async () =>
    eraseEverything(
      shopItem('blue'),
      event.order.uuid,
      await receiversOf('blue'),
      { at: '2026-11-14T13:00:00.000Z', by: 'key' },
      async () => {},
    );

  test('stays in the feed without its content, and is sent no more', async () => {
    given(event, on, listener('blue', 'one'), event.event);
    const [delivery] = await handled(event);
    await erase();
    expect(await shown('one')).toEqual([
      { id: delivery!.id, at: '2026-11-14T12:59:58.500Z', erased: true, cursor: expect.any(String) },
    ]);
    expect(await handled(event)).toEqual([]);
    expect(await shown()).toMatchObject([{ erased: true }]);
  });

  test('takes no place if its event comes later', async () => {
    given(event, on, listener('blue', 'one'), event.event);
    await erase();
    expect(await handled(event)).toEqual([]);
    expect(await shown()).toEqual([]);
    expect(payloadOf(event)).not.toHaveProperty('feed');
  });
});
