import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DeleteCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as claims } from '#api/claims/handler.ts';
import { handler as orders } from '#api/orders/handler.ts';
import { handler as pages } from '#api/pages/handler.ts';
import { toDelivery } from '#domain/deliveries/delivery-items.ts';
import { createDelivery } from '#domain/deliveries/delivery-store.ts';
import { keyOf } from '#platform/table/keys.ts';
import { simulationLimits } from '#schemas/catalogues/limits.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import { anAutomation, storedAutomation } from '#test/kit/automations.ts';
import { wholeImages } from '#test/kit/images.ts';
import { invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { formKeyIn, sendForm } from '#test/kit/pages.ts';
import { callsAt } from '#test/kit/shops-with-parcels.ts';
import {
  advanceSimulation,
  callSimulations,
  holdsSimulations,
  removeSimulation,
  simulationShop as slug,
  startSimulation,
  tryAdvance,
} from '#test/kit/simulations.ts';
import { beforeNextRequest, beforeRequest } from '#test/kit/table.ts';

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

test('what is in the feed of the shop leaves a mark there without its content', async () => {
  const { uuid } = await played();
  const [first, ...others] = memoryTable.all(partitions.payloads);
  memoryTable.put({ ...first!, feed: Uint8Array.of(3, 1, 0, 0, 0, 1, 0, 0) });
  const { pk, sk, expires_at, ...content } = first!;
  expect(content).toHaveProperty('timeline_pk');
  expect(others.length).toBeGreaterThan(0);
  expect(await removeSimulation(uuid)).toEqual({ uuid, removed: true });
  const left = memoryTable.all(partitions.payloads);
  expect(left).toEqual([
    {
      pk,
      sk,
      expires_at,
      feed: Uint8Array.of(3, 1, 0, 0, 0, 1, 0, 0),
      erased_at: expect.any(String),
      body: expect.anything(),
    },
  ]);
  expect(left[0]!.body).not.toEqual(first!.body);
});

test('a delivery that the index shows late is removed too', async () => {
  const { uuid } = await played();
  const [late] = memoryTable.all(partitions.deliveries);
  const isOfOutbox = ({ DeleteRequest }: WriteRequest) => DeleteRequest?.Key?.pk.startsWith(partitions.outbox);
  // The events of the order are removed after the first look at the index.
  beforeRequest(BatchWriteCommand, ({ RequestItems = {} }) => {
    if (Object.values(RequestItems).flat().some(isOfOutbox)) memoryTable.put(late!);
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

const call = callsAt(slug);

const upsert = (id: string, ...numbers: string[]) =>
  call(orders, 'PUT', '/orders', {
    body: { id, order: {}, trackings: numbers.map((tracking_number) => ({ tracking_number })) },
  });

const references = (number: string) => memoryTable.all(`TRACKINGREF#${slug}#${number}`);

describe('what a real order has in common with a simulated one', () => {
  test('stays if an earlier removal died after it had removed the references of the simulated order', async () => {
    await upsert('real', 'T');
    const { uuid, order_number, order_id } = await startSimulation({ journey: 'delivered' });
    await upsert(order_number, 'T');
    const [own] = references('T').filter((reference) => reference.order_id === order_id);
    memoryTable.remove(own!);
    const before = references('T');
    expect(before).toHaveLength(1);
    expect(await removeSimulation(uuid)).toEqual({ uuid, removed: true });
    expect(references('T')).toEqual(before);
  });

  test('stays if the real order took over the number and the external id while the simulation was removed', async () => {
    const order = { order_number: 'N', external_id: 'E' };
    const { uuid } = await startSimulation({ journey: 'delivered', order });
    const keysOf = [keyOf.orderNumber(slug, 'N'), keyOf.externalOrderId(slug, 'E')];
    const real = keysOf.map((key) => ({ ...key, order_id: 'real' }));
    memoryTable.put(...real);
    await removeSimulation(uuid);
    expect(keysOf.map((key) => memoryTable.read(key))).toEqual(real);
  });
});

test('a parcel that is added while its order is removed leaves no reference behind', async () => {
  const { uuid, order_id } = await startSimulation({ journey: 'delivered' });
  const parcel = { ...keyOf.shipment(slug, order_id, order_id.replace(/000$/, '009')), tracking_number: 'LATE' };
  const reference = { ...keyOf.tracking(slug, 'LATE', 0), order_id, shipment_id: order_id.replace(/000$/, '009') };
  beforeNextRequest(DeleteCommand, () => {
    const head = memoryTable.read(keyOf.order(slug, order_id))!;
    memoryTable.put({ ...head, version: head.version + 1 }, parcel, reference);
  });
  expect(await removeSimulation(uuid)).toEqual({ uuid, removed: true });
  expect([...references('LATE'), ...memoryTable.all(partitions.order)]).toEqual([]);
});

describe('a second removal', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const remove = (uuid: string) => callSimulations('DELETE', '/{uuid}', { params: { uuid } });

  test('does nothing while the first is at work, and says that it is not done', async () => {
    const { uuid } = await played();
    const seconds: ReturnType<typeof remove>[] = [];
    beforeNextRequest(BatchWriteCommand, () => seconds.push(remove(uuid)));
    expect(await removeSimulation(uuid)).toEqual({ uuid, removed: true });
    expect((await seconds[0]!).body).toEqual({ uuid, removed: false });
    expect((await remove(uuid)).status).toBe(404);
  });

  test('goes on when the first has died and its time is over', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-14T12:00:00Z') });
    const { uuid } = await played();
    let isDead = false;
    let isAlive = false;
    const die = () => {
      if (isDead && !isAlive) throw new Error('killed');
    };
    beforeRequest(TransactWriteCommand, die);
    beforeRequest(UpdateCommand, die);
    beforeRequest(BatchWriteCommand, () => {
      isDead = true;
      die();
    });
    expect((await remove(uuid)).status).toBe(500);
    isAlive = true;
    expect((await remove(uuid)).body).toEqual({ uuid, removed: false });
    vi.setSystemTime(Date.now() + simulationLimits.heldSeconds * 1000);
    expect((await remove(uuid)).body).toEqual({ uuid, removed: true });
    expect(memoryTable.all(partitions.order)).toEqual([]);
  });
});

describe('the images of the claims of a simulated order', () => {
  Object.assign(process.env, { IMAGES_URL: 'https://images.example.net', IMAGE_BUCKET: 'pictures' });
  const s3 = mockClient(S3Client);
  const storedKeys = () => s3.commandCalls(PutObjectCommand).map(({ args }) => args[0].input.Key);
  const removedKeys = () => s3.commandCalls(DeleteObjectCommand).map(({ args }) => args[0].input.Key);

  test('are removed if the form on its page stored them, and stay if the merchant uploaded them', async () => {
    s3.reset();
    s3.onAnyCommand().resolves({});
    const { uuid, order_id, tracking_page_url } = await startSimulation({ journey: 'delivered' });
    await advanceSimulation(uuid, { steps: 200 });
    const shop = memoryTable.read(keyOf.shop(slug))!.uuid;
    const uploaded = `https://images.example.net/private/images/${shop}/claim/01930000-0000-7000-8000-00000000000a.jpg`;
    const body = { shipment_id: order_id.replace(/000$/, '001'), reason: 'damage', image_urls: [uploaded] };
    expect((await call(claims, 'POST', '/claims', { body })).status).toBe(200);
    const token = tracking_page_url.split('/').at(-1)!;
    const form = { resource: '/t/{token}/claim', params: { token } };
    const form_key = formKeyIn((await invoke(pages, { method: 'GET', ...form })).body);
    const sent = await sendForm(form.resource, form.params, {
      fields: { form_key, reason: 'damage' },
      parts: [['images', { bytes: wholeImages.jpeg, filename: 'photo.jpg' }]],
    });
    expect(sent.status).toBe(303);
    await removeSimulation(uuid);
    expect(removedKeys()).toEqual(storedKeys());
    expect(removedKeys()).toHaveLength(1);
  });
});
