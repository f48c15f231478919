import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { BatchGetCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, test, vi } from 'vitest';
import { deliveryIn, enqueue, firstMessageOf, parseMessage } from '#domain/deliveries/delivery-messages.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { erasedPayload } from '#domain/deliveries/erased-payload.ts';
import { handler as deadLetters } from '#pipeline/dead-letters/handler.ts';
import { logger } from '#platform/logging.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { DeliverySimulation, toRecord } from '#test/kit/delivery-simulation.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { aDelivery, store, stored, storedItem, tableWithPayloads } from '#test/kit/stored-deliveries.ts';
import { beforeNextRequest, beforeRequest, dynamo } from '#test/kit/table.ts';

/** A delivery that only its first message tells of, until its first attempt has ended. */

const delivery = aDelivery(1);
const died = () => new Error('the worker died');
const records = () => memoryTable.all('DELIVERIES#').filter(({ sk }) => String(sk).startsWith('DELIVERY#'));

/** How many writes of each kind: puts, updates, transactions. */
const writes = () => [
  dynamo.commandCalls(PutCommand).length,
  dynamo.commandCalls(UpdateCommand).length,
  dynamo.commandCalls(TransactWriteCommand).length,
];

/** A worker that dies does nothing more, neither for its delivery nor for its message. */
function withDyingWorker(simulation: DeliverySimulation): () => void {
  const { hide } = simulation.ports;
  simulation.ports.hide = () => Promise.reject(died());
  return () => void Object.assign(simulation.ports, { hide });
}

describe('a delivery is written once, when its first attempt has ended', () => {
  test('as delivered', async () => {
    tableWithPayloads(delivery);
    const simulation = new DeliverySimulation();
    simulation.sendFirst(delivery);
    await simulation.run(1);
    expect(writes()).toEqual([1, 0, 0]);
    const attempts = [expect.objectContaining({ at: '2026-11-14T12:00:00.000Z', status: 200 })];
    expect(stored(delivery)).toEqual({ ...delivery, status: 'delivered', attempt_count: 1, attempts });
    expect([simulation.posts.length, simulation.messages]).toEqual([1, []]);
  });

  test('as failed, if the target refuses it for good', async () => {
    tableWithPayloads(delivery);
    const simulation = new DeliverySimulation();
    simulation.answer = () => ({ status: 400, error: 'http_400', isFinal: true });
    simulation.sendFirst(delivery);
    await simulation.run(1);
    expect(writes()).toEqual([1, 0, 0]);
    expect(stored(delivery)).toMatchObject({ status: 'failed', attempt_count: 1 });
  });

  test('as pending with one attempt, if it is tried again, and each further attempt is added', async () => {
    tableWithPayloads(delivery);
    const simulation = new DeliverySimulation();
    simulation.answer = (count) => (count <= 2 ? { status: 500, error: 'http_500' } : { status: 200 });
    simulation.sendFirst(delivery);
    await simulation.run(1);
    expect(stored(delivery)).toMatchObject({ status: 'pending', attempt_count: 1, retry_id: expect.any(String) });
    await simulation.run();
    expect(simulation.gaps).toEqual([10, 20]);
    expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 3 });
    expect(writes()).toEqual([1, 2, 0]);
  });

  test('as pending with one attempt, if the next one waits in the table', async () => {
    tableWithPayloads(delivery);
    const simulation = new DeliverySimulation();
    const later = { status: 503, error: 'http_503', retryAfter: '7200' };
    simulation.answer = (count) => (count === 1 ? later : { status: 200 });
    simulation.sendFirst(delivery);
    await simulation.run(1);
    expect(stored(delivery)).toMatchObject({ status: 'pending', attempt_count: 1 });
    expect(memoryTable.all('RETRIES#')).toHaveLength(1);
    await simulation.run();
    expect(simulation.gaps).toEqual([7200]);
    expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 2 });
  });

  test('as parked, if its target is down, and drain finds it', async () => {
    tableWithPayloads(delivery);
    const simulation = new DeliverySimulation();
    simulation.circuit.isOpen = true;
    simulation.sendFirst(delivery);
    await simulation.run(1);
    expect(simulation.posts).toEqual([]);
    expect(storedItem(delivery)).toMatchObject({
      status: 'parked',
      attempt_count: 0,
      ...indexKeyOf.parkedDeliveries('blue', delivery.target, delivery.id),
    });
    simulation.circuit.isOpen = false;
    simulation.send(delivery);
    await simulation.run(1);
    expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  test('as cancelled, if its target takes no deliveries any more', async () => {
    tableWithPayloads(delivery);
    const simulation = new DeliverySimulation({ destinationOf: async () => undefined });
    simulation.sendFirst(delivery);
    await simulation.run(1);
    expect(stored(delivery)).toMatchObject({ status: 'cancelled', attempt_count: 0 });
  });
});

