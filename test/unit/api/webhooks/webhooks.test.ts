import { gzipSync } from 'node:zlib';
import { DecryptCommand, GenerateDataKeyWithoutPlaintextCommand, KMSClient } from '@aws-sdk/client-kms';
import { PutCommand, QueryCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { handler } from '#api/webhooks/handler.ts';
import { closedCircuit } from '#domain/deliveries/circuit-rules.ts';
import { deliveryItem, newDelivery } from '#domain/deliveries/delivery-items.ts';
import { payloadItem } from '#domain/deliveries/delivery-messages.ts';
import type { DeliveryStatus } from '#domain/deliveries/delivery-rules.ts';
import { decryptOnce } from '#platform/secrets/cipher.ts';
import { keyOf } from '#platform/table/keys.ts';
import { shardsOf } from '#platform/table/shards.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import { endpointUuid, storedEndpoint } from '#test/kit/endpoints.ts';
import { basic, type Call, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextRequest, dynamo, keyFor, shopItem, tableWith } from '#test/kit/table.ts';

process.env.DELIVERY_QUEUE_URL = 'https://deliveries';
process.env.CREDENTIALS_KEY_ID = 'credentials';

const kms = mockClient(KMSClient);

const shop = shopItem('blue');
const admin = keyFor('blue', 'admin');
const resource = '/v1/shops/{slug}/webhooks';
const one = `${resource}/{uuid}`;

beforeEach(() => {
  kms.reset();
  kms.on(GenerateDataKeyWithoutPlaintextCommand).resolves({ CiphertextBlob: Buffer.alloc(32, 'wrapped') });
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob }) => ({ Plaintext: Buffer.from(CiphertextBlob).reverse() }));
});

const call = (method: string, path: string, { params, ...rest }: Partial<Call> = {}) =>
  invoke(handler, {
    method,
    resource: path,
    params: { slug: 'blue', uuid: endpointUuid, ...params },
    headers: basic('blue', admin.secret),
    ...rest,
  });

const holds = (...items: object[]) => tableWith(admin.item, shop, ...items);

const lostUpdate = () => Object.assign(new Error(), { name: 'ConditionalCheckFailedException' });

const transactions = () => dynamo.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.TransactItems!);
const updates = () => dynamo.commandCalls(UpdateCommand).map(({ args }) => args[0].input);

