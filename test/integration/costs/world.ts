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
  /** An order with one fulfilled shipment, found by every filter. */
  order: CostOrder;
  draftOrder: string;
  bulkOrders: [string, string];
  /** A tracking number of the order that can go. */
  spare: string;
  fresh: () => string;
  end: () => Promise<void>;
}

interface CostOrder {
  uuid: string;
  order_number: string;
  external_id: string;
  order_placed_at: string;
  tracking: string;
  shipment: string;
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
  const { order, spare } = await makeOrder(call, slug);
  const drafts = Array.from({ length: 40 }, fresh);
  for (const id of drafts) await call('PUT', `/v1/shops/${slug}/orders`, { id, order: {}, trackings: [] });
  const [draftOrder, ...bulk] = drafts as [string, string, string];
  const bulkOrders = bulk.slice(0, 2) as [string, string];
  await call('GET', `/v1/shops/${slug}/orders?per_page=10`); // keeps where the second page begins
  const callAsShop = caller(stack.url, `${slug}:${other.secret}`);
  return {
    stack,
    call,
    callAsShop,
    slug,
    uuid: shop.uuid,
    tokenId: key.id,
    order,
    draftOrder,
    bulkOrders,
    spare,
    fresh,
    end: stop,
  };
}

async function makeOrder(call: Call, slug: string): Promise<{ order: CostOrder; spare: string }> {
  const [tracking, spare] = ['cost-tracking-1', 'cost-tracking-2'];
  const fields = { order_name: 'named', email_id: 'cost@example.com', address: { zip_code: '10115' } };
  const trackings = [tracking, spare].map((tracking_number) => ({ tracking_number }));
  await call('PUT', `/v1/shops/${slug}/orders`, {
    id: 'cost-order',
    order: { ...fields, external_id: 'cost-ext' },
    trackings,
  });
  const external = { order_id: 'cost-order', order_id_type: 'order_number', external_shipment_id: 'external' };
  await call('POST', `/v1/shops/${slug}/shipments`, external);
  const [order] = (await call('GET', `/v1/shops/${slug}/orders?order_number=cost-order`)).body as [
    CostOrder & { trackings: { uuid: string }[] },
  ];
  return { order: { ...order, tracking, shipment: order.trackings[0]!.uuid }, spare };
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
