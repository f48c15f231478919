import { randomBytes } from 'node:crypto';
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, test } from 'vitest';
import { newDelivery } from '#domain/deliveries/delivery-items.ts';
import {
  keepPayload,
  readEventPayloads,
  readPayload,
  storeEventPayloads,
} from '#domain/deliveries/delivery-messages.ts';
import { createAndWake } from '#domain/deliveries/delivery-store.ts';
import { erasedPayload, isErasedPayload } from '#domain/deliveries/erased-payload.ts';
import { keyOf } from '#platform/table/keys.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { tableWith } from '#test/kit/table.ts';

Object.assign(process.env, { PAYLOAD_BUCKET: 'payloads' });

const s3 = mockClient(S3Client);
const simulation = { ...keyOf.simulation('blue', 'sim'), uuid: 'sim' };
const owner = { shop_slug: 'blue', payload_id: 'event', expires_at: 2_000_000_000 };
/** Too big for an item, however well it is packed. */
const large = () => ({ context: { text: randomBytes(400_000).toString('base64') }, parts: [] });

const stored = () => s3.commandCalls(PutObjectCommand).map(({ args }) => args[0].input.Key);
const removed = () => s3.commandCalls(DeleteObjectCommand).map(({ args }) => args[0].input.Key);

beforeEach(() => {
  s3.reset();
  s3.onAnyCommand().resolves({});
  tableWith(simulation);
});

describe('the large payloads of a simulated event', () => {
  const simulated = { ...owner, simulation_id: 'sim' };

  test('go again if the simulation is removed while they are stored', async () => {
    s3.on(PutObjectCommand).callsFake(() => memoryTable.put({ ...simulation, removed_at: '2026-11-14T12:00:00Z' }));
    await storeEventPayloads(simulated, large());
    expect(removed()).toEqual(stored());
    expect(stored()).toHaveLength(1);
    expect(await readEventPayloads('blue', 'event')).toBeUndefined();
  });

  test('stay if the same ones come again, and others that come again go', async () => {
    const first = large();
    await storeEventPayloads(simulated, first);
    await storeEventPayloads(simulated, first);
    expect(removed()).toEqual([]);
    await storeEventPayloads(simulated, large());
    expect(removed()).toEqual([stored().at(-1)]);
  });
});

test('the large payload of an automation goes again if its simulation is removed while it is stored', async () => {
  const source = {
    event_id: 'event',
    subject_id: 'run',
    ref: 'shipments/in_transit/OUT_FOR_DELIVERY',
    event_group: null,
    triggered_at: '2026-11-14T12:00:00.000Z',
    shop_slug: 'blue',
    simulation_id: 'sim',
  };
  const delivery = newDelivery(source, { id: 'target', kind: 'automation' }, new Date('2026-11-14T12:00:00Z'));
  s3.on(PutObjectCommand).callsFake(() => memoryTable.put({ ...simulation, removed_at: '2026-11-14T12:00:00Z' }));
  expect(await createAndWake(delivery, JSON.stringify(large()), { probe: false })).toBe(false);
  expect(removed()).toEqual(stored());
  expect(stored()).toHaveLength(1);
});

test('the large payloads of a real event go again if others are stored already: nobody would find them', async () => {
  expect(await storeEventPayloads(owner, large())).toBeUndefined();
  expect(await storeEventPayloads(owner, large())).toMatchObject({ s3_key: stored()[0] });
  expect(removed()).toEqual([stored().at(-1)]);
});

test('nothing is stored for an event whose order was erased', async () => {
  memoryTable.put(erasedPayload('blue', 'event', '2026-11-17T12:00:00Z', 2_000_000_000));
  expect(isErasedPayload(await storeEventPayloads(owner, large()))).toBe(true);
  expect(removed()).toEqual(stored());
  expect(await readEventPayloads('blue', 'event')).toBe('erased');
});

describe('payloads whose place in the feed readers have closed', () => {
  const closed = { ...keyOf.payload('blue', 'event'), feed_closed: ['1.1.0'], expires_at: 1_900_000_000 };
  const payloads = { context: { order: 1 }, parts: [{ ref: 'a' }] };
  beforeEach(() => memoryTable.put(closed));

  test('are stored, if the shop has switched the feed off since', async () => {
    expect(await storeEventPayloads(owner, payloads)).toBeUndefined();
    expect(await readEventPayloads('blue', 'event')).toEqual(payloads);
    expect(memoryTable.read(closed)).not.toHaveProperty('feed_closed');
  });

  test('are not there before they are stored', async () => {
    expect(await readEventPayloads('blue', 'event')).toBeUndefined();
    expect(await readPayload({ shop_slug: 'blue', payload_id: 'event', payload_part: 0 })).toBeUndefined();
    await keepPayload({ shop_slug: 'blue', payload_id: 'event', payload_part: 0, expires_at: 2_000_000_000 });
    expect(memoryTable.read(closed)).toEqual(closed);
  });
});
