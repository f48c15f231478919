import { inspect } from 'node:util';
import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { handler } from '#api/tracking-providers/handler.ts';
import type { ProviderReport } from '#domain/tracking-providers/provider.ts';
import { logger } from '#platform/logging.ts';
import { keyOf } from '#platform/table/keys.ts';
import { carrierHistoryLimits, trackingProviderLimits } from '#schemas/catalogues/limits.ts';
import { trackingProviders } from '#schemas/catalogues/tracking-providers.ts';
import type { CarrierHistory } from '#schemas/shapes/carrier-updates.ts';
import { type Call, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { signatureOf } from '#test/kit/shop-payloads.ts';
import { asOperator, beforeNextRequest, dynamo, keyFor, operator, tableWith } from '#test/kit/table.ts';
import { provider, report } from '#test/kit/tracking-providers.ts';

vi.mock('#domain/tracking-providers/providers.ts', async () => {
  const { simpleProvider } = await import('#test/kit/tracking-providers.ts');
  return { providers: new Proxy({}, { get: () => async () => simpleProvider }) };
});

process.env.CREDENTIALS_KEY_ID = 'credentials';
process.env.CARRIER_UPDATES_QUEUE_URL = 'https://carrier-updates';

const kms = mockClient(KMSClient);
const sqs = mockClient(SQSClient);
const reversed = (bytes: Uint8Array) => Buffer.from(bytes).reverse();
const webhook_secret = 'the-webhook-secret-of-the-provider';
const secrets = { api_key: 'the-api-key-of-the-provider', webhook_secret };

beforeEach(() => {
  kms.reset();
  kms.on(EncryptCommand).callsFake(({ Plaintext }) => ({ CiphertextBlob: reversed(Plaintext) }));
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob }) => ({ Plaintext: reversed(CiphertextBlob) }));
  sqs.reset();
  sqs.on(SendMessageBatchCommand).resolves({});
  tableWith(operator.item);
});

const base = '/v1/tracking-providers';
const call = (method: string, path: string, more: Partial<Call> = {}) =>
  invoke(handler, { method, resource: base + path, headers: asOperator, ...more });
const set = (name: string, body: object = secrets) => call('PUT', '/{provider}', { params: { provider: name }, body });
const list = async () => (await call('GET', '')).body;
const unmapped = (query: Record<string, string> = {}) =>
  call('GET', '/{provider}/unmapped', { params: { provider: 'ship24' }, query });

const stored = (fields: object = {}) =>
  memoryTable.put(provider('ship24', { webhook_secret: reversed(Buffer.from(webhook_secret)), ...fields }));

function post(payload: unknown, { secret = webhook_secret, name = 'ship24', headers = {} } = {}) {
  const rawBody = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return invoke(handler, {
    method: 'POST',
    resource: `${base}/{provider}/webhook`,
    params: { provider: name },
    rawBody,
    headers: { 'X-Signature': signatureOf(secret, rawBody), ...headers },
  });
}

const webhook = (...parcels: ProviderReport[]) => ({ parcels });
const queued = (): CarrierHistory[] =>
  sqs
    .commandCalls(SendMessageBatchCommand)
    .flatMap(({ args }) => args[0].input.Entries!.map(({ MessageBody }) => JSON.parse(MessageBody!)));

