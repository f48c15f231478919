import { BatchGetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler } from '#api/orders/handler.ts';
import { type OrderWithShipments, shipmentId } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { fulfil, newOrder } from '#domain/orders/order-rules.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import { invoke } from '#test/kit/invoke.ts';
import { asOperator, dynamo, operator, shopItem, tableWith } from '#test/kit/table.ts';

const start = Date.parse('2026-11-01T00:00:00Z');
const at = (minute: number) => new Date(start + minute * 60_000).toISOString();

interface Sample {
  order_name: string;
  email_id?: string;
  zip_code: string;
  placed: number;
  /** The minute of the last change of each shipment. */
  changes: number[];
  drafts: number;
}

function orderOf(sample: Sample, i: number): OrderWithShipments {
  const { placed, changes, drafts, zip_code, ...fields } = sample;
  const uuid = `01930000-0000-7000-8000-${String(i).padStart(9, '0')}000`;
  const order = newOrder(
    uuid,
    {
      ...fields,
      order_number: String(i),
      order_placed_at: at(placed),
      expected_number_of_shipments: Math.max(1, changes.length + drafts),
      address: { zip_code },
    },
    new Date(start),
  );
  const trackings = changes.map((_, slot) => ({
    tracking_number: `${i}-${slot}`,
    carrier_reference: null,
    tracking_url: null,
    placed_at: at(placed),
    products: null,
  }));
  const full = fulfil({ order, shipments: [] }, order, trackings, at(0));
  return {
    order: full.order,
    shipments: full.shipments.map((shipment, slot) => ({ ...shipment, updated_at: at(changes[slot]!) })),
  };
}

const itemsOf = ({ order, shipments }: OrderWithShipments) => [
  orderItem('blue', order, 1),
  ...shipments.map((shipment) => shipmentItem('blue', shipment, 1)),
];

const holds = (orders: readonly OrderWithShipments[]) =>
  tableWith(operator.item, shopItem('blue'), ...orders.flatMap(itemsOf));

type Query = Record<string, string>;

const search = (query: Query) =>
  invoke(handler, {
    method: 'GET',
    resource: '/v1/shops/{slug}/orders',
    params: { slug: 'blue' },
    headers: asOperator,
    query,
  });

const numbersOf = (orders: { order_number: string }[]) => orders.map(({ order_number }) => order_number);

/** The numbers of all orders that the pages of a search show, in their order. */
async function allPages(query: Query): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1; ; page++) {
    const { status, body } = await search({ ...query, page: String(page) });
    expect(status, JSON.stringify(body)).toBe(200);
    found.push(...numbersOf(body));
    if (body.length < Number(query.per_page)) return found;
  }
}

const lastChange = ({ order, shipments }: OrderWithShipments) =>
  [
    ...shipments.map(({ updated_at, uuid }) => [updated_at, uuid]),
    ...order.drafts.map(({ created_at, slot }) => [created_at, shipmentId(order.uuid, slot)]),
  ]
    .map((parts) => parts.join('#'))
    .sort()
    .at(-1) ?? '';

/** What a search must find, the plain way. */
function expected(orders: readonly OrderWithShipments[], filters: Query): string[] {
  const { order_name, email_id, zip_code, order_placed_from, order_placed_to, shipment_updated_since } = filters;
  const byChange = shipment_updated_since !== undefined && !order_name && !email_id && !zip_code;
  const placeOf = (full: OrderWithShipments) =>
    byChange ? lastChange(full) : `${full.order.order_placed_at}#${full.order.uuid}`;
  const found = orders
    .filter(({ order }) => !order_name || order.order_name === order_name)
    .filter(({ order }) => !email_id || order.email_id === email_id)
    .filter(({ order }) => !zip_code || order.address?.zip_code === zip_code)
    .filter(({ order }) => !order_placed_from || order.order_placed_at >= order_placed_from)
    .filter(({ order }) => !order_placed_to || order.order_placed_at <= order_placed_to)
    .filter((full) => !shipment_updated_since || lastChange(full) >= shipment_updated_since)
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    .map(({ order }) => order.order_number);
  return byChange ? found : found.reverse();
}

const minute = fc.integer({ min: 0, max: 9 });
/** Most orders share their values, so that a search has several orders to look at. */
const mostly = (usual: string, other: string) => fc.constantFrom(usual, usual, usual, other);
const sample: fc.Arbitrary<Sample> = fc.record({
  order_name: mostly('n1', 'n2'),
  email_id: mostly('a@x.org', 'b@x.org'),
  zip_code: mostly('50667', '10115'),
  placed: minute,
  changes: fc.array(minute, { maxLength: 3 }),
  drafts: fc.integer({ min: 0, max: 2 }),
});
const query: fc.Arbitrary<Query> = fc.record(
  {
    order_name: fc.constantFrom('n1', 'n2'),
    email_id: fc.constantFrom('a@x.org', 'b@x.org'),
    zip_code: fc.constantFrom('50667', '10115'),
    order_placed_from: minute.map(at),
    order_placed_to: minute.map(at),
    shipment_updated_since: minute.map(at),
    per_page: fc.integer({ min: 1, max: 5 }).map(String),
  },
  { requiredKeys: ['per_page'] },
);

