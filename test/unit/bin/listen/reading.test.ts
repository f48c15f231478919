import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { createClient, verifySignature } from '#schemas/client/index.ts';
import { newDelivery, secret, startFakeLog, uuid } from '#test/kit/fake-delivery-log.ts';
import { isTried, requestOf } from '../../../../bin/listen/logged-delivery.ts';
import { type Outcome, type Outgoing, postTo } from '../../../../bin/listen/post.ts';
import { DeliveryReader } from '../../../../bin/listen/reading.ts';
import { lineOf, Report } from '../../../../bin/listen/report.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(() => Promise.all(stops.splice(0).map((stop) => stop())));

/** Reads a log with these answers of the receiver, one after the other, and then 200. */
async function reading(log: Awaited<ReturnType<typeof startFakeLog>>, outcomes: Outcome[] = []) {
  const posted: Outgoing[] = [];
  const lines: string[] = [];
  const ending = new AbortController();
  const reader = new DeliveryReader({
    client: createClient({ baseUrl: log.url, shop: 'blue', retries: 0 }),
    uuid,
    report: new Report((line) => lines.push(line)),
    signal: ending.signal,
    intervalMs: 2,
    sweepMs: 20,
    backOff: { firstMs: 1, maxMs: 2 },
    post: async (outgoing) => {
      posted.push(outgoing);
      return outcomes.shift() ?? { ms: 1, status: 200, text: '' };
    },
  });
  await reader.start();
  const running = reader.run().catch(() => {});
  stops.push(async () => {
    ending.abort();
    await running;
    await log[Symbol.asyncDispose]();
  });
  return { ids: () => posted.map(({ headers }) => headers['webhook-id']), posted, lines };
}

test('what is in the log at the start is not posted, and what follows is, once', async () => {
  const log = await startFakeLog();
  log.add(newDelivery(new Date()));
  const { ids, lines } = await reading(log);
  const [first, second] = [newDelivery(new Date()), newDelivery(new Date(Date.now() - 60_000))];
  log.add(first);
  await vi.waitFor(() => expect(ids()).toEqual([first.id]), { timeout: 20_000 });
  log.add(second);
  await vi.waitFor(() => expect(ids()).toEqual([first.id, second.id]), { timeout: 20_000 });
  const before = log.requests();
  await vi.waitFor(() => expect(log.requests()).toBeGreaterThan(before + 20), { timeout: 20_000 });
  expect([ids().length, lines.length]).toEqual([2, 2]);
});

test('a delivery that is sent again is posted again, also if it is older than the start', async () => {
  const log = await startFakeLog();
  const old = newDelivery(new Date(Date.now() - 30 * 60_000));
  log.add(old, newDelivery(new Date()));
  const { ids, lines } = await reading(log);
  log.add({ ...old, sent_again_at: new Date().toISOString() });
  await vi.waitFor(() => expect(ids()).toEqual([old.id]), { timeout: 20_000 });
  await vi.waitFor(() => expect(lines).toEqual([expect.stringMatching(/ 200 .*\(sent again\)$/)]), { timeout: 20_000 });
});

test('a receiver that does not run gets the delivery when it does, and a refusal is not repeated', async () => {
  const log = await startFakeLog();
  const refused: Outcome = { ms: 3, status: 500, text: 'no' };
  const { ids, lines } = await reading(log, [
    { ms: 1, failure: 'unreachable' },
    { ms: 1, failure: 'unreachable' },
    refused,
  ]);
  const [first, second] = [newDelivery(new Date()), newDelivery(new Date(Date.now() + 1))];
  log.add(first);
  await vi.waitFor(() => expect(ids()).toEqual([first.id, first.id, first.id]), { timeout: 20_000 });
  log.add(second);
  await vi.waitFor(() => expect(ids().at(-1)).toBe(second.id), { timeout: 20_000 });
  expect(ids()).toHaveLength(4);
  await vi.waitFor(() => expect(lines.filter((line) => / (500|200) /.test(line))).toHaveLength(2), { timeout: 20_000 });
  expect(lines[0]).toMatch('does not answer');
});

test('a delivery that the endpoint does not get because it is inactive is not posted', async () => {
  const log = await startFakeLog();
  const { ids } = await reading(log);
  const sent = newDelivery(new Date());
  log.add(newDelivery(new Date(), { status: 'cancelled' }), sent);
  await vi.waitFor(() => expect(ids()).toEqual([sent.id]), { timeout: 20_000 });
});

test('a delivery that is removed before it is posted is left out, and what follows is posted', async () => {
  const log = await startFakeLog();
  const { ids, lines } = await reading(log);
  const [removed, next] = [newDelivery(new Date()), newDelivery(new Date(Date.now() + 1))];
  log.lose(removed);
  log.add(removed);
  await vi.waitFor(() => expect(lines).toEqual([expect.stringContaining('no longer in the log')]), { timeout: 20_000 });
  log.add(next);
  await vi.waitFor(() => expect(ids()).toEqual([next.id]), { timeout: 20_000 });
});

