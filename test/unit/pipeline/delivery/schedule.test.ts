import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { newRun } from '#domain/deliveries/delivery-items.ts';
import { handler as deadLetters } from '#pipeline/dead-letters/handler.ts';
import { attemptDeadlineMs } from '#pipeline/delivery/post.ts';
import { deliveryLimits, queueLimits } from '#schemas/catalogues/limits.ts';
import { DeliverySimulation, toRecord } from '#test/kit/delivery-simulation.ts';
import { aDelivery, body, store, stored, tableWithDeliveries, tableWithPayloads } from '#test/kit/stored-deliveries.ts';
import { beforeRequest } from '#test/kit/table.ts';

const delivery = aDelivery(1);

/** The waits of a delivery that always fails, without jitter. Those above a quarter of an hour end with the next full minute. */
const waits = Array.from({ length: 14 }, (_, i) => Math.min(10 * 2 ** i, 12 * 3600));

const failing = { status: 500, error: 'http_500', response: 'down' };

test('a delivery has 15 attempts with growing gaps within two days, is recorded as failed, and can be sent again', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.answer = (count) => (count <= 15 ? failing : { status: 200 });
  simulation.send(delivery);
  const began = simulation.time;
  await simulation.run();

  expect(simulation.posts).toHaveLength(15);
  for (const [i, gap] of simulation.gaps.entries()) {
    expect(gap).toBeGreaterThanOrEqual(waits[i]!);
    expect(gap).toBeLessThan(waits[i]! + (waits[i]! > 900 ? 60 : 1));
  }
  expect(simulation.time - began).toBeLessThan(2 * 24 * 3600_000);
  expect(simulation.longestInFlightSeconds).toBeLessThanOrEqual(900);
  expect(simulation.deadLetters).toEqual([]);
  const failed = stored(delivery);
  expect(failed).toMatchObject({ status: 'failed', attempt_count: 15 });
  expect(failed.attempts.map(({ error }) => error)).toEqual(Array(15).fill('http_500'));

  const { retry_id: _, ...ended } = failed;
  store({ ...ended, ...newRun(failed, new Date(simulation.time)) });
  simulation.send(delivery);
  await simulation.run();
  const delivered = stored(delivery);
  expect(delivered).toMatchObject({ status: 'delivered', attempt_count: 1 });
  expect(delivered.attempts).toHaveLength(16);
  expect(simulation.posts).toHaveLength(16);
  expect(new Set(simulation.posts.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery.id]));
});

test('the record of a failed attempt says when the next one is due, and that of the last one does not', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  const due: (string | undefined)[] = [];
  simulation.answer = (count) => {
    if (count > 1) due.push(stored(delivery).next_attempt_at);
    return count < 3 ? failing : { status: 200 };
  };
  simulation.send(delivery);
  await simulation.run();
  const [first, second] = stored(delivery).attempts.map(({ at, duration_ms }) => Date.parse(at) + duration_ms);
  expect(due).toEqual([first! + 10_000, second! + 20_000].map((time) => new Date(time).toISOString()));
  expect(stored(delivery).next_attempt_at).toBeUndefined();
});

test('all attempts of a delivery send the version of its subject and its hour, also when it is sent again', async () => {
  const feed = { generation: 3, hour: '2026-11-14T11:00:00Z' };
  const versioned = aDelivery(2, 'endpoint-1', { subject_version: 7, feed });
  const before = aDelivery(3);
  tableWithPayloads(versioned, before);
  const simulation = new DeliverySimulation();
  simulation.answer = (count) => (count <= 4 ? failing : { status: 200 });
  for (const one of [versioned, before]) simulation.sendFirst(one);
  await simulation.run();
  store({ ...stored(versioned), ...newRun(stored(versioned), new Date(simulation.time)) });
  simulation.send(versioned);
  await simulation.run();
  const sentOf = ({ id }: { id: string }, header: string) =>
    simulation.posts.filter(({ headers }) => headers['webhook-id'] === id).map(({ headers }) => headers[header]);
  expect(sentOf(versioned, 'webhook-subject-version')).toEqual(['7', '7', '7', '7']);
  expect(sentOf(versioned, 'webhook-hour')).toEqual(Array(4).fill(feed.hour));
  for (const header of ['webhook-subject-version', 'webhook-hour']) {
    expect(sentOf(before, header)).toEqual([undefined, undefined, undefined]);
  }
});

