import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createPost, type PostOptions } from '#pipeline/delivery/post.ts';
import { type Receiver, rawReceiver, receiver } from './receivers/receiver.ts';
import { selfMade } from './receivers/self-made-certificate.ts';

const running: Receiver[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
});

async function started(starting: Promise<Receiver>): Promise<Receiver> {
  const one = await starting;
  running.push(one);
  return one;
}

/** A short deadline for receivers that exceed it; unit tests cover the real one of 10 s. */
const soon = { deadlineMs: 400 };
/** This machine may be busy, but without the short deadline an attempt would take ten seconds. */
const inTime = 9_000;

/** One attempt, and how long it took. */
async function attempt(url: string, options: PostOptions = {}) {
  const post = createPost({ allowLocal: true, ...options });
  const began = performance.now();
  const answer = await post({ url, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":"ü"}') });
  return { answer, took: performance.now() - began };
}

describe('a receiver that answers', () => {
  test('2xx gets the exact bytes once, and its answer is recorded', async () => {
    const shop = await started(receiver((response) => response.writeHead(202).end('thank you')));
    const { answer } = await attempt(shop.url);
    expect(answer).toEqual({ status: 202, response: 'thank you' });
    expect(shop.requests.map(({ body }) => body)).toEqual(['{"a":"ü"}']);
    expect(shop.requests[0]!.headers).toMatchObject({
      host: `127.0.0.1:${shop.port}`,
      'content-length': '10',
      'content-type': 'application/json',
    });
  });

  test.each([
    ['a letter that the limit cuts', `${'x'.repeat(1023)}ü`, 'x'.repeat(1023)],
    ['bytes that are no text', Buffer.alloc(2000, 0xff), '\uFFFD'.repeat(341)],
    ['an empty body', '', undefined],
  ])('with %s is recorded as a text of at most 1 KB', async (_, sent, kept) => {
    const shop = await started(receiver((response) => response.end(sent)));
    expect((await attempt(shop.url)).answer.response).toBe(kept);
  });

  test('with a failure and an endless body is recorded as that failure', async () => {
    const shop = await started(receiver((response) => response.writeHead(503, { 'retry-after': '60' }).write('x')));
    expect((await attempt(shop.url, soon)).answer).toEqual({ status: 503, error: 'http_503', retryAfter: '60' });
  });

  test('500 several times and then 200 fails as often and then succeeds', async () => {
    const shop = await started(receiver((response, count) => response.writeHead(count <= 3 ? 500 : 200).end('x')));
    const post = createPost({ allowLocal: true });
    const words: (string | undefined)[] = [];
    for (let i = 0; i < 4; i++) words.push((await post({ url: shop.url, headers: {}, body: Buffer.from('{}') })).error);
    expect(words).toEqual(['http_500', 'http_500', 'http_500', undefined]);
  });

  test('410 is recorded as gone', async () => {
    const shop = await started(receiver((response) => response.writeHead(410).end()));
    expect((await attempt(shop.url)).answer).toEqual({ status: 410, error: 'http_410' });
  });

  test('429 has its Retry-After passed on', async () => {
    const shop = await started(receiver((response) => response.writeHead(429, { 'retry-after': '120' }).end()));
    expect((await attempt(shop.url)).answer).toEqual({ status: 429, error: 'http_429', retryAfter: '120' });
  });

  test('with a redirect to a private address is not followed', async () => {
    const inside = await started(receiver((response) => response.end('secret')));
    const shop = await started(receiver((response) => response.writeHead(307, { location: inside.url }).end()));
    expect((await attempt(shop.url)).answer).toEqual({ status: 307, error: 'http_307' });
    expect(inside.requests).toEqual([]);
  });

  test('gets the next deliveries on the same connections', async () => {
    const ports = new Set<number | undefined>();
    const shop = await started(
      receiver((response) => {
        ports.add(response.socket?.remotePort);
        response.end();
      }),
    );
    const post = createPost({ allowLocal: true });
    for (let i = 0; i < 5; i++) await post({ url: shop.url, headers: {}, body: Buffer.from('{}') });
    // A second connection if the first was not yet free.
    expect(ports.size).toBeLessThanOrEqual(2);
  });
});

describe('a receiver is given up at the deadline', () => {
  test('when it hangs', async () => {
    const shop = await started(receiver(() => {}));
    const { answer, took } = await attempt(shop.url, soon);
    expect(answer).toEqual({ error: 'timeout' });
    expect(took).toBeLessThan(inTime);
    await shop.closed;
  });

  test('when it never answers the TLS handshake', async () => {
    const shop = await started(rawReceiver(() => {}));
    const { answer, took } = await attempt(`https://127.0.0.1:${shop.port}/`, soon);
    expect(answer).toEqual({ error: 'timeout' });
    expect(took).toBeLessThan(inTime);
  });

  test('when it sends its body byte by byte', async () => {
    const shop = await started(
      receiver((response) => {
        response.writeHead(200);
        const dripping = setInterval(() => response.write('.'), 20);
        response.on('close', () => clearInterval(dripping));
      }),
    );
    const { answer, took } = await attempt(shop.url, soon);
    expect(answer).toEqual({ status: 200, error: 'timeout' });
    expect(took).toBeLessThan(inTime);
    await shop.closed;
  });

  test('when it sends its headers byte by byte', async () => {
    const shop = await started(
      rawReceiver((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const dripping = setInterval(() => socket.write('X-A: b\r\n'), 20);
        socket.on('close', () => clearInterval(dripping));
      }),
    );
    const { answer, took } = await attempt(shop.url, soon);
    expect(answer).toEqual({ error: 'timeout' });
    expect(took).toBeLessThan(inTime);
  });

  test('when it announces its answer for ever', async () => {
    const shop = await started(
      rawReceiver((socket) => {
        const telling = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
        socket.on('close', () => clearInterval(telling));
      }),
    );
    const { answer, took } = await attempt(shop.url, soon);
    expect(answer).toEqual({ error: 'timeout' });
    expect(took).toBeLessThan(inTime);
  });

  test('when its name server never answers', async () => {
    const { answer, took } = await attempt('http://shop.example.com/', {
      ...soon,
      resolve: () => new Promise(() => {}),
    });
    expect(answer).toEqual({ error: 'timeout' });
    expect(took).toBeLessThan(inTime);
  });

  test('when the connection comes too late, which then carries no delivery', async () => {
    const shop = await started(receiver((response) => response.end()));
    const name = Promise.withResolvers<string[]>();
    const { answer } = await attempt(`http://shop.example.com:${shop.port}/`, { ...soon, resolve: () => name.promise });
    expect(answer).toEqual({ error: 'timeout' });
    name.resolve(['127.0.0.1']);
    const other = createPost({ allowLocal: true });
    await other({ url: shop.url, headers: {}, body: Buffer.from('{"second":true}') });
    expect(shop.requests.map(({ body }) => body)).toEqual(['{"second":true}']);
  });
});

describe('the answer of a receiver', () => {
  test('that is endless is read up to 64 KB, and 2xx remains a success', async () => {
    let sent = 0;
    const shop = await started(
      receiver((response) => {
        const part = Buffer.alloc(16 * 1024, 'x');
        const pour = () => {
          while (!response.destroyed && response.write(part)) sent += part.length;
        };
        response.writeHead(200).on('drain', pour);
        pour();
      }),
    );
    const { answer } = await attempt(shop.url);
    expect(answer).toEqual({ status: 200, response: 'x'.repeat(1024) });
    await shop.closed;
    // Bytes in the buffers of both sides were sent too.
    expect(sent).toBeLessThan(20 * 1024 * 1024);
  });

  test('that is a gzip bomb is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));
    const shop = await started(
      receiver((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)),
    );
    const before = process.memoryUsage().rss;
    const { answer } = await attempt(shop.url);
    expect(answer).toEqual({ status: 200 });
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
  });

  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  test.each([
    ['early hints without an end', '', 'HTTP/1.1 103 Early Hints\r\n\r\n', undefined],
    ['a chunk extension without an end', `${chunked}1;note=`, 'x', 200],
  ])('with %s is read up to 1 MB', async (_, beginning, again, status) => {
    let sent = 0;
    const shop = await started(
      rawReceiver((socket) => {
        const part = again.repeat(16 * 1024);
        const pour = () => {
          while (!socket.destroyed && socket.write(part)) sent += part.length;
        };
        socket.on('drain', pour).write(beginning);
        pour();
      }),
    );
    const { answer } = await attempt(shop.url);
    expect(answer).toEqual({ error: 'answer_too_large', ...(status && { status }) });
    await shop.closed;
    expect(sent).toBeLessThan(20 * 1024 * 1024);
  });

  test('is limited by itself and not together with others', async () => {
    const shop = await started(receiver((response) => response.end(Buffer.alloc(60 * 1024, 'x'))));
    const post = createPost({ allowLocal: true });
    const send = () => post({ url: shop.url, headers: {}, body: Buffer.from('{}') });
    for (let i = 0; i < 30; i++) expect((await send()).error).toBeUndefined();
  });

  test('with headers over 16 KB is a failure', async () => {
    const shop = await started(
      rawReceiver((socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Large: ${'x'.repeat(64 * 1024)}\r\n\r\n`)),
    );
    expect((await attempt(shop.url)).answer).toEqual({ error: 'headers_too_large' });
  });
});

describe('an attempt fails when the receiver', () => {
  test('refuses the connection', async () => {
    const shop = await receiver((response) => response.end());
    await shop.stop();
    expect((await attempt(shop.url)).answer).toEqual({ error: 'connection_refused' });
  });

  test('resets the connection in the middle of the body', async () => {
    const shop = await started(
      rawReceiver((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf', () => socket.resetAndDestroy());
      }),
    );
    expect((await attempt(shop.url)).answer).toMatchObject({ error: 'connection_reset' });
  });

  test('closes the connection before it answers', async () => {
    const shop = await started(rawReceiver((socket) => socket.end()));
    expect((await attempt(shop.url)).answer).toEqual({ error: 'connection_reset' });
  });

  test.each([
    ['another protocol', '220 smtp ready\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nabc'],
    ['a length and parts', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['an invalid status', 'HTTP/1.1 042 OK\r\n\r\n'],
  ])('does not speak HTTP but %s', async (_, spoken) => {
    const shop = await started(rawReceiver((socket) => socket.end(spoken)));
    expect((await attempt(shop.url)).answer).toEqual({ error: 'malformed_answer' });
  });

  test('does not speak TLS', async () => {
    const shop = await started(receiver((response) => response.end()));
    expect((await attempt(`https://127.0.0.1:${shop.port}/`)).answer).toEqual({ error: 'tls_error' });
  });
});

describe('a receiver with a self-signed certificate', () => {
  const known = getCACertificates('default');
  afterEach(() => setDefaultCACertificates(known));
  const started443 = () => started(receiver((response) => response.end('thank you'), selfMade));
  const at = (name: string, { port }: Receiver) =>
    attempt(`https://${name}:${port}/hook`, { resolve: async () => ['127.0.0.1'] });

  test('gets nothing when its issuer is not trusted', async () => {
    const shop = await started443();
    expect((await at('shop.example.com', shop)).answer).toEqual({ error: 'tls_error' });
    expect(shop.requests).toEqual([]);
  });

  test('gets the delivery when its issuer is trusted, only under the name in the certificate', async () => {
    setDefaultCACertificates([...known, selfMade.cert]);
    const shop = await started443();
    expect((await at('shop.example.com', shop)).answer).toEqual({ status: 200, response: 'thank you' });
    expect(shop.requests).toMatchObject([{ body: '{"a":"ü"}', headers: { host: `shop.example.com:${shop.port}` } }]);
    expect((await at('other.example.com', shop)).answer).toEqual({ error: 'tls_error' });
  });
});

describe('only the checked address is dialled, so that', () => {
  const deployed = { allowLocal: false };

  test('a name that resolves to a private address is not dialled', async () => {
    const shop = await started(receiver((response) => response.end()));
    const url = `https://shop.example.com:${shop.port}/`;
    const { answer } = await attempt(url, { ...deployed, resolve: async () => ['127.0.0.1', '10.0.0.1', '::1'] });
    expect(answer).toEqual({ error: 'private_address' });
    expect(shop.requests).toEqual([]);
  });

  test('a name that is public when it is checked and private when it is dialled is not dialled', async () => {
    const shop = await started(receiver((response) => response.end()));
    const answers = [['192.0.2.1'], ['127.0.0.1']];
    let asked = 0;
    const resolve = async () => answers[asked++] ?? [];
    await resolve(); // the check when the endpoint was set
    const { answer } = await attempt(`https://shop.example.com:${shop.port}/`, { ...deployed, resolve });
    expect(answer).toEqual({ error: 'private_address' });
    expect(asked).toBe(2);
    expect(shop.requests).toEqual([]);
  });

  test('a connection resolves its name once and no second answer replaces the checked one', async () => {
    const shop = await started(receiver((response) => response.end()));
    let asked = 0;
    const resolve = async () => (asked++ === 0 ? ['127.0.0.1'] : ['10.0.0.1']);
    expect((await attempt(`http://shop.example.com:${shop.port}/`, { resolve })).answer).toEqual({ status: 200 });
    expect(asked).toBe(1);
  });

  test('the local stack reaches its own machine and still no private network', async () => {
    const { answer } = await attempt('http://shop.example.com/', { resolve: async () => ['10.0.0.1'] });
    expect(answer).toEqual({ error: 'private_address' });
    for (const url of ['http://169.254.169.254/latest/meta-data', 'http://[::ffff:a00:1]/']) {
      expect((await attempt(url)).answer).toEqual({ error: 'address_not_allowed' });
    }
  });

  test.each([
    'http://shop.example.com/',
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://a.internal/',
  ])('the address %s is not dialled, as it cannot be set either', async (url) => {
    const { answer } = await attempt(url, { ...deployed, resolve: async () => ['8.8.8.8'] });
    expect(answer).toEqual({ error: 'address_not_allowed' });
  });

  test('an unknown name is not dialled', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));
    expect((await attempt('https://shop.example.com/', { ...deployed, resolve })).answer).toEqual({
      error: 'name_not_found',
    });
  });
});

test('a hanging receiver does not delay another receiver', async () => {
  const hanging = await started(receiver(() => {}));
  const healthy = await started(receiver((response) => response.end()));
  const post = createPost({ allowLocal: true, deadlineMs: 30_000 });
  const send = (url: string) => post({ url, headers: {}, body: Buffer.from('{}') });
  let left = 0;
  const stuck = Array.from({ length: 30 }, () => send(hanging.url).finally(() => left++));
  for (let i = 0; i < 5; i++) expect(await send(healthy.url)).toEqual({ status: 200 });
  expect(left).toBe(0);
  await vi.waitFor(() => expect(hanging.requests).toHaveLength(30), { timeout: 20_000 });
  await hanging.stop();
  expect(new Set((await Promise.all(stuck)).map(({ error }) => error))).toEqual(new Set(['connection_reset']));
});
