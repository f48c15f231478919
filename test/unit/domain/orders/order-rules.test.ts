import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Order, Shipment, ShipmentEvent } from '#domain/orders/model.ts';
import { newOrderId, orderIdOf, shipmentId, slotOf } from '#domain/orders/model.ts';
import { pack, unpack } from '#domain/orders/order-items.ts';
import {
  allShipments,
  changedOrder,
  fulfil,
  newOrder,
  orderState,
  shipmentById,
  timeOfChange,
  withNewerParcels,
  withoutShipment,
  withShipment,
} from '#domain/orders/order-rules.ts';
import { actionsOf, type OrderChange } from '#domain/orders/order-store.ts';
import { outboxEvent, outboxEvents, toOrderWithShipments, withSnapshot } from '#domain/orders/outbox.ts';
import {
  asDraft,
  canHappen,
  currentEvent,
  currentFlag,
  currentPhase,
  inOrder,
  latestEvents,
  newShipment,
  type Report,
  reported,
} from '#domain/orders/shipment-rules.ts';
import { withPage } from '#domain/orders/tracking-page.ts';
import { utc } from '#platform/time.ts';
import { isRemark, shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';

process.env.TABLE_NAME = 'table';

const now = new Date('2026-11-14T12:00:00.000Z');
const later = new Date('2026-11-14T13:00:00.000Z');
const at = (minute: number) => new Date(Date.UTC(2026, 10, 14, 10, minute)).toISOString();
const event = (event_name: ShipmentEvent['event_name'], minute: number): ShipmentEvent => ({
  event_name,
  time: at(minute),
});
const order = (expected: number): Order =>
  newOrder(newOrderId(now), { order_number: '1', expected_number_of_shipments: expected }, now);
const tracking = (tracking_number: string) => ({
  tracking_number,
  carrier_reference: null,
  tracking_url: null,
  placed_at: at(0),
  products: undefined,
});

describe('the other parcels of an order, beside those of a write,', () => {
  const placed = order(3);
  const { order: seen, shipments } = fulfil(
    { order: placed, shipments: [] },
    undefined,
    [tracking('A'), tracking('B')],
    at(0),
  );
  const [a, b] = shipments as [Shipment, Shipment];
  const changed = (shipment: Shipment, minute: number): Shipment =>
    reported(shipment, { event: event('SHIPMENT_EN_ROUTE', minute) }, at(minute)).shipment;
  const own = new Set([a.uuid]);

  test('are taken as they are by now, and the parcels of the write stay as it left them', () => {
    const current = { order: seen, shipments: [changed(a, 9), changed(b, 5)] };
    expect(withNewerParcels({ order: seen, shipments }, current, own)).toEqual({
      order: seen,
      shipments: [changed(b, 5), a],
    });
  });

  test('are never taken older than the write knew them', () => {
    const known = { order: seen, shipments: [a, changed(b, 5)] };
    expect(withNewerParcels(known, { order: seen, shipments }, own).shipments).toEqual([changed(b, 5), a]);
  });

  test('may have got a number, or be gone', () => {
    const [draft] = allShipments({ order: seen, shipments }).filter(({ tracking_number }) => tracking_number === null);
    const sent = changed(draft!, 3);
    const now = {
      ...withShipment(withoutShipment({ order: seen, shipments }, b, at(3)).order, sent),
      order_name: 'renamed',
    };
    const result = withNewerParcels({ order: seen, shipments }, { order: now, shipments: [a, sent] }, own);
    expect(allShipments(result).map(({ uuid }) => uuid)).toEqual([a.uuid, sent.uuid]);
    expect(result.order.order_name).toBeUndefined();
  });

  test('do not stand beside a parcel whose place they took: one that is gone has the order that the write left', () => {
    const left = { order: seen, shipments };
    const { order: without } = withoutShipment(left, a, at(3));
    const again = fulfil({ order: without, shipments: [b] }, seen, [tracking('A')], at(4));
    const current = { order: again.order, shipments: [b, ...again.shipments] };
    expect(withNewerParcels(left, current, own)).toEqual(left);
  });

  test('do not replace the drafts that the write is about', () => {
    const drafts = new Set(placed.drafts.map(({ slot }) => shipmentId(placed.uuid, slot)));
    const result = withNewerParcels({ order: placed, shipments: [] }, { order: seen, shipments }, drafts);
    expect(result).toEqual({ order: placed, shipments: [] });
  });
});

test('a change of an order is later than all changes before it', () => {
  const placed = order(1);
  const ahead = { ...newShipment(placed, 2, 'merchant_customer', at(0)), updated_at: '2026-11-14T12:30:00.000Z' };
  expect(timeOfChange({ order: placed, shipments: [] }, later)).toEqual(later);
  const time = timeOfChange({ order: placed, shipments: [ahead] }, now);
  expect(time.toISOString()).toBe('2026-11-14T12:30:00.001Z');
});

test('a shipment is found by its id, whether it is a draft or has a number, and by nothing else', () => {
  const placed = order(3);
  const loaded = fulfil({ order: placed, shipments: [] }, undefined, [tracking('A')], at(0));
  const all = allShipments(loaded);
  expect(all.map(({ tracking_number }) => tracking_number)).toEqual(['A', null, null]);
  expect(all.map(({ uuid }) => shipmentById(loaded, uuid))).toEqual(all);
  const others = [
    shipmentId(placed.uuid, 9),
    shipmentId(newOrderId(later), 2),
    placed.uuid,
    all[1]!.uuid.toUpperCase(),
    '',
  ];
  expect(others.map((id) => shipmentById(loaded, id))).toEqual(others.map(() => undefined));
});

describe('the ids', () => {
  test('of shipments contain the id of the order and the slot', () => {
    const orderId = newOrderId(now);
    const shipment = shipmentId(orderId, 4095);
    expect(orderIdOf(shipment.toUpperCase())).toBe(orderId);
    expect(slotOf(shipment)).toBe(4095);
    expect(shipment).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('of later orders sort after those of earlier ones', () => {
    expect(newOrderId(later) > newOrderId(now)).toBe(true);
  });
});

describe('the current event of a shipment', () => {
  test.each([
    ['the newest', [event('SHIPMENT_EN_ROUTE', 1), event('IN_DELIVERY', 2)], 'IN_DELIVERY'],
    ['the newest, even if it arrived first', [event('IN_DELIVERY', 2), event('SHIPMENT_EN_ROUTE', 1)], 'IN_DELIVERY'],
    [
      "the carrier's, even if the shop reported later",
      [event('SHIPMENT_EN_ROUTE', 1), event('ORDER_PROCESSED', 9)],
      'SHIPMENT_EN_ROUTE',
    ],
    [
      'ORDER_PROCESSED rather than ORDER_CREATED, whatever their times',
      [event('ORDER_PROCESSED', 1), event('ORDER_CREATED', 5)],
      'ORDER_PROCESSED',
    ],
    [
      'the one further along when times are equal',
      [event('SUCCESSFULLY_DELIVERED', 1), event('SHIPMENT_EN_ROUTE', 1)],
      'SUCCESSFULLY_DELIVERED',
    ],
    [
      'never a remark that came later',
      [event('SUCCESSFULLY_DELIVERED', 1), event('MORE_INFO_ON_CARRIER_WEBSITE', 2), event('PATCHED', 3)],
      'SUCCESSFULLY_DELIVERED',
    ],
    ['never a remark that came first', [event('PATCHED', 1), event('ORDER_CREATED', 2)], 'ORDER_CREATED'],
    [
      'never a remark about what only the shop has reported',
      [event('ORDER_PROCESSED', 1), event('CARRIER_UNKNOWN', 2)],
      'ORDER_PROCESSED',
    ],
    ['a remark if there is nothing else', [event('SHIPMENT_UPDATED_PICKUP', 1)], 'SHIPMENT_UPDATED_PICKUP'],
    ['the newest of remarks alone', [event('PATCHED', 2), event('CARRIER_UNKNOWN', 1)], 'PATCHED'],
  ])('is %s', (_, events, name) => {
    expect(currentEvent(events).event_name).toBe(name);
  });

  test('determines the phase and the flag', () => {
    const events = [event('ORDER_PROCESSED', 1)];
    const onItsWay = [...events, event('SHIPMENT_EN_ROUTE', 2)];
    expect(currentPhase({ events, direction: 'merchant_customer' })).toBe('order_processed');
    expect(currentPhase({ events, direction: 'customer_merchant' })).toBe('return_created');
    expect(currentPhase({ events: onItsWay, direction: 'customer_partner' })).toBe('in_transit');
    expect(currentFlag({ events: [event('DELAY_IN_TRANSPORT', 1)], direction: 'merchant_customer' })).toBe('delay');
  });

  test('stays after every remark', () => {
    const remarks = shipmentEventNames.filter(isRemark).map((remark, i) => event(remark, 5 + i));
    for (const name of shipmentEventNames.filter((one) => !isRemark(one))) {
      const known = [event('ORDER_CREATED', 0), event(name, 1)];
      expect(currentEvent([...known, ...remarks]), name).toEqual(currentEvent(known));
    }
  });

  test('is followed by the remarks that came after it', () => {
    const [early, delivered, late, later] = [
      event('PATCHED', 1),
      event('SUCCESSFULLY_DELIVERED', 2),
      event('PATCHED', 3),
      event('SHIPMENT_UPDATED_ETA', 4),
    ] as const;
    expect(latestEvents([later, late, delivered, early])).toEqual([delivered, late, later]);
    expect(latestEvents([early, late])).toEqual([late]);
  });

  test('does not depend on the order of arrival when times are equal', () => {
    const events = [event('IN_DELIVERY', 1), event('OUT_FOR_DELIVERY', 1)];
    for (const arriving of [events, events.toReversed()]) {
      expect(arriving.toSorted(inOrder)).toEqual(events);
      expect(currentEvent(arriving).event_name).toBe('OUT_FOR_DELIVERY');
    }
  });
});

describe('an order', () => {
  test('expects one parcel, in euros, unless the request says otherwise', () => {
    const { drafts, currency, discount_price, external_id } = newOrder(newOrderId(now), { order_number: '7' }, now);
    expect({ drafts: drafts.length, currency, discount_price, external_id }).toEqual({
      drafts: 1,
      currency: 'EUR',
      discount_price: 0,
      external_id: '7',
    });
  });

  test.each([
    [2, 0, 'placed'],
    [2, 1, 'partially_fulfilled'],
    [2, 2, 'fulfilled'],
    [1, 2, 'fulfilled'],
    [0, 0, 'placed'],
  ])('with %i expected parcels and %i numbers is %s', (expected, numbers, state) => {
    const placed = order(expected);
    const trackings = Array.from({ length: numbers }, (_, i) => tracking(String(i)));
    const { order: after, shipments } = fulfil(
      { order: placed, shipments: [] },
      placed,
      trackings,
      later.toISOString(),
    );
    expect(orderState({ order: after, shipments })).toBe(state);
  });

  test('is not fulfilled by a returned parcel', () => {
    const placed = order(1);
    const back = {
      ...newShipment(placed, 2, 'customer_merchant', at(0)),
      tracking_number: 'R',
      events: [event('ORDER_PROCESSED', 0)],
    };
    expect(orderState({ order: placed, shipments: [back] })).toBe('placed');
  });

  test('gives the first numbers to its drafts in their order and adds parcels beyond them', () => {
    const placed = order(2);
    const { order: after, shipments } = fulfil(
      { order: placed, shipments: [] },
      placed,
      ['a', 'b', 'c'].map(tracking),
      later.toISOString(),
    );
    expect(shipments.map(({ uuid }) => slotOf(uuid))).toEqual([1, 2, 3]);
    expect([after.drafts, after.shipments, after.next_slot]).toEqual([[], [1, 2, 3], 4]);
    expect(shipments[0]!.events.map(({ event_name }) => event_name)).toContain('ORDER_CREATED');
    expect(shipments[2]!.events.map(({ event_name }) => event_name)).toEqual(['ORDER_PROCESSED']);
  });

  test('drops its last drafts when it expects fewer parcels and never reuses their slots', () => {
    const placed = order(3);
    const fewer = changedOrder({ order: placed, shipments: [] }, { expected_number_of_shipments: 1 }, later);
    expect(fewer.drafts.map(({ slot }) => slot)).toEqual([1]);
    const more = changedOrder({ order: fewer, shipments: [] }, { expected_number_of_shipments: 2 }, later);
    expect(more.drafts.map(({ slot }) => slot)).toEqual([1, 4]);
  });

  test('keeps the fields that an update does not name', () => {
    const placed = newOrder(
      newOrderId(now),
      { order_number: '1', external_id: 'x', email_id: 'a@b.c', segments: ['s'] },
      now,
    );
    const changed = changedOrder({ order: placed, shipments: [] }, { email_id: 'd@e.f' }, later);
    expect(changed).toMatchObject({
      external_id: 'x',
      email_id: 'd@e.f',
      segments: ['s'],
      order_placed_at: placed.order_placed_at,
    });
  });

  test('loses a deleted shipment and nothing else, and remembers when', () => {
    const { order: after, shipments } = fulfil(
      { order: order(1), shipments: [] },
      undefined,
      ['a', 'b'].map(tracking),
      at(5),
    );
    const { order: left, draft } = withoutShipment({ order: after, shipments }, shipments[0]!, at(6));
    const changed = { shipments: [2], removed: { A: at(6) }, updated_at: at(6) };
    expect([left, draft]).toEqual([{ ...after, ...changed }, undefined]);
  });

  test('lists its drafts among its shipments', () => {
    const placed = order(2);
    expect(allShipments({ order: placed, shipments: [] }).map(({ tracking_number }) => tracking_number)).toEqual([
      null,
      null,
    ]);
  });
});

describe('a report of an event', () => {
  const shipment = asDraft(newShipment(order(1), 1, 'merchant_customer', at(0)));

  test('is ignored when the shipment has that event at that time', () => {
    expect(reported(shipment, { event: event('ORDER_CREATED', 0) }, at(9))).toEqual({ shipment, isNew: false });
  });

  test('that arrives late is sorted by its time and does not replace a newer forecast', () => {
    const forecast = { expected_delivery: { start: at(30) } };
    const { shipment: first } = reported(shipment, { event: event('IN_DELIVERY', 8), ...forecast }, at(9));
    const { shipment: second } = reported(
      first,
      { event: event('SHIPMENT_EN_ROUTE', 4), expected_delivery: { start: at(50) } },
      at(10),
    );
    expect(second.events.map(({ event_name }) => event_name)).toEqual([
      'ORDER_CREATED',
      'SHIPMENT_EN_ROUTE',
      'IN_DELIVERY',
    ]);
    expect(second.expected_delivery?.start).toBe(at(30));
  });
});

describe('several reports of the same time', () => {
  const shipment = newShipment(order(1), 1, 'merchant_customer', at(0));
  const reports = [
    { event: event('IN_DELIVERY', 8), expected_delivery: { start: at(30) } },
    { event: event('OUT_FOR_DELIVERY', 8), expected_delivery: { start: at(50) } },
  ];

  const arriving = (list: typeof reports) => list.reduce((s, report) => reported(s, report, at(9)).shipment, shipment);

  test('leave the same forecast in whatever order they arrive, also for the same event', () => {
    const twice = [reports[0]!, { ...reports[0]!, expected_delivery: { start: at(40) } }];
    expect(arriving(twice)).toEqual(arriving(twice.toReversed()));
    expect(arriving(reports)).toEqual(arriving(reports.toReversed()));
    expect([twice, reports].map((list) => arriving(list).expected_delivery!.start)).toEqual([at(40), at(50)]);
  });
});

describe('several forecasts for the same event', () => {
  const shipment = newShipment(order(1), 1, 'merchant_customer', at(0));
  const forecast = (start: string, updated_at?: string): Report => ({
    event: event('IN_DELIVERY', 8),
    expected_delivery: { start, ...(updated_at && { updated_at }) },
  });
  const arriving = (list: readonly Report[]) =>
    list.reduce((s, report, i) => reported(s, report, at(20 + i)).shipment, shipment).expected_delivery;

  test('leave the one that was made last, also if it is earlier, in whatever order they arrive', () => {
    const made = [forecast(at(50), at(9)), forecast(at(30), at(10)), forecast(at(40), at(8))];
    for (const list of [made, made.toReversed(), [made[1]!, made[2]!, made[0]!]])
      expect(arriving(list)).toEqual({ start: at(30), updated_at: at(10) });
  });

  test('are compared by the moment at which they were made, not by how it is written', () => {
    const local = (time: string) => `${time.slice(0, -1)}-12:00`;
    const made = [forecast(at(30), local(at(9))), forecast(at(50), at(10))];
    for (const list of [made, made.toReversed()]) expect(arriving(list)?.start).toBe(at(30));
  });

  test('that do not say when they were made count from when they arrived', () => {
    expect(arriving([forecast(at(50)), forecast(at(30))])).toEqual({ start: at(30), updated_at: at(21) });
  });

  test('that are the same and do not say when they were made change nothing', () => {
    const once = reported(shipment, forecast(at(30)), at(20)).shipment;
    expect(reported(once, forecast(at(30)), at(21)).shipment).toBe(once);
  });
});

describe('a write', () => {
  // A number that is not written as numbers are compared has a second reference.
  test.each([
    ['T', 46, 99],
    ['t', 31, 100],
  ])('of the largest fulfilment fits into one transaction (%s)', (letter, length, expected) => {
    const shop = { slug: 's', uuid: newOrderId(now) };
    const trackings = Array.from({ length }, (_, i) => tracking(`${letter}${i}`));
    const { order: after, shipments } = fulfil({ order: order(100), shipments: [] }, undefined, trackings, at(5));
    const events = [
      ...outboxEvents('ORDER_CREATED', allShipments({ order: after, shipments: [] }), at(5)),
      ...outboxEvents('ORDER_PROCESSED', shipments, at(5)),
    ];
    const actions = actionsOf({
      shop,
      before: undefined,
      order: withPage(after),
      shipments,
      fulfilled: shipments,
      events,
      now: at(5),
    });
    // DynamoDB takes 100 in one transaction, and another tracking would need two or three.
    expect(actions.length).toBe(expected);
    const written = actions.map(({ Put }) => `${Put!.Item!.pk} ${Put!.Item!.sk}`);
    for (const { uuid } of shipments) expect(written).toContainEqual(expect.stringContaining(uuid));
  });

  test('stores the resulting order once for all events with items of their own', () => {
    const shop = { slug: 's', uuid: newOrderId(now) };
    const { order: whole, shipments } = fulfil(
      { order: order(3), shipments: [] },
      undefined,
      ['a', 'b', 'c'].map(tracking),
      at(5),
    );
    const [first, second, third] = shipments as [Shipment, Shipment, Shipment];
    const before = { order: whole, shipments, version: 1, versions: new Map(shipments.map(({ uuid }) => [uuid, 1])) };
    const changed = { ...first, tracking_url: 'https://changed.example' };
    const written = (change: Partial<OrderChange>) =>
      actionsOf({ shop, before, now: at(6), ...change })
        .map(({ Put }) => Put?.Item ?? {})
        .filter(({ kind }) => kind === 'event');
    const events = (['ORDER_CREATED', 'ORDER_PROCESSED'] as const).map((name) =>
      outboxEvent(second, { event_name: name, time: at(6) }, at(6)),
    );
    const [one, other] = written({ shipments: [changed], removed: [third], events });
    const carried = allShipments(toOrderWithShipments(one!.snapshot));
    expect(carried.map(({ tracking_number, tracking_url }) => [tracking_number, tracking_url])).toEqual([
      ['a', 'https://changed.example'],
      ['b', null],
    ]);
    expect(carried).toEqual([changed, second]);
    expect(other).toMatchObject({ snapshot_in: one!.id });
    expect(other!.snapshot).toBeUndefined();

    const renamed = { ...whole, order_name: 'renamed' };
    const [cancelled] = written({ order: renamed, events: events.slice(0, 1) });
    expect(toOrderWithShipments(cancelled!.snapshot)).toEqual({ order: renamed, shipments });
  });

  test('stores no order with its events when it is too large for them', () => {
    const random = Array.from({ length: 2_000 }, (_, i) => createHash('sha256').update(String(i)).digest('base64'));
    const [event] = outboxEvents('ORDER_CREATED', allShipments({ order: order(1), shipments: [] }), at(5));
    const noisy = { ...order(1), order_name: random.join('') };
    const long = { ...order(1), order_name: 'x'.repeat(1024 * 1024) };
    for (const large of [noisy, long]) expect(withSnapshot([event!], { order: large, shipments: [] })).toEqual([event]);
  });

  test('is compressed and read back unchanged', () => {
    const document = { text: 'ä\u0000😀', number: 1e300, none: null, list: [{}] };
    expect(unpack(pack(document))).toEqual(document);
  });

  test('is refused with a clear error when it outgrows an item', () => {
    const random = Array.from({ length: 15_000 }, (_, i) =>
      createHash('sha256').update(String(i)).digest('base64'),
    ).join('');
    expect(() => pack({ random })).toThrow('payload_too_large');
  });

  test('has the same event id however often it is repeated', () => {
    const { shipments } = fulfil({ order: order(2), shipments: [] }, undefined, ['a', 'b'].map(tracking), at(5));
    const [first] = outboxEvents('ORDER_PROCESSED', shipments, at(6));
    const [second] = outboxEvents('ORDER_PROCESSED', shipments, at(7));
    expect(first!.id).toBe(second!.id);
    expect(first).toMatchObject({
      ref: 'shipments/order_processed/ORDER_PROCESSED',
      event_group: 'shipment_pre_transit',
    });
  });
});

describe('an event that takes a carrier', () => {
  test('can happen to a parcel with a tracking number and not to a draft', () => {
    const taken = event('IN_DELIVERY', 1);
    expect(canHappen(taken, { tracking_number: 'T1' })).toBe(true);
    expect(canHappen(taken, { tracking_number: null })).toBe(false);
    expect(canHappen(event('ORDER_DELAYED', 1), { tracking_number: null })).toBe(true);
    expect(canHappen(event('SHIPMENT_CANCELLED', 1), { tracking_number: null })).toBe(true);
  });
});

describe('the events of a return', () => {
  const returnParcel = newShipment(order(0), 1, 'customer_merchant', at(0));

  test('announce the return when they begin it', () => {
    expect(outboxEvents('ORDER_CREATED', [asDraft(returnParcel)], at(1))).toMatchObject([
      { ref: 'shipments/return_created/ORDER_CREATED', event_group: 'return_shipment_created' },
    ]);
  });

  test('of the same time stay in the order of the journey', () => {
    const names = ['SHIPMENT_EN_ROUTE', 'ORDER_PROCESSED', 'ORDER_CREATED'] as const;
    const reports = names.map((name) => ({ event: event(name, 3) }));
    const after = reports.reduce((parcel, report) => reported(parcel, report, at(4)).shipment, returnParcel);
    expect(after.events.map(({ event_name }) => event_name)).toEqual(names.toReversed());
  });
});

describe('a time in a request', () => {
  test.each([
    ['2026-11-14T12:00:00Z', '2026-11-14T12:00:00.000Z'],
    ['2026-11-14T12:00:00+01:00', '2026-11-14T11:00:00.000Z'],
    ['2026-11-14T12:00:00+0100', '2026-11-14T11:00:00.000Z'],
    ['2026-11-14T12:00:00-05', '2026-11-14T17:00:00.000Z'],
    ['2026-11-14t12:00:00z', '2026-11-14T12:00:00.000Z'],
    ['2026-11-14 12:00:00Z', '2026-11-14T12:00:00.000Z'],
    ['2026-12-31T23:59:60Z', '2026-12-31T23:59:59.000Z'],
    ['2026-12-31T23:59:60', '2026-12-31T23:59:59.000Z'],
    ['2026-11-14T12:00:00', '2026-11-14T12:00:00.000Z'],
    ['2026-11-14 12:00:00.5', '2026-11-14T12:00:00.500Z'],
    ['2026-11-14T12:00:00.123456Z', '2026-11-14T12:00:00.123Z'],
    ['9999-12-31T23:59:59-23:00', '9999-12-31T23:59:59.999Z'],
    ['0000-01-01T00:00:00+23:00', '0000-01-01T00:00:00.000Z'],
  ])('%s is stored as %s, wherever the machine is', (given, expected) => {
    vi.stubEnv('TZ', 'Asia/Tokyo');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(utc(given)).toBe(expected);
  });
});
