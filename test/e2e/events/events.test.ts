import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Tracking } from '#schemas/shapes/order-shapes.ts';
import { expectError, expectInvalid } from '#test/e2e/kit/errors.ts';
import {
  accepted,
  expectDone,
  type Fields,
  type Merchant,
  newMerchant,
  newNumber,
  type Query,
  trackingsOf,
} from '#test/e2e/kit/orders.ts';
import { api, superAdmin } from '#test/e2e/kit/shared-stack.ts';

let shop: Merchant;

beforeAll(async () => {
  shop = await newMerchant();
});

const post = (body: Fields, query: Query = {}) => shop.call('POST', '/shipment-events', { body, query });
const tomorrow = new Date(Date.now() + 24 * 3600 * 1000).toISOString();
const daysAhead = (days: number) => new Date(Date.parse(tomorrow) + days * 24 * 3600 * 1000).toISOString();

/** A fulfilled order with one shipment. */
async function parcel(fields: Fields = {}) {
  const number = newNumber('T');
  const order = await shop.order(fields, trackingsOf(number));
  const read = async (): Promise<Tracking> => (await shop.orderWith(order.order_number)).trackings[0]!;
  return { number, order, uuid: order.trackings[0]!.uuid, read };
}

const words = expect.stringMatching(/\S/);

const keysOf = ({ events }: { events: { event_key: string }[] }) => events.map(({ event_key }) => event_key);

