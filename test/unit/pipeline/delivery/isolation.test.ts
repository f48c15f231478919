import { beforeEach, describe, expect, test } from 'vitest';
import { targetCircuit } from '#pipeline/delivery/target-circuit.ts';
import { placeIn } from '#platform/table/keys.ts';
import { aDelivery, keepDeliveries } from '#test/unit/kit/delivery-table.ts';
import { DeliveryWorld } from '#test/unit/kit/delivery-world.ts';
import { dynamo } from '#test/unit/kit/table.ts';

beforeEach(() => dynamo.reset());

const delivery = aDelivery(1);

test('at most 3 deliveries of a target are under way at once, and other targets do not wait for them', async () => {
  const slow = Array.from({ length: 7 }, (_, i) => aDelivery(i, 'slow'));
  const quick = Array.from({ length: 3 }, (_, i) => aDelivery(i, 'quick'));
  keepDeliveries(...slow, ...quick);
  const quickAreDone = Promise.withResolvers<void>();
  const threeAreUnderWay = Promise.withResolvers<void>();
  let underWay = 0;
  let most = 0;
  let done = 0;
  const world = new DeliveryWorld({
    post: async ({ url }) => {
      if (url.includes('quick')) {
        if (++done === quick.length) quickAreDone.resolve();
        return { status: 200 };
      }
      most = Math.max(most, ++underWay);
      if (underWay === 3) threeAreUnderWay.resolve();
      await Promise.all([quickAreDone.promise, threeAreUnderWay.promise]);
      underWay--;
      return { status: 200 };
    },
  });
  for (const one of [...slow, ...quick]) world.send(one);
  await world.run(1);
  expect(most).toBe(3);
  expect(world.messages).toEqual([]);
});

test('what does not fit into the remaining time goes back to the queue at once, without an attempt', async () => {
  const table = keepDeliveries(delivery);
  const world = new DeliveryWorld();
  world.remainingMs = 12_000;
  world.send(delivery);
  await world.poll();
  expect(world.posts).toEqual([]);
  expect(world.messages[0]!.visibleAt).toBe(world.time);
  expect(table.read(delivery)).toMatchObject({ status: 'pending', attempt_count: 0 });
});

