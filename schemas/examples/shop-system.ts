import type { Registration, shopSystem } from '../families/shop-system.ts';
import type { ExamplesOf } from './example.ts';
import { hosts, ids, secrets, slug, storyBegins } from './story.ts';

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

/** The installation of the app in the shop. */
const shopId = 'q7X2cbHi5hbjWmUK';

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
  getShopInbound: {
    response: {
      shop_provider: 'shop_system_2',
      is_connected: true,
      last_received_at: '2026-11-16T09:12:40.117Z',
      last_topic: 'order.written',
      ignored: [{ topic: 'product.written', count: 3, last_received_at: '2026-11-16T09:10:02.480Z' }],
      unreadable: [
        {
          received_at: '2026-11-16T09:11:31.902Z',
          topic: 'checkout.order.placed',
          reason: 'field_missing',
          field: 'orderNumber',
          order: '0191f0a37c1d7c5e9a4be3b7d5a6c801',
        },
      ],
    },
  },
  getAppManifest: { response: '<?xml version="1.0" encoding="UTF-8"?>' },
  registerApp: {
    query: {
      'shop-id': shopId,
      'shop-url': hosts.shop,
      timestamp: String(Date.parse(storyBegins) / 1000),
    },
    response: {
      proof: '7d1c5f0a94be23a8876bd1f4c05e9a1237c6ad80e4b15f92d30c8ba7f6e1429b',
      secret: secrets.appShop,
      confirmation_url: `${hosts.service}/v1/shops/${slug}/shop-system/app/confirmation`,
    },
  },
  confirmApp: {
    body: {
      apiKey: 'SWIAKEYOFTHEINSTALLEDAPP',
      secretKey: 'secret-of-the-installed-app',
      shopUrl: hosts.shop,
      shopId,
    },
    response: null,
  },
  receiveAppEvent: {
    body: {
      data: { payload: [], event: 'app.activated' },
      source: { url: hosts.shop, eventId: '0191f0a37c1d7c5e9a4be3b7d5a6c802', shopId, appVersion: '1.0.0' },
      timestamp: Date.parse(storyBegins) / 1000,
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