test('the pages of a search contain exactly the orders that match, each once and in order, whatever the filters', async () => {
  const cases = fc.tuple(
    fc.array(sample, { maxLength: 20, size: 'max' }),
    fc.array(query, { minLength: 12, maxLength: 12 }),
  );
  await fc.assert(
    fc.asyncProperty(cases, async ([samples, queries]) => {
      const orders = samples.map(orderOf);
      holds(orders);
      for (const filters of queries) expect(await allPages(filters)).toEqual(expected(orders, filters));
    }),
    { numRuns: 30 },
  );
});

/** How many items and requests of the table a search took, without those of its key and shop. */
async function workOf(filters: Query) {
  dynamo.resetHistory();
  const answer = await search(filters);
  const batches = dynamo
    .commandCalls(BatchGetCommand)
    .map(({ args }) => args[0].input.RequestItems!.table!.Keys!.length);
  return {
    answer,
    queries: dynamo.commandCalls(QueryCommand).length,
    batches: batches.length - 1,
    items: batches.reduce((sum, keys) => sum + keys, 0) - 2,
  };
}

describe('a search over 2,000 orders of one name', () => {
  const orders = Array.from({ length: 2000 }, (_, i) => {
    const zip_code = i === 0 ? '10115' : '50667';
    return orderOf({ order_name: 'same', zip_code, placed: i, changes: [i < 1990 ? i : 5000], drafts: 0 }, i);
  });

  beforeAll(() => holds(orders), 60_000);

  test('by name and zip code reads no order but the one that it finds', async () => {
    const { answer, ...work } = await workOf({ order_name: 'same', zip_code: '10115', per_page: '1' });
    expect(numbersOf(answer.body)).toEqual(['0']);
    expect(work).toEqual({ queries: 3, batches: 2, items: 2 });
  });

  test('by name and a change of shipments reads a bounded number of orders in few requests', async () => {
    const filters = { order_name: 'same', shipment_updated_since: at(9999), per_page: '1' };
    const { answer, ...work } = await workOf(filters);
    expect(answer.status).toBe(422);
    expect(work.items).toBeLessThanOrEqual(2 * (searchLimits.orders + 100));
    expect(work.batches).toBeLessThanOrEqual(40);
    expect(work.queries).toBeLessThanOrEqual(3);
  });

  test('that must stop says where to continue, and continues there to the end', async () => {
    let filters: Query = { order_name: 'same', shipment_updated_since: at(9999), per_page: '1' };
    const asked: string[] = [];
    for (let answer = await search(filters); answer.status !== 200; answer = await search(filters)) {
      expect(answer.body.errors).toMatchObject([{ loc: ['query', 'order_placed_to'], type: 'value_error' }]);
      const [time] = String(answer.body.errors[0].msg).match(/\d{4}-\S+Z/)!;
      asked.push(time);
      filters = { ...filters, order_placed_to: time };
    }
    expect(asked).toHaveLength(1);
  });

  test('on a page far back that was not read before counts entries, and reads only the orders of the page', async () => {
    const { answer, ...work } = await workOf({ page: '1901', per_page: '1' });
    expect(numbersOf(answer.body)).toEqual(['99']);
    expect(work).toEqual({ queries: 2, batches: 3, items: 4 });
  });

  test('that finds too few for its page says how many the page can have', async () => {
    const filters = { order_name: 'same', shipment_updated_since: at(4000) };
    const { status, body } = await search({ ...filters, per_page: '100' });
    expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ loc: ['query', 'per_page'] }] });
    expect(body.errors[0].msg).toContain('more than 10 ');
    expect((await search({ ...filters, per_page: '10' })).body).toHaveLength(10);
  });
});

test('a page of orders with too much text is refused while it is read, and a smaller page is shown', async () => {
  const products = Array.from({ length: 900 }, () => ({ title: 'x'.repeat(1000) }));
  const large = Array.from({ length: 40 }, (_, i) => {
    const { order } = orderOf({ order_name: 'large', zip_code: '1', placed: i, changes: [i], drafts: 0 }, i);
    return orderItem('blue', { ...order, products, shipments: [] }, 1);
  });
  tableWith(operator.item, shopItem('blue'), ...large);
  const { status, body } = await search({ per_page: '100' });
  expect([status, body.message]).toEqual([413, expect.stringMatching(/^The orders of this page.*per_page/)]);
  expect((await search({ per_page: '5' })).body).toHaveLength(5);
});
