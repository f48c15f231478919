import { beforeEach, describe, expect, test } from 'vitest';
import { keyOf } from '#platform/table/keys.ts';
import { aDelivery, conditionLost, keepDeliveries } from '#test/unit/kit/delivery-table.ts';
import { DeliveryWorld } from '#test/unit/kit/delivery-world.ts';
import { dynamo } from '#test/unit/kit/table.ts';

beforeEach(() => dynamo.reset());

const delivery = aDelivery(1);
const died = () => new Error('the worker died');

describe('a worker that dies', () => {
  test('before the POST: the delivery arrives once, with the next receive', async () => {
    const table = keepDeliveries(delivery);
    const world = new DeliveryWorld();
    const { destinationOf } = world.ports;
    world.ports.destinationOf = () => Promise.reject(died());
    world.ports.hide = () => Promise.reject(died());
    world.send(delivery);
    await world.poll();
    expect(world.posts).toHaveLength(0);
    world.ports.destinationOf = destinationOf;
    await world.run();
    expect(world.posts).toHaveLength(1);
    expect(table.read(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  test('after the POST: the delivery arrives again, since nobody knows', async () => {
    const table = keepDeliveries(delivery);
    const world = new DeliveryWorld();
    table.onWrite(() => {
      throw died();
    });
    world.ports.hide = () => Promise.reject(died());
    world.send(delivery);
    await world.poll();
    table.onWrite(() => {});
    await world.run();
    expect(world.posts).toHaveLength(2);
    expect(world.gaps).toEqual([360]);
    expect(new Set(world.posts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(table.read(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
  });

  test('before the acknowledgement: the delivery is not sent again', async () => {
    const table = keepDeliveries(delivery);
    const world = new DeliveryWorld();
    world.send(delivery);
    await world.poll({ dies: true });
    expect(world.messages).toHaveLength(1);
    await world.run();
    expect(world.messages).toEqual([]);
    expect(world.posts).toHaveLength(1);
    expect(table.read(delivery)!.status).toBe('delivered');
  });

  test('after its last attempt was recorded: there is no 16th', async () => {
    const table = keepDeliveries({ ...delivery, attempt_count: 15 });
    const world = new DeliveryWorld();
    world.send(delivery);
    await world.run();
    expect(world.posts).toEqual([]);
    expect(table.read(delivery)!.status).toBe('failed');
  });
});

describe('a repeated message', () => {
  test('in the same batch is one delivery', async () => {
    keepDeliveries(delivery);
    const world = new DeliveryWorld();
    for (let i = 0; i < 5; i++) world.send(delivery);
    await world.run();
    expect(world.posts).toHaveLength(1);
  });

  test('in the same batch that the queue has handed out for the last time takes no attempt from the others', async () => {
    const table = keepDeliveries(delivery);
    const world = new DeliveryWorld();
    world.answer = () => ({ error: 'timeout' });
    world.send(delivery);
    world.messages[0]!.receives = 14;
    world.send(delivery);
    await world.run();
    expect(world.posts).toHaveLength(15);
    expect(table.read(delivery)).toMatchObject({ status: 'pending', attempt_count: 15 });
  });

  test.each(['delivered', 'failed', 'cancelled'] as const)('of a delivery that is %s is done with', async (status) => {
    const table = keepDeliveries({ ...delivery, status });
    const world = new DeliveryWorld();
    world.send(delivery);
    await world.run(1);
    expect([world.posts, world.messages]).toEqual([[], []]);
    expect(table.read(delivery)!.status).toBe(status);
  });

  test('that two workers have at once is counted once, and a success stays', async () => {
    const table = keepDeliveries(delivery);
    const world = new DeliveryWorld();
    world.answer = () => {
      table.put({ ...delivery, attempt_count: 1, attempts: [{ at: 'then', duration_ms: 1, error: 'timeout' }] });
      return { status: 200 };
    };
    world.send(delivery);
    await world.run(1);
    expect(table.read(delivery)).toMatchObject({ status: 'delivered', attempt_count: 2 });
    expect(table.read(delivery)!.attempts.map(({ error }) => error)).toEqual(['timeout', undefined]);
    expect(world.messages).toEqual([]);
  });

  test('that failed while another worker counted a failure adds none, and comes again', async () => {
    const table = keepDeliveries(delivery);
    const world = new DeliveryWorld();
    world.answer = () => {
      table.put({ ...delivery, attempt_count: 1 });
      return { error: 'timeout' };
    };
    world.send(delivery);
    await world.poll();
    expect(table.read(delivery)!.attempt_count).toBe(1);
    expect(world.messages).toHaveLength(1);
  });

  test('that always loses its race comes again and is not lost', async () => {
    const table = keepDeliveries(delivery);
    table.onWrite(() => {
      throw conditionLost();
    });
    const world = new DeliveryWorld();
    world.send(delivery);
    await world.poll();
    expect(world.messages).toHaveLength(1);
    table.onWrite(() => {});
    await world.run();
    expect(table.read(delivery)!.status).toBe('delivered');
  });
});

test('a fault of ours spends no attempt, and the message comes again with a growing pause', async () => {
  const table = keepDeliveries(delivery);
  const world = new DeliveryWorld();
  const { destinationOf } = world.ports;
  const asked: number[] = [];
  world.ports.destinationOf = (place) => {
    asked.push(world.time);
    return asked.length <= 3 ? Promise.reject(new Error('no key service')) : destinationOf(place);
  };
  world.send(delivery);
  await world.run();
  expect(asked.slice(1).map((at, i) => (at - asked[i]!) / 1000)).toEqual([10, 20, 40]);
  expect(table.read(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
});

test('a table that cannot be read for half a day spends no attempt, and nothing is a dead letter for it', async () => {
  const deliveries = [delivery, aDelivery(2), aDelivery(3, 'endpoint-2')];
  const table = keepDeliveries(...deliveries);
  const world = new DeliveryWorld();
  const back = world.time + 12 * 3600_000;
  table.onRead(() => {
    if (world.time < back) throw new Error('down');
  });
  for (const one of deliveries) world.send(one);
  await world.run();
  expect(world.deadLetters).toEqual([]);
  expect(world.posts).toHaveLength(3);
  for (const one of deliveries) expect(table.read(one)).toMatchObject({ status: 'delivered', attempt_count: 1 });
});

test('a message that nobody can read ends as a dead letter, and the others of its batch arrive', async () => {
  const table = keepDeliveries(delivery);
  const world = new DeliveryWorld();
  for (const body of ['', 'null', '[]', '{"shop_slug":"blue"}', '{"shop_slug":1,"target":2,"delivery_id":3}']) {
    world.messages.push({ id: body, body, visibleAt: world.time, receives: 0 });
  }
  world.send(delivery);
  await world.run();
  expect(world.deadLetters).toHaveLength(5);
  expect(table.read(delivery)!.status).toBe('delivered');
});

test('a delivery whose time is over is done with', async () => {
  const table = keepDeliveries(delivery);
  table.remove(keyOf.delivery('blue', delivery.target, delivery.id));
  const world = new DeliveryWorld();
  world.send(delivery);
  await world.run(1);
  expect([world.posts, world.messages]).toEqual([[], []]);
});

test('a delivery whose body is gone is cancelled', async () => {
  const table = keepDeliveries(delivery);
  table.remove(keyOf.payload('blue', delivery.target, delivery.id));
  const world = new DeliveryWorld();
  world.send(delivery);
  await world.run(1);
  expect(table.read(delivery)!.status).toBe('cancelled');
});

test('a target that takes no deliveries any more has them cancelled', async () => {
  const table = keepDeliveries(delivery);
  const world = new DeliveryWorld({ destinationOf: async () => undefined });
  world.send(delivery);
  await world.run(1);
  expect(world.posts).toEqual([]);
  expect(table.read(delivery)).toMatchObject({ status: 'cancelled', attempt_count: 0 });
});
