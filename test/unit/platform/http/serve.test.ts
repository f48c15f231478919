import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#api/shops/handler.ts';
import { superAdminKey } from '#platform/access/api-key.ts';
import type { Key } from '#platform/table/reads.ts';
import { basic, type Call, invoke } from '#test/kit/invoke.ts';
import { asOperator, keyFor, operator, shopItem } from '#test/kit/table.ts';

/**
 * The path of a request on a mocked client alone, as a tester without the local stack runs a handler: what DynamoDB
 * answers stands in the test.
 */
const dynamo = mockClient(DynamoDBDocumentClient);
process.env.TABLE_NAME = 'table';

/** What one consistent read of the access items finds. */
function stored(...items: Key[]): void {
  dynamo.on(BatchGetCommand).callsFake(({ RequestItems }) => {
    const wanted: Key[] = RequestItems.table.Keys;
    const isWanted = (item: Key) => wanted.some(({ pk, sk }) => item.pk === pk && item.sk === sk);
    return { Responses: { table: items.filter(isWanted) } };
  });
}

const getShop = (headers: Record<string, string>, slug = 'blue'): Call => ({
  method: 'GET',
  resource: '/v1/shops/{slug}',
  params: { slug },
  headers,
});

beforeEach(() => {
  dynamo.reset();
  stored(operator.item, shopItem('blue'));
});

describe('authentication', () => {
  test.each([
    ['a request without a header', undefined],
    ['another scheme', 'Bearer abc'],
    ['a header that is no base64', 'Basic ???'],
    ['a header without a colon', `Basic ${btoa('abc')}`],
    ['a header without a username', `Basic ${btoa(':abc')}`],
    ['a header without a secret', `Basic ${btoa('abc:')}`],
    ['a username that is too long', `Basic ${btoa(`${'a'.repeat(300)}:abc`)}`],
  ])('answers 400 to %s and reads nothing', async (_, header) => {
    const { status, body } = await invoke(handler, getShop(header ? { Authorization: header } : {}));
    expect([status, body.key]).toEqual([400, 'invalid_merchant_or_key']);
    expect(dynamo.commandCalls(BatchGetCommand)).toHaveLength(0);
  });

  test('answers 401 to a wrong secret', async () => {
    const { status, body } = await invoke(handler, getShop(basic('operator', 'wrong')));
    expect([status, body.key]).toEqual([401, 'invalid_merchant_or_key']);
  });

  test('answers 401 to a key whose stored hash differs, even if its id was found', async () => {
    const otherHash = { ...operator.item, hash: '0'.repeat(64) };
    stored(otherHash, shopItem('blue'));
    expect((await invoke(handler, getShop(asOperator))).status).toBe(401);
  });

  test('makes one consistent read for the key and the shop', async () => {
    expect((await invoke(handler, getShop(asOperator))).status).toBe(200);
    expect(dynamo.calls()).toHaveLength(1);
    expect(dynamo.commandCalls(BatchGetCommand)[0]!.args[0].input.RequestItems!.table!.ConsistentRead).toBe(true);
  });

  test('accepts the header in any case of its name and scheme', async () => {
    const header = asOperator.Authorization.replace('Basic', 'basic');
    expect((await invoke(handler, getShop({ authorization: header }))).status).toBe(200);
  });

  test('takes everything after the first colon as the secret', async () => {
    const { secret, item } = superAdminKey({ username: 'operator', secret: 'with:colons:0001' }, new Date());
    stored(item, shopItem('blue'));
    expect((await invoke(handler, getShop(basic('operator', secret)))).status).toBe(200);
  });

  test('refuses a key from the second it expires', async () => {
    vi.useFakeTimers({ now: new Date('2026-11-14T12:00:00Z'), toFake: ['Date'] });
    const inOneSecond = Date.parse('2026-11-14T12:00:01Z') / 1000;
    const { secret, item } = keyFor('blue', 'viewer', inOneSecond);
    stored(item, shopItem('blue'));
    expect((await invoke(handler, getShop(basic('blue', secret)))).status).toBe(200);
    vi.setSystemTime(new Date('2026-11-14T12:00:01Z'));
    expect((await invoke(handler, getShop(basic('blue', secret)))).status).toBe(401);
    vi.useRealTimers();
  });
});

