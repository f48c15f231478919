import { BatchGetCommand, type BatchGetCommandInput, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#api/shipments/handler.ts';
import { newOrderId } from '#domain/orders/model.ts';
import { draftsItem, orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { fulfil, newOrder } from '#domain/orders/order-rules.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import { indexes } from '#schemas/catalogues/table.ts';
import { invoke } from '#test/kit/invoke.ts';
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

const aSecondAgo = new Date(now.getTime() - 1000).toISOString();

test.each<[string, Record<string, string>, number]>([
  ['updated_from', { sort: '-created_at' }, 0],
  ['updated_from', { created_from: aSecondAgo }, 0],
  // The positions are asked first, and there are none.
  ['created_from', { created_from: aSecondAgo, sort: '-created_at' }, 2],
])(
  'a range with more shipments than a request can count is refused with a %s that it can (%#)',
  async (field, query, readBefore) => {
    tableWith(operator.item, shopItem('blue'));
    let reads = 0;
    const time = (read: number) => new Date(now.getTime() - read).toISOString();
    dynamo.on(QueryCommand).callsFake(() => {
      const shipment = orderWithParcels(1).shipments[0]!;
      const at = time(++reads);
      const { document: _document, ...entry } = shipmentItem(
        'blue',
        { ...shipment, created_at: at, updated_at: at },
        1,
      );
      return { Items: [entry], LastEvaluatedKey: entry };
    });
    const { status, body } = await search(query);
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ loc: ['query', field], type: 'value_error' }]);
    expect(body.errors[0].msg).toContain(`${time(readBefore + searchLimits.reads - 1)} or later`);
    expect(reads).toBe(readBefore + searchLimits.reads + 1);
  },
);

describe('the index by creation does not tell when a shipment changed, so a search that asks for it', () => {
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString();
  const { order, shipments } = orderWithParcels(4);
  /** When each was created and changed. */
  const times = [
    [60, 1],
    [50, 40],
    [40, 39],
    [10, 5],
  ] as const;
  const parcels = times.map(([created, updated], i) => ({
    ...shipments[i]!,
    created_at: minutesAgo(created),
    updated_at: minutesAgo(updated),
  }));
  beforeEach(() => {
    const items = [orderItem('blue', order, 1), ...parcels.map((parcel) => shipmentItem('blue', parcel, 1))];
    tableWith(operator.item, shopItem('blue'), ...items);
  });
  const found = async (query: Record<string, string>) => {
    const { body } = await search(query);
    return body.shipments.map(({ tracking_number }: { tracking_number: string }) => tracking_number);
  };
  const indexesRead = () => dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input.IndexName);

  test('reads the shipments of the range', async () => {
    expect(await found({ created_from: minutesAgo(55), created_to: minutesAgo(20) })).toEqual(['T-2', 'T-1']);
    expect(indexesRead()).toEqual(['timeline']);
    const upTo = { created_from: minutesAgo(65), created_to: minutesAgo(20), updated_to: minutesAgo(39.5) };
    expect(await found({ ...upTo, sort: 'created_at' })).toEqual(['T-1']);
  });

  test('reads the index by change if the range is open, for nothing changes before it is created', async () => {
    expect(await found({ created_from: minutesAgo(55) })).toEqual(['T-3', 'T-2', 'T-1']);
    expect(indexesRead()).toEqual(['activity']);
  });

  test('reads the index by change if the range has too many to be read one by one', async () => {
    beforeRequest(QueryCommand, (input) => {
      if (input.IndexName === 'timeline') input.Limit = 1;
    });
    expect(await found({ created_from: minutesAgo(55), created_to: minutesAgo(20) })).toEqual(['T-2', 'T-1']);
    expect(indexesRead()).toEqual(['timeline', 'activity']);
  });

  test('does not make a change cost a write of that index', () => {
    const [parcel] = parcels as [(typeof parcels)[0]];
    const entryOf = (item: object) => Object.entries(item).filter(([name]) => isInTimeline(name));
    const later = { ...parcel, updated_at: now.toISOString() };
    expect(entryOf(shipmentItem('blue', later, 2))).toEqual(entryOf(shipmentItem('blue', parcel, 1)));
  });

  const { partition, sort, projection } = indexes.timeline;
  const isInTimeline = (name: string) => ['pk', 'sk', partition, sort, ...projection].includes(name);
});

test('a draft that became a shipment after the index was read is shown as the shipment', async () => {
  const placed = newOrder(newOrderId(now), { order_number: '1' }, now);
  tableWith(operator.item, shopItem('blue'), orderItem('blue', placed, 1), draftsItem('blue', placed)!);
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
