import { randomBytes } from 'node:crypto';
import { DeleteObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, test } from 'vitest';
import { claimItem, claimReferenceItem, historyItem } from '#domain/claims/claim-store.ts';
import { newDelivery } from '#domain/deliveries/delivery-items.ts';
import { erasedPayload, isErasedPayload } from '#domain/deliveries/erased-payload.ts';
import { messageEvent } from '#domain/orders/outbox.ts';
import { eraseTrail, trailsOf } from '#domain/privacy/erase-trail.ts';
import { keyOf } from '#platform/table/keys.ts';
import { packText, unpackText } from '#platform/table/packed-text.ts';
import { claimId, claimOf, madeAt, parcel } from '#test/kit/claims.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { orderWithEvent } from '#test/kit/outbox-records.ts';
import { beforeNextRequest, shopItem, tableWith } from '#test/kit/table.ts';

const slug = 'blue';
const at = '2026-11-15T09:00:00.000Z';
const claim = claimOf({ updated_at: at, message_count: 1 });

test('what was sent about a message in a claim is found when its event is gone', async () => {
  tableWith(
    shopItem(slug),
    claimItem(slug, claim, 2),
    claimReferenceItem(slug, claim),
    historyItem(slug, claim, 1, { at: madeAt, by: 'key', by_name: 'ERP', action: 'created', changes: [] }),
    historyItem(slug, claim, 2, { at, by: 'customer', by_name: 'customer', action: 'message', changes: [] }),
  );
  const { id, ref, event_group, triggered_at } = messageEvent(claim, { uuid: 'm', from: 'customer' }, 2, 'customer');
  const target = { id: 'email', kind: 'email' as const };
  const source = { event_id: id, subject_id: claimId, ref, event_group, triggered_at, shop_slug: slug };
  const delivery = newDelivery(source, target, new Date(at), 0);
  memoryTable.put({ ...keyOf.delivery(slug, target.id, delivery.id), ...delivery });
  const found = [];
  const fullOrder = { order: parcel.order, shipments: [parcel.shipment] };
  for await (const { deliveries } of trailsOf({ slug, uuid: 'u' }, fullOrder, { targets: [target], automations: [] })) {
    found.push(...deliveries.map((one) => one.id));
  }
  expect(found).toEqual([delivery.id]);
});

describe('an event of the feed', () => {
  const placed = orderWithEvent(slug, 'A');
  const { id } = placed.event;
  const key = keyOf.payload(slug, id);
  const payload = {
    ...key,
    body: packText('{"name":"Ada"}'),
    feed: Uint8Array.of(3, 1, 0, 0, 0, 1, 0, 0),
    expires_at: 2_000_000_000,
  };
  const mark = { ...erasedPayload(slug, id, at, 2_000_000_000, payload.feed), body: expect.any(Uint8Array) };
  const noReceivers = { targets: [], automations: [] };
  const erase = () =>
    eraseTrail({ slug, uuid: 'u' }, placed, noReceivers, { at, by: 'key', dryRun: false }, async () => {});

  test('keeps its place when it is erased, and nothing else', async () => {
    tableWith(shopItem(slug), placed.event, { ...payload, timeline_pk: 'MADE#sim', timeline_sk: 'payload' });
    expect((await erase()).payloads).toEqual({ found: 1, erased: 1, kept: 0 });
    expect(memoryTable.read(key)).toEqual(mark);
    expect(unpackText(memoryTable.read(key)!.body as Uint8Array).toString()).not.toContain('Ada');
    expect((await erase()).payloads).toEqual({ found: 0, erased: 0, kept: 0 });
  });

  test('keeps a place that it took after the erasure had looked for it', async () => {
    tableWith(shopItem(slug), placed.event);
    beforeNextRequest(PutCommand, () => memoryTable.put(payload));
    expect((await erase()).payloads).toEqual({ found: 1, erased: 1, kept: 0 });
    expect(memoryTable.read(key)).toEqual(mark);
  });

  test('takes its body in the bucket with it, also if that came while it was erased', async () => {
    process.env.PAYLOAD_BUCKET = 'payloads';
    const s3 = mockClient(S3Client);
    s3.onAnyCommand().resolves({});
    const name = `payloads/${randomBytes(4).toString('hex')}.json.gz`;
    const { body: _, ...withoutBody } = payload;
    tableWith(shopItem(slug), placed.event);
    beforeNextRequest(PutCommand, () => memoryTable.put({ ...withoutBody, s3_key: name }));
    expect(await erase()).toMatchObject({ payloads: { erased: 1 }, payload_files: { erased: 1 } });
    expect(s3.commandCalls(DeleteObjectCommand).map(({ args }) => args[0].input.Key)).toEqual([name]);
    expect(memoryTable.read(key)).not.toHaveProperty('s3_key');
  });

  test('whose place readers have closed gets none any more', async () => {
    tableWith(shopItem(slug), placed.event, { ...key, feed_closed: ['3.1.0'], expires_at: 2_000_000_000 });
    expect((await erase()).payloads).toEqual({ found: 0, erased: 0, kept: 0 });
    const erased = memoryTable.read(key);
    expect(isErasedPayload(erased)).toBe(true);
    expect(erased).not.toHaveProperty('feed_closed');
    expect(erased).not.toHaveProperty('feed');
  });
});