describe('the check of rights', () => {
  test.each([
    ['viewer', 200, 403],
    ['editor', 200, 403],
    ['admin', 200, 200],
  ] as const)('answers the role %s %i to reading a shop and %i to changing it', async (role, read, change) => {
    const { secret, item } = keyFor('blue', role);
    stored(item, shopItem('blue'));
    dynamo.on(UpdateCommand).resolves({});
    const headers = basic('blue', secret);
    expect((await invoke(handler, getShop(headers))).status).toBe(read);
    const patch = { method: 'PATCH', resource: '/v1/shops/{slug}', params: { slug: 'blue' }, headers };
    expect((await invoke(handler, { ...patch, body: { name: 'Blue' } })).status).toBe(change);
  });

  test('answers 403 and not 404 to a shop outside the scope of the key, whether or not it exists', async () => {
    const { secret, item } = keyFor('blue', 'admin');
    stored(item, shopItem('blue'), shopItem('red'));
    for (const slug of ['red', 'nowhere']) {
      const { status, body } = await invoke(handler, getShop(basic('blue', secret), slug));
      expect([status, body.key]).toEqual([403, 'insufficient_rights']);
    }
  });

  test('answers 404 to a shop that does not exist when the scope of the key covers it', async () => {
    const { status, body } = await invoke(handler, getShop(asOperator, 'nowhere'));
    expect([status, body.key]).toEqual([404, 'shop_not_found']);
  });

  test('answers 404 to a text that cannot be a slug, however long it is', async () => {
    const { status } = await invoke(handler, getShop(asOperator, 'x'.repeat(5000)));
    expect(status).toBe(404);
  });

  test('comes before the check of the body', async () => {
    const { secret, item } = keyFor('blue', 'admin');
    stored(item);
    const headers = basic('blue', secret);
    const { status } = await invoke(handler, { method: 'POST', resource: '/v1/shops', headers, rawBody: '{' });
    expect(status).toBe(403);
  });
});

describe('the check of a body', () => {
  const create = (rest: Partial<Call>): Call => ({
    method: 'POST',
    resource: '/v1/shops',
    headers: asOperator,
    ...rest,
  });

  test('lists every fault at once, each with its place', async () => {
    const body = { name: 7, slug: 'no spaces', language: 'xx', settings: { carriers_enabled: 'yes' } };
    const answer = await invoke(handler, create({ body }));
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ key: 'invalid_payload', type: 'invalid_request_error' });
    expect(answer.body.errors).toEqual([
      { loc: ['body', 'name'], msg: 'must be a string', type: 'type_error' },
      { loc: ['body', 'slug'], msg: expect.stringContaining('must match'), type: 'value_error' },
      { loc: ['body', 'language'], msg: expect.stringContaining('must be one of cs, da'), type: 'value_error' },
      { loc: ['body', 'settings', 'carriers_enabled'], msg: 'must be true or false', type: 'type_error' },
    ]);
  });

  test('names each missing field when there is no body at all', async () => {
    const { body } = await invoke(handler, create({}));
    expect(body.errors.map((e: { loc: string[]; type: string }) => [e.loc.join('.'), e.type])).toEqual([
      ['body.name', 'missing'],
      ['body.slug', 'missing'],
    ]);
  });

  test.each([
    ['broken JSON', { rawBody: '{"name":' }],
    ['another content type', { rawBody: '{}', headers: { ...asOperator, 'Content-Type': 'text/plain' } }],
    ['a body that is a list', { body: [1] }],
    ['a body that is null', { rawBody: 'null' }],
    ['a poisoned prototype', { rawBody: '{"__proto__": {"a": 1}}' }],
    ['a poisoned prototype in escapes', { rawBody: '{"\\u005f_proto__": {"a": 1}}' }],
    ['a poisoned constructor', { rawBody: '{"constructor": {"prototype": {"a": 1}}}' }],
    ['deep nesting', { rawBody: '['.repeat(200_000) }],
  ])('answers 422 to %s', async (_, call) => {
    const { status, body } = await invoke(handler, create(call));
    expect([status, body.key, body.errors[0].loc]).toEqual([422, 'invalid_payload', ['body']]);
  });

  test('parses a usual body without a call for each of its values, which would take ten times as long', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    const isLookedAt = async (rawBody: string) => {
      parse.mockClear();
      await invoke(handler, create({ rawBody }));
      return parse.mock.calls.some(([text, reviver]) => text === rawBody && reviver !== undefined);
    };
    expect(await isLookedAt('{"name":"Blue","slug":"blue"}')).toBe(false);
    expect(await isLookedAt('{"name":"Bl\\u00fce","slug":"blue"}')).toBe(true);
    parse.mockRestore();
  });

  test('answers 413 to a body over 5 MB', async () => {
    const { status, body } = await invoke(handler, create({ rawBody: `"${'x'.repeat(5 * 1024 * 1024)}"` }));
    expect([status, body.key]).toEqual([413, 'payload_too_large']);
  });

  test('drops fields that are not declared', async () => {
    dynamo.on(TransactWriteCommand).resolves({});
    await invoke(
      handler,
      create({ body: { name: 'Blue', slug: 'blue', uuid: 'mine', shop_currency: 'XXX', more: 1 } }),
    );
    const [shop] = dynamo.commandCalls(TransactWriteCommand)[0]!.args[0].input.TransactItems!;
    expect(shop!.Put!.Item).toMatchObject({ slug: 'blue', shop_currency: 'EUR' });
    expect(shop!.Put!.Item!.uuid).not.toBe('mine');
    expect(shop!.Put!.Item).not.toHaveProperty('more');
  });
});

