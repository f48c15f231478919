import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ErrorKey } from '#schemas/catalogues/errors.ts';
import { openApiDescription } from '#schemas/description/openapi.ts';
import { errorExample } from '#schemas/examples/errors.ts';
import { examples } from '#schemas/examples/index.ts';
import type { Answer } from '#test/e2e/kit/client.ts';
import { api, keyFor, newShop, superAdmin } from '#test/e2e/kit/shared-stack.ts';
import { withdraw } from '#test/e2e/kit/withdrawals-tour.ts';
import { type FakeShopSystem, fakeToken, startFakeShopSystem, unwell } from '#test/kit/fake-shop-system.ts';
import { upload } from '#test/kit/multipart.ts';

/** Makes the service answer with each error and compares its body with the example, word for word. */

const nobody = '01a1e395-0000-7000-8000-000000000000';
let slug: string;
let viewer: string;
let shopSystem: FakeShopSystem;

beforeAll(async () => {
  shopSystem = await startFakeShopSystem();
  slug = await newShop({ shop_admin_url: shopSystem.adminUrl });
  viewer = await keyFor(slug, 'viewer');
});
afterAll(() => shopSystem.stop());

const call = (method: string, path: string, body?: unknown, key: string | undefined = superAdmin) =>
  api(method, `/v1/shops/${slug}${path}`, { key, ...(body !== undefined && { body }) });

const bodyOf = (id: string, fields: object = {}) => ({ ...(examples[id]!.body as object), ...fields });

async function twice(send: () => Promise<Answer>): Promise<Answer> {
  await send();
  return send();
}

/** Something that the service made, with its uuid. */
const made = async (path: string, body: object): Promise<string> => (await call('POST', path, body)).body.uuid;

const campaign = (fields: object) => bodyOf('createCampaign', { discount_id: null, ...fields });
const order = (order_number: string) => bodyOf('placeOrder', { order_number });
const upsert = (id: string, carrier_reference = 'dhl') => ({
  id,
  order: {},
  trackings: [{ tracking_number: `T${id}`, carrier_reference }],
});
const event = { id: 'T3', event_name: 'OUT_FOR_DELIVERY', event_time: '2026-11-16T06:45:00Z' };
const automation = bodyOf('createAutomation', { actions: [{ type: 'add_segment', params: { segment: 'vip' } }] });
const endpoint = { url: 'http://127.0.0.1:9/hook' };
const abTest = (campaign_id: string) => ({
  ...{ name: 'A test', segment: 'all', campaign_type: 'basic' },
  campaigns: [{ campaign_id, allocation: 100 }],
});