describe('a provider that the operator sets', () => {
  test('is listed with masked secrets, the defaults and the address of its webhook', async () => {
    expect(await set('aftership')).toMatchObject({ status: 200, body: null });
    expect(await list()).toEqual([
      {
        provider: 'aftership',
        api_key: '****ider',
        webhook_secret: '****ider',
        base_url: null,
        priority: 100,
        carriers: [],
        webhook_url: 'https://service.example.com/v1/tracking-providers/aftership/webhook',
      },
    ]);
  });

  test('is stored with its secrets encrypted for this provider and each for its purpose', async () => {
    await set('easypost');
    expect(JSON.stringify(memoryTable.all('TRACKINGPROVIDERS#'))).not.toContain(secrets.api_key);
    expect(kms.commandCalls(EncryptCommand).map(({ args }) => args[0].input.EncryptionContext)).toEqual([
      { provider: 'easypost', tracking_provider: 'api_key' },
      { provider: 'easypost', tracking_provider: 'webhook_secret' },
    ]);
  });

  test('is replaced as a whole when it is set again', async () => {
    await set('shippo', { ...secrets, priority: 1, carriers: ['dhl'], base_url: 'https://proxy.example.com/' });
    await set('shippo');
    expect(await list()).toMatchObject([{ priority: 100, carriers: [], base_url: null }]);
  });

  test('is listed by priority, then by name', async () => {
    for (const [name, priority] of [
      ['shippo', 5],
      ['ship24', 5],
      ['easypost', 1],
      ['aftership', 100],
    ] as const)
      await set(name, { ...secrets, priority });
    expect((await list()).map(({ provider }: { provider: string }) => provider)).toEqual([
      ...['easypost', 'ship24', 'shippo', 'aftership'],
    ]);
  });

  test('is gone after it is deleted, and deleting it again is 404', async () => {
    await set('seventeentrack');
    const params = { provider: 'seventeentrack' };
    expect(await call('DELETE', '/{provider}', { params })).toMatchObject({ status: 200, body: null });
    expect(await list()).toEqual([]);
    expect((await call('DELETE', '/{provider}', { params })).body.key).toBe('tracking_provider_not_found');
  });

  test.each([
    ['another name', 'dhl', secrets, 'invalid_payload', ['path', 'provider']],
    ['no api key', 'ship24', { webhook_secret }, 'invalid_payload', ['body', 'api_key']],
    ['an empty secret', 'ship24', { ...secrets, webhook_secret: '' }, 'invalid_payload', ['body', 'webhook_secret']],
    ['a key that no header can carry', 'ship24', { ...secrets, api_key: '…' }, 'invalid_payload', ['body', 'api_key']],
    ['a key with a line break', 'ship24', { ...secrets, api_key: 'a\r\nb' }, 'invalid_payload', ['body', 'api_key']],
    [
      'a private address',
      'ship24',
      { ...secrets, base_url: 'https://10.0.0.1' },
      'invalid_payload',
      ['body', 'base_url'],
    ],
    [
      'a priority that is no whole number',
      'ship24',
      { ...secrets, priority: 1.5 },
      'invalid_payload',
      ['body', 'priority'],
    ],
    [
      'an unknown carrier',
      'ship24',
      { ...secrets, carriers: ['dhl', 'pigeon'] },
      'carrier_reference_invalid',
      ['body', 'carriers', 1],
    ],
  ])('is refused with %s, and nothing is stored', async (_, name, body, key, loc) => {
    const answer = await set(name, body);
    expect(answer).toMatchObject({ status: 422, body: { key, errors: [{ loc }] } });
    expect(memoryTable.all('TRACKINGPROVIDERS#')).toEqual([]);
  });

  test('can be set, listed and removed by a SuperAdmin only', async () => {
    const admin = keyFor('blue', 'admin');
    memoryTable.put(admin.item);
    const headers = { Authorization: `Basic ${btoa(`blue:${admin.secret}`)}` };
    const params = { provider: 'ship24' };
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', '/{provider}'],
      ['DELETE', '/{provider}'],
      ['GET', '/{provider}/unmapped'],
    ] as const)
      expect(await call(method, path, { headers, params, body: secrets })).toMatchObject({ status: 403 });
  });
});