describe('the check of path and query', () => {
  const half = 'must not contain half of a character (an unpaired surrogate such as \\ud83d)';

  test('refuses half of a character', async () => {
    const query = { name: '\ud800' };
    const search = await invoke(handler, { method: 'GET', resource: '/v1/shops', query, headers: asOperator });
    expect(search.body.errors).toEqual([{ loc: ['query', 'name'], msg: half, type: 'value_error' }]);
    const resource = '/v1/shops/{slug}/api-keys/{token_id}';
    const params = { slug: 'blue', token_id: '\ud800' };
    const removal = await invoke(handler, { method: 'DELETE', resource, params, headers: asOperator });
    expect(removal.body.errors).toEqual([{ loc: ['path', 'token_id'], msg: half, type: 'value_error' }]);
  });
});

describe('an answer', () => {
  test('has the version and the correlation id, and is not cached', async () => {
    const { headers } = await invoke(handler, getShop(asOperator));
    expect(headers).toMatchObject({
      'Service-Version': '2026-11-14',
      'X-Correlation-Id': 'request-1',
      'Cache-Control': 'no-store',
    });
  });

  test('to a method that the path does not have is 405 with Allow', async () => {
    const { status, body, headers } = await invoke(handler, { method: 'DELETE', resource: '/v1/shops' });
    expect([status, body.key, headers.Allow]).toEqual([405, 'method_not_allowed', 'POST, GET']);
  });

  test('to an unexpected error shows nothing but its correlation id', async () => {
    dynamo.on(BatchGetCommand).rejects(new Error('table secret-table of account 123 exploded'));
    const { status, body, headers } = await invoke(handler, getShop(asOperator));
    expect([status, body.key, body.type]).toEqual([500, 'unexpected', 'api_error']);
    expect(JSON.stringify(body)).not.toContain('secret-table');
    expect(headers['X-Correlation-Id']).toBe('request-1');
  });

  test('to a throttled request asks the caller to come back later', async () => {
    dynamo.on(BatchGetCommand).rejects(Object.assign(new Error('slow down'), { name: 'ThrottlingException' }));
    const { status, body, headers } = await invoke(handler, getShop(asOperator));
    expect([status, body.key, headers['Retry-After']]).toEqual([429, 'rate_limited', '1']);
  });
});