test('ten thousand failing deliveries a minute, each hanging until its deadline, stay below 60 % of the places in flight', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.answer = () => {
    simulation.time += attemptDeadlineMs;
    return { error: 'timeout' };
  };
  simulation.send(delivery);
  await simulation.run();
  expect(simulation.posts).toHaveLength(15);
  // The arrivals in a second times the seconds that each spends in flight are the places that are taken.
  const places = (10_000 / 60) * simulation.inFlightSeconds;
  expect(places).toBe(25_000);
  expect(places).toBeLessThan(queueLimits.placesInFlight * queueLimits.alarmingShare);
});

test('workers and drains that die after each attempt, and messages that come twice, lose and repeat no attempt', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.answer = () => failing;
  simulation.send(delivery);
  simulation.send(delivery);
  for (let round = 0; Number.isFinite(simulation.nextAt) && round < 200; round++) {
    simulation.time = Math.max(simulation.time, simulation.nextAt);
    await simulation.drain({ dies: round % 2 === 0 });
    const before = simulation.posts.length;
    await simulation.poll({ dies: round % 3 !== 2 });
    expect(simulation.posts.length - before).toBeLessThanOrEqual(1);
  }
  expect(simulation.nextAt).toBe(Number.POSITIVE_INFINITY);
  expect(simulation.posts).toHaveLength(15);
  for (const [i, gap] of simulation.gaps.entries()) expect(gap).toBeGreaterThanOrEqual(waits[i]!);
  expect(simulation.longestInFlightSeconds).toBeLessThanOrEqual(900);
  expect(simulation.deadLetters).toEqual([]);
  expect(stored(delivery)).toMatchObject({ status: 'failed', attempt_count: 15 });
});

test('a worker that dies between the message of a retry and the record of its failure leaves one message that goes on', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.answer = () => failing;
  const { hide, sendLater } = simulation.ports;
  const die = () => Promise.reject(new Error('the worker died'));
  beforeRequest(UpdateCommand, () => {
    Object.assign(simulation.ports, { hide: die, sendLater: die });
    throw new Error('the worker died');
  });
  simulation.send(delivery);
  await simulation.poll();
  Object.assign(simulation.ports, { hide, sendLater });
  beforeRequest(UpdateCommand, () => {});
  await simulation.run();
  // The attempt that nobody recorded was made again.
  expect(simulation.posts).toHaveLength(16);
  expect(simulation.gaps[0]).toBe(362);
  expect(stored(delivery)).toMatchObject({ status: 'failed', attempt_count: 15 });
  expect(simulation.deadLetters).toEqual([]);
});

test('retries that are all received before the attempt before them is recorded come back in a moment', async () => {
  vi.stubEnv('RETRY_BASE_SECONDS', '0');
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.answer = () => failing;
  const { sendLater } = simulation.ports;
  simulation.ports.sendLater = async (message, seconds) => {
    await sendLater(message, seconds);
    await simulation.poll();
  };
  simulation.send(delivery);
  const began = simulation.time;
  await simulation.run();
  vi.unstubAllEnvs();
  expect(simulation.posts).toHaveLength(15);
  expect(stored(delivery)).toMatchObject({ status: 'failed', attempt_count: 15 });
  expect((simulation.time - began) / 1000).toBe(14);
});

test('a retry waits for the record of an attempt for longer than a worker that died keeps its message', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.send(delivery, { retry: { id: 'next', attempts: 1 } });
  const began = simulation.time;
  await simulation.run();
  expect([simulation.posts, simulation.messages]).toEqual([[], []]);
  expect((simulation.time - began) / 1000).toBeGreaterThan(deliveryLimits.visibilitySeconds + 60);
});

test('a retry from before a delivery was sent again is dropped, and the new run goes on', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.answer = () => failing;
  simulation.send(delivery);
  await simulation.run(6);
  const { retry_id: _, ...failed } = stored(delivery);
  const again = { ...failed, ...newRun(failed, new Date(simulation.time)) };
  store(again);
  await simulation.run(20);
  expect([simulation.messages, simulation.deadLetters]).toEqual([[], []]);
  simulation.answer = () => ({ status: 200 });
  simulation.send(again);
  await simulation.run();
  expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
});

test('each attempt is signed with its own timestamp over the same bytes', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.answer = (count) => (count < 3 ? { error: 'timeout' } : { status: 200 });
  simulation.send(delivery);
  await simulation.run();
  const times = simulation.posts.map(({ headers }) => Number(headers['webhook-timestamp']));
  expect(times).toEqual(simulation.posts.map(({ at }) => at / 1000));
  expect(new Set(simulation.posts.map((post) => post.body))).toEqual(new Set([body]));
});

test('an attempt never ends before it begins, even if the clock is set back', async () => {
  tableWithDeliveries({ ...delivery, attempt_count: 13 });
  const simulation = new DeliverySimulation();
  simulation.answer = () => {
    simulation.later(-60);
    return { error: 'timeout' };
  };
  simulation.send(delivery);
  await simulation.poll();
  expect(stored(delivery).attempts).toMatchObject([{ duration_ms: 0 }]);
});

