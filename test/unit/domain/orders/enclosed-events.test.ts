import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { contentOf, enclosedEvents, packed } from '#domain/orders/enclosed-events.ts';
import { newOrderId, type Order, type Shipment, withoutEnclosed } from '#domain/orders/model.ts';
import { type StoredItem, toOrder, toShipment } from '#domain/orders/order-items.ts';
import { fulfil, newOrder, withoutShipment } from '#domain/orders/order-rules.ts';
import { actionsOf, type OrderChange } from '#domain/orders/order-store.ts';
import { outboxEvent, outboxEvents, type ShipmentOutboxEvent } from '#domain/orders/outbox.ts';
import { draftShipment, reported } from '#domain/orders/shipment-rules.ts';
import { causedBy } from '#platform/correlation.ts';
import { linesOf, packLines } from '#platform/table/packed-text.ts';
import { enclosureLimits, outboxLimits } from '#schemas/catalogues/limits.ts';
import type { ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';

process.env.TABLE_NAME = 'table';

const shop = { slug: 'blue', uuid: 'shop-blue' };
const start = new Date('2026-11-16T08:00:00Z');
const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000).toISOString();

const carrier = { carrier_reference: 'dhl', tracking_url: null, products: null };
const tracking = (tracking_number: string) => ({ tracking_number, ...carrier, placed_at: at(1) });

const placed = (drafts = 1): Order =>
  newOrder(newOrderId(start), { order_number: '1', expected_number_of_shipments: drafts }, start);

/** An order whose drafts all got numbers. */
function sent(parcels = 1) {
  const trackings = Array.from({ length: parcels }, (_, i) => tracking(`T${i}`));
  const { order, ...made } = fulfil({ order: placed(parcels), shipments: [] }, undefined, trackings, at(1));
  const shipments = made.shipments.map((shipment): Shipment => ({ ...shipment, country: '-' }));
  return { order, shipments, version: 1, versions: new Map(shipments.map(({ uuid }) => [uuid, 1])) };
}

/** The items that a change writes, and what they announce. */
function written(change: Omit<OrderChange, 'shop' | 'now'> & { now?: string }) {
  const puts = actionsOf({ shop, now: at(5), ...change }).flatMap(({ Put }) => (Put ? [Put.Item as StoredItem] : []));
  return {
    items: puts,
    announced: puts.flatMap((item) => (item.document ? (contentOf(item).announcement ?? []) : [])),
    outbox: puts.filter(({ pk }) => pk.startsWith('OUTBOX#')),
  };
}

const reportedOf = (shipment: Shipment, name: ShipmentEventName, minutes: number) =>
  reported(shipment, { event: { event_name: name, time: at(minutes) } }, at(minutes)).shipment;

function report(before: ReturnType<typeof sent>, name: ShipmentEventName = 'SHIPMENT_EN_ROUTE', minutes = 5) {
  const [shipment] = before.shipments as [Shipment];
  const after = reportedOf(shipment, name, minutes);
  const event = outboxEvent(after, { event_name: name, time: at(minutes) }, at(minutes));
  return { shipment: after, event, ...written({ before, shipments: [after], events: [event], now: at(minutes) }) };
}

