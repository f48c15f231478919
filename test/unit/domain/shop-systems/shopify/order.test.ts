import { describe, expect, test } from 'vitest';
import { isSignedWith } from '#api/shop-system/hmac.ts';
import { convertOrder, momentOf, trackingsOf } from '#domain/shop-systems/shopify/order.ts';
import type { ShopOrder } from '#schemas/shapes/shop-payloads.ts';
import { shopFulfilment, shopOrder, signatureOf } from '#test/kit/shop-payloads.ts';

const told = (fields: Record<string, unknown> = {}) => convertOrder(shopOrder(fields) as ShopOrder, [], undefined);

describe('an order of the shop system', () => {
  test('becomes an order of ours', () => {
    expect(told().order).toEqual({
      order_number: '1001',
      external_id: '450789469',
      order_name: '#1001',
      order_placed_at: '2026-11-10T16:15:47-05:00',
      email_id: 'bob.norman@mail.example.com',
      currency: 'EUR',
      total_order_price: 409.94,
      sub_total_price: 398,
      discount_price: 3.34,
      shipping_price: 11.94,
      weight: 300,
      financial_status: 'authorized',
      order_status_url: 'https://shop.example.com/690933842/orders/b1946ac9/authenticate?key=abc',
      external_customer_id: '207119551',
      segments: ['vip', 'newsletter'],
      user_agent: 'Mozilla/5.0',
      address: {
        name: 'Bob Norman',
        address_line_1: 'Chestnut Street 92',
        city: 'Louisville',
        zip_code: '40202',
        province: 'Kentucky',
        province_code: 'KY',
        country: 'United States',
        country_code: 'US',
        phone: '+1(502)-459-2181',
      },
      products: [
        {
          title: 'IPod Nano - 8GB',
          quantity: 2,
          price: 199,
          sku: 'IPOD2008GREEN',
          weight: 150,
          variant_title: 'green',
          requires_shipping: true,
          product_id: '632910392',
          variant_id: '39072856',
          type: 'product',
        },
      ],
      discounts: [{ code: 'SPRING', amount: '3.34', type: 'percentage' }],
      order_analytics: {
        landing_site: '/?utm_source=mail',
        landing_site_ref: 'mail',
        note_attributes: [
          { name: 'marketplace', value: 'M-77' },
          { name: 'gift', value: 'true' },
        ],
      },
    });
  });

  test('sets no field that it does not hold', () => {
    const bare = {
      id: 7,
      order_number: 'A-1',
      updated_at: '2026-11-10T00:00:00Z',
      shipping_address: null,
      email: null,
    };
    expect(convertOrder(bare, [], undefined)).toEqual({
      order: { order_number: 'A-1', external_id: '7', order_analytics: {} },
      trackings: [],
      cancelledAt: undefined,
      source: { asOf: '2026-11-10T00:00:00.000Z', parcels: undefined },
      unread: [],
    });
  });

  test('cannot contain a link to a script', () => {
    for (const link of ['javascript:alert(1)', ' javascript:x', 'data:x', `https://a/${'x'.repeat(2048)}`]) {
      expect(told({ order_status_url: link }).order).not.toHaveProperty('order_status_url');
    }
  });

  test.each([
    ['partial', { count: 1, areAll: false }],
    ['fulfilled', { count: 1, areAll: true }],
    [null, undefined],
  ])('with the status %s gives the right count of parcels', (fulfillment_status, parcels) => {
    expect(told({ fulfillment_status, fulfillments: [shopFulfilment(['A'])] }).source.parcels).toEqual(parcels);
  });
});

describe('a fulfilment of the shop system', () => {
  test('is a parcel with its products', () => {
    expect(trackingsOf(shopFulfilment(['A']))).toEqual([
      {
        tracking_number: 'A',
        tracking_company: 'DHL',
        tracking_placed_at: '2026-11-11T09:00:00-05:00',
        products: [
          { title: 'IPod Nano - 8GB', quantity: 1, price: 199, sku: 'IPOD2008GREEN', weight: 150, type: 'product' },
        ],
      },
    ]);
  });

  test.each([
    ['with several numbers is several parcels', shopFulfilment(['A', 'B', 'A ', '']), ['A', 'B']],
    ['with a single number is a parcel', shopFulfilment([], { tracking_number: 'A' }), ['A']],
    ['without a number is no parcel', shopFulfilment([]), []],
    ['that is cancelled has no parcel', shopFulfilment(['A'], { status: 'cancelled' }), []],
    ['that failed has no parcel', shopFulfilment(['A'], { status: 'failure' }), []],
  ])('%s', (_, fulfilment, numbers) => {
    expect(trackingsOf(fulfilment).map(({ tracking_number }) => tracking_number)).toEqual(numbers);
  });
});

test('states of an order are sorted by their time, then by the time of the webhook', () => {
  const inOrder = [
    momentOf('2026-11-10T16:15:47-05:00', undefined),
    momentOf('2026-11-10T21:15:47Z', '2026-11-10T21:15:48Z'),
    momentOf('2026-11-10T21:15:47Z', '2026-11-10T21:15:48.87Z'),
    momentOf('2026-11-10T21:15:47Z', '2026-11-10T21:15:48.877041743Z'),
    momentOf('2026-11-10T21:15:48Z', '2026-11-10T21:15:40Z'),
  ];
  expect(inOrder.toSorted()).toEqual(inOrder);
  expect(momentOf('2026-11-10T21:15:47Z', 'some day')).toBe(inOrder[0]);
});

describe('a signature', () => {
  const body = Buffer.from('{"id":1,"name":"ü"}');

  test('is valid for these bytes and this secret only', () => {
    const signature = signatureOf('secret', body);
    expect(isSignedWith('secret', body, signature)).toBe(true);
    expect(isSignedWith('secret2', body, signature)).toBe(false);
    expect(isSignedWith('secret', Buffer.from('{"id":1,"name":"u"}'), signature)).toBe(false);
  });

  test.each(['', 'AAAA', 'not base64 at all', 'A'.repeat(44), 'A'.repeat(5000)])('is invalid as %j', (header) => {
    expect(isSignedWith('secret', body, header)).toBe(false);
  });
});
