import {
  BatchGetCommand,
  type BatchGetCommandInput,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#api/shipments/handler.ts';
import { newOrderId, orderIdOf, type Shipment } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { allShipments, fulfil, newOrder } from '#domain/orders/order-rules.ts';
import { countedLists } from '#platform/table/counted-lists.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import { invoke } from '#test/kit/invoke.ts';
import { countersOf } from '#test/kit/long-lists.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { asOperator, beforeRequest, dynamo, operator, shopItem, tableWith } from '#test/kit/table.ts';

const now = new Date();

const search = (query: Record<string, string>) =>
  invoke(handler, {
    method: 'GET',
    resource: '/v1/shops/{slug}/shipments',
    params: { slug: 'blue' },
    headers: asOperator,
    query,
  });

function orderWithParcels(count: number) {
  const order = newOrder(newOrderId(now), { order_number: '1', expected_number_of_shipments: count }, now);
  const trackings = Array.from({ length: count }, (_, i) => ({
    tracking_number: `T-${i}`,
    carrier_reference: null,
    tracking_url: null,
    placed_at: now.toISOString(),
    products: null,
  }));
  return fulfil({ order, shipments: [] }, order, trackings, now.toISOString());
}

test('a page reads its own shipments and not the others of their orders', async () => {
  const { order, shipments } = orderWithParcels(60);
  const items = [orderItem('blue', order, 1), ...shipments.map((shipment) => shipmentItem('blue', shipment, 1))];
  tableWith(operator.item, shopItem('blue'), ...items);
  const { body } = await search({ per_page: '2' });
  expect(body).toMatchObject({ shipments: [{}, {}], pagination: { total: 60 } });
  const read = dynamo.commandCalls(BatchGetCommand).map(({ args }) => args[0].input.RequestItems!.table!.Keys!.length);
  expect(read).toEqual([2, 3]);
});

const isOfDrafts = ({ ExpressionAttributeValues: values }: QueryCommandInput) =>
  values![':partition'] === 'DRAFTS#blue';
const isOfShard = ({ ExpressionAttributeValues: values }: QueryCommandInput) =>
  /^SHIPMENTS#blue#\d$/.test(values![':partition']);
/** Such a search reads the newest first. */
const isOfNewest = ({ Limit }: QueryCommandInput) => Limit !== undefined;

describe.each<[string, Record<string, string>]>([
  ['updated_from', { sort: '-created_at' }],
  ['updated_from', { created_from: new Date(now.getTime() - 1000).toISOString() }],
  ['created_from', { sort: '-created_at', created_from: new Date(now.getTime() - 1000).toISOString() }],
])('a range with more shipments than a request can count is refused with a %s that it can', (field, query) => {
  const time = (read: number) => new Date(now.getTime() - read).toISOString();
  const shipmentAt = (at: string) => {
    const shipment = { ...orderWithParcels(1).shipments[0]!, created_at: at, updated_at: at };
    const { document: _document, ...entry } = shipmentItem('blue', shipment, 1);
    return { Items: [entry], LastEvaluatedKey: entry };
  };
  const draftAt = (at: string) => {
    const { document: _document, ...entry } = orderItem(
      'blue',
      newOrder(newOrderId(now), { order_number: '2' }, new Date(at)),
      1,
    );
    return { Items: [entry], LastEvaluatedKey: entry };
  };

  async function refusedFrom(): Promise<string> {
    const { status, body } = await search(query);
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ loc: ['query', field], type: 'value_error' }]);
    return body.errors[0].msg;
  }

  test('if the shop has many parcels', async () => {
    tableWith(operator.item, shopItem('blue'));
    let reads = 0;
    dynamo.on(QueryCommand).callsFake((input: QueryCommandInput) => {
      if (isOfShard(input)) return { Items: [] };
      if (isOfNewest(input)) return shipmentAt(time(0));
      return isOfDrafts(input) ? { Items: [] } : shipmentAt(time(++reads));
    });
    expect(await refusedFrom()).toContain(`${time(searchLimits.reads - 1)} or later`);
    expect(reads).toBe(searchLimits.reads + 1);
  });

  test('if the shop has many drafts between them', async () => {
    tableWith(operator.item, shopItem('blue'));
    let [reads, drafts, parcels] = [0, 0, 0];
    dynamo.on(QueryCommand).callsFake((input: QueryCommandInput) => {
      if (isOfShard(input)) return { Items: [] };
      if (isOfNewest(input)) return shipmentAt(time(0));
      reads++;
      return isOfDrafts(input) ? draftAt(time(++drafts)) : shipmentAt(time(3 * ++parcels));
    });
    // With 15 reads of drafts and 5 of parcels, all is known that is newer than the fifteenth.
    expect(await refusedFrom()).toContain(`${time(searchLimits.reads * 0.75 - 1)} or later`);
    expect(reads).toBe(searchLimits.reads + 1);
  });
});

