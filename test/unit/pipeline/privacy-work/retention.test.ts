import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { claimItem, type StoredClaim, toClaim } from '#domain/claims/claim-store.ts';
import { deliveryItem, newDelivery } from '#domain/deliveries/delivery-items.ts';
import { payloadItem } from '#domain/deliveries/delivery-messages.ts';
import { erasedPayload } from '#domain/deliveries/erased-payload.ts';
import { newOrderId, type Order } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { newShipment } from '#domain/orders/shipment-rules.ts';
import type { PrivacyRequest } from '#domain/privacy/request.ts';
import { nextNight } from '#domain/privacy/retention-rules.ts';
import { retentionDue } from '#domain/privacy/retention-work.ts';
import { dueAt } from '#domain/privacy/work.ts';
import { workOnRetention } from '#pipeline/privacy-work/retention.ts';
import { runRound } from '#pipeline/privacy-work/round.ts';
import { keyOf } from '#platform/table/keys.ts';
import { packText } from '#platform/table/packed-text.ts';
import { commit } from '#platform/table/writes.ts';
import type { Retention } from '#schemas/families/privacy.ts';
import { claimOf } from '#test/kit/claims.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { beforeNextRequest, shopItem, tableWith } from '#test/kit/table.ts';

vi.mock('#schemas/catalogues/limits.ts', async (original) => {
  const limits = await original<typeof import('#schemas/catalogues/limits.ts')>();
  return { ...limits, retentionWorkLimits: { ...limits.retentionWorkLimits, ordersOfNight: 50 } };
});

const images = vi.hoisted(() => ({ keys: [] as string[] }));
vi.mock('#platform/lazy/s3-versions.ts', () => ({
  async *versionPages(_bucket: string, prefix: string) {
    yield images.keys.filter((key) => key.startsWith(prefix)).map((key) => ({ key, versionId: '1' }));
  },
  removeVersion: async (_bucket: string, { key }: { key: string }) => {
    images.keys = images.keys.filter((one) => one !== key);
  },
}));

const day = 24 * 3_600_000;
const start = Date.parse('2026-11-17T12:00:00Z');
let clock: number;
const ago = (days: number) => new Date(start - days * day);

beforeEach(() => {
  vi.stubEnv('IMAGE_BUCKET', 'images');
  clock = start;
  images.keys = [];
  tableWith(shopItem('blue'));
});

async function keeps(retention: Partial<Retention>): Promise<void> {
  memoryTable.put({ ...keyOf.settings('blue'), retention });
  await commit([retentionDue('blue', new Date(clock))]);
}

/** An order that was placed and last changed then. */
function placed(days: number): Order {
  const at = ago(days);
  const order = { ...newOrder(newOrderId(at), { order_number: `${days}-${Math.random()}` }, at), drafts: [] };
  memoryTable.put(orderItem('blue', order, 1));
  return order;
}

/** The rounds of the next night. */
async function night(): Promise<void> {
  clock += day;
  const others = async () => 'done' as const;
  const workers = { request: others, retention: workOnRetention, removal: others };
  // Requests are the work of others.
  for (const item of memoryTable.all('PRIVACY#')) {
    const { list_pk: _pk, list_sk: _sk, ...rest } = item;
    if (item.sk.startsWith('REQUEST#')) memoryTable.put(rest);
  }
  const round = { now: () => new Date(clock), remainingMs: () => 50_000, spend: async () => {} };
  expect(await runRound(workers, round)).toMatchObject({ failed: 0 });
}

const requests = () =>
  memoryTable.all('PRIVACY#blue').filter(({ sk }) => sk.startsWith('REQUEST#')) as unknown as PrivacyRequest[];
const foundBy = ({ uuid }: PrivacyRequest) =>
  memoryTable.all(`PRIVACY#blue#${uuid}`).map(({ sk }) => sk.slice('ORDER#'.length));

