import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#api/feed/handler.ts';
import { ledgerCounts } from '#domain/feed/ledger.ts';
import { wholeShop } from '#domain/feed/mark.ts';
import { foldCounts } from '#domain/figures/count-rules.ts';
import { addCounts } from '#domain/figures/counter-store.ts';
import { keyOf } from '#platform/table/keys.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeRequest, keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const now = new Date('2026-11-18T12:34:56Z');
const endpoint = '01930000-0000-7000-8000-00000000000a';
const admin = keyFor('blue', 'admin');
const viewer = keyFor('blue', 'viewer');

const cellAt = (hour: string, receiver = wholeShop, counters: object = { count: 1, d7: 1 }, generation = 3) => ({
  ...keyOf.ledger('blue', generation, receiver, hour),
  ...counters,
});

const readUntil = (at: string) => memoryTable.put({ ...keyOf.lastRead(process.env.AWS_REGION!, 'counts'), at });

const switched = (feed_enabled: boolean) =>
  memoryTable.put({ ...keyOf.settings('blue'), version: 3, events: { feed_enabled, generation: 3 } });

beforeEach(() => {
  vi.useFakeTimers({ now, toFake: ['Date'] });
  tableWith(shopItem('blue'), admin.item, viewer.item, { ...keyOf.webhook('blue', endpoint), uuid: endpoint });
  switched(true);
  return () => vi.useRealTimers();
});

const ask = (query: Record<string, string> = {}, key = admin) =>
  invoke(handler, {
    method: 'GET',
    resource: '/v1/shops/{slug}/events/ledger',
    params: { slug: 'blue' },
    query,
    headers: basic('blue', key.secret),
  });

const hoursOf = async (query?: Record<string, string>) => {
  const { status, body } = await ask(query);
  expect(status).toBe(200);
  return (body as { hour: string }[]).map(({ hour }) => hour.slice(5, 13));
};

describe('the ledger', () => {
  test('has the count, the digest and no deliveries of each hour of the shop', async () => {
    memoryTable.put(cellAt('2026-11-18T11:00:00Z', wholeShop, { count: 2, d7: 2 ** 32 + 5, delivered: 1 }));
    expect((await ask()).body).toEqual([
      {
        hour: '2026-11-18T11:00:00Z',
        count: 2,
        digest: `${'0'.repeat(55)}100000005`,
        delivered: null,
        settled: false,
      },
    ]);
  });

  test('has of an endpoint also how many arrived', async () => {
    memoryTable.put(
      cellAt('2026-11-18T10:00:00Z', endpoint, { count: 2, d7: 1, delivered: 1 }),
      cellAt('2026-11-18T11:00:00Z', endpoint),
      cellAt('2026-11-18T11:00:00Z'),
    );
    const { body } = await ask({ endpoint });
    expect(body).toMatchObject([
      { hour: '2026-11-18T10:00:00Z', count: 2, delivered: 1 },
      { hour: '2026-11-18T11:00:00Z', count: 1, delivered: 0 },
    ]);
  });

  test('begins with the oldest hour that is kept, which is kept whole', async () => {
    memoryTable.put(
      ...['2026-10-19T11:00:00Z', '2026-10-19T12:00:00Z', '2026-11-18T12:00:00Z'].map((hour) => cellAt(hour)),
    );
    expect(await hoursOf()).toEqual(['10-19T12', '11-18T12']);
    expect(await hoursOf({ from: '2026-10-01' })).toEqual(['10-19T12', '11-18T12']);
    expect(await hoursOf({ to: '2026-10-01' })).toEqual([]);
  });

  test('has the event of a clock that is ahead', async () => {
    memoryTable.put(cellAt('2026-11-18T13:00:00Z'));
    expect(await hoursOf()).toEqual(['11-18T13']);
  });

  test.each<[Record<string, string>, string[]]>([
    [{ from: '2026-11-17' }, ['11-17T00', '11-17T23', '11-18T00', '11-18T01']],
    [{ to: '2026-11-17' }, ['11-16T23', '11-17T00', '11-17T23']],
    [{ from: '2026-11-17', to: '2026-11-17' }, ['11-17T00', '11-17T23']],
    [{ from: '2026-11-17T23:59:59Z', to: '2026-11-18T00:00:00Z' }, ['11-17T23', '11-18T00']],
    [{ from: '2026-11-18T00:30:00+01:00', to: '2026-11-18T01:15:00+01:00' }, ['11-17T23', '11-18T00']],
    [{ from: '2026-11-18T01:40:00Z', to: '2026-11-18T01:20:00Z' }, ['11-18T01']],
  ])('with %j has these hours: %j', async (query, expected) => {
    const hours = ['16T23', '17T00', '17T23', '18T00', '18T01'];
    memoryTable.put(...hours.map((hour) => cellAt(`2026-11-${hour}:00:00Z`)));
    expect(await hoursOf(query)).toEqual(expected);
  });

  test('refuses a time that ends before it begins', async () => {
    const { status, body } = await ask({ from: '2026-11-18', to: '2026-11-17' });
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('must not be before from')]);
  });

  test('does not have what an earlier feed of the shop had', async () => {
    memoryTable.put(cellAt('2026-11-18T11:00:00Z', wholeShop, { count: 1 }, 2));
    expect(await hoursOf()).toEqual([]);
  });

  test('is refused while the feed is off, to those who may not read the feed, and for an endpoint that there is not', async () => {
    expect(await ask({ endpoint: '01930000-0000-7000-8000-00000000000b' })).toMatchObject({ status: 404 });
    expect(await ask({}, viewer)).toMatchObject({ status: 403 });
    switched(false);
    const { status, body } = await ask();
    expect([status, JSON.stringify(body)]).toEqual([409, expect.stringContaining('feed_off')]);
  });
});

describe('an hour is settled', () => {
  const settled = async () => ((await ask()).body as { settled: boolean }[]).map((one) => one.settled);

  beforeEach(() => memoryTable.put(cellAt('2026-11-18T10:00:00Z'), cellAt('2026-11-18T11:00:00Z')));

  test('when counts has read the stream until some minutes after it', async () => {
    expect(await settled()).toEqual([false, false]);
    readUntil('2026-11-18T11:04:00.000Z');
    expect(await settled()).toEqual([false, false]);
    readUntil('2026-11-18T11:05:00.000Z');
    expect(await settled()).toEqual([true, false]);
    readUntil('2026-11-18T12:34:00.000Z');
    expect(await settled()).toEqual([true, true]);
  });

  test('only with all that was counted when that became so', async () => {
    beforeRequest(BatchGetCommand, (input) => {
      if (!JSON.stringify(input).includes('READ#counts')) return;
      memoryTable.put(cellAt('2026-11-18T10:00:00Z', wholeShop, { count: 2 }));
      readUntil('2026-11-18T11:05:00.000Z');
    });
    expect((await ask()).body).toMatchObject([{ count: 2, settled: true }, { settled: false }]);
  });

  test('and still gets the event of a record that is replayed a day later', async () => {
    readUntil('2026-11-18T12:34:00.000Z');
    const at = Date.parse('2026-11-18T10:59:59Z');
    const place = { generation: 3, block: 1, index: 0, at, occurred: at, groups: 1 };
    const mark = { ...place, subjects: [{ id: 'shipment', told: 0 as const }], endpoints: [] };
    await addCounts({ first: 'replayed', until: '1' }, foldCounts(ledgerCounts('blue', 'event', mark)), now);
    expect((await ask()).body).toMatchObject([
      { count: 2, settled: true },
      { count: 1, settled: true },
    ]);
  });
});