describe('a search', () => {
  const minutes = (count: number) => new Date(now.getTime() - count * 60_000);
  /** Parcels and drafts of many times, some of which are equal. The drafts of some orders have two times. */
  const orders = Array.from({ length: 24 }, (_, i) => {
    const [early, late] = [minutes(100 - i), minutes(90 - 2 * i)];
    const placed = newOrder(newOrderId(early), { order_number: String(i), expected_number_of_shipments: 3 }, early);
    const tracking = { tracking_number: `T-${i}`, carrier_reference: null, tracking_url: null };
    const trackings = [{ ...tracking, placed_at: early.toISOString(), products: null }];
    const { order, shipments } = fulfil({ order: placed, shipments: [] }, placed, trackings, late.toISOString());
    const drafts = order.drafts.map((draft, line) =>
      i % 3 === 1 && line > 0 ? { ...draft, created_at: minutes(99 - i).toISOString() } : draft,
    );
    return { order: { ...order, drafts }, shipments };
  });
  const all = orders.flatMap((full) => allShipments(full));
  const [created_from, created_to] = [minutes(97).toISOString(), minutes(85).toISOString()];
  const updated_to = minutes(70).toISOString();

  const isWithin = (time: string, from = '0', to = '9') => time >= from && time <= to;
  const isWanted = ({ created_at, updated_at }: Shipment, range: Record<string, string>) =>
    isWithin(created_at, range.created_from, range.created_to) && isWithin(updated_at, undefined, range.updated_to);

  test.each<[string, string, Record<string, string>]>([
    ['updated_at', 'true', {}],
    ['-updated_at', 'true', {}],
    ['-updated_at', 'true', { created_from }],
    ['-updated_at', 'true', { created_from, created_to }],
    ['-updated_at', 'true', { created_from, updated_to }],
    ['created_at', 'true', { created_from }],
    ['-created_at', 'true', { created_from }],
    ['-created_at', 'true', { created_from, created_to, updated_to }],
    ['-created_at', 'true', { created_from, updated_to }],
    ['-created_at', 'true', {}],
    ['-updated_at', 'false', {}],
    ['-updated_at', 'false', { created_from, created_to }],
  ])('by %s shows parcels and drafts (%s) in one order, each once, with %j', async (sort, include_drafts, range) => {
    const items = orders.flatMap(({ order, shipments }) => [
      orderItem('blue', order, 1),
      ...shipments.map((shipment) => shipmentItem('blue', shipment, 1)),
    ]);
    tableWith(operator.item, shopItem('blue'), ...items);
    const field = sort.replace('-', '') as 'updated_at' | 'created_at';
    const places = all
      .filter(({ tracking_number }) => include_drafts === 'true' || tracking_number !== null)
      .filter((shipment) => isWanted(shipment, range))
      .map((shipment) => `${shipment[field]}#${shipment.uuid}`)
      .sort();
    const found: string[] = [];
    for (let page = 1; page <= 4; page++) {
      const query = { sort, include_drafts, page: String(page), per_page: '20', ...range };
      const { body } = await search(query);
      expect(body.pagination.total).toBe(places.length);
      found.push(...body.shipments.map((one: Shipment) => `${one[field]}#${one.uuid}`));
    }
    expect(found).toEqual(sort.startsWith('-') ? places.reverse() : places);
    const ofDrafts = dynamo.commandCalls(QueryCommand).filter(({ args }) => isOfDrafts(args[0].input));
    expect(ofDrafts.length > 0).toBe(include_drafts === 'true');
  });
});

