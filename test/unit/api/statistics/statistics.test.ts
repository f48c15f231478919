import { beforeEach, describe, expect, test } from 'vitest';
import { handler } from '#api/statistics/handler.ts';
import { claimItem } from '#domain/claims/claim-store.ts';
import { newOrderId, type Shipment } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { fulfilled, newShipment, reported } from '#domain/orders/shipment-rules.ts';
import { keyOf } from '#platform/table/keys.ts';
import { attentionLimits } from '#schemas/catalogues/limits.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { claimOf } from '#test/kit/claims.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { asOperator, keyFor, operator, shopItem, tableWith } from '#test/kit/table.ts';

const dayMs = 24 * 3600 * 1000;
const now = new Date();
const daysAgo = (days: number) => new Date(now.getTime() - days * dayMs).toISOString();
const day = (days: number) => daysAgo(days).slice(0, 10);

const viewer = keyFor('blue', 'viewer');

beforeEach(() => tableWith(operator.item, viewer.item, shopItem('blue')));

const get = (name: string, query: Record<string, string> = {}, headers = asOperator) =>
  invoke(handler, { method: 'GET', resource: `/v1/shops/{slug}/${name}`, params: { slug: 'blue' }, headers, query });

describe('statistics', () => {
  test('of a shop without orders are zeros, one entry for each day', async () => {
    const { status, body } = await get('statistics');
    expect(status).toBe(200);
    expect(body.orders.days).toHaveLength(14);
    expect(body.parcels.by_phase).toMatchObject({ in_transit: 0, delivered: 0 });
    expect(body.deliveries.days.at(-1)).toEqual({
      day: day(0),
      delivered: 0,
      failed: 0,
      attempts_failed: 0,
      p50_ms: null,
      p95_ms: null,
    });
  });

  test('show the counters of the days that were asked for, and no negative count', async () => {
    memoryTable.put(
      { ...keyOf.countsNow('blue'), 'phase#in_transit': 7, 'phase#delivered': -2, 'claim#pending': 3 },
      { ...keyOf.dayCounts('blue', day(0)), orders: 5 },
      { ...keyOf.dayCounts('blue', day(1)), orders: 4 },
      { ...keyOf.dayCounts('blue', day(2)), orders: 99 },
      {
        ...keyOf.deliveryCounts('blue', day(0), 'integration_1'),
        delivered: 2,
        failed: 1,
        attempts_failed: 4,
        'ms#100': 6,
      },
      { ...keyOf.deliveryCounts('blue', day(1), 'integration_1'), delivered: 1, 'ms#100': 1 },
      { ...keyOf.deliveryCounts('blue', day(0), '01930000-0000-7000-8000-0000000000ee'), delivered: 9, 'ms#50': 9 },
    );
    const { body } = await get('statistics', { days: '2' });
    expect(body.parcels.by_phase).toMatchObject({ in_transit: 7, delivered: 0 });
    expect(body.claims.by_status).toEqual({ pending: 3, accepted: 0, rejected: 0, closed: 0 });
    expect(body.orders.days).toEqual([
      { day: day(1), count: 4 },
      { day: day(0), count: 5 },
    ]);
    expect(body.deliveries.days).toMatchObject([
      { day: day(1), delivered: 1, failed: 0 },
      { day: day(0), delivered: 11, failed: 1, attempts_failed: 4 },
    ]);
    expect(body.deliveries.targets).toMatchObject([
      { target: 'integration_1', kind: 'integration', delivered: 3, failed: 1 },
      { target: '01930000-0000-7000-8000-0000000000ee', kind: 'webhook', delivered: 9, failed: 0 },
    ]);
  });

  test('show deliveries to admins only', async () => {
    const { status, body } = await get('statistics', {}, basic('blue', viewer.secret));
    expect(status).toBe(200);
    expect(body.deliveries).toBeNull();
  });

  test.each(['0', '32', 'many'])('of %s days are refused', async (days) => {
    expect((await get('statistics', { days })).status).toBe(422);
  });
});

describe('the statistics of one target', () => {
  const uuid = '01930000-0000-7000-8000-0000000000ee';
  const of = (target: string, query: Record<string, string> = {}, headers = asOperator) =>
    invoke(handler, {
      method: 'GET',
      resource: '/v1/shops/{slug}/statistics/deliveries/{target}',
      params: { slug: 'blue', target },
      headers,
      query,
    });

  test('show every day, and nothing of other targets', async () => {
    memoryTable.put(
      { ...keyOf.deliveryCounts('blue', day(1), uuid), delivered: 3, failed: 1, attempts_failed: 16, 'ms#100': 19 },
      { ...keyOf.deliveryCounts('blue', day(1), 'integration_1'), delivered: 9 },
    );
    const { status, body } = await of(uuid.toUpperCase(), { days: '2' });
    expect(status).toBe(200);
    expect(body).toEqual({
      target: uuid,
      from: day(1),
      to: day(0),
      days: [
        { day: day(1), delivered: 3, failed: 1, attempts_failed: 16, p50_ms: 85, p95_ms: 99 },
        { day: day(0), delivered: 0, failed: 0, attempts_failed: 0, p50_ms: null, p95_ms: null },
      ],
    });
    expect((await of('integration_1', { days: '2' })).body.days[0]).toMatchObject({ delivered: 9 });
  });

  test('are for admins, and for names that a target can have', async () => {
    expect((await of(uuid, {}, basic('blue', viewer.secret))).status).toBe(403);
    for (const target of ['integration_8', 'integration_1#x', 'x', `${uuid}0`]) {
      expect((await of(target)).status).toBe(422);
    }
    expect((await of(uuid, { days: '32' })).status).toBe(422);
  });
});