describe('a new endpoint', () => {
  const create = (body: object) => call('POST', resource, { body });

  test('is stored with its secret encrypted and its url claimed, and is counted, in one transaction', async () => {
    holds();
    const secret = 'a-secret-of-the-merchant';
    const { status, body } = await create({ url: 'https://example.com/hook', secret });
    expect(status).toBe(200);
    expect(body).toEqual({
      uuid: expect.any(String),
      shop_slug: 'blue',
      created_at: expect.any(String),
      updated_at: body.created_at,
      url: 'https://example.com/hook',
      enabled_events: ['*'],
      secret,
      description: null,
      status: 'active',
    });
    const [count, endpoint, claim] = transactions()[0]!.map(({ Put }) => Put!.Item);
    expect(count).toEqual({ ...keyOf.webhookCount('blue'), entries: 1 });
    expect(endpoint).toMatchObject({ ...keyOf.webhook('blue', body.uuid), status: 'active' });
    expect(claim).toMatchObject({ uuid: body.uuid, sk: expect.stringMatching(/^URLREF#[0-9a-f]{64}$/) });
    expect(JSON.stringify(transactions())).not.toContain(secret);
    const [{ ciphertext }] = endpoint!.secrets;
    expect(await decryptOnce(ciphertext, { shop: 'blue', webhook: body.uuid })).toBe(secret);
    await expect(decryptOnce(ciphertext, { shop: 'blue', webhook: endpointUuid })).rejects.toThrow();
  });

  test.each([{}, { secret: null }])('gets a generated secret when the body is %j', async (fields) => {
    holds();
    const { body } = await create({ url: 'https://example.com/hook', ...fields });
    expect(body.secret).toMatch(/^whsec_/);
  });

  test('with the url of another endpoint is refused', async () => {
    holds();
    await create({ url: 'https://example.com/hook' });
    expect(await create({ url: 'https://example.com/hook' })).toMatchObject({
      status: 409,
      body: { key: 'webhook_exists' },
    });
  });

  test.each([
    [{ url: 'http://example.com/' }, 'url'],
    [{ url: 'https://10.0.0.1/' }, 'url'],
    [{ url: 'https://[::ffff:127.0.0.1]/' }, 'url'],
    [{ url: 'https://localhost/' }, 'url'],
    [{ url: 'https://user:pass@example.com/' }, 'url'],
    [{ url: 'ftp://example.com/' }, 'url'],
    [{ url: '' }, 'url'],
    [{}, 'url'],
    [{ url: 'https://example.com/', secret: 'x'.repeat(15) }, 'secret'],
    [{ url: 'https://example.com/', secret: 'x'.repeat(65) }, 'secret'],
    [{ url: 'https://example.com/', status: 'paused' }, 'status'],
    [{ url: 'https://example.com/', enabled_events: ['orders'] }, 'enabled_events'],
    [{ url: 'https://example.com/', enabled_events: 'shipments' }, 'enabled_events'],
    [{ url: 'https://example.com/', description: 7 }, 'description'],
    [{ url: 'https://example.com/', description: 'half \ud83d' }, 'description'],
    [{ url: 'https://example.com/', secret: 'half of a character \ud83d' }, 'secret'],
  ])('is refused with %j', async (body, field) => {
    holds();
    const answer = await create(body);
    expect(answer.status).toBe(422);
    const places = (answer.body.errors as { loc: unknown[] }[]).map(({ loc }) => loc.slice(0, 2));
    expect(new Set(places.map(String))).toEqual(new Set([`body,${field}`]));
    expect(transactions()).toEqual([]);
  });

  test('beyond the fiftieth is refused, because an event must reach all of them in time', async () => {
    holds(...Array.from({ length: 49 }, (_, i) => storedEndpoint({ uuid: `another-${i}` })));
    expect((await create({ url: 'https://example.com/fiftieth' })).status).toBe(200);
    const { status, body } = await create({ url: 'https://example.com/one-more' });
    expect([status, body.errors[0].msg]).toEqual([
      422,
      'cannot be added, because the shop already has 50 webhook endpoints',
    ]);
    expect(transactions()).toHaveLength(1);
  });

  test('with very many faults is refused with an answer that is small enough to send', async () => {
    holds();
    const { status, body } = await create({ url: 'https://example.com/', enabled_events: Array(5000).fill('orders') });
    expect([status, body.key]).toEqual([422, 'invalid_payload']);
    expect(JSON.stringify(body).length).toBeLessThan(500_000);
  });

  test('can be made by admins only, like every operation of the family', async () => {
    const editor = keyFor('blue', 'editor');
    tableWith(editor.item, shop, storedEndpoint());
    const headers = basic('blue', editor.secret);
    const calls = [
      call('POST', resource, { headers, body: { url: 'https://example.com/' } }),
      call('GET', resource, { headers }),
      call('PATCH', one, { headers, body: {} }),
      call('DELETE', one, { headers }),
      call('POST', `${one}/rotate-secret`, { headers }),
      call('GET', `${one}/deliveries`, { headers }),
      call('GET', `${one}/deliveries/{delivery_id}`, { headers }),
      call('POST', `${one}/deliveries/{delivery_id}/redeliver`, { headers }),
      call('POST', `${one}/recover`, { headers, body: { since: '2026-11-14T00:00:00Z' } }),
      call('POST', `${one}/test`, { headers }),
    ];
    for (const { status } of await Promise.all(calls)) expect(status).toBe(403);
  });
});

describe('a search for endpoints', () => {
  test('shows the current secret of each endpoint, newest first', async () => {
    const sealed = (secret: string) => [
      { ciphertext: Buffer.from(secret).reverse(), created_at: '2026-11-01T00:00:00.000Z', expires_at: null },
    ];
    const older = storedEndpoint({ secrets: sealed('secret-of-the-older-one') });
    const newer = storedEndpoint({ uuid: `${endpointUuid.slice(0, -1)}b`, secrets: sealed('secret-of-the-newer-one') });
    holds(older, newer);
    const { body } = await call('GET', resource);
    expect(body.map(({ secret }: { secret: string }) => secret)).toEqual([
      'secret-of-the-newer-one',
      'secret-of-the-older-one',
    ]);
    expect((await call('GET', resource, { query: { per_page: '1', page: '2' } })).body).toMatchObject([
      { uuid: older.uuid },
    ]);
    expect((await call('GET', resource, { query: { status: 'inactive' } })).body).toEqual([]);
  });

  test('by uuid reads only that endpoint', async () => {
    holds(storedEndpoint());
    const { body } = await call('GET', resource, { query: { uuid: endpointUuid.toUpperCase() } });
    expect(body).toHaveLength(1);
    expect(dynamo.commandCalls(QueryCommand)).toEqual([]);
  });
});

describe('an update of an endpoint', () => {
  const update = (body: object) => call('PATCH', one, { body });

  test('sets the given fields and no others', async () => {
    holds(storedEndpoint());
    expect(await update({ status: 'inactive', description: null })).toMatchObject({ status: 200, body: null });
    expect(Object.values(updates()[0]!.ExpressionAttributeNames!).toSorted()).toEqual([
      'description',
      'status',
      'updated_at',
      'url', // in the condition
    ]);
  });

  test('of the url frees the old one and claims the new one in one transaction', async () => {
    holds(storedEndpoint());
    expect((await update({ url: 'https://example.com/new' })).status).toBe(200);
    expect(transactions().map((actions) => actions.map((action) => Object.keys(action)[0]))).toEqual([
      ['Update', 'Delete', 'Put'],
    ]);
  });

  test('to another spelling of the same url claims nothing', async () => {
    holds(storedEndpoint());
    expect((await update({ url: 'https://EXAMPLE.com/hook' })).status).toBe(200);
    expect(transactions()).toEqual([]);
    expect(updates()).toHaveLength(1);
  });

  test.each([
    ['of the url drains the open circuit', { url: 'https://example.com/new' }, 'active', 'draining'],
    ['to the active status drains the open circuit', { status: 'active' }, 'inactive', 'draining'],
    ['of another field leaves the circuit open', { status: 'active', description: 'x' }, 'active', undefined],
  ] as const)('%s', async (_, body, status, state) => {
    const circuit = { ...keyOf.circuit('blue', endpointUuid), ...closedCircuit, state: 'open', version: 4 };
    holds(storedEndpoint({ status }), circuit);
    expect((await update(body)).status).toBe(200);
    expect(memoryTable.read(keyOf.circuit('blue', endpointUuid))!.state).toBe(state ?? 'open');
  });

  test('to the url of another endpoint is refused', async () => {
    holds(storedEndpoint());
    await call('POST', resource, { body: { url: 'https://example.com/new' } });
    expect((await update({ url: 'https://example.com/new' })).body.key).toBe('webhook_exists');
  });

  test('that meets another one is tried again instead of refused', async () => {
    holds(storedEndpoint());
    beforeNextRequest(TransactWriteCommand, () =>
      memoryTable.put(storedEndpoint({ url: 'https://example.com/other' })),
    );
    expect((await update({ url: 'https://example.com/new' })).status).toBe(200);
    expect(transactions()).toHaveLength(2);
  });

  test('of an endpoint that does not exist is refused', async () => {
    holds();
    expect(await update({ status: 'active' })).toMatchObject({ status: 404, body: { key: 'webhook_not_found' } });
  });

  test.each([{ url: null }, { status: null }, { enabled_events: null }, { url: 'https://127.0.0.1/' }])(
    'is refused with %j',
    async (body) => {
      holds(storedEndpoint());
      expect((await update(body)).status).toBe(422);
    },
  );
});

describe('the deletion of an endpoint', () => {
  test('removes the endpoint and its claim on the url and counts down, in one transaction', async () => {
    holds(storedEndpoint());
    expect(await call('DELETE', one)).toMatchObject({ status: 200, body: null });
    const [endpoint, claim, count] = transactions()[0]!;
    expect([endpoint, claim].map((action) => action!.Delete!.Key!.sk.split('#')[0])).toEqual(['WEBHOOK', 'URLREF']);
    expect(count!.Put!.Item).toEqual({ ...keyOf.webhookCount('blue'), entries: 0 });
  });

  test('of an endpoint that does not exist is refused', async () => {
    holds();
    expect((await call('DELETE', one)).body.key).toBe('webhook_not_found');
  });
});

describe('the rotation of a secret', () => {
  const rotate = (body?: object) => call('POST', `${one}/rotate-secret`, { ...(body && { body }) });

  test('answers the new secret and keeps the old one valid for a day', async () => {
    holds(storedEndpoint());
    const { status, body } = await rotate();
    expect(status).toBe(200);
    expect(body.secret).toMatch(/^whsec_/);
    const { ':v0': secrets, ':v1': at } = updates()[0]!.ExpressionAttributeValues!;
    expect(secrets.map(({ expires_at }: { expires_at: string }) => expires_at)).toEqual([
      null,
      new Date(Date.parse(at) + 24 * 3_600_000).toISOString(),
    ]);
  });

  test('that meets another one builds on its result', async () => {
    holds(storedEndpoint());
    beforeNextRequest(UpdateCommand, () => {
      throw lostUpdate();
    });
    expect((await rotate({ secret: 'a-secret-of-the-merchant' })).body.secret).toBe('a-secret-of-the-merchant');
    expect(updates()).toHaveLength(2);
  });

  test.each([{ grace_hours: 169 }, { grace_hours: -1 }, { grace_hours: 1.5 }, { secret: 'short' }])(
    'is refused with %j',
    async (body) => {
      holds(storedEndpoint());
      expect((await rotate(body)).status).toBe(422);
    },
  );
});

const now = new Date('2026-11-14T12:00:00Z');

function delivery(status: DeliveryStatus, event_id = 'event', at = now) {
  const source = {
    event_id,
    subject_id: 'parcel',
    ref: 'shipments/in_transit/SHIPMENT_EN_ROUTE',
    event_group: 'shipment_in_transit',
    triggered_at: at.toISOString(),
    shop_slug: 'blue',
  };
  return { ...newDelivery(source, { id: endpointUuid, kind: 'webhook' }, at), status };
}

const wakes = () =>
  transactions().flatMap((actions) => actions.flatMap(({ Put }) => (Put?.Item?.kind === 'wake' ? [Put.Item] : [])));

/** The ids of deliveries that a transaction marked to be queued. */
const sent = () => wakes().map(({ delivery_id }) => String(delivery_id));

const lostTransaction = () =>
  Object.assign(new Error(), {
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'ConditionalCheckFailed' }, { Code: 'None' }],
  });

describe('the health of an endpoint', () => {
  test('is computed from its newest deliveries and its circuit, in two rounds of reads at most', async () => {
    const circuit = {
      ...closedCircuit,
      state: 'open',
      since: now.toISOString(),
      probe_at: now.toISOString(),
      version: 1,
    };
    const attempts = [{ at: now.toISOString(), duration_ms: 12, status: 500, error: 'http_500' }];
    const items = Array.from({ length: 201 }, (_, n) => deliveryItem({ ...delivery('failed', String(n)), attempts }));
    holds(storedEndpoint(), { ...keyOf.circuit('blue', endpointUuid), ...circuit }, ...items);
    const { status, body } = await call('GET', `${one}/health`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      circuit: { state: 'open', since: now.toISOString(), next_attempt_at: now.toISOString() },
      of_last: 200,
      counts: { failed: 200 },
      success_rate: 0,
      last_failure: { error: 'http_500', status: 500 },
      older_secrets: [],
    });
    expect(dynamo.commandCalls(QueryCommand).length).toBeLessThanOrEqual(2 * shardsOf('deliveries').length);
  });

  test('names the older secrets that still sign, and only the end of each', async () => {
    const created_at = '2026-11-01T00:00:00.000Z';
    const secret = (text: string, expires_at: string | null) => ({
      ciphertext: Buffer.from(text).reverse(),
      created_at,
      expires_at,
    });
    const [soon, past] = ['2999-01-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'];
    const secrets = [
      secret('the-current-one!', null),
      secret('the-one-before-it', soon),
      secret('an-ended-secret!', past),
    ];
    holds(storedEndpoint({ secrets }));
    const { body } = await call('GET', `${one}/health`);
    expect(body.older_secrets).toEqual([{ masked_secret: '****e-it', valid_until: soon }]);
  });

  test('is not found without the endpoint', async () => {
    holds();
    expect((await call('GET', `${one}/health`)).body.key).toBe('webhook_not_found');
  });
});

