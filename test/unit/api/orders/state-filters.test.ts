import { beforeEach, describe, expect, test } from 'vitest';
import { handler as claims } from '#api/claims/handler.ts';
import { handler } from '#api/orders/handler.ts';
import { newOrderId } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { fulfil, newOrder } from '#domain/orders/order-rules.ts';
import { reported } from '#domain/orders/shipment-rules.ts';
import { searchLimits } from '#schemas/catalogues/limits.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { asOperator, operator, shopItem, tableWith } from '#test/kit/table.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000);

interface Parcel {
  carrier?: string;
  event?: ShipmentEventName;
  days?: number;
}

/** An order whose parcels have had these events. */
function put(number: string, parcels: readonly Parcel[], placedDaysAgo = 1) {
  const at = daysAgo(placedDaysAgo);
  const placed = newOrder(newOrderId(at), { order_number: number, expected_number_of_shipments: 1 }, at);
  if (parcels.length === 0) return memoryTable.put(orderItem('blue', placed, 1));
  const trackings = parcels.map(({ carrier = 'dhl' }, i) => ({
    tracking_number: `${number}-${i}`,
    carrier_reference: carrier,
    tracking_url: null,
    products: null,
    placed_at: at.toISOString(),
  }));
  const { order, shipments } = fulfil({ order: placed, shipments: [] }, placed, trackings, at.toISOString());
  memoryTable.put(orderItem('blue', order, 1));
  for (const [i, shipment] of shipments.entries()) {
    const { event, days = 1 } = parcels[i]!;
    const time = daysAgo(days).toISOString();
    const after = event ? reported(shipment, { event: { event_name: event, time } }, time).shipment : shipment;
    memoryTable.put(shipmentItem('blue', after, 1));
  }
}

const get = (query: Record<string, string>) =>
  invoke(handler, {
    method: 'GET',
    resource: '/v1/shops/{slug}/orders',
    params: { slug: 'blue' },
    headers: asOperator,
    query,
  });

const found = async (query: Record<string, string>): Promise<string[]> => {
  const { status, body } = await get(query);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.map(({ order_number }: { order_number: string }) => order_number);
};

beforeEach(() => tableWith(operator.item, shopItem('blue')));

describe('orders are found by', () => {
  test('the phase and the carrier of one of their parcels', async () => {
    put('new', []);
    put('moving', [{ carrier: 'ups', event: 'ARRIVED_AT_SORTING_CENTER' }]);
    put('both', [{ event: 'SUCCESSFULLY_DELIVERED' }, { carrier: 'gls', event: 'ARRIVED_AT_SORTING_CENTER' }], 2);
    put('old', [{ event: 'ARRIVED_AT_SORTING_CENTER' }], searchLimits.days + 1);
    expect(await found({ phase: 'in_transit' })).toEqual(['moving', 'both']);
    expect(await found({ phase: 'order_created' })).toEqual(['new']);
    expect(await found({ carrier_reference: 'dhl' })).toEqual(['both']);
    expect(await found({ phase: 'in_transit', carrier_reference: 'dhl' })).toEqual([]);
    expect(await found({ phase: 'in_transit', carrier_reference: 'gls' })).toEqual(['both']);
  });

  test('what is wrong with them, once each, over several pages', async () => {
    put('late', [{ event: 'SHIPMENT_LOST', days: 20 }], 21);
    put(
      'twice',
      [
        { event: 'SHIPMENT_LOST', days: 3 },
        { event: 'SHIPMENT_LOST', days: 2 },
      ],
      4,
    );
    put('other', [{ event: 'SHIPMENT_DAMAGED' }]);
    put('gone', [{ event: 'SHIPMENT_LOST', days: searchLimits.days + 1 }], searchLimits.days + 2);
    expect(await found({ attention: 'lost' })).toEqual(['twice', 'late']);
    expect(await found({ attention: 'lost', per_page: '1', page: '2' })).toEqual(['late']);
    expect(await found({ attention: 'damaged', carrier_reference: 'dhl' })).toEqual(['other']);
    expect(await found({ attention: 'damaged', carrier_reference: 'ups' })).toEqual([]);
  });

  test('a parcel that has not moved for five days', async () => {
    put('idle', [{ event: 'ARRIVED_AT_SORTING_CENTER', days: 7 }], 8);
    put('moving', [{ event: 'ARRIVED_AT_SORTING_CENTER', days: 3 }], 8);
    expect(await found({ attention: 'no_movement' })).toEqual(['idle']);
  });

  test('claims that wait, and an order with two of them is there once', async () => {
    put('one', [{ event: 'SUCCESSFULLY_DELIVERED' }]);
    const [order] = (await get({})).body;
    put('none', [{ event: 'SUCCESSFULLY_DELIVERED' }]);
    put('two', [{ event: 'SUCCESSFULLY_DELIVERED' }]);
    const other = (await get({})).body.find((one: { order_number: string }) => one.order_number === 'two');
    for (const [{ trackings }, reason] of [
      [other, 'damage'],
      [order, 'damage'],
      [order, 'support'],
    ]) {
      const { status } = await invoke(claims, {
        method: 'POST',
        resource: '/v1/shops/{slug}/claims',
        params: { slug: 'blue' },
        headers: asOperator,
        body: { shipment_id: trackings[0].uuid, reason },
      });
      expect(status).toBe(200);
    }
    expect(await found({ attention: 'claims', per_page: '1', page: '2' })).toEqual(['two']);
    expect(await found({ attention: 'claims' })).toEqual(['one', 'two']);
  });
});

test('an unknown phase, and an unknown kind of attention, are refused', async () => {
  expect((await get({ phase: 'lost' })).status).toBe(422);
  expect((await get({ attention: 'trouble' })).status).toBe(422);
});