describe('on real DynamoDB', () => {
  test('keys that were left unread are read again', async () => {
    const keys = { table: { Keys: [{ pk: operator.item.pk, sk: operator.item.sk }], ConsistentRead: true } };
    dynamo
      .on(BatchGetCommand)
      .resolvesOnce({ Responses: { table: [shopItem('blue')] }, UnprocessedKeys: keys })
      .resolves({ Responses: { table: [operator.item] } });
    expect((await invoke(handler, getShop(asOperator))).status).toBe(200);
  });

  test('a transaction that collides with another is tried again', async () => {
    const conflict = Object.assign(new Error('cancelled'), {
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
    });
    dynamo.on(TransactWriteCommand).rejectsOnce(conflict).resolves({});
    const body = { name: 'Blue', slug: 'blue' };
    const { status } = await invoke(handler, { method: 'POST', resource: '/v1/shops', headers: asOperator, body });
    expect(status).toBe(200);
    expect(dynamo.commandCalls(TransactWriteCommand)).toHaveLength(2);
  });

  test('a cancelled transaction answers "exists" only if the condition on the shop failed', async () => {
    const lost = (codes: string[]) =>
      Object.assign(new Error('cancelled'), {
        name: 'TransactionCanceledException',
        CancellationReasons: codes.map((Code) => ({ Code })),
      });
    const create = () =>
      invoke(handler, {
        method: 'POST',
        resource: '/v1/shops',
        headers: asOperator,
        body: { name: 'B', slug: 'blue' },
      });
    dynamo.on(TransactWriteCommand).rejects(lost(['ConditionalCheckFailed', 'None']));
    expect((await create()).body.key).toBe('shop_exists');
    dynamo.on(TransactWriteCommand).rejects(lost(['ValidationError', 'None']));
    expect((await create()).body.key).toBe('unexpected');
  });

  test('an update whose shop was deleted in the meantime answers 404', async () => {
    const CancellationReasons = [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }];
    const gone = Object.assign(new Error('cancelled'), { name: 'TransactionCanceledException', CancellationReasons });
    dynamo.on(TransactWriteCommand).callsFake(() => {
      stored(operator.item);
      throw gone;
    });
    const call = { method: 'PATCH', resource: '/v1/shops/{slug}', params: { slug: 'blue' }, headers: asOperator };
    const { status, body } = await invoke(handler, { ...call, body: { name: 'Blue' } });
    expect([status, body.key]).toEqual([404, 'shop_not_found']);
  });

  test('a deleted key gets the same answer as a key that never existed', async () => {
    const gone = Object.assign(new Error('condition'), { name: 'ConditionalCheckFailedException' });
    dynamo.on(DeleteCommand).rejects(gone);
    const params = { slug: 'blue', token_id: 'abc' };
    const call = { method: 'DELETE', resource: '/v1/shops/{slug}/api-keys/{token_id}', params, headers: asOperator };
    expect((await invoke(handler, call)).body.key).toBe('api_key_not_found');
  });

  test('a secret is never stored', async () => {
    dynamo.on(TransactWriteCommand).resolves({});
    const call = {
      method: 'POST',
      resource: '/v1/shops/{slug}/api-keys',
      params: { slug: 'blue' },
      headers: asOperator,
    };
    const { body } = await invoke(handler, call);
    const [written] = dynamo.commandCalls(TransactWriteCommand);
    expect(JSON.stringify(written!.args[0].input.TransactItems)).not.toContain(body.secret);
  });
});

describe('a write that always collides', () => {
  const create = () =>
    invoke(handler, { method: 'POST', resource: '/v1/shops', headers: asOperator, body: { name: 'B', slug: 'blue' } });
  const cancelled = (Code: string) =>
    Object.assign(new Error('cancelled'), { name: 'TransactionCanceledException', CancellationReasons: [{ Code }] });

  test.each([
    ['TransactionConflict', 409, 'write_conflict'],
    ['ThrottlingError', 429, 'rate_limited'],
    ['ProvisionedThroughputExceeded', 429, 'rate_limited'],
  ])('with %s answers %i %s after a bounded number of attempts', async (code, status, key) => {
    dynamo.on(TransactWriteCommand).rejects(cancelled(code));
    const answer = await create();
    expect([answer.status, answer.body.key]).toEqual([status, key]);
    expect(dynamo.commandCalls(TransactWriteCommand)).toHaveLength(5);
  });
});

describe('an answer that is too large', () => {
  test('is refused by the size that Lambda counts, with every quote escaped', async () => {
    const shops = Array.from({ length: 100 }, (_, i) => shopItem(`s${i}`, { description: '"'.repeat(40_000) }));
    dynamo.on(QueryCommand).resolves({ Items: shops });
    const answer = await invoke(handler, {
      method: 'GET',
      resource: '/v1/shops',
      headers: asOperator,
      query: { per_page: '100' },
    });
    expect([answer.status, answer.body.key]).toEqual([413, 'payload_too_large']);
    expect(answer.body.message).toContain('per_page');
  });
});

describe('a number in a query', () => {
  test.each(['page', 'per_page'])('is refused as %s if it is beyond every number', async (name) => {
    const call = { method: 'GET', resource: '/v1/shops', headers: asOperator, query: { [name]: '1e400' } };
    const { status, body } = await invoke(handler, call);
    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ loc: ['query', name], type: 'value_error' }]);
  });
});