test('a delivery that is answered with 429 and Retry-After is tried again at that time', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.answer = (count) =>
    count === 1 ? { status: 429, error: 'http_429', retryAfter: '1800' } : { status: 200 };
  simulation.send(delivery);
  await simulation.run();
  expect(simulation.gaps).toEqual([1800]);
});

test('a delivery that is answered with 410 has 15 attempts as after any other failure', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.answer = () => ({ status: 410, error: 'http_410' });
  simulation.send(delivery);
  await simulation.run();
  expect(simulation.posts).toHaveLength(15);
  expect(stored(delivery)).toMatchObject({ status: 'failed', attempt_count: 15 });
  expect(simulation.deadLetters).toEqual([]);
});

test('a delivery that was parked in between is recorded as failed after its 15th attempt', async () => {
  tableWithDeliveries({ ...delivery, attempt_count: 10 });
  const simulation = new DeliverySimulation();
  simulation.answer = () => ({ error: 'connection_refused' });
  simulation.send(delivery);
  await simulation.run();
  expect(simulation.posts).toHaveLength(5);
  expect(stored(delivery)).toMatchObject({ status: 'failed', attempt_count: 15 });
  expect(simulation.deadLetters).toEqual([]);
});

test('a dead letter does not change a delivery that has arrived or is parked', async () => {
  for (const status of ['delivered', 'parked', 'cancelled'] as const) {
    tableWithDeliveries({ ...delivery, status });
    const simulation = new DeliverySimulation();
    simulation.send(delivery);
    expect(await deadLetters({ Records: simulation.messages.map(toRecord) })).toEqual({ batchItemFailures: [] });
    expect(stored(delivery).status).toBe(status);
  }
});

test('a dead letter from before a delivery was sent again does not end the new run', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.answer = () => ({ error: 'connection_refused' });
  simulation.send(delivery);
  const dead = simulation.messages.map(toRecord);
  simulation.later(1);
  store({ ...delivery, ...newRun(delivery, new Date(simulation.time)) });
  await deadLetters({ Records: dead });
  expect(stored(delivery)).toMatchObject({ status: 'pending', attempt_count: 0 });
  simulation.answer = () => ({ status: 200 });
  await simulation.run();
  expect(stored(delivery)).toMatchObject({ status: 'delivered' });
});

test('a dead letter with a failed attempt from before a delivery was sent again does not end the new run', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  const ended = { at: new Date(simulation.time).toISOString(), duration_ms: 5, result: failing };
  simulation.later(1);
  store({ ...delivery, ...newRun(delivery, new Date(simulation.time)) });
  // The message that carries the attempt was sent again while it could not be recorded.
  simulation.later(1);
  simulation.send(delivery, { ended });
  await deadLetters({ Records: simulation.messages.map(toRecord) });
  expect(stored(delivery)).toMatchObject({ status: 'pending', attempt_count: 0 });
});

test('a dead letter whose delivery has a later message does not end it, and the one of that message does', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.answer = () => failing;
  simulation.send(delivery);
  const first = simulation.messages.map(toRecord);
  await simulation.poll();
  await deadLetters({ Records: first });
  expect(stored(delivery).status).toBe('pending');
  await deadLetters({ Records: simulation.messages.map(toRecord) });
  expect(stored(delivery).status).toBe('failed');
});

test('a dead letter that cannot be recorded is received again, and an unreadable one is kept', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.send(delivery);
  const Records = [...simulation.messages.map(toRecord), toRecord({ id: 'odd', body: '{}', receives: 1 })];
  for (const name of ['InternalServerError', 'TransactionConflictException']) {
    beforeRequest(UpdateCommand, () => {
      throw Object.assign(new Error('down'), { name });
    });
    const { batchItemFailures } = await deadLetters({ Records });
    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).toSorted()).toEqual(['m0', 'odd']);
  }
});

test('an attempt is logged with its time, its duration, its request and its response', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.send(delivery);
  simulation.answer = () => {
    simulation.time += 1234;
    return { status: 503, error: 'http_503', response: 'try later' };
  };
  const at = new Date(simulation.time).toISOString();
  await simulation.poll();
  expect(stored(delivery).attempts).toEqual([
    {
      at,
      duration_ms: 1234,
      status: 503,
      error: 'http_503',
      response: 'try later',
      request: {
        url: 'https://endpoint-1.example.com/',
        own: {
          'service-signature': expect.stringMatching(/^t=\d+,v1=\w{8}…$/),
          'webhook-signature': expect.any(String),
        },
      },
    },
  ]);
});
