import { beforeEach, describe, expect, test } from 'vitest';
import { deleted } from '#domain/claims/claim-rules.ts';
import { claimItem } from '#domain/claims/claim-store.ts';
import type { Order, Shipment } from '#domain/orders/model.ts';
import { orderItem, shipmentItem } from '#domain/orders/order-items.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { fulfilled, newShipment, reported } from '#domain/orders/shipment-rules.ts';
import { table } from '#platform/table/client.ts';
import { keyOf, statisticsOf } from '#platform/table/keys.ts';
import { everybody } from '#schemas/catalogues/enumerations.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { claimOf } from '#test/kit/claims.ts';
import { type Item, memoryTable } from '#test/kit/memory-table.ts';
import { shopItem, tableWith } from '#test/kit/table.ts';
import { recount } from '../../../bin/operator/recount.ts';

const slug = 'blue';
const now = new Date('2026-11-17T12:00:00.000Z');

const run = (catchUp = async () => {}) => recount({ table, tableName: 'table', catchUp }, slug, { now });

const orderOf = (n: number, placedAt: string, more: Partial<Order> = {}): Order => ({
  ...newOrder(
    `01a1c4af-8680-7000-8000-00000000${n}000`,
    { order_number: String(n), order_placed_at: placedAt, expected_number_of_shipments: 1 },
    new Date('2026-11-10T09:00:00.000Z'),
  ),
  ...more,
});

type Told = [event_name: ShipmentEventName, time: string];

function parcelOf(order: Order, events: readonly Told[], more: Partial<Shipment> = {}): Shipment {
  const [at] = ['2026-11-10T09:00:00.000Z'];
  const carrier = { tracking_number: 'T1', carrier_reference: 'dhl', tracking_url: null, placed_at: at! };
  const sent = fulfilled(newShipment(order, 1, 'merchant_customer', at!), carrier, at!);
  const told = events.reduce(
    (shipment, [event_name, time]) => reported(shipment, { event: { event_name, time } }, time).shipment,
    sent,
  );
  return { ...told, country: 'DE', ...more };
}

const placed = '2026-11-10T08:00:00.000Z';
const withoutDrafts = { drafts: [], shipments: [1] };
const orders = [1111, 1112, 1113, 1114].map((n) => orderOf(n, placed, withoutDrafts));
const promise = {
  end: '2026-11-13T18:00:00.000Z',
  event: { event_name: 'SHIPMENT_EN_ROUTE' as const, time: '2026-11-11T10:00:00.000Z' },
};
const parcels = [
  parcelOf(
    orders[0]!,
    [
      ['SHIPMENT_EN_ROUTE', '2026-11-11T10:00:00.000Z'],
      ['SUCCESSFULLY_DELIVERED', '2026-11-13T11:00:00.000Z'],
    ],
    { promise },
  ),
  parcelOf(orders[1]!, [
    ['SHIPMENT_EN_ROUTE', '2026-11-11T12:00:00.000Z'],
    ['DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME', '2026-11-12T12:00:00.000Z'],
  ]),
  parcelOf(orders[2]!, [
    ['SHIPMENT_EN_ROUTE', '2026-11-11T12:00:00.000Z'],
    ['SHIPMENT_LOST', '2026-11-14T12:00:00.000Z'],
  ]),
  // The release before wrote it.
  parcelOf(orders[3]!, [['SHIPMENT_EN_ROUTE', '2026-11-11T12:00:00.000Z']], { country: undefined as never }),
];
const cohort = { day: '2026-11-11', carrier: 'dhl', country: 'DE' };
const claim = claimOf({ created_at: '2026-11-14T12:00:00.000Z', cohort });

const nowKey = keyOf.countsNow(slug);
const dayKey = (day: string) => keyOf.dayCounts(slug, day);
const cohortKey = keyOf.cohortCounts(slug, cohort);

/** Counted by hand. */
const expected = new Map<{ pk: string; sk: string }, Record<string, number>>([
  [
    nowKey,
    {
      'phase#order_created': 1,
      'phase#delivered': 1,
      'phase#delivery_failed': 2,
      'phase#in_transit': 1,
      'claim#pending': 1,
    },
  ],
  [dayKey('2026-11-09'), { orders: 1 }],
  [dayKey('2026-11-10'), { orders: 4 }],
  [dayKey('2026-11-11'), { 's#dhl#DE': 3 }],
  [dayKey('2026-11-13'), { delivered: 1 }],
  [dayKey('2026-11-14'), { claims: 1 }],
  [cohortKey, { h48: 1, x: 1, a: 2, f: 1, p: 1, k: 1, c: 1, g3: 1, 'z-2': 1, cn: 1, cc: 1, cw: 56 }],
]);
const counterCount = [...expected.values()].flatMap((counters) => Object.keys(counters)).length;