describe('a first message that comes twice', () => {
  test('after the first attempt has ended makes no second one', async () => {
    tableWithPayloads(delivery);
    const simulation = new DeliverySimulation();
    simulation.sendFirst(delivery);
    await simulation.run(1);
    const before = stored(delivery);
    simulation.sendFirst({ ...delivery, created_at: '2026-11-14T12:05:00.000Z' });
    await simulation.run(1);
    expect([simulation.posts.length, simulation.messages]).toEqual([1, []]);
    expect(stored(delivery)).toEqual(before);
  });

  test('while its retry waits makes no attempt', async () => {
    tableWithPayloads(delivery);
    const simulation = new DeliverySimulation();
    simulation.answer = () => ({ error: 'timeout' });
    simulation.sendFirst(delivery);
    await simulation.run(1);
    simulation.sendFirst(delivery);
    await simulation.poll();
    expect(simulation.posts).toHaveLength(1);
    expect(stored(delivery)).toMatchObject({ status: 'pending', attempt_count: 1 });
  });

  test.each([
    ['delivered', { status: 'delivered', attempt_count: 1 }, { status: 200 }, ['delivered', 1]],
    ['tried', { attempt_count: 1, retry_id: 'other' }, { status: 200 }, ['delivered', 2]],
    ['tried', { attempt_count: 1, retry_id: 'other' }, { error: 'timeout' }, ['pending', 1]],
    ['parked', { status: 'parked' }, { status: 200 }, ['delivered', 1]],
  ] as const)(
    'and was %s by another worker meanwhile leaves one record: %j',
    async (_, ofOther: Partial<Delivery>, answer, [status, attempt_count]) => {
      tableWithPayloads(delivery);
      const simulation = new DeliverySimulation();
      simulation.answer = () => {
        store({ ...delivery, ...ofOther });
        return answer;
      };
      simulation.sendFirst(delivery);
      await simulation.run();
      expect(records()).toHaveLength(1);
      expect(stored(delivery)).toMatchObject({ status, attempt_count });
      expect([simulation.posts.length, simulation.messages]).toEqual([1, []]);
    },
  );

  test('to be parked by two workers is parked once, and neither message is lost before that', async () => {
    tableWithPayloads(delivery);
    const simulation = new DeliverySimulation();
    simulation.circuit.isOpen = true;
    beforeNextRequest(PutCommand, () => store({ ...delivery, status: 'parked' }));
    simulation.sendFirst(delivery);
    await simulation.run();
    expect(records()).toHaveLength(1);
    expect(stored(delivery).status).toBe('parked');
    expect([simulation.posts, simulation.messages]).toEqual([[], []]);
  });
});

