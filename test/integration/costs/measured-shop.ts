import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, vi } from 'vitest';
import { deliveryItem, type Target } from '#domain/deliveries/delivery-items.ts';
import { payloadItem } from '#domain/deliveries/delivery-messages.ts';
import type { Delivery } from '#domain/deliveries/delivery-rules.ts';
import { testEvent } from '#domain/deliveries/test-event.ts';
import { viewerOf } from '#domain/orders/presentation.ts';
import type { LocalStack } from '#lib/local/stack.ts';
import { countedLists } from '#platform/table/counted-lists.ts';
import { storeBody } from '#platform/table/stored-body.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { type ConnectedShop, connectShop, connectShopware, connectWooCommerce } from '#test/e2e/kit/shop-system.ts';
import { countedIn } from '#test/kit/counted-in.ts';
import { deliveryInShard } from '#test/kit/delivery-in-shard.ts';
import { startFakeShopSystem } from '#test/kit/fake-shop-system.ts';
import { type FakeShopware, startFakeShopware } from '#test/kit/fake-shopware.ts';
import { startFakeWooCommerce } from '#test/kit/fake-woocommerce.ts';
import { longLists } from '#test/kit/long-lists.ts';
import { type RunningService, startService } from '#test/kit/service.ts';
import { shopOrder } from '#test/kit/shop-payloads.ts';
import { shopwareEvent, shopwareOrder } from '#test/kit/shopware-payloads.ts';
import { storeItems } from '#test/kit/store-items.ts';
import { wooProcessing } from '#test/kit/woocommerce-payloads.ts';

