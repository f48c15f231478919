import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler as deals } from '#api/deals/handler.ts';
import { handler as discounts } from '#api/discounts/handler.ts';
import { keyOf } from '#platform/table/keys.ts';
import { recordLimits } from '#schemas/catalogues/limits.ts';
import { basic, type Call, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { dynamo, keyFor, shopItem, tableWith } from '#test/kit/table.ts';

const editor = keyFor('blue', 'editor');
const discount_id = '01930000-0000-7000-8000-00000000000d';
const discount = {
  ...keyOf.record('discounts', 'blue', discount_id),
  ...{ uuid: discount_id, shop_slug: 'blue', code: 'TEN', version: 1 },
};

beforeEach(() => {
  tableWith(editor.item, shopItem('blue'), discount);
});

const call = (handler: typeof deals, { method, resource, ...rest }: Call) =>
  invoke(handler, {
    method,
    resource: `/v1/shops/{slug}${resource}`,
    params: { slug: 'blue' },
    headers: basic('blue', editor.secret),
    ...rest,
  });

describe('a search for records', () => {
  test('ignores an unknown parameter', async () => {
    const search = (query: Record<string, string>) => call(discounts, { method: 'GET', resource: '/discounts', query });
    const { body } = await search({ utm_source: 'x', shop_slug: 'red', version: '7', constructor: 'y' });
    expect(body).toMatchObject([{ uuid: discount_id }]);
    expect((await search({ code: 'ELEVEN' })).body).toEqual([]);
  });
});

describe('the deals of a shop', () => {
  const { deals: maxDeals } = recordLimits;
  const madeDeals = (count: number) =>
    Array.from({ length: count }, (_, i) => keyOf.record('deals', 'blue', `deal-${i}`));
  const create = () => call(deals, { method: 'POST', resource: '/deals', body: { discount_id } });

  test('are read once to count them, and never again', async () => {
    memoryTable.put(...madeDeals(maxDeals - 2));
    expect(await create()).toMatchObject({ status: 200, body: { rank: 1 } });
    expect(dynamo.commandCalls(QueryCommand)).toHaveLength(1);
    expect(await create()).toMatchObject({ status: 200, body: { rank: 2 } });
    expect(await create()).toMatchObject({ status: 422, body: { errors: [{ loc: ['body'] }] } });
    expect(dynamo.commandCalls(QueryCommand)).toHaveLength(1);
  });
});

describe('the translations of a deal', () => {
  const create = (data: object) =>
    call(deals, {
      method: 'POST',
      resource: '/deals',
      body: { discount_id, translations: [{ language: 'de', data }] },
    });
  const loc = ['body', 'translations', 0, 'data'];

  test('are texts under any name', async () => {
    const { status, body } = await create({ 'two\nlines': 1e300 });
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ loc: [...loc, 'two\nlines'], msg: 'must be a string', type: 'type_error' }]);
  });

  test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'toJSON', 'length', 'name'])(
    'are kept under the name %s, which every object has',
    async (name) => {
      const data = { [name]: 'x', title: 'Titel' };
      const { status, body } = await create(data);
      expect([status, body.translations]).toEqual([200, [{ language: 'de', data }]]);
      const list = await call(deals, { method: 'GET', resource: '/deals' });
      expect(list.body[0].translations).toEqual([{ language: 'de', data }]);
    },
  );

  test.each(['{"__proto__":"x"}', '{"constructor":{"prototype":"x"}}'])('%s are refused', async (data) => {
    const rawBody = `{"discount_id":"${discount_id}","translations":[{"language":"de","data":${data}}]}`;
    const headers = { ...basic('blue', editor.secret), 'Content-Type': 'application/json' };
    expect((await call(deals, { method: 'POST', resource: '/deals', headers, rawBody })).status).toBe(422);
  });

  test.each([
    [{ '': 'x' }, 'has a field name that must have at least 1 character'],
    [{ ['x'.repeat(101)]: 'x' }, 'has a field name that must have at most 100 characters'],
    [Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`n${i}`, 'x'])), 'must have at most 20 fields'],
  ])('with the data %j are refused, because the data %s', async (data, msg) => {
    const { status, body } = await create(data);
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ loc, msg, type: 'value_error' }]);
  });
});