describe('a worker that dies', () => {
  test('after the POST has the delivery sent again, and it is written once', async () => {
    tableWithPayloads(delivery);
    const simulation = new DeliverySimulation();
    const revive = withDyingWorker(simulation);
    const { sendLater } = simulation.ports;
    simulation.ports.sendLater = () => Promise.reject(died());
    beforeNextRequest(PutCommand, () => {
      throw died();
    });
    simulation.sendFirst(delivery);
    await simulation.poll();
    expect(records()).toEqual([]);
    revive();
    simulation.ports.sendLater = sendLater;
    await simulation.run();
    expect(simulation.gaps).toEqual([362]);
    expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  test('between its retry and its record leaves one message that goes on', async () => {
    tableWithPayloads(delivery);
    const simulation = new DeliverySimulation();
    simulation.answer = (count) => (count <= 2 ? { error: 'timeout' } : { status: 200 });
    const revive = withDyingWorker(simulation);
    const { sendLater } = simulation.ports;
    let sent = 0;
    simulation.ports.sendLater = (...message) => (sent++ === 0 ? sendLater(...message) : Promise.reject(died()));
    beforeNextRequest(PutCommand, () => {
      throw died();
    });
    simulation.sendFirst(delivery);
    await simulation.poll();
    expect([records(), simulation.messages.length]).toEqual([[], 2]);
    revive();
    simulation.ports.sendLater = sendLater;
    simulation.later(1);
    await simulation.poll();
    expect(simulation.messages, 'the retry waits for the record').toHaveLength(2);
    await simulation.run();
    expect(simulation.gaps).toEqual([362, 10]);
    expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 2 });
  });
});

test('a retry that comes before the attempt before it is recorded waits for the record', async () => {
  tableWithPayloads(delivery);
  const simulation = new DeliverySimulation();
  const retry = { id: 'next', attempts: 1 };
  simulation.send(delivery, { ...firstMessageOf(delivery), retry });
  await simulation.poll();
  expect([simulation.posts, simulation.messages.length]).toEqual([[], 1]);
  store({ ...delivery, attempt_count: 1, retry_id: retry.id });
  await simulation.run();
  expect(simulation.posts).toHaveLength(1);
  expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 2 });
});

test('a retry of a delivery that is written does not bring it back when it is gone', async () => {
  tableWithPayloads(delivery);
  const simulation = new DeliverySimulation();
  simulation.answer = (count) => (count <= 2 ? { error: 'timeout' } : { status: 200 });
  simulation.sendFirst(delivery);
  await simulation.run(2);
  expect(parseMessage(simulation.messages[0]!.body)).not.toHaveProperty('first');
  memoryTable.remove(keyOf.delivery('blue', delivery.target, delivery.id));
  await simulation.run();
  expect(simulation.posts).toHaveLength(2);
  expect([records(), simulation.messages]).toEqual([[], []]);
});

test('a fault of ours keeps the delivery in its message, and uses up no attempt', async () => {
  tableWithPayloads(delivery);
  const simulation = new DeliverySimulation();
  const back = simulation.time + 12 * 3600_000;
  beforeRequest(BatchGetCommand, () => {
    if (simulation.time < back) throw new Error('down');
  });
  simulation.sendFirst(delivery);
  await simulation.run();
  expect([simulation.posts.length, simulation.deadLetters]).toEqual([1, []]);
  expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
});

test('an attempt whose record cannot be written for six hours is recorded in the end, and not made again', async () => {
  tableWithPayloads(delivery);
  const simulation = new DeliverySimulation();
  const back = simulation.time + 6 * 3600_000;
  beforeRequest(PutCommand, () => {
    if (simulation.time < back) throw Object.assign(new Error('denied'), { name: 'AccessDeniedException' });
  });
  simulation.sendFirst(delivery);
  await simulation.run();
  expect(simulation.posts).toHaveLength(1);
  const attempts = [expect.objectContaining({ at: '2026-11-14T12:00:00.000Z', status: 200 })];
  expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1, attempts });
  expect(simulation.deadLetters).toEqual([]);
});