describe('an event of one shipment', () => {
  test('travels in the item of the shipment, which is all that is written', () => {
    const { items, announced, event } = report(sent());
    expect(items.map(({ sk }) => sk.split('#')[0])).toEqual(['SHIPMENT']);
    expect(announced).toMatchObject([{ region: process.env.AWS_REGION, events: [{ ...event, shop_slug: 'blue' }] }]);
  });

  test('brings the rest of the order as the write left it', () => {
    const before = sent(3);
    const { announced, shipment } = report(before);
    const [, ...others] = before.shipments;
    expect(announced[0]!.fullOrder.order).toEqual(before.order);
    expect(announced[0]!.fullOrder.shipments).toEqual([...others, shipment]);
  });

  test('is remembered by the item for as long as the outbox keeps others, and is not announced again', () => {
    const first = report(sent());
    const stored = toShipment(first.items[0]!);
    const second = report({ ...sent(), shipments: [stored] }, 'IN_DELIVERY', 10);
    expect(second.announced[0]!.events.map(({ event_name }) => event_name)).toEqual(['IN_DELIVERY']);
    const remembered = toShipment(second.items[0]!);
    const { order } = sent();
    expect(enclosedEvents('blue', { order, shipments: [remembered] })).toEqual(
      [first, second].map(({ event }) => ({ ...event, order_id: remembered.order_id, shop_slug: 'blue' })),
    );
    const later = report(
      { ...sent(), shipments: [remembered] },
      'SUCCESSFULLY_DELIVERED',
      outboxLimits.days * 24 * 60 + 7,
    );
    expect(toShipment(later.items[0]!).enclosed!.map(({ event_name }) => event_name)).toEqual([
      'IN_DELIVERY',
      'SUCCESSFULLY_DELIVERED',
    ]);
  });

  test('is dropped from what the next write announces, and stays in what the shipment remembers', () => {
    const stored = toShipment(report(sent()).items[0]!);
    const { items, announced } = written({
      before: sent(),
      shipments: [{ ...stored, tracking_url: 'https://a.example' }],
    });
    expect(announced).toEqual([]);
    expect(linesOf(items[0]!.document)).toHaveLength(1);
    expect(toShipment(items[0]!).enclosed).toHaveLength(1);
  });

  test('does not count, with the rest of the order, for what a request may read', () => {
    const { items, shipment } = report(sent(3));
    const lengths: number[] = [];
    toShipment(items[0]!, { addShipments: () => {}, addText: (bytes) => lengths.push(bytes) });
    expect(lengths).toEqual([JSON.stringify(toShipment(items[0]!)).length]);
    expect(lengths[0]).toBeLessThan(JSON.stringify(shipment).length + 200);
  });

  test('names the request that caused it', () => {
    const id = '0b8a6d5e-3f0d-4f57-9d44-0b2f5c7d9e11';
    const { announced } = causedBy(id, () => report(sent()));
    expect(announced[0]!.events[0]!.cause).toHaveLength(22);
    expect(report(sent()).announced[0]!.events[0]).not.toHaveProperty('cause');
  });

  test('towards the merchant keeps its direction', () => {
    const before = sent();
    const back = { ...before.shipments[0]!, direction: 'customer_merchant' as const };
    const { announced, event } = report({ ...before, shipments: [back] });
    expect(announced[0]!.events[0]).toMatchObject({ ref: event.ref, event_group: event.event_group });
  });

  test('that gives the parcel its number submits it for tracking', () => {
    const before = { order: placed(), shipments: [], version: 1, versions: new Map() };
    const { order, shipments } = fulfil(before, before.order, [tracking('T')], at(1));
    const events = outboxEvents('ORDER_PROCESSED', shipments, at(1));
    const { announced, outbox } = written({ before, order, shipments, fulfilled: shipments, events });
    expect(announced.map(({ submitted }) => submitted?.tracking_number)).toEqual(['T']);
    expect(outbox).toEqual([]);
  });

  test('is kept by the order when its shipment is removed', () => {
    const before = sent(2);
    const stored = toShipment(report(before).items[0]!);
    const loaded = { ...before, shipments: [stored, before.shipments[1]!] };
    const deletion = withoutShipment(loaded, stored, at(2));
    const { items } = written({ before: loaded, order: deletion.order, removed: [stored] });
    const order = toOrder(items.find(({ sk }) => sk === 'ORDER')!);
    const kept = enclosedEvents('blue', { order, shipments: [] });
    expect(kept).toEqual(enclosedEvents('blue', { order: before.order, shipments: [stored] }));
    expect(kept).toHaveLength(1);
  });
});

describe('an event of drafts', () => {
  const create = (drafts: number) => {
    const order = placed(drafts);
    const shipments = order.drafts.map((draft) => draftShipment(order, draft));
    const events = outboxEvents('ORDER_CREATED', shipments, order.created_at);
    return { order, events, ...written({ before: undefined, order, events }) };
  };

  test('travels in the item of the order', () => {
    const { order, events, announced, outbox } = create(3);
    expect(announced).toMatchObject([
      { events: [{ ...events[0], shop_slug: 'blue' }], fullOrder: { order, shipments: [] } },
    ]);
    expect(outbox).toEqual([]);
  });

  test('gets an item of its own if there are many', () => {
    const { announced, outbox } = create(enclosureLimits.events + 1);
    expect([announced.length, outbox.length]).toEqual([0, 1]);
  });
});