test('an endpoint that does not exist is an error at the start', async () => {
  await using log = await startFakeLog();
  const client = createClient({ baseUrl: log.url, shop: 'blue' });
  const report = new Report(() => {});
  const other = {
    client,
    uuid: 'other',
    post: async () => expect.unreachable(),
    report,
    signal: AbortSignal.timeout(9999),
  };
  await expect(new DeliveryReader(other).start()).rejects.toThrow('There is no endpoint other');
});

const at = new Date('2026-11-16T08:00:00.400Z');
const seconds = String(Math.floor(at.getTime() / 1000));
const headers = {
  accept: 'application/json',
  'webhook-timestamp': seconds,
  'service-signature': 't=1,v1=abc…',
  'x-key': '***',
};
const request = { method: 'POST', url: 'https://shop.example.com', headers, body: null };
const attempt = { at: at.toISOString(), duration_ms: 1, status: 200, error: null, response: null, request };

test('a request has the time of the attempt, the logged headers and a valid signature', async () => {
  const delivery = newDelivery(at, { attempts: [attempt] });
  const now = new Date(at.getTime() + 200_000);
  const sent = (await requestOf(delivery, secret, now))!;
  expect(sent.headers).toMatchObject({
    accept: 'application/json',
    'webhook-id': delivery.id,
    'webhook-timestamp': seconds,
  });
  expect(sent.headers).not.toHaveProperty('x-key');
  expect(JSON.parse(sent.body.toString())).toEqual(delivery.payload);
  await expect(verifySignature(sent.body, sent.headers, secret, { now })).resolves.toBe(true);
});

test('a signature that receivers would find too old is made anew', async () => {
  const now = new Date(at.getTime() + 400_000);
  const sent = (await requestOf(newDelivery(at, { attempts: [attempt] }), secret, now))!;
  expect(sent.headers['webhook-timestamp']).toBe(String(Math.floor(now.getTime() / 1000)));
  await expect(verifySignature(sent.body, sent.headers, secret, { now })).resolves.toBe(true);
});

test('a payload that the log does not show cannot be posted', async () => {
  await expect(requestOf(newDelivery(at, { payload: null }), secret, at)).resolves.toBeUndefined();
});

test('a delivery is left to the service until it was tried since it was sent again', () => {
  const [before, then, after] = ['2026-11-16T08:00:00.000Z', '2026-11-16T09:00:00.000Z', '2026-11-16T09:00:01.000Z'];
  const listed = (more: object) => ({ ...newDelivery(at), last_attempt: null, status: 'pending' as const, ...more });
  expect(isTried(listed({}))).toBe(false);
  expect(isTried(listed({ last_attempt: { at: before } }))).toBe(true);
  expect(isTried(listed({ last_attempt: { at: before }, sent_again_at: then }))).toBe(false);
  expect(isTried(listed({ last_attempt: { at: after }, sent_again_at: then }))).toBe(true);
  expect(isTried(listed({ status: 'parked' }))).toBe(true);
});

test('the receiver gets the same bytes and headers, and its answer is passed back', async () => {
  const server = createServer(async (incoming, response) => {
    const body = Buffer.concat(await incoming.toArray());
    response.writeHead(429, { 'retry-after': '7' }).end(JSON.stringify([incoming.headers, body.toString()]));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await using post = postTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  const outcome = await post({
    headers: { 'webhook-id': 'a', host: 'other', connection: 'close' },
    body: Buffer.from('ü'),
  });
  server.close();
  server.closeAllConnections();
  expect(outcome).toMatchObject({ status: 429, retryAfter: '7' });
  const [given, body] = JSON.parse((outcome as { text: string }).text);
  expect(body).toBe('ü');
  expect(Object.keys(given).sort()).toEqual(['connection', 'content-length', 'host', 'webhook-id']);
  expect(given.host).not.toBe('other');
});

test('a receiver that is not there, or does not answer in time, is told apart', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const outgoing = { headers: {}, body: Buffer.from('') };
  await using slow = postTo(url, 20);
  expect(await slow(outgoing)).toMatchObject({ failure: 'timeout' });
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  await using gone = postTo(url);
  expect(await gone(outgoing)).toMatchObject({ failure: 'unreachable' });
});

test('a line has the time, the status, the duration, the beginning of the id and the event', () => {
  const line = lineOf(
    { ref: 'claims/created', id: '0191c8a2-77aa-8000', outcome: { ms: 12, status: 200, text: '' } },
    at,
  );
  expect(line).toMatch(/^\d\d:\d\d:00 {2}200 {6}12 ms {2}0191c8a2-77aa {2}claims\/created$/);
});
