import type { Registration, shopSystem } from '../families/shop-system.ts';
import type { ExamplesOf } from './example.ts';
import { hosts, ids, secrets, slug } from './story.ts';

const registration = {
  uuid: ids.registration,
  shop_slug: slug,
  webhook_type: 'order-creation',
  name: 'order-creation',
  external_id: '4759306000001',
  shopify_id: 4759306000001,
  topic: 'orders/create',
  hook_url: `${hosts.service}/v1/shops/${slug}/shop-system/inbound/order-creation`,
  fields: [],
  created_at: '2026-11-16T09:08:43.270Z',
  updated_at: '2026-11-16T09:08:43.270Z',
} satisfies Registration;

export const shopSystemExamples = {
  getWebhookConfig: { response: { webhook_secret: secrets.shopSystem } },
  createRegistration: { body: { webhook_type: 'order-creation' }, response: registration },
  getRegistration: { params: { uuid: ids.registration }, response: registration },
  getRegistrationOfType: { params: { webhook_type: 'order-creation' }, response: registration },
  listRegistrations: { query: { per_page: 10 }, response: [registration] },
  receiveShopWebhook: {
    params: { webhook_type: 'order-creation' },
    body: {
      id: 5120938490,
      order_number: 10484,
      name: '#10484',
      email: 'ida.holm@example.com',
      created_at: '2026-11-16T08:50:00Z',
      updated_at: '2026-11-16T08:50:00Z',
      currency: 'EUR',
      total_price: '149.90',
      financial_status: 'paid',
      note_attributes: [{ name: 'marketplace_number', value: 'M-5521' }],
      shipping_address: {
        name: 'Ida Holm',
        address1: 'Hafenstraße 3',
        zip: '18055',
        city: 'Rostock',
        country: 'Germany',
        country_code: 'DE',
      },
      line_items: [{ title: 'Rain jacket Fjord', sku: 'FJORD-GRN-M', quantity: 1, price: '149.90', grams: 480 }],
      fulfillments: [],
    },
    response: null,
  },
  receiveShopPrivacyWebhook: {
    body: {
      shop_id: 954889,
      shop_domain: 'nordlicht-outdoor.example',
      orders_requested: [5120938490],
      customer: { id: 207119551, email: 'ida.holm@example.com', phone: null },
      data_request: { id: 9999 },
    },
    response: null,
  },
  deleteRegistration: { params: { uuid: ids.registration }, response: null },
  deleteRegistrationOfType: { params: { webhook_type: 'order-creation' }, response: null },
} satisfies ExamplesOf<typeof shopSystem>;