describe('recording an event', () => {
  test('answers all events of the shipment in the order of their times', async () => {
    const { number, read } = await parcel();
    const body = { id: number, event_name: 'IN_DELIVERY', event_time: tomorrow, external_id: 'e-1' };
    const answer = accepted(await post(body));
    expect(answer).toEqual({
      events: [
        { event_key: 'ORDER_PROCESSED', time: expect.any(String), timezone: null, location: null },
        { event_key: 'IN_DELIVERY', time: tomorrow, timezone: null, location: null },
      ],
      expected_delivery: null,
      additional_info: null,
      pickup_location: null,
    });
    const tracking = await read();
    expect(tracking).toMatchObject({ phase: 'in_delivery', flag: 'normal' });
    expect(tracking.events.at(-1)).toEqual({
      event_key: 'IN_DELIVERY',
      event_name: 'IN_DELIVERY',
      phase: 'in_delivery',
      time: tomorrow,
      timezone: null,
      language: 'en',
      event_strings: {
        event_status: words,
        list_label: words,
        header_headline: words,
        header_title: words,
        header_subtitle: words,
      },
      location: null,
      additional_info: null,
    });
    const [record] = (await shop.shipments({ tracking_number: number })).shipments;
    expect(record).toMatchObject({ phase: 'in_delivery', flag: 'normal', current_event_key: 'IN_DELIVERY' });
    expect(record!.updated_at > record!.created_at).toBe(true);
  });

  test('is answered in the language that the reader requests', async () => {
    const { order } = await parcel();
    const eventsIn = async (language: string) => {
      const query = { order_number: order.order_number };
      const answer = await shop.call('GET', '/orders', { query, headers: { 'accept-language': language } });
      return accepted(answer)[0].trackings[0].events[0];
    };
    const [english, german] = [await eventsIn('en'), await eventsIn('de-AT,de;q=0.9')];
    expect([english.language, german.language]).toEqual(['en', 'de']);
    expect(german.event_strings.header_title).not.toBe(english.event_strings.header_title);
  });

  test('works at both spellings of the path and below the shipment', async () => {
    const { number, uuid } = await parcel();
    const singular = `/v1/shop/${shop.slug}/shipment-events`;
    accepted(await api('POST', singular, { key: superAdmin, body: { id: number, event_name: 'PARCEL_DISPATCHED' } }));
    accepted(await post({ id: number, event_name: 'OUT_FOR_DELIVERY' }));
    const answer = await shop.call('POST', `/shipments/${uuid}/events`, {
      body: { event_name: 'SUCCESSFULLY_DELIVERED' },
    });
    expect(keysOf(accepted(answer))).toEqual([
      'ORDER_PROCESSED',
      'PARCEL_DISPATCHED',
      'OUT_FOR_DELIVERY',
      'SUCCESSFULLY_DELIVERED',
    ]);
  });

  test('finds the shipment by each kind of id', async () => {
    const { order, number, uuid, read } = await parcel({ external_id: newNumber('E') });
    const ids = {
      external_order_id: order.external_id,
      order_number: order.order_number,
      order_uuid: order.uuid,
      shipment_uuid: uuid,
      tracking_number: number,
    };
    for (const [i, [id_type, id]] of Object.entries(ids).entries()) {
      accepted(await post({ id, id_type, event_name: 'AT_TRANSPORT_HUB', event_time: daysAhead(i) }));
    }
    accepted(
      await post({ id: uuid.toUpperCase(), id_type: 'shipment_uuid', event_name: 'IN_DELIVERY', event_time: tomorrow }),
    );
    expect((await read()).events).toHaveLength(7);

    const external_shipment_id = newNumber('S');
    const body = { order_id: order.uuid, order_id_type: 'uuid', external_shipment_id };
    const { uuid: second } = accepted(await shop.call('POST', '/shipments', { body }));
    const event = { id: external_shipment_id, id_type: 'external_shipment_id', event_name: 'ORDER_CANCELLED' };
    expect(keysOf(accepted(await post(event)))).toEqual(['ORDER_CREATED', 'ORDER_CANCELLED']);
    const after = await shop.orderWith(order.order_number);
    expect(after.trackings.find((tracking) => tracking.uuid === second)!.phase).toBe('order_cancelled');
  });

  test('by the id of an order needs exactly one shipment', async () => {
    const none = await shop.order({ expected_number_of_shipments: 0 });
    const draft = await shop.order();
    const several = await shop.order({}, trackingsOf(newNumber('T'), newNumber('T')));
    const drafts = await shop.order({ expected_number_of_shipments: 2 });
    const by = (order: { order_number: string; uuid: string; external_id: string }) =>
      [
        ['order_number', order.order_number],
        ['order_uuid', order.uuid],
        ['external_order_id', order.external_id],
      ] as const;
    for (const order of [none, several, drafts]) {
      for (const [id_type, id] of by(order)) {
        expectError(await post({ id, id_type, event_name: 'ORDER_CANCELLED' }), 404, 'shipment_not_found');
      }
      expect(await shop.orderWith(order.order_number)).toEqual(order);
    }
    accepted(await post({ id: draft.uuid, id_type: 'order_uuid', event_name: 'ORDER_CANCELLED' }));
    const [tracking] = (await shop.orderWith(draft.order_number)).trackings;
    expect(tracking).toMatchObject({ uuid: draft.trackings[0]!.uuid, phase: 'order_cancelled' });
  });

  test('of a draft keeps it a draft, which the next number fulfils', async () => {
    const order = await shop.order({ expected_number_of_shipments: 2 });
    const [first] = order.trackings;
    accepted(await post({ id: first!.uuid, id_type: 'shipment_uuid', event_name: 'ORDER_IN_PROCESSING' }));
    const number = newNumber('T');
    expectDone(await shop.upsert({ id: order.order_number, trackings: trackingsOf(number) }));
    const after = await shop.orderWith(order.order_number);
    expect(after.state).toBe('partially_fulfilled');
    expect(after.trackings[0]).toMatchObject({ uuid: first!.uuid, carrier: { tracking_number: number } });
    expect(keysOf(after.trackings[0]!)).toEqual(['ORDER_CREATED', 'ORDER_IN_PROCESSING', 'ORDER_PROCESSED']);
  });

  test('of a draft must come before the transit or cancel it, by every id of the draft', async () => {
    const order = await shop.order({ external_id: newNumber('E') });
    const [draft] = order.trackings;
    const below = (event_name: string) =>
      shop.call('POST', `/shipments/${draft!.uuid}/events`, { body: { event_name }, query: { notify: 'true' } });
    const ids = {
      external_order_id: order.external_id,
      order_number: order.order_number,
      order_uuid: order.uuid,
      shipment_uuid: draft!.uuid,
    };
    for (const event_name of ['SHIPMENT_EN_ROUTE', 'SUCCESSFULLY_DELIVERED', 'PATCHED', 'RETURN_IN_PROGRESS']) {
      expectInvalid(await below(event_name), ['body.event_name', 'value_error']);
      for (const [id_type, id] of Object.entries(ids)) {
        expectInvalid(await post({ id, id_type, event_name }), ['body.event_name', 'value_error']);
      }
    }
    expect(await shop.orderWith(order.order_number)).toEqual(order);
    for (const event_name of ['ORDER_DELAYED', 'PICKUP_FAILED', 'SHIPMENT_CANCELLED'])
      accepted(await below(event_name));
    expectInvalid(await below('IN_DELIVERY'), ['body.event_name', 'value_error']);
    const number = newNumber('T');
    expectDone(await shop.upsert({ id: order.order_number, trackings: trackingsOf(number) }));
    accepted(await below('IN_DELIVERY'));
  });

  test('of a draft return must come before the transit or cancel it', async () => {
    const order = await shop.order({ expected_number_of_shipments: 0 });
    const body = { order_id: order.uuid, order_id_type: 'uuid', external_shipment_id: newNumber('R') };
    const draft = accepted(await shop.call('POST', '/shipments', { body }));
    const event = { id: body.external_shipment_id, id_type: 'external_shipment_id' };
    expectInvalid(await post({ ...event, event_name: 'IN_DELIVERY' }), ['body.event_name', 'value_error']);
    const [tracking] = (await shop.orderWith(order.order_number)).trackings;
    expect(tracking).toMatchObject({ uuid: draft.uuid, phase: 'return_created' });
    expect(keysOf(tracking!)).toEqual(['ORDER_CREATED']);
    expect(keysOf(accepted(await post({ ...event, event_name: 'ORDER_PROCESSED' })))).toHaveLength(2);
  });

  test('refuses the same event at the same time in any notation, and records nothing', async () => {
    const { number, uuid, read } = await parcel();
    const event = { id: number, event_name: 'IN_DELIVERY' };
    accepted(await post({ ...event, event_time: '2030-01-01T12:00:00Z' }));
    const before = await read();
    for (const event_time of ['2030-01-01T12:00:00Z', '2030-01-01T14:00:00.000+02:00', '2030-01-01t12:00:00z']) {
      expectError(await post({ ...event, event_time }), 409, 'shipment_event_exists');
    }
    const body = { event_name: 'IN_DELIVERY', event_time: '2030-01-01T12:00:00Z' };
    expectError(await shop.call('POST', `/shipments/${uuid}/events`, { body }), 409, 'shipment_event_exists');
    expect(await read()).toEqual(before);
    accepted(await post({ ...event, event_time: '2030-01-01T12:00:00.001Z' }));
    accepted(await post({ ...event, event_name: 'OUT_FOR_DELIVERY', event_time: '2030-01-01T12:00:00Z' }));
    expect((await read()).events).toHaveLength(4);
  });

  test('uses the current time by default', async () => {
    const { number } = await parcel();
    const before = Date.now();
    for (const [event_name, time] of [
      ['IN_DELIVERY', {}],
      ['SUCCESSFULLY_DELIVERED', { event_time: null, external_id: null }],
    ] as const) {
      const { events } = accepted(await post({ id: number, event_name, ...time }));
      expect(Date.parse(events.at(-1).time)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(events.at(-1).time)).toBeLessThanOrEqual(Date.now());
      expect(events.at(-1).event_key).toBe(event_name);
    }
  });

  test('accepts any value of notify', async () => {
    const { number, read } = await parcel();
    for (const [i, notify] of ['true', 'false'].entries()) {
      accepted(await post({ id: number, event_name: 'AT_TRANSPORT_HUB', event_time: daysAhead(i) }, { notify }));
    }
    expectInvalid(await post({ id: number, event_name: 'IN_DELIVERY' }, { notify: 'maybe' }), [
      'query.notify',
      'type_error',
    ]);
    expect((await read()).events).toHaveLength(3);
  });
});

