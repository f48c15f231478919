import { randomUUID } from 'node:crypto';
import { takePlaces } from '#domain/feed/blocks.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { superAdminKey } from '#platform/access/api-key.ts';
import { keyOf } from '#platform/table/keys.ts';
import { shipmentEventNames } from '#schemas/catalogues/shipment-events.ts';
import { shopSystems } from '#schemas/catalogues/shop-webhooks.ts';
import { allOperations } from '#schemas/families/index.ts';
import { shopSystem } from '#schemas/families/shop-system.ts';
import { fakeToken } from '#test/kit/fake-shop-system.ts';
import { consumerKey } from '#test/kit/fake-woocommerce.ts';
import { addToFeed } from '#test/kit/feed-events.ts';
import { basic, invoke } from '#test/kit/invoke.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { fakeProviders } from '#test/kit/providers/index.ts';
import { shopwareSignature } from '#test/kit/shopware-payloads.ts';
import { shops } from './callers.ts';
import type { Secrets } from './draft.ts';
import { appCredentials, shopAddresses } from './fake-shops.ts';
import { installedShop } from './likely-bodies.ts';
import type { Random } from './random.ts';
import type { Service } from './service.ts';

/** Two shops with what their own systems need, every tracking provider, and a key for every role. */
export async function newShops(service: Service, random: Random): Promise<{ secrets: Secrets; tokenIds: string[] }> {
  const operator = superAdminKey({ username: 'operator', secret: 'operator-secret-0001' }, new Date());
  service.renew(operator.item);
  const call = callAs(service, basic('operator', operator.secret));
  for (const slug of shops) {
    const settings = { carriers_enabled: true };
    await call('createShop', slug, { name: slug, slug, shop_admin_url: shopAddresses.shop_system_3, settings });
    await call('setIntegrationKey', slug, consumerKey, { integration: 'shop_system_3' });
    await call('updateShop', slug, { shop_provider: 'shop_system_2', shop_admin_url: shopAddresses.shop_system_1 });
    await call('setIntegrationKey', slug, { api_key: fakeToken });
    await call('updateEventSettings', slug, { feed_enabled: true });
    await fillFeed(slug);
  }
  const manifest: string = await call('getAppManifest', 'blue');
  for (const { name, apiKey, webhookSecret } of Object.values(fakeProviders)) {
    await call('setTrackingProvider', 'blue', { api_key: apiKey, webhook_secret: webhookSecret }, { provider: name });
  }
  const [viewer, editor, admin, other] = [
    await call('createApiKey', 'blue', { role: 'viewer' }),
    await call('createApiKey', 'blue', { role: 'editor' }),
    await call('createApiKey', 'blue', { role: 'admin' }),
    await call('createApiKey', 'green', { role: 'admin' }),
  ];
  const app = /<secret>(.*)<\/secret>/.exec(manifest)![1]!;
  const installed = await installApp(service, app);
  const shop_provider = random.pick(shopSystems);
  await call('updateShop', 'blue', { shop_provider, shop_admin_url: shopAddresses[shop_provider] });
  return {
    secrets: {
      superadmin: operator.secret,
      viewer: viewer.secret,
      editor: editor.secret,
      admin: admin.secret,
      'admin of another shop': other.secret,
      'shop system': installed,
      app,
    },
    tokenIds: [viewer.id, editor.id, admin.id, other.id],
  };
}

/** No function reads the stream here, so nothing that happens comes into the feeds. */
async function fillFeed(slug: string): Promise<void> {
  const { events } = memoryTable.read(keyOf.settings(slug)) as StoredSettings;
  const feed = { slug, generation: events!.generation! };
  for (const ref of ['claims/created', ...shipmentEventNames.map((name) => `shipments/in_transit/${name}`)]) {
    await addToFeed(feed, { ref });
  }
  // The function that took it died.
  await takePlaces(feed, [randomUUID()]);
}

/** As the shop of shop_system_2 does it. Returns the secret with which it signs from then on. */
async function installApp(service: Service, appSecret: string): Promise<string> {
  const { registerApp, confirmApp } = shopSystem;
  const params = { slug: 'blue' };
  const { shopId, shopUrl } = installedShop;
  const query = { 'shop-id': shopId, 'shop-url': shopUrl, timestamp: String(Math.floor(Date.now() / 1000)) };
  const asSent = Object.entries(query)
    .map((pair) => pair.join('='))
    .join('&');
  const registered = await invoke(service.api['shop-system'], {
    method: registerApp.method,
    resource: registerApp.path,
    params,
    query,
    headers: { 'shopware-app-signature': shopwareSignature(appSecret, asSent) },
  });
  const { secret } = registered.body;
  const rawBody = JSON.stringify({ ...appCredentials, ...installedShop });
  const { status, body } = await invoke(service.api['shop-system'], {
    method: confirmApp.method,
    resource: confirmApp.path,
    params,
    rawBody,
    headers: { 'content-type': 'application/json', 'shopware-shop-signature': shopwareSignature(secret, rawBody) },
  });
  if (status !== 200) throw new Error(`The app was not installed: ${JSON.stringify(body)}`);
  return secret;
}

const callAs =
  (service: Service, headers: Record<string, string>) =>
  async (id: string, slug: string, body?: object, more: Record<string, string> = {}) => {
    const { family, method, path: resource } = allOperations.find((operation) => operation.id === id)!;
    const params = { slug, integration: 'integration_7', ...more };
    const { status, body: answer } = await invoke(service.api[family], { method, resource, params, headers, body });
    if (status !== 200) throw new Error(`${id} failed: ${JSON.stringify(answer)}`);
    return answer;
  };