describe('Orders without a change for so long', () => {
  test('become one erasure in the night, and younger ones do not', async () => {
    const [old, older] = [placed(31), placed(400)];
    placed(20);
    await keeps({ orders_days: 30 });
    expect(requests()).toEqual([]);
    await night();
    const [request, ...others] = requests();
    expect(others).toEqual([]);
    expect(request).toMatchObject({ kind: 'erasure', step: 'ledger', orders: 2, requested_by: 'retention' });
    expect(foundBy(request!).toSorted()).toEqual([old.uuid, older.uuid].toSorted());
  });

  test('are none while a parcel or a claim has changed since, and are erased when their time comes', async () => {
    const order = placed(100);
    const parcel = { ...newShipment(order, 1, 'merchant_customer', ago(5).toISOString()) };
    const withParcel = { ...order, shipments: [1] };
    const other = placed(100);
    const claim = claimOf({ order_id: other.uuid, updated_at: ago(3).toISOString() });
    memoryTable.put(orderItem('blue', withParcel, 2), shipmentItem('blue', parcel, 1), claimItem('blue', claim, 1));
    await keeps({ orders_days: 30 });
    await night();
    expect(requests()).toEqual([]);
    clock += 24 * day;
    await night();
    expect(requests().map(foundBy)).toEqual([[order.uuid]]);
    clock += 2 * day;
    await night();
    // Nobody erases in this test, so a walk that begins anew finds the first one again.
    expect(new Set(requests().flatMap(foundBy))).toEqual(new Set([order.uuid, other.uuid]));
  });

  test('are a bounded number in a night, the oldest first, and the next night goes on', async () => {
    const orders = Array.from({ length: 150 }, (_, i) => placed(400 - i));
    await keeps({ orders_days: 30 });
    await night();
    expect(requests().flatMap(foundBy).toSorted()).toEqual(
      orders
        .slice(0, 100)
        .map(({ uuid }) => uuid)
        .toSorted(),
    );
    await night();
    expect(requests().map(({ orders }) => orders)).toEqual([100, 50]);
  });

  test('that are erased are not erased again', async () => {
    const order = placed(100);
    memoryTable.put(orderItem('blue', { ...order, erased_at: ago(1).toISOString(), erased_by: 'somebody' }, 2));
    await keeps({ orders_days: 30 });
    await night();
    expect(requests()).toEqual([]);
  });

  test('that came in behind the walk are found by the next one', async () => {
    await keeps({ orders_days: 30 });
    placed(100);
    await night();
    expect(requests()).toHaveLength(1);
    const imported = placed(200);
    await night();
    expect(requests()).toHaveLength(1);
    clock += 15 * day;
    await night();
    await night();
    expect(requests().flatMap(foundBy)).toContain(imported.uuid);
  });
});

test('Nothing is left to do when nothing is to end, and each night comes after the other', async () => {
  await keeps({ orders_days: 30 });
  await night();
  const { list_sk } = memoryTable.read(keyOf.retention('blue'))!;
  expect(String(list_sk) > new Date(clock).toISOString()).toBe(true);
  await keeps({ orders_days: null });
  await night();
  expect(memoryTable.read(keyOf.retention('blue'))!.list_sk).toBeUndefined();
});

test('Who switches it on in the moment in which it ends finds it in the next night', async () => {
  await keeps({ orders_days: null });
  clock += day;
  const worker: typeof workOnRetention = async (work, turn) => {
    beforeNextRequest(UpdateCommand, () => {
      const { list_sk } = dueAt('blue', work.sk, nextNight('blue', new Date(clock)));
      memoryTable.put({ ...memoryTable.read(keyOf.retention('blue'))!, list_sk });
    });
    return workOnRetention(work, turn);
  };
  const others = async () => 'done' as const;
  const round = { now: () => new Date(clock), remainingMs: () => 50_000, spend: async () => {} };
  expect(await runRound({ request: others, retention: worker, removal: others }, round)).toMatchObject({ failed: 0 });
  expect(memoryTable.read(keyOf.retention('blue'))).toHaveProperty('list_pk');
});

test('Nothing is asked for what was collected if the shop keeps its orders for ever by then', async () => {
  await keeps({ orders_days: null, claim_images_days: 30 });
  const collected = { part: 'erasure', request: newOrderId(ago(0)), visited: 1, collected: 1 };
  memoryTable.put({ ...memoryTable.read(keyOf.retention('blue'))!, night: collected });
  await night();
  expect(requests()).toEqual([]);
});

