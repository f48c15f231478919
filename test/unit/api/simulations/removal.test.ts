import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { toDelivery } from '#domain/deliveries/delivery-items.ts';
import { createDelivery } from '#domain/deliveries/delivery-store.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import { anAutomation, storedAutomation } from '#test/kit/automations.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import {
  advanceSimulation,
  callSimulations,
  holdsSimulations,
  removeSimulation,
  startSimulation,
  tryAdvance,
} from '#test/kit/simulations.ts';
import { beforeRequest } from '#test/kit/table.ts';

type WriteRequest = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];

beforeEach(() => holdsSimulations(storedAutomation(anAutomation())));

const keys = () => memoryTable.all().map(({ pk, sk }) => `${pk} ${sk}`);

async function played() {
  const simulation = await startSimulation({ journey: 'customer_return' });
  await advanceSimulation(simulation.uuid, { steps: 200 });
  return simulation;
}

test('a simulation that is removed leaves only the count of those that run', async () => {
  const before = keys();
  const { uuid } = await played();
  expect(keys().length).toBeGreaterThan(before.length + 30);
  expect(await removeSimulation(uuid)).toEqual({ uuid, removed: true });
  expect(keys().filter((key) => !before.includes(key))).toEqual(['SIMULATIONS#blue COUNT']);
  expect((await tryAdvance(uuid, { steps: 1 })).status).toBe(404);
  expect((await callSimulations('DELETE', '/{uuid}', { params: { uuid } })).status).toBe(404);
});

test('a removal that dies is finished by the next request, and the simulation is gone for all others at once', async () => {
  const before = keys();
  const { uuid } = await played();
  let left = 2;
  beforeRequest(BatchWriteCommand, () => {
    if (left-- <= 0) throw new Error('killed');
  });
  expect((await callSimulations('DELETE', '/{uuid}', { params: { uuid } })).status).toBe(500);
  left = Number.POSITIVE_INFINITY;
  expect((await callSimulations('GET', '/{uuid}', { params: { uuid } })).status).toBe(404);
  expect((await callSimulations('GET', '')).body).toEqual([]);
  expect(await removeSimulation(uuid)).toEqual({ uuid, removed: true });
  expect(keys().filter((key) => !before.includes(key))).toEqual(['SIMULATIONS#blue COUNT']);
});

test('a delivery that the index shows late is removed too', async () => {
  const { uuid } = await played();
  const [late] = memoryTable.all(partitions.deliveries);
  const isOfPage = ({ DeleteRequest }: WriteRequest) => DeleteRequest?.Key?.pk.startsWith(partitions.trackingPages);
  // The page of the order is removed after the first look at the index.
  beforeRequest(BatchWriteCommand, ({ RequestItems = {} }) => {
    if (Object.values(RequestItems).flat().some(isOfPage)) memoryTable.put(late!);
  });
  expect(await removeSimulation(uuid)).toEqual({ uuid, removed: true });
  expect(memoryTable.all(partitions.deliveries)).toEqual([]);
});

test('a delivery that comes after the removal is not made', async () => {
  const { uuid } = await played();
  const [item] = memoryTable.all(partitions.deliveries);
  await removeSimulation(uuid);
  expect(await createDelivery(toDelivery(item!))).toBe(false);
  expect(memoryTable.all(partitions.deliveries)).toEqual([]);
});

test('a running simulation that is removed leaves room for another', async () => {
  const { uuid } = await startSimulation({ journey: 'lost' });
  const running = () => memoryTable.all(partitions.simulations).find(({ sk }) => sk === 'COUNT')?.entries;
  expect(running()).toBe(1);
  await removeSimulation(uuid);
  expect(running()).toBe(0);
});