describe('the phase and flag of a shipment', () => {
  test('follow the newest event, not the one that arrived last', async () => {
    const { number, read } = await parcel();
    const at = (event_name: string, days: number) => post({ id: number, event_name, event_time: daysAhead(days) });
    accepted(await at('SUCCESSFULLY_DELIVERED', 9));
    accepted(await at('DELIVERY_ATTEMPTED', 7));
    const answer = accepted(await at('HELD_AT_CUSTOMS', 3));
    expect(keysOf(answer)).toEqual([
      'ORDER_PROCESSED',
      'HELD_AT_CUSTOMS',
      'DELIVERY_ATTEMPTED',
      'SUCCESSFULLY_DELIVERED',
    ]);
    expect(await read()).toMatchObject({ phase: 'delivered', flag: 'normal' });
    accepted(await at('SHIPMENT_RETURNED_TO_SENDER', 10));
    expect(await read()).toMatchObject({ flag: 'error' });
  });

  test.each([
    ['DELAY_IN_TRANSPORT', 'in_transit', 'delay'],
    ['DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME', 'delivery_failed', 'delay'],
    ['ARRIVED_AT_PARCEL_SHOP', 'collect', 'normal'],
    ['SUCCESSFULLY_DELIVERED_TO_NEIGHBOR', 'delivered', 'normal'],
    ['SHIPMENT_LOST', 'delivery_failed', 'error'],
    ['ORDER_CANCELLED', 'order_cancelled', 'normal'],
  ])('after %s are %s and %s', async (event_name, phase, flag) => {
    const { number, read } = await parcel();
    accepted(await post({ id: number, event_name }));
    expect(await read()).toMatchObject({ phase, flag });
  });

  test("come from the carrier's event rather than the shop's, whatever the times", async () => {
    const { number, read } = await parcel();
    accepted(await post({ id: number, event_name: 'ARRIVED_AT_SORTING_CENTER', event_time: '2020-01-01T00:00:00Z' }));
    expect(await read()).toMatchObject({ phase: 'in_transit' });
    for (const event_name of ['ORDER_PROCESSED', 'ORDER_CREATED']) {
      accepted(await post({ id: number, event_name, event_time: '2031-01-01T00:00:00Z' }));
    }
    const { phase, events } = await read();
    expect(phase).toBe('in_transit');
    expect(keysOf({ events })[0]).toBe('ARRIVED_AT_SORTING_CENTER');
    const [record] = (await shop.shipments({ tracking_number: number })).shipments;
    expect(record!.current_event_key).toBe('ARRIVED_AT_SORTING_CENTER');
  });

  test('of a fulfilled shipment never return to those of a draft, whatever the times', async () => {
    const { number, read } = await parcel();
    accepted(await post({ id: number, event_name: 'ORDER_CREATED', event_time: '2031-01-01T00:00:00Z' }));
    expect((await read()).phase).toBe('order_processed');
  });
});