test('Messages of claims that nobody wrote in since no longer name images that are too old', async () => {
  const { uuid } = shopItem('blue');
  const url = `https://images.example/private/images/${uuid}/claim/${newOrderId(ago(60)).slice(0, -3)}000.png`;
  const claims = [40, 5].map((days) => claimOf({ uuid: `claim-${days}`, updated_at: ago(days).toISOString() }));
  const keyIn = ({ order_id, uuid: id }: (typeof claims)[number], n: number) =>
    keyOf.claimMessage('blue', order_id, id, n);
  for (const claim of claims) {
    memoryTable.put(claimItem('blue', claim, 3));
    for (const n of [1, 2, 3]) {
      const image_urls = n === 2 ? [] : [url, 'https://example.com/other.png'];
      memoryTable.put({
        ...keyIn(claim, n),
        uuid: `${n}`,
        at: 'then',
        from: 'customer',
        text: `Text ${n}`,
        image_urls,
      });
    }
  }
  await keeps({ claim_images_days: 30 });
  await night();
  const left = claims.map((claim) =>
    [1, 2, 3].map((n) => {
      const { text, image_urls } = memoryTable.read(keyIn(claim, n))!;
      return [text, image_urls.length];
    }),
  );
  expect(left).toEqual([
    [
      ['Text 1', 1],
      ['Text 2', 0],
      ['Text 3', 1],
    ],
    [
      ['Text 1', 2],
      ['Text 2', 0],
      ['Text 3', 2],
    ],
  ]);
});

test('Images of claims go when they are too old, and claims no longer name them', async () => {
  const { uuid } = shopItem('blue');
  const file = (days: number) => `${newOrderId(ago(days)).slice(0, -3)}000.png`;
  const [old, young] = [60, 5].map((days) => `private/images/${uuid}/claim/${file(days)}`) as [string, string];
  images.keys = [old, young, `public/images/${uuid}/logo/${file(60)}`];
  const urls = [old, young].map((key) => `https://images.example/${key}`);
  const claim = claimOf({ created_at: ago(50).toISOString(), image_urls: [urls[0]!, 'https://example.com/other.png'] });
  memoryTable.put(claimItem('blue', claim, 3));
  await keeps({ claim_images_days: 30 });
  await night();
  expect(images.keys).toHaveLength(2);
  expect(images.keys).not.toContain(old);
  const stored = memoryTable.read(keyOf.claim('blue', claim.order_id, claim.uuid)) as unknown as StoredClaim;
  expect(toClaim(stored)).toEqual({ ...claim, image_urls: ['https://example.com/other.png'] });
  expect(stored.version).toBe(3);
});

test('Deliveries go with what they sent when they are too old', async () => {
  const delivery = (days: number) => {
    const source = {
      event_id: `event-${days}`,
      subject_id: 'shipment',
      ref: 'shipments/in_transit/OUT_FOR_DELIVERY',
      event_group: null,
      triggered_at: ago(days).toISOString(),
      shop_slug: 'blue',
    };
    return newDelivery(source, { id: 'endpoint', kind: 'webhook' }, ago(days), 0);
  };
  const both = [delivery(10), delivery(2)];
  const erased = delivery(11);
  const inFeed = delivery(12);
  const closed = delivery(13);
  const notWaitedFor = { ...keyOf.payload('blue', 'event-13'), feed_closed: ['3.1.0'] };
  memoryTable.put(
    deliveryItem(inFeed),
    { ...payloadItem(inFeed, { body: packText('{"name":"Ada"}') }), feed: Uint8Array.of(3, 1, 0, 0, 0, 1, 0, 0) },
    deliveryItem(closed),
    notWaitedFor,
    keyOf.webhook('blue', 'endpoint'),
    deliveryItem(erased),
    { ...payloadItem(erased, { body: packText('{}') }), erased_at: ago(9).toISOString() },
    ...both.flatMap((one) => [deliveryItem(one), payloadItem(one, { body: packText('{}') })]),
  );
  await keeps({ deliveries_days: 7 });
  await night();
  expect(memoryTable.all('DELIVERIES#').map(({ event_id }) => event_id)).toEqual(['event-2']);
  // The mark of an erased payload stays: what is replayed would store the payload again.
  const left = [11, 12, 13, 2].map((days) => `PAYLOADS#blue#event-${days}`);
  expect(memoryTable.all('PAYLOADS#').map(({ pk }) => pk)).toEqual(left);
  // Readers of the feed rely on what is at a place of it.
  const { expires_at } = payloadItem(inFeed, { body: packText('') });
  const mark = erasedPayload(
    'blue',
    'event-12',
    new Date(clock).toISOString(),
    expires_at,
    Uint8Array.of(3, 1, 0, 0, 0, 1, 0, 0),
  );
  expect(memoryTable.read(mark)).toEqual({ ...mark, body: new Uint8Array(mark.body) });
  expect(memoryTable.read(notWaitedFor)).toEqual(notWaitedFor);
});
