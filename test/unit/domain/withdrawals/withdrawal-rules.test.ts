import { describe, expect, test } from 'vitest';
import { newOrderId, type OrderWithShipments, type Shipment } from '#domain/orders/model.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { fulfilled, newShipment, reported } from '#domain/orders/shipment-rules.ts';
import { isOffered, periodOf, settled, type Withdrawal } from '#domain/withdrawals/withdrawal-rules.ts';
import type { Direction, ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';

const placed = new Date('2024-01-02T08:00:00.000Z');

type Told = [name: ShipmentEventName, time: string, zone?: string | undefined];

interface Parcel {
  events: Told[];
  direction?: Direction;
  /** Without a tracking number. */
  isDraft?: boolean;
}

function orderWith(parcels: readonly Parcel[], country_code = 'DE'): OrderWithShipments {
  const input = { order_number: '1', address: { country_code }, expected_number_of_shipments: 0 };
  const order = { ...newOrder(newOrderId(placed), input, placed), drafts: [], shipments: parcels.map((_, i) => i + 1) };
  return { order, shipments: parcels.map((parcel, i) => shipmentOf(order, i + 1, parcel)) };
}

function shipmentOf(order: OrderWithShipments['order'], slot: number, parcel: Parcel): Shipment {
  const at = placed.toISOString();
  const announced = newShipment(order, slot, parcel.direction ?? 'merchant_customer', at);
  const carrier = { tracking_number: `P${slot}`, carrier_reference: null, tracking_url: null, placed_at: at };
  const sent = parcel.isDraft ? announced : fulfilled(announced, carrier, at);
  return parcel.events.reduce(
    (shipment, [event_name, time, timezone]) =>
      reported(shipment, { event: { event_name, time, ...(timezone && { timezone }) } }, time).shipment,
    sent,
  );
}

const delivered = (time: string, zone?: string): Parcel => ({ events: [['SUCCESSFULLY_DELIVERED', time, zone]] });
const onTheWay: Parcel = { events: [['SHIPMENT_EN_ROUTE', '2026-11-10T08:00:00.000Z']] };
const deadlineOf = (parcels: readonly Parcel[], country = 'DE', days = 14) =>
  periodOf(orderWith(parcels, country), days).deadline;

describe('the deadline of a withdrawal', () => {
  test.each<[why: string, parcels: Parcel[], country: string, days: number, deadline: string | null]>([
    ['counts from the day after', [delivered('2026-11-02T10:00:00Z')], 'DE', 14, '2026-11-16T22:59:59.999Z'],
    ['does not depend on the hour', [delivered('2026-11-02T05:00:00Z')], 'DE', 14, '2026-11-16T22:59:59.999Z'],
    [
      'is by the local day: late in the evening',
      [delivered('2026-11-02T22:59:00Z')],
      'DE',
      14,
      '2026-11-16T22:59:59.999Z',
    ],
    ['is by the local day: after midnight', [delivered('2026-11-02T23:01:00Z')], 'DE', 14, '2026-11-17T22:59:59.999Z'],
    ['is by the clock of Finland', [delivered('2026-11-02T22:30:00Z')], 'FI', 14, '2026-11-17T21:59:59.999Z'],
    ['is by the clock of Britain', [delivered('2026-11-02T23:30:00Z')], 'GB', 14, '2026-11-16T23:59:59.999Z'],
    ['is by the clock of Greece', [delivered('2026-11-02T10:00:00Z')], 'GR', 14, '2026-11-16T21:59:59.999Z'],
    [
      'is by the zone of the delivery itself',
      [delivered('2026-11-02T23:30:00Z', 'Atlantic/Canary')],
      'ES',
      14,
      '2026-11-16T23:59:59.999Z',
    ],
    [
      'is by the main clock of Spain where none is told',
      [delivered('2026-11-02T10:00:00Z')],
      'ES',
      14,
      '2026-11-16T22:59:59.999Z',
    ],
    [
      'passes over a zone that is none',
      [delivered('2026-11-02T10:00:00Z', 'Mars/Olympus')],
      'DE',
      14,
      '2026-11-16T22:59:59.999Z',
    ],
    ['is by UTC where nothing is known', [delivered('2026-11-02T10:00:00Z')], 'XX', 14, '2026-11-16T23:59:59.999Z'],
    ['follows the winter: 25 hours long', [delivered('2026-10-16T10:00:00Z')], 'DE', 14, '2026-10-30T22:59:59.999Z'],
    ['follows the summer: 23 hours long', [delivered('2026-03-17T10:00:00Z')], 'DE', 14, '2026-03-31T21:59:59.999Z'],
    [
      'is the end of the short day itself, moved to Monday',
      [delivered('2026-03-15T10:00:00Z')],
      'DE',
      14,
      '2026-03-30T21:59:59.999Z',
    ],
    [
      'is in winter what was handed over in summer',
      [delivered('2026-10-12T10:00:00Z')],
      'DE',
      14,
      '2026-10-26T22:59:59.999Z',
    ],
    ['moves from a Saturday', [delivered('2026-10-31T10:00:00Z')], 'DE', 14, '2026-11-16T22:59:59.999Z'],
    ['moves from a Sunday', [delivered('2026-11-01T10:00:00Z')], 'DE', 14, '2026-11-16T22:59:59.999Z'],
    ['moves from a holiday of the country', [delivered('2026-10-12T10:00:00Z')], 'AT', 14, '2026-10-27T22:59:59.999Z'],
    [
      'does not move from a holiday of another country',
      [delivered('2026-10-12T10:00:00Z')],
      'DE',
      14,
      '2026-10-26T22:59:59.999Z',
    ],
    ['moves over Christmas and a Sunday', [delivered('2026-12-11T10:00:00Z')], 'DE', 14, '2026-12-28T22:59:59.999Z'],
    ['moves into the next year', [delivered('2026-12-18T10:00:00Z')], 'DE', 14, '2027-01-04T22:59:59.999Z'],
    ['crosses the end of the year', [delivered('2025-12-29T10:00:00Z')], 'DE', 14, '2026-01-12T22:59:59.999Z'],
    [
      'moves from Good Friday to after Easter',
      [delivered('2026-03-20T10:00:00Z')],
      'DE',
      14,
      '2026-04-07T21:59:59.999Z',
    ],
    ['moves from the Orthodox Good Friday', [delivered('2026-03-27T10:00:00Z')], 'GR', 14, '2026-04-14T20:59:59.999Z'],
    ['counts 29 February', [delivered('2028-02-15T10:00:00Z')], 'DE', 14, '2028-02-29T22:59:59.999Z'],
    ['counts from 29 February', [delivered('2028-02-29T10:00:00Z')], 'DE', 14, '2028-03-14T22:59:59.999Z'],
    ['knows that other years have none', [delivered('2027-02-15T10:00:00Z')], 'DE', 14, '2027-03-01T22:59:59.999Z'],
    ['of 365 days is a year later', [delivered('2026-11-02T10:00:00Z')], 'DE', 365, '2027-11-02T22:59:59.999Z'],
    [
      'of 365 days is a day less over a leap day',
      [delivered('2027-11-02T10:00:00Z')],
      'DE',
      365,
      '2028-11-01T22:59:59.999Z',
    ],
    ['of 365 days from a leap day', [delivered('2028-02-29T10:00:00Z')], 'DE', 365, '2029-02-28T22:59:59.999Z'],
    ['of 30 days', [delivered('2026-11-02T10:00:00Z')], 'DE', 30, '2026-12-02T22:59:59.999Z'],
    [
      'is of the last of several parcels',
      [delivered('2026-11-02T10:00:00Z'), delivered('2026-11-05T10:00:00Z')],
      'DE',
      14,
      '2026-11-19T22:59:59.999Z',
    ],
    [
      'is of the last, whichever was sent first',
      [delivered('2026-11-05T10:00:00Z'), delivered('2026-11-02T10:00:00Z')],
      'DE',
      14,
      '2026-11-19T22:59:59.999Z',
    ],
    ['is not known while one is on its way', [delivered('2026-11-02T10:00:00Z'), onTheWay], 'DE', 14, null],
    [
      'is not known while one has no number yet',
      [delivered('2026-11-02T10:00:00Z'), { events: [['ORDER_CREATED', '2026-10-30T10:00:00Z']], isDraft: true }],
      'DE',
      14,
      null,
    ],
    ['is not known without a parcel', [], 'DE', 14, null],
    [
      'does not wait for a parcel that is lost',
      [delivered('2026-11-02T10:00:00Z'), { events: [['SHIPMENT_LOST', '2026-11-03T10:00:00Z']] }],
      'DE',
      14,
      '2026-11-16T22:59:59.999Z',
    ],
    [
      'does not wait for a parcel that was cancelled',
      [delivered('2026-11-02T10:00:00Z'), { events: [['SHIPMENT_CANCELLED', '2026-11-03T10:00:00Z']], isDraft: true }],
      'DE',
      14,
      '2026-11-16T22:59:59.999Z',
    ],
    [
      'does not wait for a parcel that went back',
      [delivered('2026-11-02T10:00:00Z'), { events: [['SHIPMENT_RETURNED_TO_SENDER', '2026-11-03T10:00:00Z']] }],
      'DE',
      14,
      '2026-11-16T22:59:59.999Z',
    ],
    [
      'is not known if all that was sent is lost',
      [{ events: [['SHIPMENT_LOST', '2026-11-03T10:00:00Z']] }],
      'DE',
      14,
      null,
    ],
    [
      'does not begin at the collection point',
      [{ events: [['ARRIVED_AT_PARCEL_SHOP', '2026-11-02T10:00:00Z']] }],
      'DE',
      14,
      null,
    ],
    [
      'begins when it is collected',
      [
        {
          events: [
            ['ARRIVED_AT_PARCEL_SHOP', '2026-11-02T10:00:00Z'],
            ['SUCCESSFULLY_COLLECTED', '2026-11-05T10:00:00Z'],
          ],
        },
      ],
      'DE',
      14,
      '2026-11-19T22:59:59.999Z',
    ],
    [
      'begins when it is collected, though the carrier called it delivered before',
      [
        {
          events: [
            ['SUCCESSFULLY_DELIVERED', '2026-11-02T10:00:00Z'],
            ['SUCCESSFULLY_COLLECTED_AT_PARCEL_LOCKER', '2026-11-05T10:00:00Z'],
          ],
        },
      ],
      'DE',
      14,
      '2026-11-19T22:59:59.999Z',
    ],
    [
      'begins with a neighbour',
      [{ events: [['SUCCESSFULLY_DELIVERED_TO_NEIGHBOR', '2026-11-02T10:00:00Z']] }],
      'DE',
      14,
      '2026-11-16T22:59:59.999Z',
    ],
    [
      'begins with the letterbox',
      [{ events: [['SUCCESSFULLY_DELIVERED_AND_LEFT_AT_LETTER_BOX', '2026-11-02T10:00:00Z']] }],
      'DE',
      14,
      '2026-11-16T22:59:59.999Z',
    ],
    [
      'begins with the first of two reports',
      [
        {
          events: [
            ['SUCCESSFULLY_DELIVERED', '2026-11-02T10:00:00Z'],
            ['USER_SUCCESSFULLY_DELIVERED', '2026-11-04T10:00:00Z'],
          ],
        },
      ],
      'DE',
      14,
      '2026-11-16T22:59:59.999Z',
    ],
    [
      'passes over a remark after the delivery',
      [
        {
          events: [
            ['SUCCESSFULLY_DELIVERED', '2026-11-02T10:00:00Z'],
            ['SHIPMENT_UPDATED_ETA', '2026-11-04T10:00:00Z'],
          ],
        },
      ],
      'DE',
      14,
      '2026-11-16T22:59:59.999Z',
    ],
    [
      'does not count a return',
      [delivered('2026-11-02T10:00:00Z'), { ...delivered('2026-11-20T10:00:00Z'), direction: 'customer_merchant' }],
      'DE',
      14,
      '2026-11-16T22:59:59.999Z',
    ],
    [
      'does not wait for a return',
      [delivered('2026-11-02T10:00:00Z'), { ...onTheWay, direction: 'customer_merchant' }],
      'DE',
      14,
      '2026-11-16T22:59:59.999Z',
    ],
  ])('%s', (_, parcels, country, days, deadline) => {
    expect(deadlineOf(parcels, country, days)).toBe(deadline);
  });

  test('says what it is based on', () => {
    const order = orderWith([delivered('2026-11-02T10:00:00Z'), delivered('2026-11-05T11:00:00Z')]);
    expect(periodOf(order, 14).basis).toEqual({
      state: 'handed_over',
      shipment_id: order.shipments[1]!.uuid,
      event_name: 'SUCCESSFULLY_DELIVERED',
      handed_over_at: '2026-11-05T11:00:00.000Z',
      days: 14,
      country_code: 'DE',
      time_zone: 'Europe/Berlin',
    });
    expect(periodOf(orderWith([onTheWay]), 14).basis).toMatchObject({ state: 'under_way', shipment_id: null });
  });
});

describe('a withdrawal is offered', () => {
  const order = orderWith([delivered('2026-11-02T10:00:00Z')]);
  const at = (time: string) => isOffered(order, periodOf(order, 14), new Date(time));

  test('until the last moment, and not after it', () => {
    expect(at('2026-11-16T22:59:59.999Z')).toBe(true);
    expect(at('2026-11-16T23:00:00.000Z')).toBe(false);
  });

  test('while parcels are under way, and where nothing was sent', () => {
    for (const parcels of [[onTheWay], []]) {
      const other = orderWith(parcels);
      expect(isOffered(other, periodOf(other, 14), new Date('2030-01-01'))).toBe(true);
    }
  });

  test('not if everything was cancelled', () => {
    const other = orderWith([{ events: [['ORDER_CANCELLED', '2026-11-02T10:00:00Z']], isDraft: true }]);
    expect(isOffered(other, periodOf(other, 14), new Date('2026-11-03'))).toBe(false);
  });
});

describe('a withdrawal moves', () => {
  const author = { at: '2026-11-10T10:00:00.000Z', by: 'key', by_name: 'Anna' };
  const statuses = ['declared', 'accepted', 'refunded', 'rejected'] as const;
  const withdrawal = (status: Withdrawal['status']): Withdrawal => ({
    uuid: 'w',
    order_id: 'o',
    order_number: '1',
    items: [],
    declared_at: '2026-11-09T10:00:00.000Z',
    deadline: null,
    based_on: periodOf(orderWith([]), 14).basis,
    status,
    comment: null,
    name: 'Anna',
    email_id: 'anna@example.com',
    history: [{ at: '2026-11-09T10:00:00.000Z', status: 'declared', by: 'customer', by_name: null, comment: null }],
  });
  const allowed = ['declared accepted', 'declared rejected', 'accepted refunded'];

  test.each(statuses.flatMap((from) => statuses.map((to) => [from, to] as const)))('from %s to %s', (from, to) => {
    const move = () => settled(withdrawal(from), { status: to, comment: from === to ? null : 'Why.' }, author);
    if (from === to) return expect(move()).toBeUndefined();
    if (!allowed.includes(`${from} ${to}`)) {
      return expect(move).toThrow(expect.objectContaining({ key: 'withdrawal_transition_invalid' }));
    }
    const after = move()!;
    expect(after).toMatchObject({ status: to, comment: 'Why.' });
    return expect(after.history.at(-1)).toEqual({ ...author, status: to, comment: 'Why.' });
  });

  test('not by another comment alone, and keeps its comment where none is given', () => {
    expect(() => settled(withdrawal('declared'), { status: 'declared', comment: 'Other.' }, author)).toThrow();
    const accepted = settled(withdrawal('declared'), { status: 'accepted', comment: 'Why.' }, author)!;
    expect(settled(accepted, { status: 'refunded' }, author)).toMatchObject({ status: 'refunded', comment: 'Why.' });
  });
});