describe('a webhook', () => {
  test('is answered with 200, and each parcel becomes one message with its whole history and the request', async () => {
    stored();
    const answer = await post(
      webhook(
        report(
          'A',
          ['picked_up', '2026-11-02T08:00:00Z'],
          ['on_van', '2026-11-03T08:00:00+01:00', { location: { city: 'Bonn' } }],
        ),
        report('B', ['delivered', '2026-11-04T08:00:00Z']),
      ),
    );
    expect(answer).toMatchObject({ status: 200, body: null });
    expect(queued()).toEqual([
      {
        tracking_number: 'A',
        carrier_reference: null,
        cause: 'request-1',
        events: [
          { event_name: 'PICKUP_SUCCESSFUL', event_time: '2026-11-02T08:00:00Z' },
          { event_name: 'OUT_FOR_DELIVERY', event_time: '2026-11-03T08:00:00+01:00', location: { city: 'Bonn' } },
        ],
      },
      {
        tracking_number: 'B',
        carrier_reference: null,
        cause: 'request-1',
        events: [{ event_name: 'SUCCESSFULLY_DELIVERED', event_time: '2026-11-04T08:00:00Z' }],
      },
    ]);
  });

  test('that does not say when it was made counts from when it came', async () => {
    stored();
    const expected_delivery = { end: '2026-11-05T17:00:00Z' };
    const told = { expected_delivery, reported_at: '2026-11-02T09:00:00.000Z' };
    const before = new Date().toISOString();
    await post(webhook({ ...report('A', ['sorted', '2026-11-02T08:00:00Z']), expected_delivery }));
    await post(webhook({ ...report('B', ['sorted', '2026-11-02T08:00:00Z']), ...told }));
    const [came, made] = queued().map(({ events }) => events[0]!.expected_delivery!.updated_at!);
    expect([came! >= before, came! <= new Date().toISOString(), made]).toEqual([true, true, told.reported_at]);
  });

  test.each([
    ['of an unset provider is 404', {}, false, 404, 'tracking_provider_not_found'],
    ['with a wrong signature is 401', { secret: 'another' }, true, 401, 'signature_invalid'],
    ['without a signature is 401', { headers: { 'X-Signature': '' } }, true, 401, 'signature_invalid'],
    ['of another provider is 422', { name: 'dhl' }, true, 422, 'invalid_payload'],
  ])('%s, and changes nothing', async (_, options, isSet, status, key) => {
    if (isSet) stored();
    expect(await post(webhook(report('A', ['strange', '2026-11-02T08:00:00Z'])), options)).toMatchObject({
      status,
      body: { key },
    });
    expect(queued()).toEqual([]);
    expect(memoryTable.all('UNMAPPED#').filter(({ sk }) => String(sk).startsWith('CODE#'))).toEqual([]);
  });

  test('is noted at most once a minute, whether it is genuine or refused', async () => {
    vi.useFakeTimers({ now: new Date('2031-01-02T10:00:00Z'), toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    stored();
    const come = async (second: number, options = {}) => {
      vi.setSystemTime(new Date(Date.UTC(2031, 0, 2, 10, 0, second)));
      await post(webhook(report('A')), options);
    };
    for (const second of [0, 30, 60]) await come(second);
    for (const second of [120, 120, 120, 150, 210]) await come(second, { secret: 'another' });
    expect(dynamo.commandCalls(UpdateCommand)).toHaveLength(4);
    const [refused, genuine] = memoryTable.all('UNMAPPED#');
    expect(genuine).toMatchObject({ sk: 'WEBHOOK', last_webhook_at: '2031-01-02T10:01:00.000Z' });
    // Those of the tests before are counted with the first.
    expect(refused).toMatchObject({ sk: 'REFUSED#2031-01-02' });
    expect(refused!.refused).toBeGreaterThanOrEqual(5);
  });

  test.each([
    ['an empty object', '{}'],
    ['no JSON', '{"parcels":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['nothing', ''],
    ['a depth of 100,000', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['lone surrogates', '{"parcels":[{"tracking_number":"\\ud800","checkpoints":[]}]}'],
    ['a field that would change a prototype', '{"__proto__":{"parcels":[]},"constructor":{"prototype":{}}}'],
  ])('that is signed and holds %s is never a 5xx', async (_, rawBody) => {
    stored();
    const { status } = await post(rawBody);
    expect(status).toBeOneOf([200, 422]);
    expect(queued()).toEqual([]);
  });

  test('with more events than a message may hold is split', async () => {
    stored();
    const times = Array.from({ length: 120 }, (_, i) => new Date(Date.UTC(2026, 10, 1, 0, i)).toISOString());
    await post(webhook(report('A', ...times.map((time) => ['sorted', time] as [string, string]))));
    expect(queued().map(({ events }) => events.length)).toEqual([50, 50, 20]);
    expect(queued().flatMap(({ events }) => events.map(({ event_time }) => event_time))).toEqual(times);
  });

  test('with long texts is split before a message is too large for the queue', async () => {
    stored();
    const location = { city: '漢'.repeat(255), province: '漢'.repeat(255) };
    const checkpoints = Array.from({ length: 200 }, (_, i) => [
      'sorted',
      new Date(Date.UTC(2026, 10, 1, 0, i)).toISOString(),
      { location },
    ]) as [string, string, object][];
    await post(webhook(report('A', ...checkpoints)));
    const sizes = queued().map((message) => Buffer.byteLength(JSON.stringify(message)));
    expect(Math.max(...sizes)).toBeLessThan(carrierHistoryLimits.bytes + 1000);
    expect(queued().flatMap(({ events }) => events)).toHaveLength(200);
  });

  test('with a place that is too long loses the place, and not the event', async () => {
    stored();
    await post(webhook(report('A', ['sorted', '2026-11-01T00:00:00Z', { location: { city: 'x'.repeat(300) } }])));
    expect(queued()).toMatchObject([{ events: [{ event_name: 'ARRIVED_AT_SORTING_CENTER' }] }]);
    expect(queued()[0]!.events[0]).not.toHaveProperty('location');
  });

  test('that cannot be queued is not acknowledged, so that the provider sends it again', async () => {
    stored();
    sqs.on(SendMessageBatchCommand).rejects(new Error('down'));
    expect((await post(webhook(report('A', ['sorted', '2026-11-01T00:00:00Z'])))).status).toBe(500);
  });

  test('asks KMS for the secret once, not for every webhook', async () => {
    const secret = 'another-secret-of-the-provider';
    stored({ webhook_secret: reversed(Buffer.from(secret)) });
    for (let i = 0; i < 5; i++) expect((await post(webhook(), { secret })).status).toBe(200);
    expect(kms.commandCalls(DecryptCommand)).toHaveLength(1);
  });
});

describe('a code without an event', () => {
  const strange = (code: string, text = 'What is it?') =>
    webhook({ ...report('A', [code, '2026-11-02T08:00:00Z', { text }]) });

  test('changes nothing, and is counted with its last text and time', async () => {
    stored();
    await post(strange('beamed', 'Beamed up'));
    await post(strange('beamed', 'Beamed down'));
    await post(strange('melted'));
    expect(queued()).toEqual([]);
    expect((await unmapped()).body).toEqual([
      { code: 'beamed', text: 'Beamed down', count: 2, last_at: expect.any(String) },
      { code: 'melted', text: 'What is it?', count: 1, last_at: expect.any(String) },
    ]);
  });

  test('is counted as often as a webhook holds it', async () => {
    stored();
    await post(webhook(report('A', ['beamed', '2026-11-02T08:00:00Z'], ['beamed', '2026-11-03T08:00:00Z'])));
    expect((await unmapped()).body).toMatchObject([{ code: 'beamed', count: 2 }]);
  });

  test('that means nothing by the table is not counted', async () => {
    stored();
    await post(strange('advertisement'));
    expect((await unmapped()).body).toEqual([]);
  });

  test('is cut to a length that can be stored, without lone surrogates', async () => {
    stored();
    await post(strange('😀'.repeat(2000), '😀'.repeat(2000)));
    const [{ code, text }] = (await unmapped()).body;
    expect(code.length).toBeLessThanOrEqual(trackingProviderLimits.codeLength);
    expect(text.length).toBeLessThanOrEqual(trackingProviderLimits.textLength);
    expect(code.isWellFormed()).toBe(true);
  });

  test('is not kept if the provider has too many, while the known ones are still counted', async () => {
    stored();
    await post(strange('beamed'));
    memoryTable.put({ ...keyOf.unmappedCount('ship24'), entries: trackingProviderLimits.unmappedCodes });
    await post(webhook(report('A', ['melted', '2026-11-02T08:00:00Z'], ['beamed', '2026-11-03T08:00:00Z'])));
    expect((await unmapped()).body).toMatchObject([{ code: 'beamed', count: 2 }]);
  });

  test('is one of at most a thousand, however many webhooks come at once', async () => {
    stored();
    memoryTable.put({ ...keyOf.unmappedCount('ship24'), entries: trackingProviderLimits.unmappedCodes - 3 });
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => post(strange(`code ${i}`))));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await unmapped()).body).toHaveLength(3);
  });

  test('is counted exactly, however many webhooks come at once', async () => {
    stored();
    await Promise.all(Array.from({ length: 20 }, () => post(strange('beamed'))));
    expect((await unmapped()).body).toMatchObject([{ code: 'beamed', count: 20 }]);
  });

  test('is counted also if another write collides with it', async () => {
    stored();
    await post(strange('beamed'));
    const collision = Object.assign(new Error('collision'), { name: 'TransactionConflictException' });
    beforeNextRequest(UpdateCommand, () => {
      throw collision;
    });
    expect((await post(strange('beamed'))).status).toBe(200);
    expect((await unmapped()).body).toMatchObject([{ code: 'beamed', count: 2 }]);
  });

  test('that cannot be counted is logged, and the events beside it are queued and acknowledged', async () => {
    stored();
    await post(strange('beamed'));
    const logged = vi.spyOn(logger, 'error').mockImplementation(() => {});
    beforeNextRequest(UpdateCommand, () => {
      throw Object.assign(new Error('down'), { name: 'InternalServerError' });
    });
    const both = report('A', ['beamed', '2026-11-02T08:00:00Z'], ['sorted', '2026-11-03T08:00:00Z']);
    expect((await post(webhook(both))).status).toBe(200);
    expect(queued()).toHaveLength(1);
    expect(logged).toHaveBeenCalledWith('codes without an event are not counted', {
      provider: 'ship24',
      codes: 1,
      error: 'InternalServerError',
    });
    vi.restoreAllMocks();
  });

  test('is listed in pages, and for a provider that is not set not at all', async () => {
    stored();
    await post(
      webhook(report('A', ...['a', 'b', 'c'].map((code) => [code, '2026-11-02T08:00:00Z'] as [string, string]))),
    );
    const page = (await unmapped({ per_page: '2', page: '2' })).body;
    expect(page.map(({ code }: { code: string }) => code)).toEqual(['c']);
    memoryTable.remove(keyOf.trackingProvider('ship24'));
    expect(await unmapped()).toMatchObject({ status: 404, body: { key: 'tracking_provider_not_found' } });
  });
});

test('no secret is in an answer, an error or a log', async () => {
  const lines: unknown[] = [];
  for (const level of ['info', 'warn', 'error'] as const)
    vi.spyOn(logger, level).mockImplementation((...line) => void lines.push(line));
  const answers = [];
  for (const name of trackingProviders) answers.push(await set(name));
  answers.push(await set('ship24', { ...secrets, priority: 'high', base_url: 'https://10.0.0.1' }));
  answers.push(await call('GET', ''));
  answers.push(await post(webhook(), { secret: 'wrong' }));
  sqs.on(SendMessageBatchCommand).rejects(new Error('down'));
  answers.push(await post(webhook(report('A', ['sorted', '2026-11-01T00:00:00Z']))));
  expect(answers.at(-1)!.status).toBe(500);
  const texts = inspect([answers, lines], { depth: 20 });
  expect(texts).toContain('NotEnqueued');
  for (const secret of Object.values(secrets)) expect(texts).not.toContain(secret);
  vi.restoreAllMocks();
});
