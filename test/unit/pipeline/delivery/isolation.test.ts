import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { wakeItem } from '#domain/deliveries/delivery-items.ts';
import { firstMessageOf, messageOf } from '#domain/deliveries/delivery-messages.ts';
import { keepRetry } from '#domain/deliveries/retry-store.ts';
import { targetCircuit } from '#pipeline/delivery/target-circuit.ts';
import { sendDueRetries } from '#pipeline/drain/drain.ts';
import { parkedAfter } from '#pipeline/drain/parked-store.ts';
import { cause as caused, causedBy, withCauseOf } from '#platform/correlation.ts';
import { indexKeyOf, keyOf } from '#platform/table/keys.ts';
import { DeliverySimulation } from '#test/kit/delivery-simulation.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { aDelivery, stored, storedItem, tableWithDeliveries } from '#test/kit/stored-deliveries.ts';
import { dynamo } from '#test/kit/table.ts';

const delivery = aDelivery(1);

test('at most 3 deliveries run at once for a target, and other targets do not wait for them', async () => {
  const slow = Array.from({ length: 7 }, (_, i) => aDelivery(i, 'slow'));
  const quick = Array.from({ length: 3 }, (_, i) => aDelivery(i, 'quick'));
  tableWithDeliveries(...slow, ...quick);
  const quickAreDone = Promise.withResolvers<void>();
  const threeAreUnderWay = Promise.withResolvers<void>();
  let underWay = 0;
  let most = 0;
  let done = 0;
  const simulation = new DeliverySimulation({
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
  for (const one of [...slow, ...quick]) simulation.send(one);
  await simulation.run(1);
  expect(most).toBe(3);
  expect(simulation.messages).toEqual([]);
});

test('a delivery that does not fit into the remaining time returns to the queue at once without an attempt', async () => {
  tableWithDeliveries(delivery);
  const simulation = new DeliverySimulation();
  simulation.remainingMs = 12_000;
  simulation.send(delivery);
  await simulation.poll();
  expect(simulation.posts).toEqual([]);
  expect(simulation.messages[0]!.visibleAt).toBe(simulation.time);
  expect(stored(delivery)).toMatchObject({ status: 'pending', attempt_count: 0 });
});

describe('while the circuit of a target is open', () => {
  test('deliveries are parked without an attempt, where the drain finds them', async () => {
    tableWithDeliveries({ ...delivery, attempt_count: 3 });
    const simulation = new DeliverySimulation();
    simulation.circuit.isOpen = true;
    simulation.send(delivery);
    await simulation.run(1);
    expect([simulation.posts, simulation.messages]).toEqual([[], []]);
    expect(storedItem(delivery)).toMatchObject({
      status: 'parked',
      attempt_count: 3,
      ...indexKeyOf.parkedDeliveries('blue', delivery.target, delivery.id),
    });
  });

  test.each([true, false])(
    'a delivery that is parked (written before: %s) goes on with the request that caused it',
    async (isWritten) => {
      const { cause } = causedBy(randomUUID(), caused) as { cause: string };
      tableWithDeliveries(delivery);
      if (!isWritten) memoryTable.remove(keyOf.delivery('blue', delivery.target, delivery.id));
      const simulation = new DeliverySimulation();
      simulation.circuit.isOpen = true;
      simulation.send(delivery, { cause, ...(!isWritten && { first: firstMessageOf(delivery).first }) });
      await simulation.run(1);
      expect(storedItem(delivery)).toMatchObject({ status: 'parked', cause });
      const parked = () => parkedAfter('blue', delivery.target, '', 1);
      expect(await parked()).toEqual([{ ...messageOf(delivery), cause }]);
      simulation.answer = () => ({ error: 'timeout' });
      simulation.send(delivery, { cause, probe: true });
      await simulation.run(1);
      expect(await parked()).toEqual([{ ...messageOf(delivery), cause }]);
    },
  );

  test('a delivery that waits in the table for its next attempt goes on with the request that caused it', async () => {
    const message = { ...messageOf(delivery), ...causedBy(randomUUID(), caused) };
    tableWithDeliveries(delivery);
    await keepRetry(message, 3600, new Date());
    const sent: object[] = [];
    const send = async (messages: readonly object[]) => void sent.push(...messages);
    await sendDueRetries(new Date(Date.now() + 3_601_000), () => 50_000, send);
    expect(sent).toEqual([message]);
  });

  test('a delivery that its merchant sends again goes on with that request', () => {
    const [first, second] = [causedBy(randomUUID(), caused), causedBy(randomUUID(), caused)];
    const wake = () => wakeItem({ ...delivery, ...first }, new Date(), false);
    expect(wake()).toMatchObject(first);
    expect(withCauseOf(second, wake)).toMatchObject(second);
  });

  test('a probe that arrives is delivered, leaves the list and counts as a success for the circuit', async () => {
    tableWithDeliveries({ ...delivery, status: 'parked' });
    const simulation = new DeliverySimulation();
    simulation.circuit.isOpen = true;
    simulation.send(delivery, { probe: true });
    await simulation.run(1);
    expect(storedItem(delivery)).toMatchObject({ status: 'delivered', attempt_count: 1 });
    expect(storedItem(delivery)).not.toHaveProperty('list_pk');
    expect(simulation.circuit.calls).toEqual(['success']);
  });

  test('a probe that fails uses up no attempt, is logged, and its delivery stays parked', async () => {
    tableWithDeliveries({ ...delivery, status: 'parked', attempt_count: 14 });
    const simulation = new DeliverySimulation();
    simulation.circuit.isOpen = true;
    simulation.answer = () => ({ error: 'timeout' });
    simulation.send(delivery, { probe: true });
    await simulation.run(1);
    expect(storedItem(delivery)).toMatchObject({
      status: 'parked',
      attempt_count: 14,
      attempts: [{ error: 'timeout' }],
      ...indexKeyOf.parkedDeliveries('blue', delivery.target, delivery.id),
    });
    expect(simulation.messages).toEqual([]);
    expect(simulation.circuit.calls).toEqual([`failure ${delivery.id}`]);
  });

  test('the log of probes has a bounded length', async () => {
    const attempts = Array.from({ length: 30 }, () => ({ at: 'then', duration_ms: 1, error: 'timeout' }));
    tableWithDeliveries({ ...delivery, status: 'parked', attempts });
    const simulation = new DeliverySimulation();
    simulation.answer = () => ({ error: 'connection_refused' });
    simulation.send(delivery, { probe: true });
    await simulation.run(1);
    expect(stored(delivery).attempts).toHaveLength(30);
    expect(stored(delivery).attempts.at(-1)!.error).toBe('connection_refused');
  });

  test('a success makes the rest of the batch read the circuit again, but not when the circuit is closed', async () => {
    const simulation = new DeliverySimulation();
    const asked: boolean[] = [];
    simulation.ports.circuit.isOpen = async () => {
      asked.push(simulation.circuit.isOpen);
      return simulation.circuit.isOpen;
    };
    simulation.circuit.isOpen = true;
    const circuit = targetCircuit(simulation.ports.circuit, 'blue', 'endpoint-1');
    expect(await circuit.isOpen()).toBe(true);
    simulation.circuit.isOpen = false;
    await circuit.success(new Date(simulation.time));
    expect(await circuit.isOpen()).toBe(false);
    await circuit.success(new Date(simulation.time));
    expect(await circuit.isOpen()).toBe(false);
    expect(asked).toEqual([true, false]);
  });

  test('a delivery that its merchant sent again counts as any other when the circuit is closed', async () => {
    tableWithDeliveries(delivery);
    const simulation = new DeliverySimulation();
    simulation.answer = () => ({ error: 'timeout' });
    simulation.send(delivery, { probe: true });
    await simulation.poll();
    expect(stored(delivery)).toMatchObject({ status: 'pending', attempt_count: 1 });
    expect(simulation.messages).toHaveLength(1);
  });

  test('a delivery that was parked for 29 days is recorded as failed, and one that was sent again is tried', async () => {
    const [waited, asked] = [aDelivery(1, 'endpoint-1', { status: 'parked' }), aDelivery(2)];
    tableWithDeliveries(waited, asked);
    const simulation = new DeliverySimulation();
    simulation.circuit.isOpen = true;
    simulation.later(29 * 24 * 60);
    simulation.send(waited);
    simulation.send(asked, { probe: true });
    await simulation.run(1);
    expect(storedItem(waited)).toMatchObject({ status: 'failed', attempt_count: 0 });
    expect(storedItem(waited)).not.toHaveProperty('list_pk');
    expect(stored(asked).status).toBe('delivered');
  });

  test('a delivery to a target that is gone is cancelled, and the circuit drains the others', async () => {
    tableWithDeliveries({ ...delivery, status: 'parked' });
    const simulation = new DeliverySimulation({ destinationOf: async () => undefined });
    simulation.circuit.isOpen = true;
    simulation.send(delivery, { probe: true });
    await simulation.run(1);
    expect(stored(delivery).status).toBe('cancelled');
    expect(simulation.circuit.calls).toEqual(['abandoned']);
  });

  test('a circuit that closes while a delivery is being parked leaves it on the queue', async () => {
    tableWithDeliveries(delivery);
    let asked = 0;
    const simulation = new DeliverySimulation();
    simulation.ports.circuit.isOpen = async () => asked++ === 0;
    simulation.send(delivery);
    await simulation.poll();
    expect(simulation.messages).toHaveLength(1);
    await simulation.run();
    expect(storedItem(delivery)).toMatchObject({ status: 'delivered' });
    expect(storedItem(delivery)).not.toHaveProperty('list_pk');
  });

  test('a circuit that opens within a batch parks the rest of it', async () => {
    const many = Array.from({ length: 9 }, (_, i) => aDelivery(i));
    tableWithDeliveries(...many);
    const simulation = new DeliverySimulation();
    simulation.answer = () => ({ error: 'timeout' });
    simulation.ports.circuit.recordFailure = async () => {
      simulation.circuit.isOpen = true;
    };
    for (const one of many) simulation.send(one);
    await simulation.poll();
    expect(simulation.posts).toHaveLength(3);
    expect(many.filter((one) => stored(one).status === 'parked')).toHaveLength(6);
  });
});

test('a failure and a success are reported to the circuit, and a refusal for good counts as a success', async () => {
  tableWithDeliveries(delivery, aDelivery(2), aDelivery(3));
  const simulation = new DeliverySimulation();
  simulation.answer = (count) =>
    [{ error: 'timeout' }, { error: 'http_400', isFinal: true }, { status: 200 }][count - 1]!;
  simulation.send(delivery);
  await simulation.poll();
  simulation.messages.splice(0);
  simulation.send(aDelivery(2));
  await simulation.poll();
  simulation.send(aDelivery(3));
  await simulation.poll();
  expect(simulation.circuit.calls).toEqual([`failure ${delivery.id}`, 'success', 'success']);
});

test('a circuit that cannot be read stops no delivery', async () => {
  tableWithDeliveries(delivery);
  const down = () => Promise.reject(new Error('down'));
  const simulation = new DeliverySimulation({
    circuit: { isOpen: down, recordAbandoned: down, recordSuccess: down, recordFailure: down },
  });
  simulation.send(delivery);
  await simulation.run(1);
  expect(stored(delivery).status).toBe('delivered');
  expect(simulation.messages).toEqual([]);
});

test('a batch to one target reads the endpoint and its circuit once, and all deliveries in one request', async () => {
  const many = Array.from({ length: 10 }, (_, i) => aDelivery(i));
  tableWithDeliveries(...many);
  const simulation = new DeliverySimulation();
  const { destinationOf, circuit } = simulation.ports;
  let asked = 0;
  simulation.ports.destinationOf = (place) => {
    asked++;
    return destinationOf(place);
  };
  simulation.ports.circuit = {
    ...circuit,
    isOpen: (...place) => {
      asked++;
      return circuit.isOpen(...place);
    },
  };
  for (const one of many) simulation.send(one);
  await simulation.run(1);
  expect(simulation.posts).toHaveLength(10);
  expect(asked).toBe(2);
  // One read, and ten attempts that are written.
  expect(dynamo.calls()).toHaveLength(11);
});