test.each([
  [500, 5],
  [501, 0],
])(
  'of %i shipments that were created in a range, %i requests read the time of the last change',
  async (count, requests) => {
    const { order, shipments } = orderWithParcels(count);
    const items = [orderItem('blue', order, 1), ...shipments.map((shipment) => shipmentItem('blue', shipment, 1))];
    tableWith(operator.item, shopItem('blue'), ...items);
    const at = now.toISOString();
    const { body } = await search({ created_from: at, created_to: at, per_page: '1' });
    expect(body.pagination.total).toBe(count);
    const read = dynamo
      .commandCalls(BatchGetCommand)
      .filter(({ args }) => args[0].input.RequestItems!.table!.ProjectionExpression === 'pk, sk, activity_sk');
    expect(read).toHaveLength(requests);
  },
);

test('a draft that became a shipment after the index was read is shown as the shipment', async () => {
  const placed = newOrder(newOrderId(now), { order_number: '1' }, now);
  tableWith(operator.item, shopItem('blue'), orderItem('blue', placed, 1));
  const tracking = { tracking_number: 'T', carrier_reference: null, tracking_url: null, placed_at: now.toISOString() };
  const trackings = [{ ...tracking, products: null }];
  const { order, shipments } = fulfil({ order: placed, shipments: [] }, placed, trackings, now.toISOString());
  const isPage = ({ RequestItems }: BatchGetCommandInput) =>
    RequestItems!.table!.Keys!.some(({ pk }) => String(pk).startsWith('ORDER#'));
  beforeRequest(BatchGetCommand, (input) => {
    if (isPage(input)) memoryTable.put(orderItem('blue', order, 2), shipmentItem('blue', shipments[0]!, 1));
  });
  expect((await search({})).body.shipments).toMatchObject([{ tracking_number: 'T' }]);
});

/** The counters are kept from the stream, so they lag: here they have only the first parcels, where these once were. */
describe('what the counters do not know yet', () => {
  const listed = { total: 1080, counted: 360, moved: 40, deleted: 25 };
  const timeOf = (n: number) => new Date(now.getTime() - (listed.total - n) * 1000).toISOString();
  const parcelAt = (n: number, updated_at = timeOf(n)): Shipment => {
    const uuid = `01930000-0000-7000-8000-${n.toString(16).padStart(9, '0')}001`;
    const parcel = { ...orderWithParcels(1).shipments[0]!, uuid, order_id: orderIdOf(uuid) };
    return { ...parcel, created_at: timeOf(n), updated_at };
  };
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
  const itemsOf = (parcel: Shipment) => {
    const order = { ...newOrder(parcel.order_id, { order_number: parcel.order_id }, now), drafts: [], shipments: [1] };
    return [orderItem('blue', order, 1), shipmentItem('blue', parcel, 1)];
  };
  const isKept = (n: number) => n < 100 || n >= 100 + listed.deleted;
  /** Some of those that are counted have changed since, and some are gone. */
  const parcels = range(0, listed.total)
    .filter(isKept)
    .map((n) => (n < listed.moved ? parcelAt(n, new Date(now.getTime() - n).toISOString()) : parcelAt(n)));

  const fill = () => {
    tableWith(operator.item, shopItem('blue'), ...parcels.flatMap(itemsOf));
    const times = range(0, listed.counted).map((n) => Date.parse(timeOf(n)));
    const lists = (['created_at', 'updated_at'] as const).map((by) => countedLists.parcels('blue', by, 'withNumber'));
    memoryTable.put(...countersOf(lists.map((list) => [list, times])));
  };

  test.each([
    ['-updated_at', {}],
    ['updated_at', {}],
    ['-created_at', { created_from: timeOf(0) }],
    ['created_at', { created_from: timeOf(0) }],
    ['-updated_at', { updated_from: timeOf(200) }],
    ['updated_at', { updated_from: timeOf(200), updated_to: timeOf(900) }],
  ])('is on the pages of a list by %s all the same, each once, and in the total, with %j', async (sort, filters) => {
    fill();
    const field = sort.replace('-', '') as 'updated_at' | 'created_at';
    const { updated_from = '0', updated_to = '9' } = filters as Record<string, string>;
    const wanted = parcels
      .filter(({ updated_at }) => updated_at >= updated_from && updated_at <= updated_to)
      .sort((a, b) => (a[field] < b[field] ? -1 : 1))
      .map(({ uuid }) => uuid);
    const found: string[] = [];
    for (let page = 1; page <= Math.ceil(wanted.length / 100) + 1; page++) {
      const { body } = await search({ sort, per_page: '100', page: String(page), ...filters });
      expect(body.pagination.total).toBe(wanted.length);
      found.push(...body.shipments.map(({ uuid }: Shipment) => uuid));
    }
    expect(found).toEqual(sort.startsWith('-') ? wanted.reverse() : wanted);
  });
});