describe('while the circuit of a target is open', () => {
  test('deliveries are parked without an attempt, where the drain finds them', async () => {
    const table = keepDeliveries({ ...delivery, attempt_count: 3 });
    const world = new DeliveryWorld();
    world.circuit.isOpen = true;
    world.send(delivery);
    await world.run(1);
    expect([world.posts, world.messages]).toEqual([[], []]);
    expect(table.item(delivery)).toMatchObject({
      status: 'parked',
      attempt_count: 3,
      ...placeIn.parkedDeliveries('blue', delivery.target, delivery.id),
    });
  });

  test('a probe that arrives is delivered, leaves the list and tells the circuit', async () => {
    const table = keepDeliveries({ ...delivery, status: 'parked' });
    const world = new DeliveryWorld();
    world.circuit.isOpen = true;
    world.send(delivery, { probe: true });
    await world.run(1);
    expect(table.item(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
    expect(table.item(delivery)).not.toHaveProperty('list_pk');
    expect(world.circuit.calls).toEqual(['success']);
  });

  test('a probe that fails spends no attempt, is logged, and its delivery waits on', async () => {
    const table = keepDeliveries({ ...delivery, status: 'parked', attempt_count: 14 });
    const world = new DeliveryWorld();
    world.circuit.isOpen = true;
    world.answer = () => ({ error: 'timeout' });
    world.send(delivery, { probe: true });
    await world.run(1);
    expect(table.item(delivery)).toMatchObject({
      status: 'parked',
      attempt_count: 14,
      attempts: [{ error: 'timeout' }],
      ...placeIn.parkedDeliveries('blue', delivery.target, delivery.id),
    });
    expect(world.messages).toEqual([]);
    expect(world.circuit.calls).toEqual([`failure ${delivery.id}`]);
  });

  test('the log of probes does not grow for ever', async () => {
    const attempts = Array.from({ length: 30 }, () => ({ at: 'then', duration_ms: 1, error: 'timeout' }));
    const table = keepDeliveries({ ...delivery, status: 'parked', attempts });
    const world = new DeliveryWorld();
    world.answer = () => ({ error: 'connection_refused' });
    world.send(delivery, { probe: true });
    await world.run(1);
    expect(table.read(delivery)!.attempts).toHaveLength(30);
    expect(table.read(delivery)!.attempts.at(-1)!.error).toBe('connection_refused');
  });

  test('a success makes us look again, so that the rest of the batch may follow; at a healthy target it does not', async () => {
    const world = new DeliveryWorld();
    const asked: boolean[] = [];
    world.ports.circuit.isOpen = async () => {
      asked.push(world.circuit.isOpen);
      return world.circuit.isOpen;
    };
    world.circuit.isOpen = true;
    const circuit = targetCircuit(world.ports.circuit, 'blue', 'endpoint-1');
    expect(await circuit.isOpen()).toBe(true);
    world.circuit.isOpen = false;
    await circuit.success(new Date(world.time));
    expect(await circuit.isOpen()).toBe(false);
    await circuit.success(new Date(world.time));
    expect(await circuit.isOpen()).toBe(false);
    expect(asked).toEqual([true, false]);
  });

  test('a delivery that its merchant asked for counts as any other where the target is not held to be down', async () => {
    const table = keepDeliveries(delivery);
    const world = new DeliveryWorld();
    world.answer = () => ({ error: 'timeout' });
    world.send(delivery, { probe: true });
    await world.poll();
    expect(table.read(delivery)).toMatchObject({ status: 'pending', attempt_count: 1 });
    expect(world.messages).toHaveLength(1);
  });

  test('a delivery that has waited for 29 days is recorded as failed; one that was sent again is tried', async () => {
    const [waited, asked] = [aDelivery(1, 'endpoint-1', { status: 'parked' }), aDelivery(2)];
    const table = keepDeliveries(waited, asked);
    const world = new DeliveryWorld();
    world.circuit.isOpen = true;
    world.later(29 * 24 * 60);
    world.send(waited);
    world.send(asked, { probe: true });
    await world.run(1);
    expect(table.item(waited)).toMatchObject({ status: 'failed', attempt_count: 0 });
    expect(table.item(waited)).not.toHaveProperty('list_pk');
    expect(table.read(asked)!.status).toBe('delivered');
  });

  test('a target that takes nothing any more has its delivery cancelled, and its circuit is told to let the others go', async () => {
    const table = keepDeliveries({ ...delivery, status: 'parked' });
    const world = new DeliveryWorld({ destinationOf: async () => undefined });
    world.circuit.isOpen = true;
    world.send(delivery, { probe: true });
    await world.run(1);
    expect(table.read(delivery)!.status).toBe('cancelled');
    expect(world.circuit.calls).toEqual(['abandoned']);
  });

  test('a circuit that closes while a delivery is being parked leaves it on the queue', async () => {
    const table = keepDeliveries(delivery);
    let asked = 0;
    const world = new DeliveryWorld();
    world.ports.circuit.isOpen = async () => asked++ === 0;
    world.send(delivery);
    await world.poll();
    expect(world.messages).toHaveLength(1);
    await world.run();
    expect(table.item(delivery)).toMatchObject({ status: 'delivered' });
    expect(table.item(delivery)).not.toHaveProperty('list_pk');
  });

  test('a circuit that opens within a batch parks the rest of it', async () => {
    const many = Array.from({ length: 9 }, (_, i) => aDelivery(i));
    const table = keepDeliveries(...many);
    const world = new DeliveryWorld();
    world.answer = () => ({ error: 'timeout' });
    world.ports.circuit.recordFailure = async () => {
      world.circuit.isOpen = true;
    };
    for (const one of many) world.send(one);
    await world.poll();
    expect(world.posts).toHaveLength(3);
    expect(many.filter((one) => table.read(one)!.status === 'parked')).toHaveLength(6);
  });
});

test('failures and successes are told to the circuit; who says that it is gone is there', async () => {
  keepDeliveries(delivery, aDelivery(2), aDelivery(3));
  const world = new DeliveryWorld();
  world.answer = (count) => [{ error: 'timeout' }, { status: 410, error: 'http_410' }, { status: 200 }][count - 1]!;
  world.send(delivery);
  await world.poll();
  world.messages.splice(0);
  world.send(aDelivery(2));
  await world.poll();
  world.send(aDelivery(3));
  await world.poll();
  expect(world.circuit.calls).toEqual([`failure ${delivery.id}`, 'success', 'success']);
});

test('a circuit out of reach stops no delivery', async () => {
  const table = keepDeliveries(delivery);
  const down = () => Promise.reject(new Error('down'));
  const world = new DeliveryWorld({
    circuit: { isOpen: down, recordAbandoned: down, recordSuccess: down, recordFailure: down },
  });
  world.send(delivery);
  await world.run(1);
  expect(table.read(delivery)!.status).toBe('delivered');
  expect(world.messages).toEqual([]);
});

test('a batch to one target reads the endpoint and its circuit once, and all deliveries in one request', async () => {
  const many = Array.from({ length: 10 }, (_, i) => aDelivery(i));
  keepDeliveries(...many);
  const world = new DeliveryWorld();
  const { destinationOf, circuit } = world.ports;
  let asked = 0;
  world.ports.destinationOf = (place) => {
    asked++;
    return destinationOf(place);
  };
  world.ports.circuit = {
    ...circuit,
    isOpen: (...place) => {
      asked++;
      return circuit.isOpen(...place);
    },
  };
  for (const one of many) world.send(one);
  await world.run(1);
  expect(world.posts).toHaveLength(10);
  expect(asked).toBe(2);
  // One read and ten attempts written.
  expect(dynamo.calls()).toHaveLength(11);
});