describe('an event names the version of each shipment after its write', () => {
  const versionsIn = (event: object) => (event as ShipmentOutboxEvent).shipments.map(({ version }) => version);

  test('in the item of the shipment', () => {
    const before = sent();
    const stored = { ...before, versions: new Map([[before.shipments[0]!.uuid, 6]]) };
    expect(report(stored).announced.flatMap(({ events }) => events.flatMap(versionsIn))).toEqual([7]);
  });

  test('in an item of its own, for each of its shipments', () => {
    const before = sent(2);
    const [first, second] = before.shipments as [Shipment, Shipment];
    const versions = new Map([
      [first.uuid, 3],
      [second.uuid, 8],
    ]);
    const shipments = before.shipments.map((shipment) => reportedOf(shipment, 'ORDER_CANCELLED', 5));
    const events = outboxEvents('ORDER_CANCELLED', shipments, at(5));
    const { outbox } = written({ before: { ...before, versions }, shipments, events });
    expect(outbox.flatMap(versionsIn)).toEqual([4, 9]);
  });

  test('as 0 while it is a draft line of its order, and as 1 in the write that makes it a shipment', () => {
    const order = placed(1);
    const [draft] = order.drafts.map((line) => draftShipment(order, line));
    const created = written({ before: undefined, order, events: outboxEvents('ORDER_CREATED', [draft!], at(0)) });
    expect(created.announced.flatMap(({ events }) => events.flatMap(versionsIn))).toEqual([0]);
    const before = { order, shipments: [], version: 1, versions: new Map() };
    const { order: after, shipments } = fulfil(before, order, [tracking('T')], at(1));
    const events = outboxEvents('ORDER_PROCESSED', shipments, at(1));
    const { announced } = written({ before, order: after, shipments, events });
    expect(announced.flatMap(({ events }) => events.flatMap(versionsIn))).toEqual([1]);
  });
});

describe('an event gets an item of its own', () => {
  test('if it is about several shipments', () => {
    const before = sent(2);
    const shipments = before.shipments.map((shipment) => reportedOf(shipment, 'ORDER_CANCELLED', 5));
    const { announced, outbox } = written({
      before,
      shipments,
      events: outboxEvents('ORDER_CANCELLED', shipments, at(5)),
    });
    expect([announced.length, outbox.length]).toEqual([0, 1]);
  });

  test('if the write has many', () => {
    const before = sent();
    const times = Array.from({ length: enclosureLimits.events + 1 }, (_, i) => 5 + i);
    const shipment = times.reduce(
      (parcel, minute) => reportedOf(parcel, 'SHIPMENT_EN_ROUTE', minute),
      before.shipments[0]!,
    );
    const events = times.map((minute) =>
      outboxEvent(shipment, { event_name: 'SHIPMENT_EN_ROUTE', time: at(minute) }, at(20)),
    );
    const { items, announced, outbox } = written({ before, shipments: [shipment], events });
    expect([announced.length, outbox.length]).toEqual([0, events.length]);
    expect(toShipment(items[0]!)).toEqual(shipment);
  });

  test('if the order is too large', () => {
    const noise = Array.from({ length: 100 }, (_, i) => createHash('sha256').update(`${i}`).digest('base64')).join('');
    const before = sent();
    const large = { ...before, order: { ...before.order, order_name: noise } };
    const { items, announced, outbox, shipment } = report(large);
    expect([announced.length, outbox.length]).toEqual([0, 1]);
    expect(toShipment(items[0]!)).toEqual(shipment);
  });

  test('if its order is simulated', () => {
    const before = sent();
    const { announced, outbox } = report({ ...before, order: { ...before.order, simulation_id: 's' } });
    expect([announced.length, outbox.length]).toEqual([0, 1]);
  });

  test('if its shipment is not written', () => {
    const before = sent();
    const event = outboxEvent(before.shipments[0]!, { event_name: 'SHIPMENT_EN_ROUTE', time: at(5) }, at(5));
    const { announced, outbox } = written({ before, order: before.order, events: [event] });
    expect([announced.length, outbox.length]).toEqual([0, 1]);
  });
});

test('an order without events of its own is stored as one line', () => {
  const order = placed();
  const { items, announced } = written({ before: undefined, order });
  expect(announced).toEqual([]);
  expect(withoutEnclosed(toOrder(items[0]!))).toEqual(order);
});

describe('what a write announces', () => {
  const { items, shipment } = report(sent(3));
  const [item] = items as [StoredItem];
  const [holder] = linesOf(item.document) as [Shipment];
  const announced = linesOf(item.announced!);

  test('is read as well from further lines of the document, where earlier releases stored it', () => {
    const earlier = { ...item, document: packLines([holder, ...announced], 100_000)! };
    delete earlier.announced;
    expect(contentOf(item).announcement?.events).toHaveLength(1);
    expect(contentOf(earlier)).toEqual(contentOf(item));
    expect(withoutEnclosed(toShipment(earlier))).toEqual(shipment);
  });

  test('is not enclosed if both together are too large', () => {
    const noise = Array.from({ length: 80 }, (_, i) => createHash('sha256').update(`${i}`).digest('base64')).join('');
    expect(packed(holder, [{ noise }])).toBeUndefined();
  });
});
