import { createHmac } from 'node:crypto';

const shopOfRequests = { shop_id: 954889, shop_domain: 'shop.example.com' };
const customerOfRequests = { id: 207119551, email: 'bob.norman@mail.example.com', phone: '555-625-1199' };

/** The customer of `shopOrder` asks what is stored (`customers/data_request`). */
export const shopDataRequest = (fields: Record<string, unknown> = {}) => ({
  ...shopOfRequests,
  orders_requested: [450789469],
  customer: customerOfRequests,
  data_request: { id: 9999 },
  ...fields,
});

/** The same customer wants to be forgotten (`customers/redact`). */
export const shopRedactRequest = (fields: Record<string, unknown> = {}) => ({
  ...shopOfRequests,
  customer: customerOfRequests,
  orders_to_redact: [450789469],
  ...fields,
});

/** The shop left the shop system two days ago (`shop/redact`). */
export const shopLeftRequest = () => shopOfRequests;

/** An order as the shop system sends it, with the fields that we do not use. */
export const shopOrder = (fields: Record<string, unknown> = {}) => ({
  id: 450789469,
  admin_graphql_api_id: 'gid://shop/Order/450789469',
  order_number: 1001,
  name: '#1001',
  email: 'bob.norman@mail.example.com',
  created_at: '2026-11-10T16:15:47-05:00',
  updated_at: '2026-11-10T16:15:47-05:00',
  cancelled_at: null,
  currency: 'EUR',
  total_price: '409.94',
  subtotal_price: '398.00',
  total_discounts: '3.34',
  total_weight: 300,
  financial_status: 'authorized',
  fulfillment_status: null,
  order_status_url: 'https://shop.example.com/690933842/orders/b1946ac9/authenticate?key=abc',
  landing_site: '/?utm_source=mail',
  landing_site_ref: 'mail',
  customer: { id: 207119551, tags: 'vip, newsletter' },
  client_details: { user_agent: 'Mozilla/5.0' },
  note_attributes: [
    { name: 'marketplace', value: 'M-77' },
    { name: 'gift', value: true },
  ],
  shipping_address: {
    name: 'Bob Norman',
    company: null,
    address1: 'Chestnut Street 92',
    address2: '',
    city: 'Louisville',
    zip: '40202',
    province: 'Kentucky',
    province_code: 'KY',
    country: 'United States',
    country_code: 'US',
    phone: '+1(502)-459-2181',
  },
  shipping_lines: [{ title: 'Standard', price: '11.94' }],
  discount_codes: [{ code: 'SPRING', amount: '3.34', type: 'percentage' }],
  line_items: [
    {
      title: 'IPod Nano - 8GB',
      quantity: 2,
      price: '199.00',
      sku: 'IPOD2008GREEN',
      grams: 150,
      variant_title: 'green',
      requires_shipping: true,
      product_id: 632910392,
      variant_id: 39072856,
    },
  ],
  fulfillments: [] as object[],
  ...fields,
});

/** A parcel of the order above. */
export const shopFulfilment = (numbers: string[], fields: Record<string, unknown> = {}) => ({
  id: 255858046,
  order_id: 450789469,
  status: 'success',
  created_at: '2026-11-11T09:00:00-05:00',
  updated_at: '2026-11-11T09:00:00-05:00',
  tracking_company: 'DHL',
  tracking_number: numbers[0] ?? null,
  tracking_numbers: numbers,
  line_items: [{ title: 'IPod Nano - 8GB', quantity: 1, price: '199.00', sku: 'IPOD2008GREEN', grams: 150 }],
  ...fields,
});

export const signatureOf = (secret: string, body: string | Uint8Array): string =>
  createHmac('sha256', secret).update(body).digest('base64');