/** The counters are believed, because counting all that is new would take too long. They lack the newest. */
describe('a search of a shop with many changes', () => {
  const limits: { countedShipments: number } = searchLimits;
  const { countedShipments } = limits;
  afterEach(() => {
    limits.countedShipments = countedShipments;
    vi.useRealTimers();
  });
  const now = new Date('2026-11-16T12:20:00.000Z');
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now });
  });
  const [count, counted] = [2300, 2100];
  const uuidOf = (n: number) => `01930000-0000-7000-8000-${n.toString(16).padStart(9, '0')}001`;
  const timeOf = (n: number) => new Date(now.getTime() - (count - n) * 100).toISOString();
  const [template] = orderWithParcels(1).shipments;
  const itemsAt = (n: number) => {
    const [uuid, at] = [uuidOf(n), timeOf(n)];
    const order = { ...newOrder(orderIdOf(uuid), { order_number: String(n) }, now), drafts: [], shipments: [1] };
    const parcel = { ...template!, uuid, order_id: orderIdOf(uuid), created_at: at, updated_at: at };
    return [orderItem('blue', order, 1), shipmentItem('blue', parcel, 1)];
  };
  const fill = () => {
    limits.countedShipments = 50;
    const all = Array.from({ length: count }, (_, n) => n);
    tableWith(operator.item, shopItem('blue'), ...all.flatMap(itemsAt));
    const times = all.slice(0, counted).map((n) => Date.parse(timeOf(n)));
    memoryTable.put(...countersOf([[countedLists.parcels('blue', 'updated_at', 'withNumber'), times]]));
  };

  test('counts nothing in the index but the edge of its range', async () => {
    fill();
    const { body } = await search({ per_page: '10' });
    expect(body.pagination).toMatchObject({ total: counted, has_next: true });
    const counting = dynamo.commandCalls(QueryCommand).filter(({ args }) => args[0].input.Select === 'COUNT');
    const found = await Promise.all(counting.map(async ({ returnValue }) => (await returnValue).Count));
    expect(found).toEqual([0]);
  });

  test.each(['-updated_at', 'updated_at'])('shows all to who follows has_next, by %s', async (sort) => {
    fill();
    const seen = new Set<string>();
    for (let page = 1, goesOn = true; goesOn && page <= 30; page++) {
      const { body } = await search({ sort, per_page: '100', page: String(page) });
      for (const { uuid } of body.shipments) seen.add(uuid);
      goesOn = body.pagination.has_next;
    }
    expect(seen.size).toBe(count);
  });

  test('says at which times its range can begin, if too many changed around that time', async () => {
    fill();
    beforeRequest(QueryCommand, (input) => {
      if (input.Select === 'COUNT') input.Limit = 1;
    });
    const { status, body } = await search({ updated_from: timeOf(1000) });
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([
      {
        loc: ['query', 'updated_from'],
        msg: expect.stringContaining('2026-11-16T12:00:00.000Z or 2026-11-16T12:30:00.000Z'),
      },
    ]);
    expect((await search({ updated_from: '2026-11-16T12:00:00.000Z' })).body.pagination.total).toBe(counted);
  });
});