describe('a test event', () => {
  const tested = (body?: object) => call('POST', `${one}/test`, { ...(body && { body }) });
  const storedRef = () =>
    transactions()
      .flat()
      .find(({ Put }) => Put?.Item?.ref)?.Put?.Item?.ref;

  test.each([
    [undefined, 'shipments/in_transit/SHIPMENT_EN_ROUTE'],
    [{}, 'shipments/in_transit/SHIPMENT_EN_ROUTE'],
    [{ event_name: 'SUCCESSFULLY_DELIVERED' }, 'shipments/delivered/SUCCESSFULLY_DELIVERED'],
    [{ event_name: 'ORDER_CREATED', ref: null }, 'shipments/order_created/ORDER_CREATED'],
    [{ ref: 'shipments/return_created/ORDER_CREATED' }, 'shipments/return_created/ORDER_CREATED'],
    [{ ref: 'claims/updated' }, 'claims/updated'],
  ])('that is asked for with %j is %s', async (body, ref) => {
    holds(storedEndpoint());
    expect((await tested(body)).status).toBe(200);
    expect(storedRef()).toBe(ref);
  });

  test.each([
    ['text/plain', 'hello'],
    ['application/x-www-form-urlencoded', 'event_name=PARTY'],
    ['application/json', '{"event_name":'],
    ['application/json', '[]'],
    ['application/json', 'null'],
    ['application/json', ''],
  ])('is sent whatever else is in a body of %s: %j', async (type, rawBody) => {
    holds(storedEndpoint());
    const headers = { ...basic('blue', admin.secret), 'Content-Type': type };
    expect((await call('POST', `${one}/test`, { rawBody, headers })).status).toBe(200);
    expect(storedRef()).toBe('shipments/in_transit/SHIPMENT_EN_ROUTE');
  });

  test.each([
    [{ event_name: 'PARTY' }, 'event_name'],
    [{ event_name: 'PATCHED' }, 'event_name'],
    [{ ref: 'shipments/delivered' }, 'ref'],
    [{ event_name: 'SUCCESSFULLY_DELIVERED', ref: 'claims/created' }, 'ref'],
  ])('with %j is refused', async (body, field) => {
    holds(storedEndpoint());
    expect(await tested(body)).toMatchObject({ status: 422, body: { errors: [{ loc: ['body', field] }] } });
    expect(transactions()).toEqual([]);
  });
});