describe('an event is refused', () => {
  test('for an unknown shipment', async () => {
    const other = await newMerchant();
    const theirs = await other.order({}, trackingsOf(newNumber('T')));
    const event_name = 'IN_DELIVERY';
    const unknown: [string, string][] = [
      ['tracking_number', newNumber('T')],
      ['tracking_number', theirs.trackings[0]!.carrier.tracking_number!],
      ['shipment_uuid', randomUUID()],
      ['shipment_uuid', 'no uuid'],
      ['shipment_uuid', theirs.trackings[0]!.uuid],
      ['shipment_uuid', theirs.uuid],
      ['order_uuid', theirs.uuid],
      ['order_uuid', 'no uuid'],
      ['order_number', theirs.order_number],
      ['external_order_id', newNumber()],
      ['external_shipment_id', newNumber()],
    ];
    for (const [id_type, id] of unknown) {
      expectError(await post({ id, id_type, event_name }), 404, 'shipment_not_found');
    }
    const below = (id: string) => shop.call('POST', `/shipments/${id}/events`, { body: { event_name } });
    expectError(await below(theirs.trackings[0]!.uuid), 404, 'shipment_not_found');
    expectError(await below(randomUUID()), 404, 'shipment_not_found');
    expectInvalid(await below('x'), ['path.shipment_id', 'value_error']);
    expect(await other.orderWith(theirs.order_number)).toEqual(theirs);
  });

  test('for a deleted shipment', async () => {
    const { number, order, uuid } = await parcel();
    expectDone(await shop.call('DELETE', `/orders/${order.uuid}/shipments/${number}`));
    const event_name = 'IN_DELIVERY';
    expectError(await post({ id: number, event_name }), 404, 'shipment_not_found');
    expectError(await post({ id: uuid, id_type: 'shipment_uuid', event_name }), 404, 'shipment_not_found');
  });

  test('with an unknown name, an invalid time or an unknown kind of id, each with its place', async () => {
    const { number, read } = await parcel();
    const before = await read();
    expectInvalid(await post({}), ['body.event_name', 'missing'], ['body.id', 'missing']);
    for (const event_name of ['in_delivery', 'DELIVERED', '', 'toString', '__proto__', 'constructor']) {
      expectInvalid(await post({ id: number, event_name }), ['body.event_name', 'value_error']);
    }
    expectInvalid(
      await post({ id: '', id_type: 'uuid', event_name: null, event_time: '2026-01-01', external_id: '' }),
      ['body.id', 'value_error'],
      ['body.id_type', 'value_error'],
      ['body.event_name', 'type_error'],
      ['body.event_time', 'value_error'],
      ['body.external_id', 'value_error'],
    );
    expect(await read()).toEqual(before);
  });
});
