import { fakeToken } from '#test/kit/fake-shop-system.ts';
import { signatureOf } from '#test/kit/shop-payloads.ts';
import type { Answer, Api } from './client.ts';

/** A shop with its shop system at `adminUrl`, and the requests of that system and of the merchant. */
export interface ConnectedShop {
  slug: string;
  secret: string;
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A webhook of the shop's system, signed as it does. */
  send(type: string, payload: unknown, headers?: Record<string, string>): Promise<Answer>;
}

export async function connectShop(api: Api, key: string, slug: string, adminUrl: string): Promise<ConnectedShop> {
  const path = `/v1/shops/${slug}`;
  const call: ConnectedShop['call'] = (method, rest, body) =>
    api(method, path + rest, { key, ...(body !== undefined && { body }) });
  await api('POST', '/v1/shops', { key, body: { name: slug, slug, shop_admin_url: adminUrl } });
  await call('PUT', '/keys/integration_7', { api_key: fakeToken });
  const config = await call('GET', '/shop-system/webhook-config');
  const secret = String(config.body?.webhook_secret);
  return {
    slug,
    secret,
    call,
    send: (type, payload, headers = {}) => {
      const body = JSON.stringify(payload);
      return api('POST', `${path}/shop-system/inbound/${type}`, {
        body,
        headers: {
          'content-type': 'application/json',
          'x-shopify-hmac-sha256': signatureOf(secret, body),
          ...headers,
        },
      });
    },
  };
}