describe('a change with If-Match', () => {
  const changed = (etag: string) =>
    call('PATCH', one, {
      body: { description: 'new' },
      headers: { ...basic('blue', admin.secret), 'if-match': etag },
    });

  test('is made if the endpoint is as the caller read it', async () => {
    const item = storedEndpoint();
    holds(item);
    expect((await changed(`"${item.updated_at}"`)).status).toBe(200);
    expect(updates()).toHaveLength(1);
  });

  test('is refused if somebody changed the endpoint before, and changes nothing', async () => {
    holds(storedEndpoint());
    expect(await changed('"2026-10-01T00:00:00.000Z"')).toMatchObject({
      status: 412,
      body: { key: 'changed_since_read' },
    });
    expect(updates()).toEqual([]);
  });

  test('is refused if somebody changes the endpoint at the same moment', async () => {
    const item = storedEndpoint();
    holds(item);
    beforeNextRequest(UpdateCommand, () => memoryTable.put({ ...item, updated_at: now.toISOString() }));
    expect((await changed(`"${item.updated_at}"`)).status).toBe(412);
  });
});

describe('deliveries', () => {
  test('are listed with their last attempt', async () => {
    const attempts = [
      { at: now.toISOString(), duration_ms: 10_000, error: 'timeout' },
      { at: now.toISOString(), duration_ms: 12, status: 200, response: 'ok' },
    ];
    holds(storedEndpoint(), deliveryItem({ ...delivery('delivered'), attempts }));
    const { body } = await call('GET', `${one}/deliveries`);
    expect(body).toEqual([
      {
        id: delivery('delivered').id,
        ref: 'shipments/in_transit/SHIPMENT_EN_ROUTE',
        event_group: 'shipment_in_transit',
        event_id: 'event',
        status: 'delivered',
        reason: null,
        attempt_count: 0,
        total_attempts: 2,
        next_attempt_at: null,
        feed_hour: null,
        sent_again_at: null,
        feedback: null,
        created_at: now.toISOString(),
        updated_at: now.toISOString(),
        last_attempt: { at: now.toISOString(), duration_ms: 12, status: 200, error: null, response: 'ok' },
      },
    ]);
  });

  test('say in which hour of the ledger they count, and nothing else about the feed', async () => {
    const feed = { generation: 3, hour: '2026-11-14T12:00:00Z' };
    const attempts = [
      { at: now.toISOString(), duration_ms: 12, status: 200, request: { url: 'https://a.example', own: {} } },
    ];
    const inFeed = { ...delivery('delivered'), attempts, feed };
    holds(storedEndpoint(), deliveryItem(inFeed));
    const { body: listed } = await call('GET', `${one}/deliveries`);
    expect(listed).toMatchObject([{ feed_hour: feed.hour }]);
    expect(listed[0]).not.toHaveProperty('feed');
    const { body: shown } = await call('GET', `${one}/deliveries/{delivery_id}`, {
      params: { delivery_id: inFeed.id },
    });
    expect(shown.attempts[0].request.headers).toMatchObject({ 'webhook-hour': feed.hour });
    expect(shown).not.toHaveProperty('feed');
  });

  test('are listed by event, by phase and by source', async () => {
    const refs = [
      'shipments/delivered/SUCCESSFULLY_DELIVERED',
      'shipments/in_transit/SHIPMENT_EN_ROUTE',
      'claims/created',
    ];
    holds(storedEndpoint(), ...refs.map((ref) => deliveryItem({ ...delivery('failed', ref), ref })));
    const found = async (query: Record<string, string>) => {
      const { body } = await call('GET', `${one}/deliveries`, { query });
      return body.map(({ ref }: { ref: string }) => ref).toSorted();
    };
    expect(await found({ event: 'shipments/delivered' })).toEqual([refs[0]]);
    expect(await found({ event: refs[0]! })).toEqual([refs[0]]);
    expect(await found({ event: 'shipments' })).toEqual(refs.slice(0, 2).toSorted());
    expect(await found({ event: 'claims', status: 'failed' })).toEqual([refs[2]]);
    expect(await found({ event: 'claims', status: 'delivered' })).toEqual([]);
    expect(await found({ event: '*' })).toEqual(refs.toSorted());
    expect((await call('GET', `${one}/deliveries`, { query: { event: 'orders' } })).status).toBe(422);
  });

  test('are shown with what each attempt sent', async () => {
    const request = { url: 'https://example.com/hook', own: { 'service-signature': 't=1,v1=abcdefgh…' } };
    const attempts = [
      { at: now.toISOString(), duration_ms: 1, error: 'timeout' },
      { at: now.toISOString(), duration_ms: 2, status: 200, request },
    ];
    const stored = { ...delivery('delivered'), attempts };
    holds(storedEndpoint(), deliveryItem(stored));
    const { body } = await call('GET', `${one}/deliveries/{delivery_id}`, { params: { delivery_id: stored.id } });
    expect(body.attempts[0].request).toBeNull();
    expect(body.attempts[1].request).toMatchObject({
      method: 'POST',
      url: 'https://example.com/hook',
      headers: { 'webhook-id': stored.id, 'service-signature': 't=1,v1=abcdefgh…' },
      body: null,
    });
  });

  test('on a full page store the place where the next page begins', async () => {
    const items = ['a', 'b', 'c'].map((event) => deliveryItem(delivery('failed', event)));
    holds(storedEndpoint(), ...items);
    const newestFirst = items
      .map(({ id }) => id)
      .toSorted()
      .reverse();
    const { body } = await call('GET', `${one}/deliveries`, { query: { per_page: '2' } });
    expect(body).toHaveLength(2);
    expect(dynamo.commandCalls(PutCommand)[0]!.args[0].input.Item).toMatchObject({
      position: { after: newestFirst[1] },
    });
  });

  test('on a page too far back are refused after a bounded number of reads', async () => {
    const items = Array.from({ length: 1001 }, (_, i) => deliveryItem(delivery('failed', String(i))));
    holds(storedEndpoint());
    dynamo.on(QueryCommand).resolves({ Items: items });
    const answer = await call('GET', `${one}/deliveries`, { query: { page: '1000000', per_page: '100' } });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ loc: ['query', 'page'] }] } });
    // Lists of this shop are not counted, so no counters are read.
    expect(dynamo.commandCalls(QueryCommand)).toHaveLength(searchLimits.reads * shardsOf('deliveries').length);
  });

  test('are not found when they or their endpoint do not exist', async () => {
    holds();
    expect((await call('GET', `${one}/deliveries`)).body.key).toBe('webhook_not_found');
    const params = { delivery_id: delivery('failed').id };
    const single = `${one}/deliveries/{delivery_id}`;
    expect((await call('GET', single, { params })).body.key).toBe('webhook_not_found');
    holds(storedEndpoint());
    expect((await call('GET', single, { params })).body.key).toBe('webhook_delivery_not_found');
    expect((await call('POST', `${single}/redeliver`, { params })).body.key).toBe('webhook_delivery_not_found');
  });
});

