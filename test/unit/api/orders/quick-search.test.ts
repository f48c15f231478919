import { BatchGetCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { handler as claims } from '#api/claims/handler.ts';
import { handler } from '#api/orders/handler.ts';
import { orderItem, toOrder } from '#domain/orders/order-items.ts';
import { keyOf } from '#platform/table/keys.ts';
import { claimNumber } from '#schemas/catalogues/claim-number.ts';
import { quickSearchLimits } from '#schemas/catalogues/limits.ts';
import { invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { asOperator, dynamo, operator, shopItem, tableWith } from '#test/kit/table.ts';

const call = (method: string, resource: string, more: object = {}) =>
  invoke(handler, {
    method,
    resource: `/v1/shops/{slug}${resource}`,
    params: { slug: 'blue' },
    headers: asOperator,
    ...more,
  });

const search = async (q: string, slug = 'blue') => {
  const { status, body } = await call('GET', '/search', { query: { q }, params: { slug } });
  expect(status).toBe(200);
  return body as { kind: string; matched: string; order_number: string; order_id: string; claim_uuid: string }[];
};

const found = async (q: string, slug?: string) =>
  (await search(q, slug)).map(({ order_number, matched }) => [order_number, matched]);

const upsert = async (id: string, order: object, trackings: string[] = [], slug = 'blue') => {
  const body = { id, order, trackings: trackings.map((tracking_number) => ({ tracking_number })) };
  expect((await call('PUT', '/orders', { body, params: { slug } })).status).toBe(200);
};

const idOf = async (number: string): Promise<string> => (await search(number))[0]!.order_id;

beforeAll(async () => {
  tableWith(operator.item, shopItem('blue'), shopItem('red'));
  const at = (day: number) => ({ order_placed_at: `2026-11-0${day}T10:00:00Z` });
  await upsert(
    '1001',
    {
      ...at(1),
      external_id: 'ext-1',
      email_id: 'Mara@Example.com',
      address: { name: 'Mara Lindqvist', zip_code: '20095' },
    },
    ['0034 0434-1'],
  );
  await upsert('#1002', { ...at(2), email_id: 'mara@example.com', address: { name: 'Jonas Lindqvist' } });
  await upsert('1003', { ...at(3), order_name: '#N-3', address: { name: 'Jörg Müller', zip_code: 'sw1a 1aa' } });
  await upsert('1004', { ...at(4), address: { name: 'Anna van der Berg' } });
  await upsert('1001', { address: { name: 'Somebody Else' } }, [], 'red');
});

describe('an order is found by', () => {
  test.each([
    ['its number', '1001', [['1001', 'order_number']]],
    ['its number with a number sign', '#1001', [['1001', 'order_number']]],
    ['its number without its number sign', '1002', [['#1002', 'order_number']]],
    ['its external id', 'ext-1', [['1001', 'external_id']]],
    ['its name without its number sign', 'N-3', [['1003', 'order_name']]],
    ['a tracking number in any spelling', '003404341', [['1001', 'tracking_number']]],
    ['the zip code', 'SW1A1AA', [['1003', 'zip_code']]],
    [
      'the last name, newest first',
      'LINDQVIST',
      [
        ['#1002', 'customer_name'],
        ['1001', 'customer_name'],
      ],
    ],
    ['first and last name', 'mara lindqvist', [['1001', 'customer_name']]],
    ['last and first name', 'Lindqvist, Jon', [['#1002', 'customer_name']]],
    ['a name in another spelling', 'joerg mueller', [['1003', 'customer_name']]],
    ['a last name of several words', 'van der berg', [['1004', 'customer_name']]],
    ['the first name', 'anna', [['1004', 'customer_name']]],
    [
      'the beginning of the last name',
      'Lindq',
      [
        ['#1002', 'customer_name'],
        ['1001', 'customer_name'],
      ],
    ],
    ['the beginning of the first name', 'jör', [['1003', 'customer_name']]],
    ['the first name and the beginning of the last', 'Mara L', [['1001', 'customer_name']]],
    ['three letters of which the search makes two', 'mue', [['1003', 'customer_name']]],
    [
      'the e-mail address, newest first',
      ' MARA@example.com ',
      [
        ['#1002', 'email'],
        ['1001', 'email'],
      ],
    ],
  ])('%s', async (_, q, orders) => {
    expect(await found(q)).toEqual(orders);
  });

  test('its uuid, and that of its parcel', async () => {
    const uuid = await idOf('1001');
    expect(await found(uuid.toUpperCase())).toEqual([['1001', 'uuid']]);
    expect(await found(uuid.replace(/000$/, '001'))).toEqual([['1001', 'uuid']]);
  });

  test('nothing of another shop, and nothing that it does not have', async () => {
    expect(await found('lindqvist', 'red')).toEqual([]);
    expect(await found('003404341', 'red')).toEqual([]);
    expect(await found('nobody')).toEqual([]);
    expect(await found('#')).toEqual([]);
    expect(await found('01930000-0000-7000-8000-000000000000')).toEqual([]);
  });
});

test('an order with this number is found, however many newer orders have this zip code', async () => {
  await upsert('10115', {});
  for (let n = 0; n < quickSearchLimits.results; n++) await upsert(`z-${n}`, { address: { zip_code: '10115' } });
  const orders = await found('10115');
  expect(orders).toHaveLength(quickSearchLimits.results);
  expect(orders).toContainEqual(['10115', 'order_number']);
});

test('a claim is found by its uuid, with its order', async () => {
  const { body } = await invoke(claims, {
    method: 'POST',
    resource: '/v1/shops/{slug}/claims',
    params: { slug: 'blue' },
    headers: asOperator,
    body: { tracking_number: '0034 0434-1', reason: 'damage' },
  });
  expect(await search(body.uuid)).toMatchObject([
    { kind: 'claim', matched: 'claim', order_number: '1001', claim_uuid: body.uuid },
  ]);
});

test('a claim is found by the number that its customer is told, however it is typed', async () => {
  const { body } = await invoke(claims, {
    method: 'POST',
    resource: '/v1/shops/{slug}/claims',
    params: { slug: 'blue' },
    headers: asOperator,
    body: { tracking_number: '0034 0434-1', reason: 'damage' },
  });
  const number = claimNumber(body.uuid);
  for (const typed of [number, number.toLowerCase(), number.replace('-', ''), number.replace('-', ' ')]) {
    expect(await search(typed)).toMatchObject([{ kind: 'claim', matched: 'claim', claim_uuid: body.uuid }]);
  }
  expect(await search(number, 'red')).toEqual([]);
});

test('a text of spaces finds nothing, and an empty or a long one is refused', async () => {
  expect(await found('   ')).toEqual([]);
  for (const q of ['', 'x'.repeat(201)]) {
    expect((await call('GET', '/search', { query: { q } })).status).toBe(422);
  }
});

test('a customer is found by the new name after a change, and not by the old one', async () => {
  await upsert('1005', { address: { name: 'Old Name' } });
  const order_id = await idOf('1005');
  const params = { slug: 'blue', order_id };
  await call('PATCH', '/orders/{order_id}', { params, body: { address: { name: 'New Surname' } } });
  expect(await found('surname')).toEqual([['1005', 'customer_name']]);
  expect(await found('old name')).toEqual([]);
});

test('one and two letters are no beginning, but can be a whole name', async () => {
  await upsert('1007', { address: { name: 'Bo Li' } });
  expect(await found('li')).toEqual([['1007', 'customer_name']]);
  expect(await found('Bo')).toEqual([['1007', 'customer_name']]);
  expect(await found('ma')).toEqual([]);
});

describe('the entries of a name', () => {
  const entries = () => memoryTable.all('ORDERREF#').filter(({ name_pk, pk }) => name_pk && pk.includes('N-'));
  const puts = () =>
    dynamo
      .commandCalls(TransactWriteCommand)
      .flatMap(({ args }) => args[0].input.TransactItems ?? [])
      .flatMap(({ Put }) => (Put?.Item?.pk.startsWith('ORDERREF#') ? [Put] : []));

  test('of an order that was stored before them are made when its shop next writes it', async () => {
    await upsert('N-1', { external_id: 'N-ext', address: { name: 'Yılmaz Øye' } });
    const id = await idOf('N-1');
    const { listed_name: _, ...old } = toOrder(memoryTable.read(keyOf.order('blue', id)) as never);
    memoryTable.put({ ...orderItem('blue', old, 1) });
    memoryTable.put(...entries().map(({ name_pk: _pk, name_sk: _sk, ...bare }) => bare));
    expect(await found('oye')).toEqual([['N-1', 'customer_name']]);
    expect(await found('yilm')).toEqual([]);
    await upsert('N-1', { order_name: 'written again' });
    expect(await found('yilm')).toEqual([['N-1', 'customer_name']]);
    expect(await found('Yilmaz')).toEqual([['N-1', 'customer_name']]);
  });

  test('are not written by a change that does not touch the name', async () => {
    dynamo.resetHistory();
    await upsert('N-1', { order_name: 'another' }, ['N1-T']);
    expect(puts()).toEqual([]);
  });

  test('move with the external id, and go with the name', async () => {
    await upsert('N-1', { external_id: 'N-other' });
    expect(await found('yilmaz')).toEqual([['N-1', 'customer_name']]);
    expect(entries()).toHaveLength(2);
    await upsert('N-1', { address: { zip_code: '1' } });
    expect(entries()).toEqual([]);
    expect(await found('yilmaz')).toEqual([]);
  });
});

describe('a search reads', () => {
  beforeEach(() => dynamo.resetHistory());
  const indexesRead = () => dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input.IndexName);

  test('only e-mail addresses for a text with an @', async () => {
    await search('mara@example.com');
    expect(indexesRead()).toEqual(['order_emails']);
  });

  test('neither zip codes nor tracking numbers for a name', async () => {
    await search('nobody');
    expect(indexesRead()).toEqual(['names', 'names', 'names', 'names', 'names']);
  });

  test('no index for a uuid', async () => {
    await search('01930000-0000-7000-8000-000000000000');
    expect(indexesRead()).toEqual([]);
    expect(dynamo.commandCalls(BatchGetCommand).length).toBeLessThanOrEqual(6);
  });
});

test('an order without a name puts nothing into the index of customers', async () => {
  await upsert('1006', { address: { zip_code: '1010' } });
  const references = memoryTable.all('PAGE#').filter(({ sk, order_id }) => sk === 'REF' && order_id);
  const id = await idOf('1006');
  expect(references.find(({ order_id }) => order_id === id)).not.toHaveProperty('name_pk');
});
