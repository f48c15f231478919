import type { LocalStack } from '#lib/local/stack.ts';
import { startService } from '#test/kit/service.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;

/** A local stack with known contents: what an operation costs depends on how much there is to read. */
export interface World {
  stack: LocalStack;
  call: Call;
  callAsShop: Call;
  slug: string;
  uuid: string;
  tokenId: string;
  fresh: () => string;
  end: () => Promise<void>;
}

export async function makeWorld(): Promise<World> {
  const { stack, operator, stop } = await startService();
  let count = 0;
  const fresh = () => `cost-shop-${String(++count).padStart(3, '0')}`;
  const call = caller(stack.url, `${operator.username}:${operator.secret}`);
  for (let i = 0; i < 40; i++) await call('POST', '/v1/shops', { name: 'A shop of costs', slug: fresh() });

  const slug = 'cost-shop-001';
  const shop = (await call('GET', `/v1/shops/${slug}`)).body as { uuid: string };
  const key = (await call('POST', `/v1/shops/${slug}/api-keys`)).body as { id: string; secret: string };
  const other = (await call('POST', `/v1/shops/${slug}/api-keys`)).body as { secret: string };
  const callAsShop = caller(stack.url, `${slug}:${other.secret}`);
  return { stack, call, callAsShop, slug, uuid: shop.uuid, tokenId: key.id, fresh, end: stop };
}

function caller(url: string, credentials: string): Call {
  return async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Basic ${btoa(credentials)}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json';
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };
}