describe('sending a delivery again', () => {
  const again = (id: string) =>
    call('POST', `${one}/deliveries/{delivery_id}/redeliver`, { params: { delivery_id: id } });

  test.each(['delivered', 'failed', 'cancelled', 'parked', 'pending'] as const)(
    'works for a delivery that is %s',
    async (status) => {
      const item = deliveryItem(delivery(status));
      holds(storedEndpoint(), item);
      expect(await again(item.id.toUpperCase())).toMatchObject({
        status: 200,
        body: { id: item.id, status: 'pending', attempt_count: 0 },
      });
      expect(sent()).toEqual([item.id]);
    },
  );

  test.each([
    ['28 days after its event keeps it and what it sends until a run can be over', 28, 36],
    ['at once keeps them for as long as before', 0, 30],
  ])('%s', async (_, sentAgainDay, keptDays) => {
    const day = 24 * 3600;
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(now.getTime() + sentAgainDay * day * 1000) });
    onTestFinished(() => void vi.useRealTimers());
    const made = delivery('failed', 'event', now);
    holds(storedEndpoint(), deliveryItem(made), payloadItem(made, { body: gzipSync('{}') }));
    expect((await again(made.id)).status).toBe(200);
    const expiry = Math.floor(Date.parse(made.created_at) / 1000) + keptDays * day;
    const keys = [keyOf.delivery('blue', made.target, made.id), keyOf.payload('blue', made.payload_id)];
    expect(keys.map((key) => memoryTable.read(key)!.expires_at)).toEqual([expiry, expiry]);
  });

  test('leaves its time in the delivery', async () => {
    const item = deliveryItem(delivery('failed'));
    holds(storedEndpoint(), item);
    const shown = async () =>
      (await call('GET', `${one}/deliveries/{delivery_id}`, { params: { delivery_id: item.id } })).body.sent_again_at;
    const before = await shown();
    const { sent_again_at } = (await again(item.id)).body;
    expect([before, await shown()]).toEqual([null, sent_again_at]);
    expect(Date.parse(sent_again_at)).toBeGreaterThan(0);
  });

  test('takes no attempt out of the log that was made in the meantime', async () => {
    const attempts = [1, 2].map((second) => ({ at: `2026-11-14T12:00:0${second}.000Z`, duration_ms: 5, status: 200 }));
    const before = { ...delivery('delivered'), attempt_count: 1, attempts: attempts.slice(0, 1) };
    holds(storedEndpoint(), deliveryItem(before));
    beforeNextRequest(TransactWriteCommand, () => memoryTable.put(deliveryItem({ ...before, attempts })));
    expect((await again(before.id)).status).toBe(200);
    expect(memoryTable.read(keyOf.delivery('blue', before.target, before.id))).toMatchObject({ attempts });
  });

  test('is tried again when the delivery changed in the meantime', async () => {
    const item = deliveryItem(delivery('failed'));
    holds(storedEndpoint(), item);
    dynamo.on(TransactWriteCommand).rejectsOnce(lostTransaction());
    expect((await again(item.id)).status).toBe(200);
    expect(sent()).toEqual([item.id, item.id]); // the first transaction was cancelled
  });

  test('is refused for an inactive endpoint, like a recovery and a test', async () => {
    const item = deliveryItem(delivery('failed'));
    holds(storedEndpoint({ status: 'inactive' }), item);
    const answers = await Promise.all([
      again(item.id),
      call('POST', `${one}/recover`, { body: { since: '2026-11-01T00:00:00Z' } }),
      call('POST', `${one}/test`),
    ]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ loc: ['path', 'uuid'] }] } });
    }
    expect(sent()).toEqual([]);
  });
});

