import { describe, expect, test } from 'vitest';
import { addressText, customerName, dayMonthYear, type shipmentEventData } from '#domain/deliveries/event-data.ts';
import * as eventPayload from '#domain/deliveries/event-payload.ts';
import { testEvent } from '#domain/deliveries/test-event.ts';
import type { OrderWithShipments, Shipment } from '#domain/orders/model.ts';
import { newOrderId } from '#domain/orders/model.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { outboxEvent, type ShipmentOutboxEvent } from '#domain/orders/outbox.ts';
import { viewerOf } from '#domain/orders/presentation.ts';
import { fulfilled, newShipment, type Report, reported } from '#domain/orders/shipment-rules.ts';
import { sentEventRefs } from '#schemas/catalogues/event-filters.ts';
import type { Direction, ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import { ClaimEventPayload, ShipmentEventPayload, WithdrawalEventPayload } from '#schemas/shapes/event-payloads.ts';
import type { OrderInput, Pickup } from '#schemas/shapes/order-shapes.ts';
import { faultsAgainst } from '#test/kit/described.ts';

const now = new Date('2026-11-14T12:00:00.000Z');
const at = now.toISOString();
const shop = { slug: 'blue', uuid: '01930000-0000-7000-8000-000000000000' };
const viewer = await viewerOf({ shop, language: 'de', serviceUrl: 'https://service.example.com', now });

const input = {
  order_number: '1001',
  order_name: '#1001',
  external_id: 'ext-1001',
  total_order_price: 99.5,
  currency: 'CHF',
  email_id: 'anna@example.com',
  external_customer_id: 'customer-7',
  order_status_url: 'https://shop.example/orders/1001',
  preferred_delivery_date: { start: '2026-12-24T00:00:00+01:00' },
  address: {
    name: 'Anna Maria Muster',
    company: 'Muster AG',
    address_line_1: 'Weg 1',
    zip_code: '8000',
    city: 'Zürich',
    country: 'Switzerland',
    country_code: 'CH',
    phone: '+41 1',
  },
} satisfies OrderInput;

/** An order with one parcel for each number; `null` is a draft. */
function fullOrder(
  numbers: (string | null)[],
  fields: OrderInput & { order_number: string } = input,
): OrderWithShipments {
  const order = newOrder(newOrderId(now), { ...fields, expected_number_of_shipments: numbers.length }, now);
  const isSent = (slot: number) => typeof numbers[slot - 1] === 'string';
  const slots = order.drafts.map(({ slot }) => slot);
  return {
    order: { ...order, drafts: order.drafts.filter(({ slot }) => !isSent(slot)), shipments: slots.filter(isSent) },
    shipments: slots.filter(isSent).map((slot) => sent(order, slot, numbers[slot - 1]!)),
  };
}

function sent(
  order: OrderWithShipments['order'],
  slot: number,
  tracking_number: string,
  direction?: Direction,
): Shipment {
  const carrier = { tracking_number, carrier_reference: 'dhl', tracking_url: `https://dhl/${tracking_number}` };
  const shipment = newShipment(order, slot, direction ?? 'merchant_customer', at);
  return fulfilled(shipment, { ...carrier, placed_at: at }, at);
}

function shipmentPayload(event: ShipmentOutboxEvent, fullOrder: OrderWithShipments) {
  const [subject] = eventPayload.subjectsOf(event);
  const payload = eventPayload.payloadOf(event, subject!, { fullOrder, claims: [] }, viewer);
  return { ...payload, event_data: payload.event_data as ReturnType<typeof shipmentEventData> };
}

/** The payload of an event of the order's first parcel. */
function payloadOf(
  { order, shipments }: OrderWithShipments,
  name: ShipmentEventName,
  more: Omit<Report, 'event'> = {},
) {
  const report = { event: { event_name: name, time: '2026-11-14T11:00:00.000Z' }, ...more };
  const { shipment } = reported(shipments[0]!, report, at);
  const event = outboxEvent(shipment, report.event, at);
  const payload = shipmentPayload(event, { order, shipments: [shipment, ...shipments.slice(1)] });
  return JSON.parse(JSON.stringify(payload)) as typeof payload;
}

describe('the payload of a shipment event', () => {
  test('has the fields of the contract and no others', () => {
    const payload = payloadOf(fullOrder(['A1']), 'SHIPMENT_EN_ROUTE');
    expect(payload).toEqual({
      source: 'shipments',
      ref: 'shipments/in_transit/SHIPMENT_EN_ROUTE',
      version: 1,
      triggered_at: at,
      event_group: 'shipment_in_transit',
      event_data: expect.any(Object),
      context: expect.any(Object),
      shop_slug: 'blue',
      shop_id: shop.uuid,
    });
    expect(Object.keys(payload.context)).toEqual(['order', 'customer', 'shipments', 'claims']);
  });

  test('shows order_analytics whole, also the fields that the service does not know', () => {
    const order_analytics = { campaign: 'spring', visit: { pages: ['/a'], first: true } };
    const payload = payloadOf(fullOrder(['A1'], { ...input, order_analytics }), 'SHIPMENT_EN_ROUTE');
    expect(payload.context.order.order_analytics).toEqual(order_analytics);
    expect(faultsAgainst(ShipmentEventPayload, payload)).toEqual([]);
  });

  test('describes the event of the shipment, with what is known of its order', () => {
    const before = fullOrder(['A1']);
    expect(payloadOf(before, 'SHIPMENT_EN_ROUTE').event_data).toEqual({
      shipment_id: before.shipments[0]!.uuid,
      carrier_reference: 'dhl',
      event_name: 'SHIPMENT_EN_ROUTE',
      phase: 'in_transit',
      tracking_number: 'A1',
      tracking_url: 'https://dhl/A1',
      updated_at: at,
      event_group: 'shipment_in_transit',
      order_number: '1001',
      order_name: '#1001',
      zip_code: '8000',
      shipping_address: 'Muster AG, Weg 1, 8000 Zürich, Switzerland',
      total_order_value: 99.5,
      order_currency: 'CHF',
      order_status_url: 'https://shop.example/orders/1001',
      external_customer_id: 'customer-7',
      external_order_id: 'ext-1001',
      preferred_delivery_date: '24.12.2026',
      customer_first_name: 'Anna Maria',
      customer_last_name: 'Muster',
      customer_country: 'Switzerland',
      number_of_shipments: 1,
    });
  });

  test('matches the description of the API, whatever is known', () => {
    const pickup = { type: 'shop', name: 'Kiosk', date_to: '2026-11-20T12:00:00Z' };
    const full = payloadOf(fullOrder(['A1', 'A2', null]), 'SHIPMENT_EN_ROUTE', { pickup });
    const bare = payloadOf(fullOrder(['A1'], { order_number: '7' }), 'OUT_FOR_DELIVERY');
    for (const payload of [full, bare, JSON.parse(testEvent(viewer, now).body)]) {
      expect(faultsAgainst(ShipmentEventPayload, payload)).toEqual([]);
    }
    const { carrier_reference: _gone, ...data } = { ...bare.event_data, extra: 1 };
    expect(faultsAgainst(ShipmentEventPayload, { ...bare, event_data: data })).toHaveLength(2);
  });

  test('leaves out unknown fields', () => {
    const { event_data, context } = payloadOf(fullOrder(['A1'], { order_number: '7' }), 'OUT_FOR_DELIVERY');
    expect(Object.keys(event_data).sort()).toEqual(
      [
        ...['shipment_id', 'carrier_reference', 'event_name', 'phase', 'tracking_number', 'tracking_url', 'updated_at'],
        ...['event_group', 'order_number', 'order_currency', 'external_order_id', 'number_of_shipments'],
      ].sort(),
    );
    expect(context.order.order_status_url).toBeNull();
    expect(Object.values(context.customer)).toEqual([null, null, null, null, null, null]);
  });

  test('has the phase of its event, even if the shipment is further along', () => {
    const { order, shipments } = fullOrder(['A1']);
    const early = { event_name: 'SHIPMENT_EN_ROUTE' as const, time: '2026-11-14T10:00:00.000Z' };
    const late = { event_name: 'SUCCESSFULLY_DELIVERED' as const, time: '2026-11-14T11:00:00.000Z' };
    const shipment = [early, late].reduce((parcel, event) => reported(parcel, { event }, at).shipment, shipments[0]!);
    const event = outboxEvent(shipment, early, at);
    const payload = shipmentPayload(event, { order, shipments: [shipment] });
    expect(payload.event_data.phase).toBe('in_transit');
    expect(payload.context.shipments[0]!.phase).toBe('delivered');
  });

  test('shows the order and its shipments as the API shows them, in the language of the shop', () => {
    const { context } = payloadOf(fullOrder(['A1', null]), 'SHIPMENT_EN_ROUTE');
    expect(context.order).toMatchObject({ order_number: '1001', state: 'partially_fulfilled', shop_slug: 'blue' });
    expect(context.order).not.toHaveProperty('next_slot');
    expect(context.shipments.map(({ carrier }) => carrier.tracking_number)).toEqual(['A1', null]);
    expect(context.shipments[0]!.events.map(({ language }) => language)).toEqual(['de', 'de']);
    expect(context.claims).toEqual([]);
  });

  test('names the customer', () => {
    expect(payloadOf(fullOrder(['A1']), 'SHIPMENT_EN_ROUTE').context.customer).toEqual({
      external_id: 'customer-7',
      email: 'anna@example.com',
      first_name: 'Anna Maria',
      last_name: 'Muster',
      full_name: 'Anna Maria Muster',
      phone: '+41 1',
    });
  });

  test('names the other parcels of the order while the parcel is in transit, and only then', () => {
    const moving = payloadOf(fullOrder(['A1', 'B2', null]), 'SHIPMENT_EN_ROUTE').event_data;
    expect(moving).toMatchObject({ number_of_shipments: 3, other_tracking_numbers: ['B2'] });
    expect(payloadOf(fullOrder(['A1', 'B2']), 'OUT_FOR_DELIVERY').event_data).not.toHaveProperty(
      'other_tracking_numbers',
    );
    expect(payloadOf(fullOrder(['A1']), 'SHIPMENT_EN_ROUTE').event_data).not.toHaveProperty('other_tracking_numbers');
  });

  test('does not count a return among the parcels that go to the customer', () => {
    const { order, shipments } = fullOrder(['A1']);
    const withReturn = { order, shipments: [...shipments, sent(order, 9, 'R1', 'customer_merchant')] };
    const { event_data } = payloadOf(withReturn, 'SHIPMENT_EN_ROUTE');
    expect(event_data.number_of_shipments).toBe(1);
  });

  test('is built for a draft, and for a shipment that was deleted in the meantime', () => {
    const { order, shipments } = fullOrder([null]);
    const [draft] = order.drafts;
    const parcel = { ...newShipment(order, draft!.slot, 'merchant_customer', at) };
    const event = outboxEvent(parcel, { event_name: 'ORDER_CREATED', time: at }, at);
    const drafted = shipmentPayload(event, { order, shipments });
    expect(drafted.event_data).toMatchObject({
      shipment_id: parcel.uuid,
      tracking_number: null,
      phase: 'order_created',
    });
    const gone = shipmentPayload(event, { order: { ...order, drafts: [] }, shipments });
    expect(gone.event_data).toMatchObject({
      shipment_id: parcel.uuid,
      order_number: '1001',
      event_name: 'ORDER_CREATED',
    });
    expect(gone.context.shipments).toEqual([]);
  });
});

describe('the payload of a new return', () => {
  const { order } = fullOrder([]);
  const parcel = sent(order, 9, 'R1', 'customer_merchant');
  const event = outboxEvent(parcel, parcel.events[0]!, at);
  const payload = shipmentPayload(event, { order, shipments: [parcel] });

  test('names its phase in the ref, in the event data and in the context', () => {
    expect(payload).toMatchObject({
      ref: 'shipments/return_created/ORDER_PROCESSED',
      event_group: 'return_shipment_created',
      event_data: { event_name: 'ORDER_PROCESSED', phase: 'return_created' },
    });
    expect(payload.context.shipments).toMatchObject([
      {
        phase: 'return_created',
        is_return: true,
        events: [{ phase: 'return_created', event_strings: viewer.texts.returns.ORDER_PROCESSED }],
      },
    ]);
    expect(faultsAgainst(ShipmentEventPayload, payload)).toEqual([]);
  });

  test('keeps its phase when the return was deleted in the meantime', () => {
    const gone = shipmentPayload(event, { order, shipments: [] });
    expect(gone.event_data.phase).toBe('return_created');
  });
});

describe('the payload of a parcel', () => {
  const shopPickup: Pickup = {
    type: 'shop',
    name: 'Kiosk Nord',
    address: { street: 'Platz 2', zip_code: '8001', city: 'Zürich' },
    date_to: '2026-11-21T18:00:00Z',
  };

  test('has its pickup place with the last day', () => {
    const { event_data } = payloadOf(fullOrder(['A1']), 'ARRIVED_AT_PARCEL_SHOP', { pickup: shopPickup });
    expect(event_data).toMatchObject({
      pick_up_address: 'Kiosk Nord, Platz 2, 8001 Zürich',
      pick_up_until: '21.11.2026',
    });
    expect(event_data).not.toHaveProperty('neighbour_name');
  });

  test.each(['neighbor', 'neighbour'])('names the %s and has no pickup place', (type) => {
    const pickup = { type, name: 'Frau Beispiel' };
    const { event_data } = payloadOf(fullOrder(['A1']), 'SUCCESSFULLY_DELIVERED_TO_NEIGHBOR', { pickup });
    expect(event_data).toMatchObject({ neighbour_name: 'Frau Beispiel' });
    expect(event_data).not.toHaveProperty('pick_up_address');
  });

  test('has the end of the expected window as the day that the carrier wrote', () => {
    const expected_delivery = { start: '2026-11-20T22:00:00+01:00', end: '2026-11-21T00:30:00+01:00' };
    const { event_data } = payloadOf(fullOrder(['A1']), 'SHIPMENT_UPDATED_ETA', { expected_delivery });
    expect(event_data).toMatchObject({ expected_delivery_date: '21.11.2026' });
  });

  test('has the expected window as a text in the language of the shop', () => {
    const expected_delivery = { start: '2026-11-20T10:00:00+01:00', end: '2026-11-20T14:00:00+01:00', source: 'dhl' };
    const payload = payloadOf(fullOrder(['A1']), 'SHIPMENT_EN_ROUTE', { expected_delivery });
    expect(payload.context.shipments[0]!.estimated_arrival).toEqual({
      from: expected_delivery.start,
      to: expected_delivery.end,
      time_prediction: '20. November 2026, 10:00–14:00 Uhr',
      language: 'de',
      source: 'dhl',
    });
    expect(faultsAgainst(ShipmentEventPayload, payload)).toEqual([]);
  });

  describe('where the carrier names no time', () => {
    const predicted = (window: string, name: ShipmentEventName = 'SHIPMENT_EN_ROUTE') => {
      const { order, shipments } = fullOrder(['A1']);
      const prediction = { since: '2026-11-13', window, bands: '' };
      const sent: Shipment = { ...shipments[0]!, country: 'DE', prediction };
      const event = { event_name: name, time: '2026-11-14T11:00:00.000Z' };
      const { shipment } = reported(sent, { event }, at);
      return shipmentPayload(outboxEvent(shipment, event, at), { order, shipments: [shipment] });
    };

    test('has our window, and its end as the expected day', () => {
      const payload = predicted('2-4');
      expect(payload.event_data).toMatchObject({ expected_delivery_date: '17.11.2026' });
      expect(payload.context.shipments[0]!.estimated_arrival).toEqual({
        from: '2026-11-15T00:00:00+01:00',
        to: '2026-11-17T23:59:59+01:00',
        time_prediction: '15.–17. November 2026',
        language: 'de',
        source: 'prediction',
      });
      expect(faultsAgainst(ShipmentEventPayload, payload)).toEqual([]);
    });

    test.each([
      ['a window that is over', predicted('0-0')],
      ['a parcel that has arrived', predicted('2-4', 'SUCCESSFULLY_DELIVERED')],
    ])('has no expected day of %s', (_, { event_data }) => {
      expect(event_data).not.toHaveProperty('expected_delivery_date', expect.anything());
    });
  });

  test('has the day that the recipient asked for', () => {
    const { order, shipments } = fullOrder(['A1']);
    const event = {
      event_name: 'DELIVERY_OPTION_ALTERNATE_TIME_REQUESTED' as const,
      time: '2026-11-14T11:00:00.000Z',
      additional_info: { preferred_delivery_date: '2026-11-30', pickup_point: 'Locker 5' },
    };
    const { shipment } = reported(shipments[0]!, { event }, at);
    const out = outboxEvent(shipment, event, at);
    const { event_data } = shipmentPayload(out, { order, shipments: [shipment] });
    expect(event_data).toMatchObject({ requested_delivery_date: '30.11.2026', pick_up_address: 'Locker 5' });
  });
});

describe('in a payload', () => {
  test.each([
    ['2026-12-24', '24.12.2026'],
    ['2026-12-24T23:30:00-05:00', '24.12.2026'],
    ['next Tuesday', 'next Tuesday'],
    ['24.12.2026', '24.12.2026'],
  ])('the date %s is written %s', (text, written) => expect(dayMonthYear(text)).toBe(written));

  test.each([
    ['Anna Muster', 'Anna', 'Muster'],
    ['  Anna   Maria Muster ', 'Anna Maria', 'Muster'],
    ['Anna', 'Anna', null],
    ['', null, null],
    [undefined, null, null],
  ])('the name "%s" becomes the first name %s and the last name %s', (text, first_name, last_name) =>
    expect(customerName(text)).toEqual({ first_name, last_name }),
  );

  test('an unknown address is null', () => {
    expect(addressText({})).toBeUndefined();
    expect(addressText(null, null, ' ')).toBeUndefined();
  });
});

describe('a test event', () => {
  test('has the shape of a real event and is marked as a test', () => {
    const { source, body } = testEvent(viewer, now);
    const payload = JSON.parse(body);
    const real = payloadOf(fullOrder(['A1']), 'SHIPMENT_EN_ROUTE');
    expect(Object.keys(payload)).toEqual(Object.keys(real));
    expect(payload.event_data).toMatchObject({ event_name: 'SHIPMENT_EN_ROUTE', test: true });
    expect(payload.context.shipments).toHaveLength(1);
    expect(source).toMatchObject({ ref: payload.ref, subject_id: payload.event_data.shipment_id, shop_slug: 'blue' });
  });

  const ofEachPhase = [...Map.groupBy(sentEventRefs, (ref) => ref.replace(/[^/]*$/, '')).values()].flatMap((refs) =>
    refs.slice(0, 2),
  );

  test.each(ofEachPhase)('can be %s, as the description of the API says it', (ref) => {
    const whose = { ...viewer, shop: { slug: 'blue', uuid: '01930000-0000-7000-8000-00000000000b' } };
    const { source, body } = testEvent(whose, now, ref);
    const payload = JSON.parse(body);
    expect(source.ref).toBe(ref);
    expect(payload).toMatchObject({ ref, event_group: source.event_group, event_data: { test: true } });
    const { test: _test, ...event_data } = payload.event_data;
    const shapes = { claims: ClaimEventPayload, withdrawals: WithdrawalEventPayload, shipments: ShipmentEventPayload };
    expect(faultsAgainst(shapes[ref.split('/')[0] as keyof typeof shapes], { ...payload, event_data })).toEqual([]);
  });

  test('has a new id each time', () => {
    expect(testEvent(viewer, now).source.event_id).not.toBe(testEvent(viewer, now).source.event_id);
  });
});