/** The first is read at once, the second is counted, and the third is so long that its counters count it. */
describe.each([
  [266, 50_000],
  [300, 50_000],
  [300, 50],
])('who turns the pages of a list of %i that move, if up to %i are counted in the index', (count, few) => {
  const limits: { countedShipments: number } = searchLimits;
  const { countedShipments } = limits;
  afterEach(() => {
    limits.countedShipments = countedShipments;
  });
  const timeOf = (n: number) => new Date(now.getTime() - 7200_000 + n * 1000).toISOString();
  const uuidOf = (n: number) => `01930000-0000-7000-8000-${n.toString(16).padStart(9, '0')}001`;
  const parcelAt = (n: number, updated_at: string): Shipment => {
    const parcel = { ...orderWithParcels(1).shipments[0]!, uuid: uuidOf(n), order_id: orderIdOf(uuidOf(n)) };
    return { ...parcel, created_at: timeOf(n), updated_at };
  };
  const orderOf = (n: number) => {
    const fields = { order_number: String(n), order_placed_at: timeOf(n) };
    return { ...newOrder(orderIdOf(uuidOf(n)), fields, now), drafts: [], shipments: [1] };
  };

  test.each(['updated_at', 'created_at', '-created_at'])('loses none by %s', async (sort) => {
    limits.countedShipments = few;
    const times = Array.from({ length: count }, (_, n) => Date.parse(timeOf(n)));
    tableWith(operator.item, shopItem('blue'), ...times.map((_, n) => orderItem('blue', orderOf(n), 1)));
    memoryTable.put(...times.map((_, n) => shipmentItem('blue', parcelAt(n, timeOf(n)), 1)));
    const drafts = Array.from({ length: 20 }, (_, n) =>
      newOrder(newOrderId(now), { order_number: `d-${n}` }, new Date(timeOf(n * 9))),
    );
    memoryTable.put(...drafts.map((order) => orderItem('blue', order, 1)));
    const lists = (['created_at', 'updated_at'] as const).map((by) => countedLists.parcels('blue', by, 'withNumber'));
    memoryTable.put(...countersOf(lists.map((list) => [list, times])));
    const updated = new Map(times.map((_, n) => [uuidOf(n), timeOf(n)]));
    const seen = new Map<string, string>();
    const filters = sort.includes('created') ? { created_from: timeOf(0) } : {};
    for (let page = 1, length = 7; length === 7; page++) {
      const { status, body } = await search({ sort, per_page: '7', page: String(page), ...filters });
      expect(status).toBe(200);
      for (const { uuid, updated_at } of body.shipments) seen.set(uuid, updated_at);
      length = body.shipments.length;
      // Some that were seen and some that were not change after each page.
      for (const n of page > 30 ? [] : [page, page * 3, page * 7, count - 1 - page]) {
        updated.set(uuidOf(n), new Date(now.getTime() + page * 100 + n).toISOString());
        memoryTable.put(shipmentItem('blue', parcelAt(n, updated.get(uuidOf(n))!), 2));
      }
    }
    expect([...updated].filter(([uuid]) => !seen.has(uuid))).toEqual([]);
    if (sort === 'updated_at') expect([...updated].filter(([uuid, at]) => seen.get(uuid) !== at)).toEqual([]);
    expect(seen.size).toBe(count + drafts.length);
  });
});