const provoked: Partial<Record<ErrorKey, () => Promise<Answer>>> = {
  invalid_merchant_or_key: () => api('GET', `/v1/shops/${slug}`),
  insufficient_rights: () => call('PATCH', '', { name: 'Another name' }, viewer),
  session_required: () => api('GET', '/v1/sessions/current'),
  shop_not_found: () => api('GET', '/v1/shops/nobody-has-this-slug', { key: superAdmin }),
  shop_exists: () => api('POST', '/v1/shops', { key: superAdmin, body: { name: 'A shop', slug } }),
  invalid_payload: () => api('POST', '/v1/shops', { key: superAdmin, body: { slug: 'nordlicht' } }),
  api_key_not_found: () => call('DELETE', '/api-keys/nobody'),
  partner_key_not_found: () => call('DELETE', '/keys/integration_1'),
  internal_trigger_not_found: () => call('GET', '/settings/triggers/webhook/internal-triggers/nobody'),
  image_media_unsupported: () =>
    api('POST', `/v1/shops/${slug}/images`, { key: superAdmin, ...upload('logo', Buffer.from('a text')) }),
  order_not_found: () => call('PATCH', `/orders/${nobody}`, {}),
  order_exists: async () => {
    await call('POST', '/orders', order('1'));
    return call('POST', '/orders', order('2'));
  },
  carrier_reference_invalid: () => call('PUT', '/orders', upsert('2', 'pigeon')),
  shipment_not_found: () => call('POST', `/shipments/${nobody}/events`, { event_name: 'OUT_FOR_DELIVERY' }),
  shipment_exists: async () => {
    await call('PUT', '/orders', upsert('3'));
    return call('POST', '/shipments', { order_id: '3', order_id_type: 'order_number', tracking_number: 'T3' });
  },
  shipment_event_exists: () => twice(() => call('POST', '/shipment-events', event)),
  claim_not_found: () => call('GET', `/claims/${nobody}`),
  claim_transition_invalid: async () => {
    const claim = await made('/claims', { tracking_number: 'T3', reason: 'damage' });
    await call('PUT', `/claims/${claim}`, { status: 'closed' });
    return call('PUT', `/claims/${claim}`, { status: 'accepted' });
  },
  claim_closed: async () => {
    const claim = await made('/claims', { tracking_number: 'T3', reason: 'damage' });
    await call('PUT', `/claims/${claim}`, { status: 'closed' });
    return call('POST', `/claims/${claim}/messages`, { text: 'One thing more.' });
  },
  withdrawal_not_found: () => call('GET', `/withdrawals/${nobody}`),
  withdrawal_transition_invalid: async () => {
    await call('PATCH', '/settings/tracking-page', { withdrawal_enabled: true });
    await call('PUT', '/orders', upsert('4'));
    const [{ tracking_page_url }] = (await call('GET', '/orders?order_number=4')).body;
    await withdraw(api, new URL(tracking_page_url).pathname);
    const [{ uuid }] = (await call('GET', '/withdrawals')).body.withdrawals;
    return call('PUT', `/withdrawals/${uuid}`, { status: 'refunded' });
  },
  campaign_not_found: () => call('GET', `/campaigns/${nobody}`),
  campaign_type_invalid: () => call('POST', '/campaigns', campaign({ promotion_type: 'video' })),
  campaign_exists: () => twice(() => call('POST', '/campaigns', campaign({ enabled: false }))),
  campaign_active_segment_exists: async () => {
    await call('POST', '/campaigns', campaign({ name: 'One', segment: 'vip' }));
    return call('POST', '/campaigns', campaign({ name: 'Another', segment: 'vip' }));
  },
  campaign_product_not_found: async () => {
    const uuid = await made('/campaigns', campaign({ name: 'With products', enabled: false }));
    return call('PUT', `/campaigns/${uuid}`, { promotion_properties: { products: [{ uuid: nobody }] } });
  },
  a_b_test_not_found: () => call('GET', `/ab-tests/${nobody}`),
  a_b_test_overlap: async () => {
    const basic = { promotion_type: 'basic', promotion_properties: {} };
    const uuid = await made('/campaigns', campaign({ name: 'Tested', segment: 'all', enabled: false, ...basic }));
    return twice(() => call('POST', '/ab-tests', abTest(uuid)));
  },
  changed_since_read: async () => {
    const uuid = await made('/campaigns', campaign({ name: 'Changed', enabled: false }));
    const headers = { 'if-match': '"2026-11-16T09:00:00.000Z"' };
    return api('PUT', `/v1/shops/${slug}/campaigns/${uuid}`, { key: superAdmin, headers, body: { enabled: false } });
  },
  discount_not_found: () => call('DELETE', `/discounts/${nobody}`),
  discount_exists: () => twice(() => call('POST', '/discounts', examples.createDiscount!.body)),
  deal_not_found: () => call('DELETE', `/deals/${nobody}`),
  announcement_not_found: () => call('DELETE', `/announcements/${nobody}`),
  announcement_exists: () => twice(() => call('POST', '/announcements', examples.createAnnouncement!.body)),
  automation_not_found: () => call('GET', `/automations/${nobody}`),
  automation_exists: () => twice(() => call('POST', '/automations', automation)),
  webhook_not_found: () => call('DELETE', `/webhooks/${nobody}`),
  feed_off: async () => {
    await call('PATCH', '/settings/events', { feed_enabled: false });
    return call('GET', '/events');
  },
  cursor_expired: async () => {
    await call('PATCH', '/settings/events', { feed_enabled: true });
    const { next } = (await call('GET', '/events')).body;
    for (const feed_enabled of [false, true]) await call('PATCH', '/settings/events', { feed_enabled });
    return call('GET', `/events?after=${next}`);
  },
  webhook_exists: () => twice(() => call('POST', '/webhooks', endpoint)),
  webhook_delivery_not_found: async () => {
    const uuid = await made('/webhooks', { url: 'http://127.0.0.1:9/another' });
    return call('GET', `/webhooks/${uuid}/deliveries/${nobody}`);
  },
  page_not_found: () => api('GET', '/v1/tracking/nothing'),
  tracking_provider_not_found: () => api('DELETE', '/v1/tracking-providers/shippo', { key: superAdmin }),
  signature_invalid: async () => {
    const secrets = { api_key: 'a-key-of-the-provider', webhook_secret: 'a-secret-of-the-provider' };
    const body = { ...secrets, base_url: 'http://127.0.0.1:9' };
    await api('PUT', '/v1/tracking-providers/ship24', { key: superAdmin, body });
    return api('POST', '/v1/tracking-providers/ship24/webhook', { body: {} });
  },
  privacy_request_not_found: () => call('GET', `/privacy/requests/${nobody}`),
  suppression_not_found: () => call('DELETE', `/emails/suppressions/${nobody}`),
  simulation_not_found: () => call('GET', `/simulations/${nobody}`),
  simulation_clock_backwards: async () => {
    const simulation = await made('/simulations', { journey: 'lost' });
    return call('POST', `/simulations/${simulation}/advance`, { by_minutes: -1 });
  },
  simulation_ended: async () => {
    const simulation = await made('/simulations', { journey: 'cancelled' });
    return twice(() => call('POST', `/simulations/${simulation}/advance`, { steps: 9 }));
  },
  route_not_found: () => api('GET', '/docs/nothing'),
  registration_not_found: () => call('GET', `/shop-system/webhooks/${nobody}`),
  partner_key_missing_permissions: async () => {
    await call('PUT', '/keys/integration_7', { api_key: 'a-key-without-rights' });
    return call('POST', '/shop-system/webhooks', { webhook_type: 'order-creation' });
  },
  registration_exists: async () => {
    await call('PUT', '/keys/integration_7', { api_key: fakeToken });
    return twice(() => call('POST', '/shop-system/webhooks', { webhook_type: 'order-update' }));
  },
  bad_gateway: async () => {
    await call('PUT', '/keys/integration_7', { api_key: fakeToken });
    shopSystem.meet(unwell, unwell, unwell, unwell);
    return call('POST', '/shop-system/webhooks', { webhook_type: 'order-creation' });
  },
};

/**
 * No request causes them reliably, or they say which limit was exceeded in a message of their own. An erasure begins once a
 * minute, so `order_erased` is compared with its example where the clock is the test's own (integration/privacy/asking).
 */
const elsewhere = [
  ...['payload_too_large', 'rate_limited', 'unexpected', 'order_erased'],
  // The local stack names a sender, and its emulator of SES never fails.
  ...['emails_unavailable', 'email_suppressed', 'email_not_sent'],
];

/** What a conflict names is another record in each run. */
const withoutNames = (body: object) => JSON.parse(JSON.stringify(body).replaceAll(/[0-9a-f-]{36}: [^"]+/g, '…'));

test.each(Object.entries(provoked))('the body of %s is that of the example', async (key, provoke) => {
  expect(withoutNames((await provoke()).body)).toEqual(withoutNames(errorExample(key as ErrorKey)));
});

test('every described error is provoked here, but for those of the service itself', () => {
  const { components } = openApiDescription() as { components: { examples: object } };
  expect([...Object.keys(provoked), ...elsewhere].toSorted()).toEqual(Object.keys(components.examples).toSorted());
});
