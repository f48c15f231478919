import { beforeAll, describe, expect, test } from 'vitest';
import { expectNoFailure, inParts, type Merchant, newMerchant, trackingsOf } from '#test/e2e/kit/orders.ts';

let shop: Merchant;

beforeAll(async () => {
  shop = await newMerchant();
  await shop.order({ order_number: 'known' }, trackingsOf('T-1'));
});

const json = { 'content-type': 'application/json' };

describe('odd queries', () => {
  const values = [
    '',
    ' ',
    '\u0000',
    '-1',
    '1e3',
    'true',
    '💥',
    '%',
    '[]',
    '{"a":1}',
    'x'.repeat(400),
    '2026-01-01T00:00:00Z',
    '+',
    "'",
    '9'.repeat(30),
  ];
  test.each([
    [
      '/orders',
      [
        'page',
        'per_page',
        'email_id',
        'order_name',
        'uuid',
        'zip_code',
        'order_placed_from',
        'order_placed_to',
        'shipment_updated_since',
      ],
    ],
    [
      '/shipments',
      [
        'page',
        'per_page',
        'tracking_number',
        'updated_from',
        'updated_to',
        'created_from',
        'created_to',
        'sort',
        'include_drafts',
      ],
    ],
    ['/carrier-detection', ['tracking_number', 'tracking_company', 'country_code']],
  ])('of GET %s are accepted or refused in the form of the contract', async (path, names) => {
    const queries = Array.from({ length: 40 }, (_, i) => ({
      [names[i % names.length]!]: values[i % values.length]!,
      [names[(i * 5 + 1) % names.length]!]: values[(i * 7 + 3) % values.length]!,
    }));
    const answers = await inParts(queries, 8, (query) => shop.call('GET', path, { query }));
    for (const [i, answer] of answers.entries()) expectNoFailure(answer, JSON.stringify(queries[i]));
  });
});

describe('a very deeply nested body', () => {
  const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

  test.each([
    [
      'in a field that allows anything',
      (inner: string) => `{"id":"deep","trackings":[],"order":{"products":[{"tax_lines":[${inner}]}]}}`,
    ],
    ['in an unknown field', (inner: string) => `{"id":"deep","trackings":[],"order":{},"unknown":${inner}}`],
    ['in place of a text', (inner: string) => `{"id":${inner},"trackings":[]}`],
  ])('%s is accepted or refused in the form of the contract', async (_, bodyWith) => {
    for (const depth of [1000, 100_000]) {
      const answer = await shop.call('PUT', '/orders', { body: bodyWith(deep(depth)), headers: json });
      expectNoFailure(answer, `depth ${depth}`);
    }
    expect((await shop.call('GET', '/orders')).status).toBe(200);
  });
});

describe('texts that are not well-formed', () => {
  test('do not merge two orders into one', async () => {
    const merchant = await newMerchant();
    const answers = [];
    for (const id of ['\ud800', '\udbff', 'a\udc00']) answers.push(await merchant.upsert({ id, order: {} }));
    for (const answer of answers) expectNoFailure(answer, 'lone surrogates');
    expect(await merchant.orders()).toHaveLength(answers.filter(({ status }) => status === 200).length);
  });

  test('do not lose a tracking number', async () => {
    const merchant = await newMerchant();
    const answer = await merchant.upsert({ id: 'N', order: {}, trackings: trackingsOf('\ud800', '\ud801') });
    expectNoFailure(answer, 'lone surrogates');
    const [found] = await merchant.orders();
    expect(found?.trackings.length ?? 0).toBe(answer.status === 200 ? 2 : 0);
  });
});
