import { expect, test, vi } from 'vitest';
import { ApiError, type ClientOptions, ConnectionError, createClient } from '#schemas/client/index.ts';

interface Sent {
  url: string;
  method: string | undefined;
  headers: Record<string, string>;
  body: unknown;
}

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } });

/** A client whose service gives these answers, one after the other. */
function clientWith(answers: (Response | Error)[], options: Omit<ClientOptions, 'shop'> = {}) {
  const sent: Sent[] = [];
  const send: typeof fetch = async (url, { method, headers, body } = {}) => {
    sent.push({ url: String(url), method, headers: headers as Record<string, string>, body });
    const answer = answers.shift() ?? json(null);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const client = createClient({
    baseUrl: 'https://api.example.com',
    key: 'blue:sécret',
    shop: 'blue',
    fetch: send,
    ...options,
  });
  return { client, sent };
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable(),
    (error) => error,
  );

test('a method calls its operation, with the slug of the client, the credentials and the body', async () => {
  const { client, sent } = clientWith([json({ uuid: 'u' })]);
  await expect(client.createWebhook({ body: { url: 'https://shop.example.com' } })).resolves.toEqual({ uuid: 'u' });
  expect(sent).toEqual([
    {
      url: 'https://api.example.com/v1/shops/blue/webhooks',
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from('blue:sécret').toString('base64')}`,
        'content-type': 'application/json',
      },
      body: '{"url":"https://shop.example.com"}',
    },
  ]);
});

test('an address of the service may end with a slash', async () => {
  const { client, sent } = clientWith([json([])], { baseUrl: 'https://api.example.com/' });
  await client.searchWebhooks();
  expect(sent.map(({ url }) => url)).toEqual(['https://api.example.com/v1/shops/blue/webhooks']);
});

test('parameters and filters are escaped, what is undefined is left out, and a call may name another shop', async () => {
  const { client, sent } = clientWith([json([]), json([])]);
  await client.searchWebhooks({ params: { slug: 'a/b' }, query: { url: 'a&b', status: undefined, page: 2 } });
  await client.call('listWebhookDeliveries', { params: { uuid: 'ü' } });
  expect(sent.map(({ url }) => url.slice('https://api.example.com'.length))).toEqual([
    '/v1/shops/a%2Fb/webhooks?url=a%26b&page=2',
    '/v1/shops/blue/webhooks/%C3%BC/deliveries',
  ]);
});

test('a parameter that is missing at run time is an error before anything is sent', async () => {
  const { client, sent } = clientWith([]);
  expect(await failureOf(client.getShop({ params: { slug: '' } }))).toEqual(
    new TypeError('getShop needs the parameter slug.'),
  );
  expect(sent).toEqual([]);
});

test('a change may name the state that it is based on, and an answer tells its own', async () => {
  const { client, sent } = clientWith([json({ a: 1 }, 200, { etag: '"v7"', 'x-correlation-id': 'c' }), json(null)]);
  const read = await client.respond('getSettings');
  expect(read).toEqual({ answer: { a: 1 }, etag: 'v7', status: 200, correlationId: 'c' });
  await client.updateCarrierSettings({ body: { shipment_updates: true }, ifMatch: read.etag });
  expect(sent[1]!.headers['if-match']).toBe('"v7"');
});

test('an answer without a body is undefined, and a document is its text', async () => {
  const { client } = clientWith([new Response(null, { status: 204 }), json({ openapi: '3.1.0' })]);
  await expect(client.deleteAutomation({ params: { automation_id: 'u' } })).resolves.toBeUndefined();
  await expect(client.getDescription()).resolves.toBe('{"openapi":"3.1.0"}');
});

test('a body with a file is sent as a form', async () => {
  const { client, sent } = clientWith([json({ url: 'https://images.example.com/a.png' })]);
  await client.uploadImage({ body: { image: new Blob(['png'], { type: 'image/png' }), image_type: 'logo' } });
  expect(sent[0]!.body).toBeInstanceOf(FormData);
  expect(sent[0]!.headers['content-type']).toBeUndefined();
});

test('a refusal is thrown with its status, key, invalid fields and correlation id', async () => {
  const errors = [{ loc: ['body', 'url'], msg: 'is missing', type: 'missing' }];
  const refused = json({ key: 'invalid_payload', message: 'Invalid.', errors }, 422, { 'x-correlation-id': 'c-1' });
  const { client } = clientWith([refused]);
  const error: ApiError = await failureOf(client.createWebhook({ body: { url: '' } }));
  expect(error).toBeInstanceOf(ApiError);
  expect({ ...error, message: error.message }).toEqual({
    name: 'ApiError',
    status: 422,
    key: 'invalid_payload',
    message: 'Invalid.',
    errors,
    correlationId: 'c-1',
    retryAfterSeconds: undefined,
  });
});

test('an error page of something in between is a refusal with the status as its key', async () => {
  const { client } = clientWith([new Response('<h1>Bad gateway</h1>', { status: 502 })], { retries: 0 });
  expect(await failureOf(client.getShop())).toMatchObject({ name: 'ApiError', status: 502, key: 'http_502' });
});

test('a success that is not JSON is no answer of the service', async () => {
  const { client } = clientWith([new Response('<h1>Log in to this network</h1>')]);
  expect(await failureOf(client.getShop())).toBeInstanceOf(ConnectionError);
});

test('a read is repeated after a lost connection and after 503, and a change is not', async () => {
  vi.useFakeTimers();
  const { client, sent } = clientWith([new TypeError('reset'), json({}, 503), json({ slug: 'blue' })]);
  const read = client.getShop();
  await vi.runAllTimersAsync();
  await expect(read).resolves.toEqual({ slug: 'blue' });
  const { client: other, sent: once } = clientWith([new TypeError('reset')]);
  expect(await failureOf(other.testWebhook({ params: { uuid: 'u' } }))).toBeInstanceOf(ConnectionError);
  expect([sent.length, once.length]).toEqual([3, 1]);
  vi.useRealTimers();
});

test('after 429 a change is repeated when the service says so, up to the number of retries', async () => {
  vi.useFakeTimers();
  const limited = () => json({ key: 'rate_limited', message: '' }, 429, { 'retry-after': '6' });
  const { client, sent } = clientWith([limited(), limited(), limited(), limited()]);
  const began = Date.now();
  const failure = failureOf(client.createWebhook({ body: { url: 'https://a.example.com' } }));
  await vi.runAllTimersAsync();
  expect(await failure).toMatchObject({ status: 429, retryAfterSeconds: 6 });
  expect([sent.length, Date.now() - began]).toEqual([3, 12_000]);
  vi.useRealTimers();
});

test('a wait of more than a minute is left to the caller', async () => {
  const { client, sent } = clientWith([json({ key: 'rate_limited' }, 429, { 'retry-after': '61' })]);
  expect(await failureOf(client.getShop())).toMatchObject({ retryAfterSeconds: 61 });
  expect(sent).toHaveLength(1);
});

test('a call that is aborted ends with the reason of the caller, also while it waits', async () => {
  const own = new AbortController();
  const { client } = clientWith([json({}, 429, { 'retry-after': '30' })]);
  const failure = failureOf(client.getShop({ signal: own.signal }));
  own.abort(new Error('enough'));
  expect(await failure).toEqual(new Error('enough'));
});

test('no answer in time is an error that says so', async () => {
  const send: typeof fetch = (_url, init) =>
    new Promise((_resolve, reject) => init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason)));
  const { client } = clientWith([], { fetch: send, timeoutMs: 5 });
  expect(await failureOf(client.getShop())).toMatchObject({ name: 'ConnectionError', isTimeout: true });
});

test('a list is read page after page until a page is not full, also where it is a field of the answer', async () => {
  const { client, sent } = clientWith([json({ claims: [1, 2] }), json({ claims: [3] })]);
  const claims: unknown[] = [];
  for await (const claim of client.paged('searchClaims', { query: { per_page: 2 } })) claims.push(claim);
  expect(claims).toEqual([1, 2, 3]);
  expect(sent.map(({ url }) => url.split('?')[1])).toEqual(['per_page=2&page=1', 'per_page=2&page=2']);
});

test('a client can be awaited and returned from async functions, because it has no method `then`', async () => {
  const { client } = clientWith([]);
  expect(await client).toBe(client);
  await expect(client.call('noSuchOperation' as never)).rejects.toThrow('There is no operation noSuchOperation.');
});