const occurrences = { pages_opened: 7, mails_sent: 6, promotions_shown: 5, promotions_clicked: 4 };
/** What no recount touches. */
const others = [
  { ...keyOf.deliveryCounts(slug, '2026-11-10', 'target'), delivered: 9 },
  { ...keyOf.ratingCounts(slug, cohort), n: 2, sum: 9 },
  { ...dayKey('2024-01-01'), orders: 3 },
  { ...keyOf.cohortCounts(slug, { ...cohort, day: '2024-01-01' }), x: 3 },
  { ...keyOf.countsNow('green'), 'phase#delivered': 8 },
];

beforeEach(() => {
  tableWith(
    shopItem(slug),
    ...orders.map((order) => orderItem(slug, order, 1)),
    ...parcels.map((parcel) => shipmentItem(slug, parcel, 1)),
    orderItem(slug, orderOf(1115, '2026-11-09T23:59:59.999Z'), 1),
    orderItem(slug, orderOf(1116, placed, { simulation_id: 'simulation' }), 1),
    orderItem(slug, orderOf(1117, '2023-11-09T23:59:59.999Z', withoutDrafts), 1),
    claimItem(slug, claim, 1),
    claimItem(slug, deleted({ ...claim, uuid: '01930000-0000-7000-8000-00000000c1a2' }, claim.created_at).claim, 2),
    { ...dayKey('2026-11-10'), ...occurrences },
    ...others,
  );
});

const figuresAt = (key: { pk: string; sk: string }) => {
  const { pk: _pk, sk: _sk, expires_at: _expires, ...counters } = memoryTable.read(key) ?? ({} as Item);
  return Object.fromEntries(Object.entries(counters).filter(([name, count]) => count !== 0 && !(name in occurrences)));
};
const expectAllRight = () => {
  for (const [key, counters] of expected) expect([key.sk, figuresAt(key)]).toEqual([key.sk, counters]);
  expect(memoryTable.read(dayKey('2026-11-10'))).toMatchObject(occurrences);
  for (const other of others) expect(memoryTable.read(other)).toEqual(other);
  expect(memoryTable.all(statisticsOf(slug))).toHaveLength(expected.size + others.length - 1);
};

test('a shop without figures gets those that the stream would have made, which expire; occurrences and old days stay', async () => {
  expect(await run()).toMatchObject({ moving: [] });
  expectAllRight();
  const expiry = Date.parse('2026-11-11') / 1000 + 761 * 86_400;
  expect(memoryTable.read(cohortKey)).toMatchObject({ expires_at: expiry });
  expect(memoryTable.read(nowKey)).not.toHaveProperty('expires_at');
  const again = await run();
  expect(again).toMatchObject({ wrong: 0, corrected: 0, moving: [] });
  expect(again.compared).toBeGreaterThanOrEqual(counterCount);
});

test('a wrong counter of every kind is found and mended: too high, too low, missing, and of nothing', async () => {
  await run();
  const items = [...expected];
  for (const [i, [key, counters]] of items.entries()) {
    const wrong = Object.entries(counters).map(([name, count], j) => [name, count + [-1, 1, 5][(i + j) % 3]!]);
    memoryTable.put({ ...memoryTable.read(key), ...key, ...Object.fromEntries(wrong) });
  }
  memoryTable.remove(cohortKey);
  const phantoms = [
    { ...nowKey, ...memoryTable.read(nowKey), 'phase#returned': 2 },
    { ...dayKey('2026-11-11'), ...memoryTable.read(dayKey('2026-11-11')), 's#dhl#FR': 1, delivered: -1 },
    { ...keyOf.cohortCounts(slug, { ...cohort, country: 'FR' }), h2: 2, g1: -2 },
  ];
  memoryTable.put(...phantoms);
  expect(await run()).toMatchObject({ wrong: counterCount + 5, corrected: counterCount + 5, moving: [] });
  const phantom = phantoms[2]!;
  expect(memoryTable.read(phantom)).toMatchObject({ h2: 0, g1: 0 });
  memoryTable.remove(phantom);
  expectAllRight();
  expect(await run()).toMatchObject({ wrong: 0, corrected: 0, moving: [] });
});

test('a counter that the stream changes meanwhile is named and left, and the others of its item are mended', async () => {
  await run();
  memoryTable.put({ ...cohortKey, ...memoryTable.read(cohortKey), x: 9, a: 9 });
  const { moving, corrected } = await run(async () => {
    memoryTable.put({ ...cohortKey, ...memoryTable.read(cohortKey), x: 10 });
  });
  expect([moving, corrected]).toEqual([[`${cohortKey.pk} ${cohortKey.sk} x`], 1]);
  expect(memoryTable.read(cohortKey)).toMatchObject({ x: 10, a: 2 });
  expect(await run()).toMatchObject({ wrong: 1, corrected: 1, moving: [] });
  expectAllRight();
});

