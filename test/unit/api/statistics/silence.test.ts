import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { handler as orders } from '#api/orders/handler.ts';
import { handler as statistics } from '#api/statistics/handler.ts';
import { newOrderId } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { fulfil, newOrder } from '#domain/orders/order-rules.ts';
import { reported } from '#domain/orders/shipment-rules.ts';
import { keyOf } from '#platform/table/keys.ts';
import { attentionLimits } from '#schemas/catalogues/limits.ts';
import { invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { spreads, writtenAs } from '#test/kit/spread-shipments.ts';
import { asOperator, dynamo, operator, shopItem, tableWith } from '#test/kit/table.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000).toISOString();

/** What was learned is remembered for a while, so each test has a shop of its own. */
let slug = '';
let shops = 0;

beforeEach(() => {
  slug = `shop-${++shops}`;
  tableWith(operator.item, shopItem(slug));
});

/** A hundred delivered parcels of each lane were silent for so many days. */
function learn(days: Record<string, number>): void {
  for (const [carrier, count] of Object.entries(days)) {
    const place = { day: daysAgo(20).slice(0, 10), carrier, country: 'DE' };
    memoryTable.put({ ...keyOf.cohortCounts(slug, place), [`g${count}`]: 100 });
  }
}

interface Parcel {
  carrier: string;
  /** Since its last scan. */
  days: number;
  isOfEarlierRelease?: true;
}

function put(number: string, ...parcels: Parcel[]) {
  const at = daysAgo(12);
  const placed = newOrder(
    newOrderId(new Date(at)),
    { order_number: number, expected_number_of_shipments: 1 },
    new Date(at),
  );
  const trackings = parcels.map(({ carrier }, i) => ({
    tracking_number: `${number}-${i}`,
    carrier_reference: carrier,
    tracking_url: null,
    products: null,
    placed_at: at,
  }));
  const { order, shipments } = fulfil({ order: placed, shipments: [] }, placed, trackings, at);
  memoryTable.put(orderItem(slug, order, 1));
  return shipments.map((shipment, i) => {
    const { days, isOfEarlierRelease } = parcels[i]!;
    return move(isOfEarlierRelease ? shipment : { ...shipment, country: 'DE' }, days);
  });
}

function move<T extends Parameters<typeof reported>[0]>(shipment: T, days: number): T {
  const time = daysAgo(days);
  const after = reported(shipment, { event: { event_name: 'ARRIVED_AT_SORTING_CENTER', time } }, time).shipment as T;
  memoryTable.put(shipmentItem(slug, after, 1));
  return after;
}

const get = async (handler: typeof orders, path: string, query: Record<string, string> = {}) => {
  const resource = `/v1/shops/{slug}/${path}`;
  const { status, body } = await invoke(handler, {
    method: 'GET',
    resource,
    params: { slug },
    headers: asOperator,
    query,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

type Numbered = { order_number: string }[];
const numbersOf = (all: Numbered) => all.map(({ order_number }) => order_number);

const silent = async (query: Record<string, string> = {}) => (await get(statistics, 'attention', query)).no_movement;
const found = async (query: Record<string, string> = {}) =>
  numbersOf(await get(orders, 'orders', { attention: 'no_movement', ...query }));

describe('a silent parcel', () => {
  test('is listed when its lane is usually not silent for so long, and the search finds the same', async () => {
    learn({ dhl: 2, ups: 9 });
    put('dhl 2', { carrier: 'dhl', days: 2 });
    put('dhl 3', { carrier: 'dhl', days: 3 });
    put('ups 8', { carrier: 'ups', days: 8 });
    put('ups 10', { carrier: 'ups', days: 10 });
    put('gls 5', { carrier: 'gls', days: 5 });
    put('gls 6', { carrier: 'gls', days: 6 });
    const { count, has_more, parcels } = await silent();
    expect({ count, has_more }).toEqual({ count: 3, has_more: false });
    expect(numbersOf(parcels)).toEqual(['ups 10', 'gls 6', 'dhl 3']);
    expect(await found()).toEqual(['dhl 3', 'gls 6', 'ups 10']);
    expect(await found({ per_page: '1', page: '2' })).toEqual(['gls 6']);
  });

  test('leaves the list when it moves again', async () => {
    learn({ dhl: 2 });
    const [shipment] = put('1', { carrier: 'dhl', days: 3 });
    expect([(await silent()).count, await found()]).toEqual([1, ['1']]);
    move(shipment!, 1);
    expect([(await silent()).count, await found()]).toEqual([0, []]);
  });

  test('is measured by the days of the request, whatever its lane', async () => {
    learn({ dhl: 2, ups: 9 });
    put('dhl', { carrier: 'dhl', days: 4 });
    put('ups', { carrier: 'ups', days: 8 });
    expect(numbersOf((await silent({ idle_days: '7' })).parcels)).toEqual(['ups']);
    expect(numbersOf((await silent({ idle_days: '3' })).parcels)).toEqual(['ups', 'dhl']);
  });

  test('is found although another parcel of its order moves, and its order is there once', async () => {
    learn({ dhl: 2, ups: 9 });
    put('one', { carrier: 'dhl', days: 3 }, { carrier: 'ups', days: 4 }, { carrier: 'dhl', days: 0 });
    put('two', { carrier: 'dhl', days: 5 }, { carrier: 'ups', days: 11 });
    expect((await silent()).count).toBe(3);
    expect(await found()).toEqual(['one', 'two']);
  });

  test('is found by the id of its order only while it is silent', async () => {
    learn({ dhl: 2 });
    const [shipment] = put('1', { carrier: 'dhl', days: 3 });
    const uuid = shipment!.order_id;
    expect(await found({ uuid })).toEqual(['1']);
    move(shipment!, 1);
    expect(await found({ uuid })).toEqual([]);
  });

  test('that an earlier release wrote is listed after five days', async () => {
    learn({ dhl: 2 });
    put('4', { carrier: 'dhl', days: 4, isOfEarlierRelease: true });
    put('6', { carrier: 'dhl', days: 6, isOfEarlierRelease: true });
    expect(numbersOf((await silent()).parcels)).toEqual(['6']);
    expect(await found()).toEqual(['6']);
  });
});

test.each(spreads)('silent parcels are found, the oldest first, if they are %s', async (spread) => {
  learn({ dhl: 2 });
  for (let n = 0; n < 24; n++)
    writtenAs(spread, n, () => put(String(n), { carrier: 'dhl', days: n % 2 ? 0 : 3 + n / 4 }));
  const wanted = Array.from({ length: 12 }, (_, i) => String(2 * i));
  const { count, parcels } = await silent();
  expect(count).toBe(wanted.length);
  const days = parcels.map(({ event_time }: { event_time: string }) => event_time.slice(0, 10));
  expect(days).toEqual(days.toSorted());
  expect(numbersOf(parcels).toSorted()).toEqual(wanted.toSorted());
  expect((await found()).toSorted()).toEqual(wanted.toSorted());
});

describe('among many parcels under way', () => {
  const fill = (carrier: string, days: number, count: number) => {
    for (let i = 0; i < count; i++) put(`${carrier} ${days} ${i}`, { carrier, days });
  };
  const reads = () =>
    dynamo
      .commandCalls(QueryCommand)
      .filter(({ args }) => args[0].input.ExpressionAttributeValues?.[':partition'].endsWith('#under_way')).length;

  test('the silent ones are counted past those of slow lanes', async () => {
    learn({ dhl: 2, ups: 9 });
    fill('ups', 5, 2 * attentionLimits.counted + 50);
    put('dhl', { carrier: 'dhl', days: 3 });
    expect(await silent()).toMatchObject({ count: 1, has_more: false, parcels: [{ order_number: 'dhl' }] });
    expect(reads()).toBe(3);
  });

  test('a request looks at a part, and says that there may be more', async () => {
    learn({ dhl: 2, ups: 9 });
    fill('ups', 5, (attentionLimits.counted + 1) * attentionLimits.reads + 1);
    put('dhl', { carrier: 'dhl', days: 3 });
    expect(await silent()).toMatchObject({ count: 0, has_more: true });
    expect(reads()).toBe(attentionLimits.reads);
  });

  test('as many are counted as of every kind, and one more is said', async () => {
    learn({ dhl: 2 });
    for (let i = 0; i < attentionLimits.counted; i++) put(String(i), { carrier: 'dhl', days: 3 });
    expect(await silent()).toMatchObject({ count: attentionLimits.counted, has_more: false });
    put('more', { carrier: 'dhl', days: 3 });
    expect(await silent()).toMatchObject({ count: attentionLimits.counted, has_more: true });
    expect(reads()).toBe(2);
  });
});