describe('of a simulation', () => {
  const simulated = aDelivery(1, 'endpoint-1', { simulation_id: 'simulation' });
  const simulation = () => ({ ...keyOf.simulation('blue', 'simulation'), version: 1 });
  const answers = { accepted: { status: 200 }, again: { error: 'timeout' }, refused: { error: 'gone', isFinal: true } };

  test('a delivery is written on the condition that the simulation is there, with what its removal finds it by', async () => {
    tableWithPayloads(simulated);
    memoryTable.put(simulation());
    const queue = new DeliverySimulation();
    queue.sendFirst(simulated);
    await queue.run(1);
    expect(writes()).toEqual([0, 0, 1]);
    expect(storedItem(simulated)).toMatchObject({
      status: 'delivered',
      ...indexKeyOf.madeBySimulation('simulation', simulated.id),
    });
    expect(queue.posts[0]!.headers).toMatchObject({ 'webhook-simulation': 'simulation' });
  });

  test.each(Object.entries(answers))(
    'that is removed during the attempt nothing is written, if the answer is %s',
    async (_, answer) => {
      tableWithPayloads(simulated);
      memoryTable.put(simulation());
      const queue = new DeliverySimulation();
      queue.answer = () => {
        memoryTable.remove(keyOf.payload('blue', simulated.payload_id));
        memoryTable.remove(keyOf.simulation('blue', 'simulation'));
        return answer;
      };
      queue.sendFirst(simulated);
      await queue.run();
      expect(memoryTable.all()).toEqual([]);
      expect([queue.posts.length, queue.messages, queue.deadLetters]).toEqual([1, [], []]);
    },
  );

  test('that is removed before the attempt nothing is sent or written', async () => {
    tableWithPayloads();
    const queue = new DeliverySimulation();
    queue.sendFirst(simulated);
    await queue.run(1);
    expect([queue.posts, queue.messages, memoryTable.all()]).toEqual([[], [], []]);
  });

  test('that is about to be removed nothing is parked', async () => {
    tableWithPayloads(simulated);
    memoryTable.put({ ...simulation(), removed_at: '2026-11-14T12:00:00.000Z' });
    const queue = new DeliverySimulation();
    queue.circuit.isOpen = true;
    queue.sendFirst(simulated);
    await queue.run(1);
    expect([records(), queue.messages]).toEqual([[], []]);
  });
});

describe('a first message that the queue gives up', () => {
  const letterOf = (message: object) =>
    ({ Records: [toRecord({ id: 'm', body: JSON.stringify(message), receives: 15, sentAt: 1 })] }) as Parameters<
      typeof deadLetters
    >[0];
  const giveUp = async (message: object) => {
    const warn = vi.spyOn(logger, 'warn').mockImplementation(() => undefined);
    expect(await deadLetters(letterOf(message))).toEqual({ batchItemFailures: [] });
    const [[, logged]] = warn.mock.calls as unknown as [[string, { letters: { recorded: boolean }[] }]];
    warn.mockRestore();
    return logged.letters[0]!.recorded;
  };

  test('ends its delivery as failed, which is written then, so that the merchant can send it again', async () => {
    tableWithPayloads(delivery);
    expect(await giveUp(firstMessageOf(delivery))).toBe(true);
    expect(stored(delivery)).toEqual({ ...delivery, status: 'failed', updated_at: expect.any(String) });
    expect(writes()).toEqual([1, 0, 0]);
  });

  test('ends a delivery that was written as pending', async () => {
    tableWithPayloads(delivery);
    store(delivery);
    expect(await giveUp(firstMessageOf(delivery))).toBe(true);
    expect(stored(delivery).status).toBe('failed');
  });

  test.each(['delivered', 'parked', 'cancelled'] as const)('leaves a delivery alone that is %s', async (status) => {
    tableWithPayloads(delivery);
    store({ ...delivery, status });
    expect(await giveUp(firstMessageOf(delivery))).toBe(false);
    expect(stored(delivery)).toEqual({ ...delivery, status });
  });

  test('ends nothing for a retry whose attempt nobody recorded, because the message before it decides', async () => {
    tableWithPayloads(delivery);
    expect(await giveUp({ ...firstMessageOf(delivery), retry: { id: 'next', attempts: 1 } })).toBe(false);
    expect(records()).toEqual([]);
  });

  test('writes nothing for a simulation that is removed', async () => {
    const simulated = aDelivery(1, 'endpoint-1', { simulation_id: 'simulation' });
    tableWithPayloads();
    expect(await giveUp(firstMessageOf(simulated))).toBe(false);
    expect(memoryTable.all()).toEqual([]);
  });
});

