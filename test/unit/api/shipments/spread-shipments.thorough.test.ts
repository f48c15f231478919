import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler as orders } from '#api/orders/handler.ts';
import { handler as shipments } from '#api/shipments/handler.ts';
import { orderIdOf, type Shipment, shipmentId } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { fulfilled, newShipment } from '#domain/orders/shipment-rules.ts';
import { invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { belowFrom } from '#test/kit/random-from.ts';
import { spreads, writtenAs } from '#test/kit/spread-shipments.ts';
import { asOperator, beforeRequest, operator, shopItem, tableWith } from '#test/kit/table.ts';

const now = new Date();
const timeOf = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
const orderIdAt = (n: number) => orderIdOf(`01930000-0000-7000-8000-${n.toString(16).padStart(9, '0')}000`);
const worlds = { parcels: 380, drafts: 60 };

/** Parcels with and without a number, and drafts, many of which have the same times. */
function worldOf(seed: number) {
  const below = belowFrom(seed);
  const parcels = Array.from({ length: worlds.parcels }, (_, n): Shipment => {
    const created = below(300) + 300;
    const order = newOrder(orderIdAt(n), { order_number: String(n) }, new Date(timeOf(created)));
    const carrier = { tracking_number: `T-${n}`, carrier_reference: null, tracking_url: null };
    const draft = newShipment(order, 1, 'merchant_customer', timeOf(created));
    const parcel = fulfilled(draft, { ...carrier, placed_at: timeOf(created) }, timeOf(created));
    const isWithoutNumber = below(10) === 0;
    return { ...parcel, ...(isWithoutNumber && { tracking_number: null }), updated_at: timeOf(below(300)) };
  });
  const drafts = Array.from({ length: worlds.drafts }, (_, n) =>
    newOrder(orderIdAt(1000 + n), { order_number: `d-${n}` }, new Date(timeOf(below(600)))),
  );
  return { parcels, drafts };
}

const placesOf = ({ parcels, drafts }: ReturnType<typeof worldOf>, withDrafts: boolean) => [
  ...parcels
    .filter(({ tracking_number }) => withDrafts || tracking_number !== null)
    .map(({ updated_at, uuid }) => `${updated_at}#${uuid}`),
  ...(withDrafts ? drafts : []).map(
    ({ uuid, drafts: [line] }) => `${line!.created_at}#${shipmentId(uuid, line!.slot)}`,
  ),
];

/** A request reads little, so that pages are counted in many parts. */
function withSmallReads() {
  beforeRequest(QueryCommand, (input) => {
    if (input.Select !== 'COUNT') return;
    input.Limit = /#\d$/.test(input.ExpressionAttributeValues![':partition']) ? 9 : 45;
  });
}

let readers = 0;
const get = async (handler: typeof shipments, path: string, query: Record<string, string>, reader = `${++readers}`) => {
  const { status, body } = await invoke(handler, {
    method: 'GET',
    resource: `/v1/shops/{slug}/${path}`,
    params: { slug: 'blue' },
    headers: { ...asOperator, 'Reader-Id': reader },
    query,
  });
  expect(status).toBe(200);
  return body;
};

describe.each(spreads)('shipments by their last change that are %s', (spread) => {
  const world = worldOf(7);

  beforeEach(() => {
    tableWith(operator.item, shopItem('blue'));
    const { parcels, drafts } = world;
    memoryTable.put(
      ...parcels.map((parcel, n) => writtenAs(spread, n, () => shipmentItem('blue', parcel, 1))),
      ...parcels.map(({ order_id, order_number }) => {
        const order = newOrder(order_id, { order_number }, new Date(timeOf(600)));
        return orderItem('blue', { ...order, drafts: [], shipments: [1] }, 1);
      }),
      ...drafts.map((order) => orderItem('blue', order, 1)),
    );
    withSmallReads();
  });

  test('lie where they should', () => {
    const lists = new Set(memoryTable.all('ORDER#blue#').flatMap(({ activity_pk }) => activity_pk ?? []));
    const shards = [...lists].filter((name) => /^SHIPMENTS#blue#[0-7]$/.test(name)).length;
    expect([lists.has('SHIPMENTS#blue'), shards]).toEqual([spread !== 'in shards', spread === 'in one list' ? 0 : 8]);
  });

  test('are on every page of every search as a model has them, for who comes there directly', async () => {
    const below = belowFrom(11);
    for (let i = 0; i < 40; i++) {
      const [sort, include_drafts] = [below(2) ? 'updated_at' : '-updated_at', below(3) > 0];
      const [from, to] = [below(2) ? timeOf(600) : timeOf(200 + below(100)), below(3) ? undefined : timeOf(below(40))];
      const matching = placesOf(world, include_drafts)
        .filter((place) => place >= from && (to === undefined || place <= `${to}~`))
        .sort();
      if (sort.startsWith('-')) matching.reverse();
      const per_page = 1 + below(30);
      const page = 1 + below(Math.ceil(matching.length / per_page) + 1);
      const query = { sort, include_drafts, updated_from: from, ...(to && { updated_to: to }), page, per_page };
      const texts = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));
      const body = await get(shipments, 'shipments', texts);
      const found = body.shipments.map(({ updated_at, uuid }: Shipment) => `${updated_at}#${uuid}`);
      expect(found, JSON.stringify(query)).toEqual(matching.slice((page - 1) * per_page, page * per_page));
      expect(body.pagination.total).toBe(matching.length);
    }
  });

  test('are found by filters that read the whole range', async () => {
    const query = { sort: '-created_at', per_page: '100', include_drafts: 'true' };
    const body = await get(shipments, 'shipments', { ...query, updated_from: timeOf(150) });
    const matching = placesOf(world, true).filter((place) => place >= timeOf(150));
    expect(body.pagination.total).toBe(matching.length);
  });

  test('are turned page by page without a loss, while others move into other partitions', async () => {
    const parcels = world.parcels.filter(({ tracking_number }) => tracking_number !== null);
    const seen = new Set<string>();
    for (let page = 1, length = 20; length === 20; page++) {
      const query = { sort: 'updated_at', per_page: '20', page: String(page), include_drafts: 'false' };
      const { shipments: found } = await get(shipments, 'shipments', query, 'one after the other');
      for (const { uuid } of found) seen.add(uuid);
      length = found.length;
      for (const n of page < 12 ? [page, page * 9, page * 23] : []) {
        const moved = { ...parcels[n]!, updated_at: new Date(now.getTime() + page * 1000 + n).toISOString() };
        memoryTable.put(writtenAs('in shards', n, () => shipmentItem('blue', moved, 2)));
      }
    }
    expect(parcels.filter(({ uuid }) => !seen.has(uuid))).toEqual([]);
  });

  test('lead to their orders, the earliest change first', async () => {
    const since = timeOf(120);
    const wanted = placesOf(world, true)
      .filter((place) => place >= since)
      .sort()
      .map((place) => orderIdOf(place.split('#')[1]!));
    const found: string[] = [];
    for (let page = 1; found.length === (page - 1) * 50; page++) {
      const query = { shipment_updated_since: since, per_page: '50', page: String(page) };
      const body: { uuid: string }[] = await get(orders, 'orders', query, 'orders');
      found.push(...body.map(({ uuid }) => uuid));
      if (body.length === 0) break;
    }
    expect(found).toEqual(wanted);
  });
});
