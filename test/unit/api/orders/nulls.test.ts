import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#api/orders/handler.ts';
import { invoke } from '#test/kit/invoke.ts';
import { asOperator, operator, shopItem, tableWith } from '#test/kit/table.ts';

const call = (method: string, path: string, body?: unknown, query?: Record<string, string>) =>
  invoke(handler, {
    method,
    resource: `/v1/shops/{slug}${path}`,
    params: { slug: 'blue' },
    headers: asOperator,
    body,
    ...(query && { query }),
  });
const upsert = (order: unknown, more: object = {}) =>
  call('PUT', '/orders', { id: '1', order, trackings: [], ...more });
const stored = async () => (await call('GET', '/orders', undefined, { order_number: '1' })).body[0];
const faultsOf = ({ body }: { body: { errors: { loc: unknown[]; type: string }[] } }) =>
  body.errors.map(({ loc, type }) => `${loc.slice(1).join('.')} ${type}`);

beforeEach(() => tableWith(operator.item, shopItem('blue')));

const known = {
  email_id: 'zoe@example.com',
  external_customer_id: 'C1',
  address: { city: 'Ulm', zip_code: '89073' },
  products: [{ title: 'A', sku: 'S' }],
};

describe('null in an order', () => {
  test('leaves what the order has', async () => {
    await upsert(known);
    const nothing = Object.fromEntries(Object.keys(known).map((name) => [name, null]));
    expect((await upsert({ ...nothing, order_analytics: null, order_name: '#1' })).status).toBe(200);
    expect(await stored()).toMatchObject({ ...known, order_name: '#1' });
  });

  test('is not stored', async () => {
    expect(
      (await upsert({ address: { city: 'Ulm', phone: null }, products: [{ sku: null, title: 'A' }] })).status,
    ).toBe(200);
    const { address, products } = await stored();
    expect({ address, products }).toEqual({ address: { city: 'Ulm' }, products: [{ title: 'A' }] });
  });

  test('stays where it means something: in analytics, tax lines and the text of a picture', async () => {
    const products = [{ tax_lines: [{ rate: null }], images: [{ src: 'a.png', alt: null }] }];
    const order_analytics = { landing_site: null, utm: { source: null } };
    expect((await upsert({ products, order_analytics })).status).toBe(200);
    expect(await stored()).toMatchObject({ products, order_analytics });
  });

  test('is a missing field where there must be one', async () => {
    const tracking = { tracking_number: null, carrier_reference: null };
    expect(faultsOf(await upsert({}, { id: null, trackings: [tracking] }))).toEqual([
      'id missing',
      'trackings.0.tracking_number missing',
    ]);
    expect(faultsOf(await call('PUT', '/orders/bulk', [{ id: '1', trackings: null }]))).toEqual([
      '0.trackings missing',
    ]);
    const placement = { order_number: '1', external_id: null, address: null };
    expect(faultsOf(await call('POST', '/orders', placement))).toEqual(['external_id missing', 'address missing']);
  });

  test('is refused in a list', async () => {
    const lists = { products: [null], segments: [null], discounts: [null] };
    expect(faultsOf(await upsert(lists)).toSorted()).toEqual([
      'order.discounts.0 type_error',
      'order.products.0 type_error',
      'order.segments.0 type_error',
    ]);
  });

  test('is found in a body whose characters are escaped, or that comes as base64', async () => {
    const text = '{"id":"1","order":{"email_id":null,"order_name":"Gr\\u00f6\\u00dfe"},"trackings":[]}';
    const request = {
      method: 'PUT',
      resource: '/v1/shops/{slug}/orders',
      params: { slug: 'blue' },
      headers: asOperator,
    };
    expect((await invoke(handler, { ...request, rawBody: text })).status).toBe(200);
    const asBase64: typeof handler = (event, context) =>
      handler({ ...event, isBase64Encoded: true, body: Buffer.from(text).toString('base64') }, context);
    expect((await invoke(asBase64, { ...request, rawBody: text })).status).toBe(200);
    expect(await stored()).toMatchObject({ order_name: 'Größe' });
  });
});

describe('the amount of a discount', () => {
  test.each([
    ['10.01', '10.01'],
    [-4.993, '-4.993'],
    [10, '10'],
    [0, '0'],
    [1e21, '1e+21'],
  ])('that is sent as %j is shown as the text %s', async (amount, shown) => {
    expect((await upsert({ discounts: [{ amount }] })).status).toBe(200);
    expect((await stored()).discounts).toEqual([{ amount: shown }]);
  });

  test.each([[true], [{}], [['1']]])('cannot be %j', async (amount) => {
    expect(faultsOf(await upsert({ discounts: [{ amount }] }))).toEqual(['order.discounts.0.amount type_error']);
  });

  test('cannot be a number that is too large for JSON', async () => {
    const rawBody = '{"id":"1","order":{"discounts":[{"amount":1e999}]},"trackings":[]}';
    const params = { slug: 'blue' };
    const request = { method: 'PUT', resource: '/v1/shops/{slug}/orders', params, headers: asOperator, rawBody };
    expect(faultsOf(await invoke(handler, request))).toEqual(['order.discounts.0.amount type_error']);
  });
});

test('null for the address of an order is refused in its update, and null within the address is absent', async () => {
  await upsert(known);
  const params = { slug: 'blue', order_id: (await stored()).uuid };
  const patch = (body: object) =>
    invoke(handler, {
      method: 'PATCH',
      resource: '/v1/shops/{slug}/orders/{order_id}',
      params,
      headers: asOperator,
      body,
    });
  expect(faultsOf(await patch({ address: null }))).toEqual(['address type_error']);
  expect((await patch({ address: { city: 'Bonn', phone: null } })).body.address).toEqual({ city: 'Bonn' });
});