describe('attention', () => {
  let number = 0;

  /** A parcel whose last event was so many days ago. */
  function put(event_name: ShipmentEventName | undefined, days: number): Shipment {
    const order = newOrder(newOrderId(now), { order_number: String(++number) }, now);
    const at = daysAgo(days);
    const carrier = { tracking_number: `T${number}`, carrier_reference: 'dhl', tracking_url: null };
    const made = fulfilled(newShipment(order, 1, 'merchant_customer', at), { ...carrier, placed_at: at }, at);
    const shipment = event_name ? reported(made, { event: { event_name, time: at } }, at).shipment : made;
    memoryTable.put(shipmentItem('blue', shipment, 1));
    return shipment;
  }

  const numbersOf = ({ parcels }: { parcels: { order_number: string }[] }) => parcels.map((one) => one.order_number);

  test('finds each parcel by what is wrong with it, and none that arrived', async () => {
    const lost = put('SHIPMENT_LOST', 1);
    const failed = put('DELIVERY_ATTEMPTED', 1);
    const damaged = put('SHIPMENT_DAMAGED', 1);
    put('SUCCESSFULLY_DELIVERED', 20);
    put('ARRIVAL_AT_TRANSPORT_HUB', 1);
    const { body } = await get('attention');
    expect(body.lost).toEqual({
      count: 1,
      has_more: false,
      parcels: [
        {
          order_id: lost.order_id,
          order_number: lost.order_number,
          customer_name: null,
          shipment_id: lost.uuid,
          tracking_number: lost.tracking_number,
          carrier_reference: 'dhl',
          phase: 'delivery_failed',
          event_name: 'SHIPMENT_LOST',
          event_time: expect.any(String),
        },
      ],
    });
    expect(numbersOf(body.failed_delivery)).toEqual([failed.order_number]);
    expect(numbersOf(body.damaged)).toEqual([damaged.order_number]);
    expect(body.exception.count + body.no_movement.count).toBe(0);
  });

  test('finds parcels without an event for so many days, the longest wait first, and forgets them after a month', async () => {
    const week = put('ARRIVAL_AT_TRANSPORT_HUB', 8);
    const fortnight = put(undefined, 14);
    put('ARRIVAL_AT_TRANSPORT_HUB', 3);
    put('ARRIVAL_AT_TRANSPORT_HUB', 40);
    const { body } = await get('attention');
    expect(numbersOf(body.no_movement)).toEqual([fortnight.order_number, week.order_number]);
    expect((await get('attention', { idle_days: '10' })).body.no_movement.count).toBe(1);
  });

  test('counts more than it shows', async () => {
    for (let i = 0; i < 23; i++) put('SHIPMENT_LOST', 1);
    const { body } = await get('attention');
    expect(body.lost).toMatchObject({ count: 23, has_more: false });
    expect(body.lost.parcels).toHaveLength(20);
  });

  test('says that there are more only if there are more than it counts', async () => {
    for (let i = 0; i < attentionLimits.counted; i++) put('SHIPMENT_LOST', 1);
    expect((await get('attention')).body.lost).toMatchObject({ count: attentionLimits.counted, has_more: false });
    put('SHIPMENT_LOST', 1);
    expect((await get('attention')).body.lost).toMatchObject({ count: attentionLimits.counted, has_more: true });
  });

  test('takes only numbers of days for which a parcel can be found', async () => {
    const statusFor = async (days: number) => (await get('attention', { idle_days: String(days) })).status;
    expect(await statusFor(attentionLimits.days - 1)).toBe(200);
    expect(await statusFor(attentionLimits.days)).toBe(422);
  });

  test('shows claims that nobody has decided', async () => {
    const waiting = claimOf({ created_at: daysAgo(2) });
    const decided = claimOf({
      uuid: '01930000-0000-7000-8000-00000000c1a2',
      created_at: daysAgo(1),
      status: 'accepted',
    });
    memoryTable.put(claimItem('blue', waiting, 1), claimItem('blue', decided, 1));
    const { body } = await get('attention');
    expect(body.claims).toMatchObject({ count: 1, claims: [{ uuid: waiting.uuid, status: 'pending' }] });
  });

  test('names the customers', async () => {
    const { order_id } = put('SHIPMENT_LOST', 1);
    const order = newOrder(order_id, { order_number: '1', address: { name: 'Rosa Fischer' } }, new Date());
    memoryTable.put(orderItem('blue', order, 1), claimItem('blue', claimOf({ created_at: daysAgo(2), order_id }), 1));
    const { body } = await get('attention');
    expect(body.lost.parcels).toMatchObject([{ customer_name: 'Rosa Fischer' }]);
    expect(body.claims.claims).toMatchObject([{ customer_name: 'Rosa Fischer' }]);
  });
});
