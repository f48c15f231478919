import { describe, expect, test } from 'vitest';
import { contextOf } from '#domain/deliveries/event-payload.ts';
import type { Order, OrderWithShipments } from '#domain/orders/model.ts';
import { newOrderId } from '#domain/orders/model.ts';
import { newOrder } from '#domain/orders/order-rules.ts';
import { checkPayloadSize, payloadBytes } from '#domain/orders/order-size.ts';
import { viewerOf } from '#domain/orders/presentation.ts';
import { fulfilled, newShipment, reported } from '#domain/orders/shipment-rules.ts';
import { languages } from '#schemas/catalogues/enumerations.ts';
import { payloadLimits } from '#schemas/catalogues/limits.ts';

const now = new Date('2026-11-14T12:00:00.000Z');
const at = now.toISOString();
const shop = { slug: 's'.repeat(100), uuid: '01930000-0000-7000-8000-000000000000' };

const products = (count: number, titleLength = 500) =>
  Array.from({ length: count }, (_, i) => ({ title: 'x'.repeat(titleLength), sku: `sku-${i}`, quantity: 1 }));

const placed = (fields: Partial<Order> & { expected_number_of_shipments?: number } = {}): OrderWithShipments => ({
  order: newOrder(newOrderId(now), { order_number: 'A1', ...fields }, now),
  shipments: [],
});

function sent(parcels: number, fields: Partial<Order> = {}): OrderWithShipments {
  const { order } = placed(fields);
  const slots = Array.from({ length: parcels }, (_, i) => i + 1);
  const shipments = slots.map((slot) => {
    const carrier = { tracking_number: `number-${slot}`, carrier_reference: 'dhl', tracking_url: null, placed_at: at };
    return fulfilled(newShipment(order, slot, 'merchant_customer', at), carrier, at);
  });
  return { order: { ...order, drafts: [], shipments: slots }, shipments };
}

describe('the size of an order in a payload', () => {
  const orders: [string, OrderWithShipments][] = [
    ['with one draft', placed()],
    ['with a hundred drafts', placed({ expected_number_of_shipments: 100 })],
    ['with products', placed({ products: products(50), expected_number_of_shipments: 3 })],
    ['with products in every parcel', sent(40, { products: products(10) })],
    ['with an address', sent(2, { address: { name: 'Zoë 📦'.repeat(50), city: 'Zürich' } })],
  ];

  test.each(orders)('is never less than what is sent, for an order %s', async (_case, fullOrder) => {
    for (const language of languages) {
      const context = contextOf(
        { fullOrder, claims: [] },
        await viewerOf({ shop, language, serviceUrl: 'https://service.example.com', now }),
      );
      expect(payloadBytes(fullOrder)).toBeGreaterThanOrEqual(Buffer.byteLength(JSON.stringify(context)));
    }
  });

  test('counts the products of the order for each parcel that has none of its own', () => {
    const once = payloadBytes(placed({ products: products(10) }));
    const ofProducts = Buffer.byteLength(JSON.stringify(products(10)));
    const more = payloadBytes(placed({ products: products(10), expected_number_of_shipments: 11 }));
    expect(more - once).toBeGreaterThanOrEqual(20 * ofProducts);
  });
});

describe('an order', () => {
  const tooLarge = placed({ products: products(30), expected_number_of_shipments: 100 });

  test('that is too large for its payloads is refused, with the limit and what to do', () => {
    expect(() => checkPayloadSize(undefined, tooLarge)).toThrow(
      expect.objectContaining({
        key: 'payload_too_large',
        details: {
          message: expect.stringMatching(/100 shipments .* up to 2 MB .* 30 products .*Send fewer shipments/),
        },
      }),
    );
  });

  test('with a hundred drafts and few products is accepted', () => {
    expect(() =>
      checkPayloadSize(undefined, placed({ products: products(2), expected_number_of_shipments: 100 })),
    ).not.toThrow();
  });

  test('is refused because of parcels that the same request adds later', () => {
    const fullOrder = sent(2, { products: products(20) });
    expect(() => checkPayloadSize(undefined, fullOrder)).not.toThrow();
    expect(() => checkPayloadSize(undefined, fullOrder, Array(110).fill({}))).toThrow();
  });

  test('that is too large already can become smaller', () => {
    const smaller = placed({ products: products(29), expected_number_of_shipments: 100 });
    expect(() => checkPayloadSize(tooLarge, smaller)).not.toThrow();
    expect(() => checkPayloadSize(smaller, tooLarge)).toThrow();
  });
});

describe('the events of parcels', () => {
  const scan = (second: number) => ({
    event: {
      event_name: 'SHIPMENT_EN_ROUTE' as const,
      time: new Date(now.getTime() + second * 1000).toISOString(),
      location: { city: 'Zürich'.repeat(30) },
    },
  });
  const scanned = (parcels: number, scans: number): OrderWithShipments => {
    const { order, shipments } = sent(parcels);
    const reports = Array.from({ length: scans }, (_, i) => scan(i + 1));
    const all = shipments.map((shipment) =>
      reports.reduce((one, report) => reported(one, report, at).shipment, shipment),
    );
    return { order, shipments: all };
  };

  test('are all in the payload of an order of usual size', async () => {
    const { shipments } = contextOf(
      { fullOrder: scanned(3, 30), claims: [] },
      await viewerOf({ shop, language: 'de', serviceUrl: 'https://service.example.com', now }),
    );
    expect(shipments.map(({ events }) => events.length)).toEqual([31, 31, 31]);
  });

  test('are left out of the payload, oldest first, when there are too many', async () => {
    const context = contextOf(
      { fullOrder: scanned(100, 60), claims: [] },
      await viewerOf({ shop, language: 'de', serviceUrl: 'https://service.example.com', now }),
    );
    expect(Buffer.byteLength(JSON.stringify(context))).toBeLessThanOrEqual(payloadLimits.bytes);
    for (const { events, phase } of [...context.shipments, ...context.order.trackings]) {
      expect(events.length).toBeGreaterThan(3);
      expect(events.length).toBeLessThan(61);
      expect(events.at(-1)!.time).toBe(scan(60).event.time);
      expect(phase).toBe('in_transit');
    }
  });
});