type Call = (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;

/** A local stack with known contents, because the cost of an operation depends on them. */
export interface MeasuredShop {
  service: RunningService;
  stack: LocalStack;
  /** `username:secret` of the SuperAdmin. */
  operator: string;
  call: Call;
  callAsShop: Call;
  slug: string;
  uuid: string;
  tokenId: string;
  /** An order with one fulfilled shipment, found by every filter. */
  order: CostOrder;
  draftOrder: string;
  bulkOrders: [string, string];
  /** A tracking number of the order that may be deleted. */
  spare: string;
  /** One of 40 claims, about the order. */
  claim: string;
  webhook: CostWebhook;
  integration: CostIntegration;
  /** The id of an internal trigger of webhooks. */
  internalTrigger: string;
  shopSystem: CostShopSystem;
  /** A shop of shop_system_3, with an order from it. */
  wooCommerce: ConnectedShop;
  shopware: CostShopware;
  longLists: CostLongLists;
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

/** An endpoint with 20 deliveries. It listens to nothing, so that their number does not change. */
interface CostWebhook {
  uuid: string;
  delivery: string;
  /** The time of the last delivery. */
  until: string;
}

/** An integration with 20 deliveries, in a shop of its own. Its switch is off, so that their number does not change. */
interface CostIntegration extends Omit<CostWebhook, 'uuid'> {
  path: string;
}

/** A shop whose lists of orders, shipments and claims, and of deliveries to its endpoint, have 30,100 entries each. */
interface CostLongLists {
  slug: string;
  webhook: string;
}

/** A shop with a shop system, a registration in it and an order from it. */
type CostShopSystem = ConnectedShop & { registration: string };

/** A shop of shop_system_2, in which the app is installed, with an order from it. */
type CostShopware = Pick<ConnectedShop, 'slug' | 'call'> & {
  system: FakeShopware;
  /** Where its webhooks go. */
  inbound: string;
};

export async function startMeasuredShop(): Promise<MeasuredShop> {
  const service = await startService({ isSequential: true, environment: { ALLOW_LOCAL_TARGETS: 'true' } });
  const { stack, operator, stop } = service;
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
  await call('GET', `/v1/shops/${slug}/orders?per_page=10`); // stores where the second page begins
  const callAsShop = caller(stack.url, `${slug}:${other.secret}`);
  const system = await startFakeShopSystem();
  const shopware = await startFakeShopware();
  const wooCommerce = await startFakeWooCommerce();
  return {
    service,
    stack,
    operator: `${operator.username}:${operator.secret}`,
    call,
    callAsShop,
    slug,
    uuid: shop.uuid,
    tokenId: key.id,
    order,
    draftOrder,
    bulkOrders,
    spare,
    claim: await makeClaims(call, slug, order),
    webhook: await makeWebhook(call, service, slug),
    integration: await makeIntegration(call, service),
    internalTrigger: await makeInternalTrigger(call, slug),
    shopSystem: await makeShopSystem(service, system.adminUrl),
    wooCommerce: await makeWooCommerce(service, wooCommerce.shopUrl),
    shopware: await makeShopware(service, shopware),
    longLists: await makeLongLists(call, service),
    fresh,
    end: () => Promise.all([stop(), system.stop(), shopware.stop(), wooCommerce.stop()]).then(() => {}),
  };
}

async function makeShopSystem({ stack, operator }: RunningService, adminUrl: string): Promise<CostShopSystem> {
  const key = `${operator.username}:${operator.secret}`;
  const api = clientOf(stack.url);
  await api('PATCH', '/v1/shops/cost-shop-002', { key, body: { shop_admin_url: adminUrl } });
  const shop = await connectShop(api, key, 'cost-shop-002', adminUrl);
  const { body } = await shop.call('POST', '/shop-system/webhooks', { webhook_type: 'order-update' });
  await shop.send('order-creation', shopOrder());
  return { ...shop, registration: body.uuid };
}

async function makeWooCommerce({ stack, operator }: RunningService, shopUrl: string): Promise<ConnectedShop> {
  const key = `${operator.username}:${operator.secret}`;
  const shop = await connectWooCommerce(clientOf(stack.url), key, 'cost-woocommerce', shopUrl);
  await shop.send('order.created', wooProcessing());
  return shop;
}

async function makeShopware({ stack, operator }: RunningService, system: FakeShopware): Promise<CostShopware> {
  const key = `${operator.username}:${operator.secret}`;
  const shop = await connectShopware(clientOf(stack.url), key, 'cost-shopware', system);
  system.put(shopwareOrder());
  await system.send(shopwareEvent('checkout.order.placed'));
  return { ...shop, system, inbound: `${stack.url}/v1/shops/${shop.slug}/shop-system/inbound/order-update` };
}

/** All entries are counted. Stored are those of the pages that are asked for, and of their neighbours, and all parcels in the index. */
async function makeLongLists(call: Call, service: RunningService): Promise<CostLongLists> {
  const slug = 'cost-shop-004';
  const endpoint = { url: 'http://127.0.0.1/long', enabled_events: [] };
  const webhook = ((await call('POST', `/v1/shops/${slug}/webhooks`, endpoint)).body as { uuid: string }).uuid;
  const lists = longLists({ slug, target: webhook, newest: new Date(Date.now() - 60_000) });
  const stored = [...Array(950).keys(), ...Array.from({ length: 850 }, (_, i) => 29_250 + i)];
  await storeItems(
    service,
    stored.flatMap((n) => [...lists.orderItems(n), ...lists.deliveryItems(n)]),
  );
  // The stream counts what is stored. Then the counters are replaced by those of all entries.
  const waits = { timeout: 100_000, interval: 500 };
  const counted = [
    countedLists.orders(slug),
    countedLists.claimsByCreation(slug),
    countedLists.deliveries(slug, webhook),
  ];
  await vi.waitFor(async () => {
    for (const list of counted) expect(await countedIn(service, list)).toBe(stored.length);
  }, waits);
  await storeItems(service, lists.counterItems(30_100));
  const others = Array.from({ length: 30_100 }, (_, n) => n).filter((n) => !stored.includes(n));
  await storeItems(service, others.map(lists.indexedParcel));
  return { slug, webhook };
}

async function makeOrder(call: Call, slug: string): Promise<{ order: CostOrder; spare: string }> {
  const [tracking, spare] = ['COSTTRACKING1', 'COSTTRACKING2'];
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

/** Forty claims, each on a draft of another order; the last is about the order itself. */
async function makeClaims(call: Call, slug: string, { shipment }: CostOrder): Promise<string> {
  const { body } = await call('GET', `/v1/shops/${slug}/orders?per_page=39`);
  const drafts = (body as { trackings: { uuid: string }[] }[]).flatMap(({ trackings }) => trackings[0]?.uuid ?? []);
  const made: string[] = [];
  for (const shipment_id of [...drafts, shipment]) {
    const claim = await call('POST', `/v1/shops/${slug}/claims`, { shipment_id, reason: 'damage' });
    made.push((claim.body as { uuid: string }).uuid);
  }
  await call('GET', `/v1/shops/${slug}/claims?per_page=10`); // stores where the second page begins
  return made.at(-1)!;
}

async function makeWebhook(call: Call, service: RunningService, slug: string): Promise<CostWebhook> {
  const { body } = await call('POST', `/v1/shops/${slug}/webhooks`, {
    url: 'http://127.0.0.1/cost',
    enabled_events: [],
  });
  const { uuid } = body as { uuid: string };
  return { uuid, ...(await storeDeliveries(service, slug, { id: uuid, kind: 'webhook' })) };
}

async function makeIntegration(call: Call, service: RunningService): Promise<CostIntegration> {
  const [slug, id] = ['cost-shop-003', 'integration_3'];
  const rest_endpoint = 'http://127.0.0.1/cost';
  await call('PATCH', `/v1/shops/${slug}/settings/triggers/${id}`, { rest_endpoint });
  await call('PUT', `/v1/shops/${slug}/keys/${id}`, { api_key: 'key-of-the-integration' });
  const stored = await storeDeliveries(service, slug, { id, kind: 'integration' });
  return { path: `/v1/shops/${slug}/integrations/${id}`, ...stored };
}

async function storeDeliveries(service: RunningService, slug: string, target: Target) {
  const triggered = Array.from({ length: 20 }, (_, i) => new Date(Date.UTC(2026, 9, 1, 12, i)).toISOString());
  const deliveries = triggered.map((triggered_at, n) => deliveredAt(n, triggered_at, slug, target));
  const viewer = await viewerOf({
    shop: { slug, uuid: target.id },
    language: 'en',
    serviceUrl: 'https://service.example.com',
    now: new Date(triggered[0]!),
  });
  const payload = await storeBody(testEvent(viewer, new Date(triggered[0]!)).body);
  for (const delivery of deliveries) {
    for (const Item of [deliveryItem(delivery), payloadItem(delivery, payload)]) {
      await service.table.send(new PutCommand({ TableName: service.tableName, Item }));
    }
  }
  return { delivery: deliveries[0]!.id, until: triggered.at(-1)! };
}

async function makeInternalTrigger(call: Call, slug: string): Promise<string> {
  const when = { operator: 'AND', time_threshold_type: 'created_at', time_threshold_value: 48 };
  const path = `/v1/shops/${slug}/settings/triggers/webhook/internal-triggers`;
  return ((await call('POST', path, { name: 'Slow', ...when })).body as { id: string }).id;
}

function deliveredAt(n: number, triggered_at: string, shop_slug: string, target: Target): Delivery {
  const event = { event_id: triggered_at, ref: 'shipments/in_transit/SHIPMENT_EN_ROUTE' };
  const source = { ...event, event_group: 'shipment_in_transit', triggered_at, shop_slug };
  const attempt = { at: triggered_at, duration_ms: 100, status: 200, response: 'noted' };
  const delivery = deliveryInShard(n, source, target, new Date());
  return { ...delivery, status: 'delivered', attempt_count: 1, attempts: [attempt] };
}

function caller(url: string, credentials: string): Call {
  return async (method, path, body) => {
    const isForm = body instanceof FormData; // a form sets its type, with its boundary, by itself
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: { Authorization: `Basic ${btoa(credentials)}`, ...(!isForm && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = text !== '' && response.headers.get('content-type') === 'application/json';
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };
}
