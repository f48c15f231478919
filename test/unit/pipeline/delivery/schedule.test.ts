import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { newRun } from '#domain/deliveries/delivery-items.ts';
import { handler as deadLetters } from '#pipeline/dead-letters/handler.ts';
import { DeliverySimulation, toRecord } from '#test/kit/delivery-simulation.ts';
import { aDelivery, body, store, stored, tableWithDeliveries } from '#test/kit/stored-deliveries.ts';
import { beforeRequest } from '#test/kit/table.ts';

const delivery = aDelivery(1);

test('a delivery has 15 attempts with growing gaps, becomes a dead letter that is recorded as failed, and can be sent again', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.answer = (count) => (count <= 15 ? { status: 500, error: 'http_500', response: 'down' } : { status: 200 });
  simulation.send(delivery);
  await simulation.run();

  expect(simulation.posts).toHaveLength(15);
  const clamped = 12 * 3600 - 360;
  expect(simulation.gaps).toEqual(
    [...Array.from({ length: 13 }, (_, i) => 10 * 2 ** i), clamped].map((gap) => Math.min(gap, clamped)),
  );
  expect(stored(delivery)).toMatchObject({ status: 'pending', attempt_count: 15 });
  expect(simulation.deadLetters).toHaveLength(1);

  expect(await deadLetters({ Records: simulation.deadLetters.map(toRecord) })).toEqual({ batchItemFailures: [] });
  const failed = stored(delivery);
  expect(failed).toMatchObject({ status: 'failed', attempt_count: 15 });
  expect(failed.attempts.map(({ error }) => error)).toEqual(Array(15).fill('http_500'));

  store({ ...failed, ...newRun(failed.attempts, new Date(simulation.time)) });
  simulation.send(delivery);
  await simulation.run();
  const delivered = stored(delivery);
  expect(delivered).toMatchObject({ status: 'delivered', attempt_count: 1 });
  expect(delivered.attempts).toHaveLength(16);
  expect(simulation.posts).toHaveLength(16);
  expect(new Set(simulation.posts.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery.id]));
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

test('a delivery that fails at the end of a slow batch is hidden for less than 12 h from its receipt', async () => {
  tableWithDeliveries({ ...delivery, attempt_count: 13 });
  const simulation = new DeliverySimulation();
  simulation.answer = () => {
    simulation.later(0.5);
    return { error: 'timeout' };
  };
  simulation.send(delivery);
  const received = simulation.time;
  await simulation.poll();
  expect(simulation.messages[0]!.visibleAt - received).toBeLessThan(12 * 3600_000);
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
  expect(simulation.messages[0]!.visibleAt - simulation.time).toBeLessThan(12 * 3600_000);
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

test('a delivery that is answered with 410 ends at once', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.answer = () => ({ status: 410, error: 'http_410' });
  simulation.send(delivery);
  await simulation.run();
  expect(simulation.posts).toHaveLength(1);
  expect(stored(delivery)).toMatchObject({ status: 'failed', attempt_count: 1 });
  expect(simulation.deadLetters).toEqual([]);
});

test('a delivery that was parked in between is recorded as failed after its 15th attempt, with fewer receives', async () => {
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
  await simulation.run(15);
  const first = stored(delivery);
  store({ ...first, ...newRun(first.attempts, new Date(simulation.time)) });
  simulation.later(1);
  simulation.send(delivery);
  await simulation.poll();
  expect(simulation.deadLetters).toHaveLength(1);
  await deadLetters({ Records: simulation.deadLetters.map(toRecord) });
  expect(stored(delivery)).toMatchObject({ status: 'pending', attempt_count: 1 });
  simulation.answer = () => ({ status: 200 });
  await simulation.run();
  expect(stored(delivery)).toMatchObject({ status: 'delivered' });
});

test('a dead letter that cannot be recorded is received again, and an unreadable one is not', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.send(delivery);
  const Records = [...simulation.messages.map(toRecord), toRecord({ id: 'odd', body: '{}', receives: 1 })];
  for (const name of ['InternalServerError', 'TransactionConflictException']) {
    beforeRequest(UpdateCommand, () => {
      throw Object.assign(new Error('down'), { name });
    });
    expect(await deadLetters({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: 'm0' }] });
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