describe('a recovery', () => {
  const recover = (body: object) => call('POST', `${one}/recover`, { body });
  const failed = (count: number) =>
    Array.from({ length: count }, (_, i) => deliveryItem(delivery('failed', `event-${i}`)));

  test('sends every failed and parked delivery again, and pending ones that were not touched for a day', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    onTestFinished(() => void vi.useRealTimers());
    const old = (status: DeliveryStatus, age: number, event: string) => ({
      ...delivery(status, event),
      updated_at: new Date(now.getTime() - age).toISOString(),
    });
    const day = 24 * 3_600_000;
    const waiting = [old('pending', day + 1, 'forgotten'), old('parked', 0, 'waits for its target')].map(deliveryItem);
    const items = [...failed(44), ...waiting];
    const attempts = [{ at: now.toISOString(), duration_ms: 10, error: 'http_500' }];
    const retried = { ...old('pending', 0, 'is tried again'), attempts };
    const others = [old('pending', day, 'under way'), retried, old('delivered', day + 1, 'arrived')].map(deliveryItem);
    const outside = ['2026-10-31T23:59:59Z', '2026-11-14T12:00:01Z'].map((time) =>
      deliveryItem(delivery('failed', 'outside', new Date(time))),
    );
    holds(storedEndpoint(), ...items, ...others, ...outside);
    const { body } = await recover({ since: '2026-11-01T00:00:00Z', until: '2026-11-14T12:00:00Z' });
    expect(body).toEqual({ count: 46, has_more: false, until: null, retrying: 1 });
    expect(sent().toSorted()).toEqual(items.map(({ id }) => id).toSorted());
    // Drain finds none of them any more, so none is sent twice.
    expect(memoryTable.all('DELIVERIES#').filter(({ list_pk }) => list_pk !== undefined)).toEqual([]);
    // One probe is enough to find out whether an endpoint is up again.
    expect(wakes().filter(({ probe }) => probe)).toHaveLength(1);
  });

  test('of more deliveries than one call takes answers where the next call continues', async () => {
    holds(storedEndpoint(), ...failed(501));
    const { body } = await recover({ since: '2026-11-01T00:00:00Z', until: '2026-11-15T00:00:00Z' });
    expect(body).toEqual({ count: 500, has_more: true, until: now.toISOString(), retrying: 0 });
  });

  test('does not count deliveries that another request sent in the meantime', async () => {
    holds(storedEndpoint(), ...failed(3));
    dynamo.on(TransactWriteCommand).rejectsOnce(lostTransaction());
    expect((await recover({ since: '2026-11-01T00:00:00Z' })).body.count).toBe(2);
  });

  test.each([
    {},
    { since: null },
    { since: 'yesterday' },
    { since: '2026-11-02T00:00:00Z', until: '2026-11-01T00:00:00Z' },
  ])('is refused with %j', async (body) => {
    holds(storedEndpoint());
    expect((await recover(body)).status).toBe(422);
  });
});

test('a test event is a delivery of its own with a payload of the usual shape', async () => {
  holds(storedEndpoint({ enabled_events: ['claims'] }));
  const { status, body } = await call('POST', `${one}/test`);
  expect(status).toBe(200);
  expect(transactions()[0]![0]!.Put!.Item).toMatchObject({
    id: body.delivery_id,
    target: endpointUuid,
    status: 'pending',
    subject_version: 1,
  });
  expect(sent()).toEqual([body.delivery_id]);
});
