import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { LocalStack } from '#lib/local/stack.ts';
import { clientOf } from '#test/e2e/kit/client.ts';
import { grantsOf } from '#test/e2e/kit/grants.ts';
import { idleGrants } from '#test/e2e/kit/idle-grants.ts';
import { startInProcess } from '#test/e2e/kit/in-process-stack.ts';
import { superAdmin } from '#test/e2e/kit/local-stack.ts';
import { assemblyIn } from '#test/kit/assembly.ts';
import { queuedMessage } from '#test/kit/queue-messages.ts';
import { serveVendor } from '#test/kit/vendors/fake-vendor.ts';
import { KlaviyoWithSegments, klaviyoKey } from '#test/kit/vendors/klaviyo-segments.ts';
import { ShopifyWithSegments, shopifyToken } from '#test/kit/vendors/shopify-segments.ts';

/** From a new order to the segments of its customer, on a running service and with two vendors. */

const folder = mkdtempSync(join(tmpdir(), 'segments-'));
const assembly = await assemblyIn(folder);
const [klaviyo, shopify] = [new KlaviyoWithSegments(), new ShopifyWithSegments()];
const servers = await Promise.all([serveVendor(klaviyo), serveVendor(shopify)]);
let stack: LocalStack & AsyncDisposable;

beforeAll(async () => {
  const targets = {
    integration_1: { url: servers[0].url, dialect: 'klaviyo' },
    integration_2: { url: servers[1].url, dialect: 'shopify' },
  };
  stack = await startInProcess(assembly, {
    ALLOW_LOCAL_TARGETS: 'true',
    RETRY_BASE_SECONDS: '1',
    INTEGRATION_TARGETS: JSON.stringify(targets),
  });
  stack.usage.start();
});
afterAll(async () => {
  await stack?.stop();
  await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
  rmSync(folder, { recursive: true, force: true });
});

/** A shop that has the segments of its customers fetched from these integrations. */
async function newShop(switches: Record<string, boolean>) {
  const path = `/v1/shops/shop-${randomUUID()}`;
  const call = async (method: string, rest: string, body?: object) => {
    const answer = await clientOf(stack.url)(method, path + rest, { key: superAdmin, body });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const slug = path.slice('/v1/shops/'.length);
  await clientOf(stack.url)('POST', '/v1/shops', { key: superAdmin, body: { name: slug, slug } });
  await call('PUT', '/keys/integration_1', { api_key: klaviyoKey });
  await call('PUT', '/keys/integration_2', { api_key: shopifyToken });
  await call('PATCH', '/settings/segments', switches);
  return {
    slug,
    place: (id: string, order: object) => call('PUT', '/orders', { id, order, trackings: [] }),
    rename: (id: string) => call('PUT', '/orders', { id, order: { order_name: 'renamed' }, trackings: [] }),
    order: async (id: string) => (await call('GET', `/orders?order_number=${id}`))[0],
  };
}

/** A customer whom both vendors know. */
function newCustomer() {
  const email_id = `${randomUUID()}@example.com`;
  klaviyo.profiles.push({ id: randomUUID(), email: email_id, segments: ['VIP', 'spring'] });
  const id = `gid://shopify/Customer/${shopify.customers.length + 1}`;
  shopify.customers.push({ id, emailAddress: email_id, segments: ['Big spenders'] });
  shopify.segments = ['New', 'Big spenders'];
  return email_id;
}

const within = { timeout: 25_000, interval: 100 };
const both = { integration_1: true, integration_2: true };

test('the segments that integrations know are joined to those of a new order', async () => {
  const shop = await newShop(both);
  await shop.place('1', { email_id: newCustomer(), segments: ['spring'] });
  await vi.waitFor(async () => {
    const { segments } = await shop.order('1');
    expect(segments.toSorted()).toEqual(['Big spenders', 'VIP', 'spring']);
  }, within);
});

test('a vendor in trouble is asked again, and meanwhile the order can be read and changed', async () => {
  const shop = await newShop({ integration_1: true });
  klaviyo.meet({ status: 503 }, { status: 429, headers: { 'retry-after': '1' } });
  await shop.place('1', { email_id: newCustomer() });
  await shop.rename('1');
  await vi.waitFor(async () => {
    expect(await shop.order('1')).toMatchObject({ order_name: 'renamed', segments: ['VIP', 'spring'] });
  }, within);
});

test('a vendor that hangs holds up neither the order nor other shops', async () => {
  const [slow, other] = [await newShop({ integration_1: true }), await newShop({ integration_2: true })];
  klaviyo.meet('hangs');
  const before = klaviyo.requests.length;
  await slow.place('1', { email_id: newCustomer() });
  await vi.waitFor(() => expect(klaviyo.requests.length).toBeGreaterThan(before), within);
  await slow.rename('1');
  await other.place('1', { email_id: newCustomer() });
  await vi.waitFor(async () => expect((await other.order('1')).segments).toEqual(['Big spenders']), within);
  expect(await slow.order('1')).toMatchObject({ order_name: 'renamed' });
});

test('nobody is asked without a switch, without a customer, or about a later change of the order', async () => {
  const [off, on] = [await newShop({ integration_1: false }), await newShop({ integration_1: true })];
  const [unasked, asked] = [newCustomer(), newCustomer()];
  await off.place('1', { email_id: unasked });
  await on.place('none', {});
  await on.place('none', { email_id: unasked });
  await on.place('1', { email_id: asked });
  await vi.waitFor(async () => expect((await on.order('1')).segments).toEqual(['VIP', 'spring']), within);
  expect(klaviyo.requests.map(({ path }) => decodeURIComponent(path)).join()).not.toContain(unasked);
});

test('a request that comes again changes nothing', async () => {
  const shop = await newShop({ integration_1: true });
  await shop.place('1', { email_id: newCustomer() });
  await vi.waitFor(async () => expect((await shop.order('1')).segments).toEqual(['VIP', 'spring']), within);
  const before = await shop.order('1');
  const request = {
    shop_slug: shop.slug,
    order_id: before.uuid,
    integration: 'integration_1',
    since: new Date().toISOString(),
  };
  const Records = [queuedMessage('m', { ...request, has_turn: true })];
  expect(await stack.invoke('SegmentsFetch', { Records })).toEqual({ batchItemFailures: [] });
  expect(await shop.order('1')).toEqual(before);
});

test('the function has the rights that it needs and no others, and no log shows a customer or a key', async () => {
  const grants = grantsOf(assembly).filter(({ policy }) => policy.startsWith('SegmentsFetch'));
  expect(grants).not.toEqual([]);
  expect(idleGrants(stack, grants)).toEqual([]);
  const logs = ['SegmentsFetch', 'EventsFanOut'].flatMap((name) => stack.logs(name)).join();
  expect(logs).toContain('joined');
  expect(logs).not.toMatch(/AccessDenied|@example\.com|pk_a-private|shpat_/);
});
