import { describe, expect, test } from 'vitest';
import { ServiceError } from '#platform/errors.ts';
import { prefersCsv } from '#platform/http/csv.ts';
import { serve } from '#platform/http/serve.ts';
import type { Operation } from '#schemas/families/operation.ts';
import { invoke } from '#test/kit/invoke.ts';

test.each([
  ['text/csv', true],
  ['text/csv; charset=utf-8; header=present', true],
  ['text/csv; charset=UTF-8', true],
  ['TEXT/CSV', true],
  ['text/*', true],
  ['text/csv, application/json;q=0.5', true],
  ['application/json;q=0.5, text/csv;q=0.9', true],
  ['text/csv, */*;q=0.1', true],
  ['application/json;q=0, */*', true],
  ['application/json', false],
  ['application/json, text/csv', false],
  ['text/csv;q=0.5, application/json', false],
  ['text/csv;q=0', false],
  ['text/csv;q=0, text/*', false],
  ['*/*', false],
  ['text/html, application/xhtml+xml, */*;q=0.8', false],
  ['text/html', false],
  [';;;q=,,/', false],
  ['application/json; charset=utf-8, text/csv;q=0.5', false],
  ['', false],
  [undefined, false],
])('Accept %j asks for CSV: %s', (accept, csv) => {
  expect(prefersCsv(accept)).toBe(csv);
});

describe('a list that is declared as CSV, too', () => {
  const operation = {
    id: 'listCities',
    method: 'GET',
    path: '/cities',
    paths: ['/cities'],
    role: 'open',
    status: 200,
    mediaType: 'application/json',
    csv: [['name'], ['mayor', 'name']],
  };
  const cities = [{ name: 'Öland', mayor: { name: null }, hidden: 1 }];
  const ask = (operations: object, run: () => unknown, Accept?: string) =>
    invoke(
      serve<{ listCities: Operation & { role: 'open' } }>(
        { operations, methods: {} } as never,
        { listCities: run } as never,
      ),
      {
        method: 'GET',
        resource: '/cities',
        headers: { ...(Accept !== undefined && { Accept }) },
      },
    );
  const get = (accept?: string, run: () => unknown = () => cities) => ask({ operation }, run, accept);

  test('is JSON by default', async () => {
    const { status, headers, body } = await get();
    expect([status, headers['Content-Type'], body]).toEqual([200, 'application/json', cities]);
    expect(headers.Vary).toBe('Accept, Accept-Language');
  });

  test('is CSV for who asks for it', async () => {
    const { status, headers, body } = await get('text/csv');
    expect([status, body]).toEqual([200, 'name,mayor_name\r\nÖland,\r\n']);
    expect(headers).toMatchObject({
      'Content-Type': 'text/csv; charset=utf-8; header=present',
      'Cache-Control': 'no-store',
      Vary: 'Accept, Accept-Language',
    });
  });

  test('has its header line also if it is empty', async () => {
    expect((await get('text/csv', () => [])).body).toBe('name,mayor_name\r\n');
  });

  test('has errors as JSON, whatever the caller asks for', async () => {
    const refuse = () => {
      throw new ServiceError('order_not_found');
    };
    const { status, headers, body } = await get('text/csv', refuse);
    expect([status, headers['Content-Type'], body.key]).toEqual([404, 'application/json', 'order_not_found']);
    expect(headers.Vary).toBe('Accept, Accept-Language');
  });

  test('is refused if it is too large to send', async () => {
    const name = 'x'.repeat(7 * 1024 ** 2);
    const { status, body } = await get('text/csv', () => [{ name, mayor: { name } }]);
    expect([status, body.key]).toEqual([413, 'payload_too_large']);
  });

  test('is not made of other lists', async () => {
    const { csv: _, ...plain } = operation;
    const { headers, body } = await ask({ plain }, () => cities, 'text/csv');
    expect([headers['Content-Type'], headers.Vary, body]).toEqual(['application/json', 'Accept-Language', cities]);
  });
});
