import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { keyOf } from '#platform/table/keys.ts';
import { DeliverySimulation } from '#test/kit/delivery-simulation.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { aDelivery, conditionLost, store, stored, tableWithDeliveries } from '#test/kit/stored-deliveries.ts';
import { beforeRequest } from '#test/kit/table.ts';

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
    expect(simulation.gaps).toEqual([360]);
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

test('an unreadable message ends as a dead letter, and the others of its batch are delivered', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  for (const body of ['', 'null', '[]', '{"shop_slug":"blue"}', '{"shop_slug":1,"target":2,"delivery_id":3}']) {
    simulation.messages.push({ id: body, body, visibleAt: simulation.time, receives: 0 });
  }
  simulation.send(delivery);
  await simulation.run();
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
