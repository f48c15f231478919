import { BatchGetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { newRun } from '#domain/deliveries/delivery-items.ts';
import { handler as deadLetters } from '#pipeline/dead-letters/handler.ts';
import { keyOf } from '#platform/table/keys.ts';
import { deliveryLimits } from '#schemas/catalogues/limits.ts';
import { DeliverySimulation, toRecord } from '#test/kit/delivery-simulation.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { aDelivery, conditionLost, store, stored, tableWithDeliveries } from '#test/kit/stored-deliveries.ts';
import { beforeNextRequest, beforeRequest } from '#test/kit/table.ts';

const delivery = aDelivery(1);
const died = () => new Error('the worker died');

describe('a worker that dies', () => {
  test('before the POST has its delivery sent once, with the next receive', async () => {
    tableWithDeliveries(delivery);
    const simulation = new DeliverySimulation();
    const { destinationOf } = simulation.ports;
    simulation.ports.destinationOf = () => Promise.reject(died());
    const { hide, sendLater } = simulation.ports;
    Object.assign(simulation.ports, { hide: () => Promise.reject(died()), sendLater: () => Promise.reject(died()) });
    simulation.send(delivery);
    await simulation.poll();
    expect(simulation.posts).toHaveLength(0);
    Object.assign(simulation.ports, { destinationOf, hide, sendLater });
    await simulation.run();
    expect(simulation.posts).toHaveLength(1);
    expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  test('after the POST has its delivery sent again, because nothing recorded the success', async () => {
    tableWithDeliveries(delivery);
    const simulation = new DeliverySimulation();
    beforeRequest(UpdateCommand, () => {
      throw died();
    });
    const { hide, sendLater } = simulation.ports;
    Object.assign(simulation.ports, { hide: () => Promise.reject(died()), sendLater: () => Promise.reject(died()) });
    simulation.send(delivery);
    await simulation.poll();
    Object.assign(simulation.ports, { hide, sendLater });
    beforeRequest(UpdateCommand, () => {});
    await simulation.run();
    expect(simulation.posts).toHaveLength(2);
    expect(simulation.gaps).toEqual([362]);
    expect(new Set(simulation.posts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  test('before the acknowledgement does not have its delivery sent again', async () => {
    tableWithDeliveries(delivery);
    const simulation = new DeliverySimulation();
    simulation.send(delivery);
    await simulation.poll({ dies: true });
    expect(simulation.messages).toHaveLength(1);
    await simulation.run();
    expect(simulation.messages).toEqual([]);
    expect(simulation.posts).toHaveLength(1);
    expect(stored(delivery).status).toBe('delivered');
  });

  test('after its last attempt was recorded does not have its delivery sent a 16th time', async () => {
    tableWithDeliveries({ ...delivery, attempt_count: 15 });
    const simulation = new DeliverySimulation();
    simulation.send(delivery);
    await simulation.run();
    expect(simulation.posts).toEqual([]);
    expect(stored(delivery).status).toBe('failed');
  });
});

describe('an attempt that ended but could not be recorded', () => {
  /** The table refuses updates for the next hours. */
  function withoutUpdates(simulation: DeliverySimulation, hours: number): void {
    const back = simulation.time + hours * 3600_000;
    beforeRequest(UpdateCommand, () => {
      if (simulation.time < back) throw new Error('down');
    });
  }

  test('is recorded as it was when the table takes writes again', async () => {
    tableWithDeliveries(delivery);
    const simulation = new DeliverySimulation();
    simulation.answer = () => {
      simulation.time += 1234;
      return { status: 200, response: 'thanks' };
    };
    const at = new Date(simulation.time).toISOString();
    withoutUpdates(simulation, 6);
    simulation.send(delivery);
    await simulation.run();
    expect(simulation.posts).toHaveLength(1);
    expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
    expect(stored(delivery).attempts).toMatchObject([
      { at, duration_ms: 1234, status: 200, response: 'thanks', request: { url: 'https://endpoint-1.example.com/' } },
    ]);
    // What was true of the target then need not be true now.
    expect(simulation.circuit.calls).toEqual([]);
  });

  test('and failed is followed by its retry then', async () => {
    tableWithDeliveries(delivery);
    const simulation = new DeliverySimulation();
    simulation.answer = (count) => (count === 1 ? { status: 500, error: 'http_500' } : { status: 200 });
    withoutUpdates(simulation, 6);
    simulation.send(delivery);
    await simulation.run(2000);
    expect(simulation.posts).toHaveLength(2);
    expect(simulation.gaps[0]).toBeGreaterThan(6 * 3600);
    expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 2 });
    expect(stored(delivery).attempts.map(({ status }) => status)).toEqual([500, 200]);
    expect([simulation.messages, simulation.deadLetters]).toEqual([[], []]);
  });

  test('of a probe spends no attempt, and its delivery stays parked', async () => {
    tableWithDeliveries({ ...delivery, status: 'parked' });
    const simulation = new DeliverySimulation();
    simulation.circuit.isOpen = true;
    simulation.answer = () => ({ error: 'timeout' });
    withoutUpdates(simulation, 1);
    simulation.send(delivery, { probe: true });
    await simulation.poll();
    simulation.circuit.isOpen = false;
    await simulation.run();
    expect(simulation.posts).toHaveLength(1);
    expect(stored(delivery)).toMatchObject({ status: 'parked', attempt_count: 0, attempts: [{ error: 'timeout' }] });
  });

  test('is recorded although its endpoint was deleted meanwhile', async () => {
    tableWithDeliveries(delivery);
    const simulation = new DeliverySimulation();
    withoutUpdates(simulation, 1);
    simulation.send(delivery);
    await simulation.poll();
    simulation.ports.destinationOf = async () => undefined;
    await simulation.run();
    expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  test.each([
    ['that failed changes nothing', { status: 500, error: 'http_500' }, { status: 'pending', attempt_count: 0 }],
    ['that succeeded ends it', { status: 200 }, { status: 'delivered', attempt_count: 1 }],
  ] as const)('and whose delivery was sent again meanwhile: one %s', async (_, answer, after) => {
    const retry = { id: 'fifth', attempts: 4 };
    tableWithDeliveries({ ...delivery, attempt_count: 4, retry_id: retry.id });
    const simulation = new DeliverySimulation();
    simulation.answer = () => answer;
    withoutUpdates(simulation, 1);
    simulation.send(delivery, { retry });
    await simulation.poll();
    store({ ...delivery, ...newRun(delivery, new Date(simulation.time)) });
    await simulation.run();
    expect(simulation.posts).toHaveLength(1);
    expect(stored(delivery)).toMatchObject(after);
  });

  test('is carried on by a table that cannot even be read, and by a queue that takes the message later', async () => {
    tableWithDeliveries(delivery);
    const simulation = new DeliverySimulation();
    withoutUpdates(simulation, 0.1);
    simulation.send(delivery);
    await simulation.poll();
    beforeNextRequest(BatchGetCommand, () => {
      throw new Error('down');
    });
    const { sendLater } = simulation.ports;
    let refusals = 0;
    simulation.ports.sendLater = (...message) =>
      refusals++ < 2 ? Promise.reject(new Error('refused')) : sendLater(...message);
    await simulation.run();
    expect(refusals).toBeGreaterThan(2);
    expect(simulation.posts).toHaveLength(1);
    expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  test('is a small message without the secrets of its target', async () => {
    tableWithDeliveries(delivery);
    const secret = 'key-of-the-integration';
    const simulation = new DeliverySimulation({
      destinationOf: async () => ({
        url: `https://a.example.com/${secret}`,
        headersFor: async () => ({ authorization: `Bearer ${secret}` }),
        secrets: [secret],
      }),
    });
    simulation.answer = () => ({ status: 200, response: `${secret} ${'x'.repeat(900)}` });
    withoutUpdates(simulation, 1);
    simulation.send(delivery);
    await simulation.poll();
    const { body } = simulation.messages[0]!;
    expect(body).toContain('xxx');
    expect(body).not.toContain(secret);
    expect(body.length).toBeLessThan(3000);
  });

  test.each([
    ['delivered', { status: 200 }],
    ['failed', { status: 500, error: 'http_500' }],
  ] as const)('makes its delivery %s if the queue gives up its message', async (status, answer) => {
    for (const isFirst of [true, false]) {
      tableWithDeliveries(delivery);
      if (isFirst) memoryTable.remove(keyOf.delivery('blue', delivery.target, delivery.id));
      const simulation = new DeliverySimulation();
      simulation.answer = () => answer;
      const down = () => {
        throw new Error('down');
      };
      if (isFirst) beforeNextRequest(PutCommand, down);
      else beforeNextRequest(UpdateCommand, down);
      if (isFirst) simulation.sendFirst(delivery);
      else simulation.send(delivery);
      await simulation.poll();
      const late = simulation.messages.filter(({ body }) => body.includes('"ended"'));
      await deadLetters({ Records: late.map(toRecord) });
      expect(stored(delivery)).toMatchObject({ status, attempt_count: 1, attempts: [{ status: answer.status }] });
    }
  });
});

describe('a repeated message', () => {
  test('in the same batch is one delivery', async () => {
    tableWithDeliveries(delivery);
    const simulation = new DeliverySimulation();
    for (let i = 0; i < 5; i++) simulation.send(delivery);
    await simulation.run();
    expect(simulation.posts).toHaveLength(1);
  });

  test('in the same batch as the message of the retry does not take its place', async () => {
    tableWithDeliveries({ ...delivery, attempt_count: 1, retry_id: 'second' });
    const simulation = new DeliverySimulation();
    simulation.send(delivery);
    simulation.send(delivery, { retry: { id: 'second', attempts: 1 } });
    simulation.messages[1]!.receives = 3;
    await simulation.run(1);
    expect(simulation.posts).toHaveLength(1);
    expect(simulation.messages).toEqual([]);
    expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 2 });
  });

  test.each(['delivered', 'failed', 'cancelled'] as const)('of a delivery that is %s is deleted', async (status) => {
    tableWithDeliveries({ ...delivery, status });
    const simulation = new DeliverySimulation();
    simulation.send(delivery);
    await simulation.run(1);
    expect([simulation.posts, simulation.messages]).toEqual([[], []]);
    expect(stored(delivery).status).toBe(status);
  });

  test('that two workers have at once is counted once, and a success stays recorded', async () => {
    tableWithDeliveries(delivery);
    const simulation = new DeliverySimulation();
    simulation.answer = () => {
      store({ ...delivery, attempt_count: 1, attempts: [{ at: 'then', duration_ms: 1, error: 'timeout' }] });
      return { status: 200 };
    };
    simulation.send(delivery);
    await simulation.run(1);
    expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 2 });
    expect(stored(delivery).attempts.map(({ error }) => error)).toEqual(['timeout', undefined]);
    expect(simulation.messages).toEqual([]);
  });

  test('that succeeds so late that its delivery was sent again twice is logged, and changes nothing of the new run', async () => {
    const logged = ['first run', 'second run'].map((error) => ({ at: 'then', duration_ms: 1, error }));
    const sentAgain = {
      ...delivery,
      run_since: '2026-11-14T12:30:00.000Z',
      attempts: logged,
      retry_id: 'of the new run',
    };
    tableWithDeliveries(delivery);
    const simulation = new DeliverySimulation();
    simulation.answer = () => {
      store(sentAgain);
      return { status: 200 };
    };
    simulation.send(delivery);
    await simulation.run(1);
    const { attempts, updated_at: _, ...after } = stored(delivery);
    expect(attempts.map(({ error }) => error)).toEqual(['first run', 'second run', undefined]);
    expect(after).toMatchObject({ status: 'pending', attempt_count: 0, retry_id: 'of the new run' });
    expect(simulation.messages).toEqual([]);
  });

  test('that fails while another worker counts a failure adds none, and its own retry makes no attempt', async () => {
    tableWithDeliveries(delivery);
    const simulation = new DeliverySimulation();
    simulation.answer = () => {
      store({ ...delivery, attempt_count: 1, retry_id: 'of the other worker' });
      return { error: 'timeout' };
    };
    simulation.send(delivery);
    await simulation.run();
    expect(simulation.posts).toHaveLength(1);
    expect(stored(delivery)).toMatchObject({ attempt_count: 1, status: 'pending' });
  });

  test('that always loses its race is received again and is not lost', async () => {
    tableWithDeliveries(delivery);
    beforeRequest(UpdateCommand, () => {
      throw conditionLost();
    });
    const simulation = new DeliverySimulation();
    simulation.send(delivery);
    await simulation.poll();
    expect(simulation.messages).toHaveLength(1);
    beforeRequest(UpdateCommand, () => {});
    await simulation.run();
    expect(stored(delivery).status).toBe('delivered');
  });
});

test('an internal error uses up no attempt, and the message is received again after growing pauses', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  const { destinationOf } = simulation.ports;
  const asked: number[] = [];
  simulation.ports.destinationOf = (place) => {
    asked.push(simulation.time);
    return asked.length <= 3 ? Promise.reject(new Error('no key service')) : destinationOf(place);
  };
  simulation.send(delivery);
  await simulation.run();
  expect(asked.slice(1).map((at, i) => (at - asked[i]!) / 1000)).toEqual([10, 20, 40]);
  expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
});

test('a table that cannot be read for half a day uses up no attempt and causes no dead letter', async () => {
  const deliveries = [delivery, aDelivery(2), aDelivery(3, 'endpoint-2')];
  tableWithDeliveries(...deliveries);
  const simulation = new DeliverySimulation();
  const back = simulation.time + 12 * 3600_000;
  beforeRequest(BatchGetCommand, () => {
    if (simulation.time < back) throw new Error('down');
  });
  for (const one of deliveries) simulation.send(one);
  await simulation.run();
  expect(simulation.deadLetters).toEqual([]);
  expect(simulation.posts).toHaveLength(3);
  for (const one of deliveries) expect(stored(one)).toMatchObject({ status: 'delivered', attempt_count: 1 });
});

test('a function that is down for four days ends no delivery', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.send(delivery);
  const back = simulation.time + 95 * 3600_000;
  while (simulation.time < back) {
    simulation.time = simulation.nextAt;
    simulation.receive();
  }
  await simulation.run();
  expect(simulation.deadLetters).toEqual([]);
  expect(simulation.posts).toHaveLength(1);
  expect(stored(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
});

test('an unreadable message ends as a dead letter, and the others of its batch are delivered', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  for (const body of ['', 'null', '[]', '{"shop_slug":"blue"}', '{"shop_slug":1,"target":2,"delivery_id":3}']) {
    simulation.messages.push({ id: body, body, visibleAt: simulation.time, receives: 0 });
  }
  simulation.send(delivery);
  await simulation.run(deliveryLimits.receives + 1);
  expect(simulation.deadLetters).toHaveLength(5);
  expect(stored(delivery).status).toBe('delivered');
});

test('the message of an expired delivery is deleted', async () => {
  tableWithDeliveries(delivery);
  memoryTable.remove(keyOf.delivery('blue', delivery.target, delivery.id));
  const simulation = new DeliverySimulation();
  simulation.send(delivery);
  await simulation.run(1);
  expect([simulation.posts, simulation.messages]).toEqual([[], []]);
});

test('a delivery whose body is gone is cancelled', async () => {
  tableWithDeliveries(delivery);
  memoryTable.remove(keyOf.payload('blue', delivery.payload_id));
  const simulation = new DeliverySimulation();
  simulation.send(delivery);
  await simulation.run(1);
  expect(stored(delivery).status).toBe('cancelled');
});

test('a delivery to a target that accepts no more deliveries is cancelled', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation({ destinationOf: async () => undefined });
  simulation.send(delivery);
  await simulation.run(1);
  expect(simulation.posts).toEqual([]);
  expect(stored(delivery)).toMatchObject({ status: 'cancelled', attempt_count: 0 });
});

test('a credential that the receiver repeats in its answer is not kept', async () => {
  tableWithDeliveries(delivery);
  const secrets = ['key-of-the-integration'];
  const simulation = new DeliverySimulation({
    destinationOf: async () => ({ url: 'https://a.example.com/', headersFor: async () => ({}), secrets }),
  });
  simulation.answer = () => ({
    status: 401,
    error: 'http_401',
    response: 'not key-of-the-integration, key-of-the-int',
  });
  simulation.send(delivery);
  await simulation.run(1);
  expect(stored(delivery).attempts).toMatchObject([{ status: 401, response: 'not ***, ***' }]);
});