describe('in the queue, a first message', () => {
  const sqs = mockClient(SQSClient);
  process.env.DELIVERY_QUEUE_URL = 'https://deliveries';

  test('says all of its delivery and nothing of its payload, also without the id that the last release leaves out', async () => {
    sqs.on(SendMessageBatchCommand).resolves({});
    const feed = { generation: 1_234, hour: '2026-11-14T12:00:00Z' };
    const made = aDelivery(1, 'endpoint-1', { simulation_id: 'simulation', payload_part: 2, feed });
    await enqueue([{ ...firstMessageOf(made), cause: 'request' }]);
    const [call] = sqs.commandCalls(SendMessageBatchCommand);
    const body = call!.args[0].input.Entries![0]!.MessageBody!;
    const message = parseMessage(body)!;
    expect(deliveryIn(message, message.first!)).toEqual(made);
    expect(message).toMatchObject({ delivery_id: made.id, cause: 'request' });
    const { delivery_id: _, ...ofLastRelease } = JSON.parse(body);
    expect(parseMessage(JSON.stringify(ofLastRelease))).toEqual(message);
    expect(body.length).toBeLessThan(600);
  });

  test.each([{}, { id: 'a' }, 'text', 5])('that does not tell its delivery is none of ours: %j', (first) => {
    expect(parseMessage(JSON.stringify({ ...firstMessageOf(delivery), first }))).toBeUndefined();
  });
});

test('a message without payloads does nothing, though readers of the feed have closed the place of its event', async () => {
  const closed = { ...keyOf.payload('blue', delivery.payload_id), feed_closed: ['3.1.0'] };
  tableWithPayloads();
  memoryTable.put(closed);
  const simulation = new DeliverySimulation();
  simulation.sendFirst({ ...delivery, payload_part: 0 });
  await simulation.run(1);
  expect([simulation.posts, simulation.messages, records()]).toEqual([[], [], []]);
});

describe('a delivery of an order that was erased', () => {
  const mark = () => {
    tableWithPayloads(delivery);
    memoryTable.put(erasedPayload(delivery.shop_slug, delivery.payload_id, '2026-11-14T12:00:00Z', 2_000_000_000));
  };

  test('is cancelled and not sent', async () => {
    mark();
    const simulation = new DeliverySimulation();
    simulation.sendFirst(delivery);
    await simulation.run(1);
    expect(simulation.posts).toEqual([]);
    expect(stored(delivery)).toMatchObject({ status: 'cancelled', attempts: [] });
  });

  test('is recorded by dead letters without what its target answered', async () => {
    mark();
    const ended = {
      at: '2026-11-14T12:00:00.000Z',
      duration_ms: 1,
      result: { status: 500, error: 'http_500', response: 'who is Ada?' },
    };
    const message = { ...firstMessageOf(delivery), ended };
    vi.spyOn(logger, 'warn').mockImplementation(() => undefined);
    const letter = toRecord({ id: 'm', body: JSON.stringify(message), receives: 15, sentAt: 1 });
    await deadLetters({ Records: [letter] });
    expect(stored(delivery)).toMatchObject({ status: 'failed', attempt_count: 1 });
    expect(JSON.stringify(records())).not.toContain('Ada');
  });
});
