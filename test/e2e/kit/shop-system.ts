import { fakeToken } from '#test/kit/fake-shop-system.ts';
import type { FakeShopware } from '#test/kit/fake-shopware.ts';
import { consumerKey } from '#test/kit/fake-woocommerce.ts';
import { signatureOf } from '#test/kit/shop-payloads.ts';
import type { Answer, Api } from './client.ts';

interface Shop {
  slug: string;
  /** Of the merchant. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** A shop with its shop system at `adminUrl`, and the requests of that system and of the merchant. */
export interface ConnectedShop extends Shop {
  secret: string;
  /**
   * A webhook of the shop's system, signed as it does: a type of shop_system_1, or a topic of shop_system_3. A text is sent as
   * it is.
   */
  send(type: string, payload: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export async function connectShop(api: Api, key: string, slug: string, adminUrl: string): Promise<ConnectedShop> {
  const shop = await makeShop(api, key, { slug, shop_admin_url: adminUrl });
  await shop.call('PUT', '/keys/integration_7', { api_key: fakeToken });
  const secret = await secretOf(shop);
  return {
    ...shop,
    secret,
    send: (type, payload, headers = {}) =>
      post(api, slug, type, textOf(payload), (body) => ({
        'x-shopify-hmac-sha256': signatureOf(secret, body),
        ...headers,
      })),
  };
}

/** The same of shop_system_3. */
export async function connectWooCommerce(api: Api, key: string, slug: string, shopUrl: string): Promise<ConnectedShop> {
  const shop = await makeShop(api, key, { slug, shop_provider: 'shop_system_3', shop_admin_url: shopUrl });
  await shop.call('PUT', '/keys/shop_system_3', consumerKey);
  const secret = await secretOf(shop);
  return {
    ...shop,
    secret,
    send: (topic, payload, headers = {}) =>
      post(api, slug, 'order-update', textOf(payload), (body) => ({
        'x-wc-webhook-topic': topic,
        'x-wc-webhook-signature': signatureOf(secret, body),
        ...headers,
      })),
  };
}

/** A shop of shop_system_2 in which the app is installed. The fake sends its webhooks itself. */
export async function connectShopware(api: Api, key: string, slug: string, system: FakeShopware): Promise<Shop> {
  const shop = await makeShop(api, key, { slug, shop_provider: 'shop_system_2' });
  const manifest = await shop.call('GET', '/shop-system/app/manifest');
  await system.install(manifest.text);
  return shop;
}

async function makeShop(api: Api, key: string, fields: { slug: string; [name: string]: string }): Promise<Shop> {
  const { slug } = fields;
  await api('POST', '/v1/shops', { key, body: { name: slug, ...fields } });
  return {
    slug,
    call: (method, rest, body) => api(method, `/v1/shops/${slug}${rest}`, { key, ...(body !== undefined && { body }) }),
  };
}

async function secretOf({ call }: Shop): Promise<string> {
  const config = await call('GET', '/shop-system/webhook-config');
  return String(config.body?.webhook_secret);
}

const textOf = (payload: unknown) => (typeof payload === 'string' ? payload : JSON.stringify(payload));

function post(
  api: Api,
  slug: string,
  type: string,
  body: string,
  headersOf: (body: string) => Record<string, string>,
): Promise<Answer> {
  const headers = { 'content-type': 'application/json', ...headersOf(body) };
  return api('POST', `/v1/shops/${slug}/shop-system/inbound/${type}`, { body, headers });
}