test('what is only late is left to the stream', async () => {
  await run();
  const late = parcelOf(orderOf(1118, placed), [['SHIPMENT_EN_ROUTE', '2026-11-11T12:00:00.000Z']]);
  const result = await run(async () => memoryTable.put(shipmentItem(slug, late, 1)));
  expect(result).toMatchObject({ corrected: 0, moving: [] });
  expect(memoryTable.read(dayKey('2026-11-11'))).toMatchObject({ 's#dhl#DE': 3 });
});

describe('figures that the last release wrote, which kept them for five weeks', () => {
  const early = Date.parse('2026-11-10') / 1000 + 36 * 86_400;
  const asked = (day: string) => Date.parse(day) / 1000 + 761 * 86_400;
  const expiryAt = (key: { pk: string; sk: string }) => memoryTable.read(key)!.expires_at;
  const change = (key: { pk: string; sk: string }, changes: object) =>
    memoryTable.put({ ...memoryTable.read(key), ...key, ...changes });
  const testKey = keyOf.testCounts(slug, '01930000-0000-7000-8000-0000000000ab', '2026-11-10');

  test('are kept for as long as others, also if their counts are right or only occurrences', async () => {
    await run();
    const visited = dayKey('2026-11-12');
    memoryTable.put({ ...visited, pages_opened: 3, expires_at: early }, { ...testKey, 'o#0': 0, expires_at: early });
    change(dayKey('2026-11-10'), { expires_at: early });
    change(cohortKey, { expires_at: early, x: 7 });
    // What is kept for longer stays.
    change(dayKey('2026-11-13'), { expires_at: asked('2026-11-20') });
    expect(await run()).toMatchObject({ wrong: 5, corrected: 5, moving: [] });
    expect([dayKey('2026-11-10'), visited, cohortKey, testKey, dayKey('2026-11-13')].map(expiryAt)).toEqual([
      asked('2026-11-10'),
      asked('2026-11-12'),
      asked('2026-11-11'),
      asked('2026-11-10'),
      asked('2026-11-20'),
    ]);
    expect(memoryTable.read(visited)).toMatchObject({ pages_opened: 3 });
    expect(await run()).toMatchObject({ wrong: 0, corrected: 0, moving: [] });
    memoryTable.remove(visited);
    memoryTable.remove(testKey);
    expectAllRight();
  });

  test('are kept also if very many of their counters are wrong', async () => {
    await run();
    const names = Array.from({ length: 120 }, (_, i) => [`h${1000 + i}`, 1]);
    change(cohortKey, { expires_at: early, ...Object.fromEntries(names) });
    expect(await run()).toMatchObject({ wrong: 121, corrected: 121, moving: [] });
    expect(expiryAt(cohortKey)).toBe(asked('2026-11-11'));
  });

  test('are named and left if they change meanwhile', async () => {
    await run();
    change(cohortKey, { expires_at: early });
    const { moving, corrected } = await run(async () => change(cohortKey, { expires_at: early + 1 }));
    expect([moving, corrected]).toEqual([[`${cohortKey.pk} ${cohortKey.sk} expires_at`], 0]);
    expect(expiryAt(cohortKey)).toBe(early + 1);
  });
});

describe('an A/B test', () => {
  const uuid = '01930000-0000-7000-8000-0000000000ab';
  const recordOf = (fields: object) => ({
    ...keyOf.record('abTests', slug, uuid),
    uuid,
    shop_slug: slug,
    created_at: '2026-11-01T00:00:00.000Z',
    updated_at: '2026-11-01T00:00:00.000Z',
    name: 'Test',
    segment: everybody,
    campaign_type: 'product',
    campaigns: [{ campaign_id: 'a', allocation: 100 }],
    has_holdout: false,
    holdout_percentage: 0,
    start_date: '2026-11-05T00:00:00.000Z',
    end_date: null,
    ended_at: null,
    counted: true,
    ...fields,
  });
  const key = keyOf.testCounts(slug, uuid, '2026-11-10');

  test('that ran is counted', async () => {
    memoryTable.put(recordOf({}));
    await run();
    expect(memoryTable.read(key)).toBeDefined();
  });

  test('that was ended long before its start is not, and the shop is counted all the same', async () => {
    memoryTable.put(recordOf({ start_date: '2027-01-01T00:00:00.000Z', ended_at: '2026-11-02T00:00:00.000Z' }));
    expect(await run()).toMatchObject({ moving: [], leftAlone: [] });
    expectAllRight();
  });
});
