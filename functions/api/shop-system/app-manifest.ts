import { neededReads } from '#domain/shop-systems/shopware/shop-api.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { invalidValue } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { keyOf } from '#platform/table/keys.ts';
import { commit, isRefused, update } from '#platform/table/writes.ts';
import { shopTopics } from '#schemas/catalogues/shop-webhooks.ts';
import type { shopSystem } from '#schemas/families/shop-system.ts';
import { appName } from './app-name.ts';
import { appUrl, hookUrl } from './hook-url.ts';
import { appSecretOf, encryptAppSecret, newSecret, readSecret, requireSecret, type ShopKey } from './shop-secret.ts';

export const getAppManifest: Implementation<typeof shopSystem.getAppManifest> = async ({ shop, serviceUrl, now }) => {
  if (shop.shop_provider !== 'shop_system_2') {
    throw invalidValue(['path', 'slug'], 'must be a shop with the shop_provider shop_system_2; set it first');
  }
  const secret = await appSecret(shop, now);
  return {
    content: manifestOf(shop, serviceUrl, secret),
    headers: {
      'Content-Type': 'application/xml; charset=utf-8',
      'Content-Disposition': 'attachment; filename="manifest.xml"',
      // It holds a secret.
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  };
};

/** The first request creates it. Of several at once, one creates it and all return the same. */
async function appSecret(shop: ShopKey, now: Date): Promise<string> {
  const { app } = await requireSecret(shop, now);
  if (app) return appSecretOf(shop, app);
  const secret = newSecret();
  const change = {
    UpdateExpression: 'SET app = :app',
    ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(app)',
    ExpressionAttributeValues: { ':app': await encryptAppSecret(shop, secret) },
  };
  try {
    await commit([update(keyOf.shopSystemSecret(shop.slug), change)]);
    return secret;
  } catch (error) {
    const first = isRefused(error) ? await readSecret(shop.slug) : undefined;
    if (!first?.app) throw error;
    return appSecretOf(shop, first.app);
  }
}

/** A shop that has the app takes a changed manifest only with another version. */
const version = '1.0.0';

/** They tell which records changed, also in a draft of an order, and not what the order is. */
const entityEvents: readonly string[] = ['order.written', 'order.deleted'];

const lifecycleEvents = ['app.activated', 'app.deactivated', 'app.updated', 'app.deleted'] as const;

/** Only elements that also older versions know: a shop refuses a manifest with an unknown one (manifest-2.0.xsd). */
function manifestOf({ slug, name }: ShopItem, serviceUrl: string, secret: string): string {
  const hooks = [
    ...Object.entries(shopTopics.shop_system_2).map(([type, event]) => ({
      name: type,
      event,
      url: hookUrl(serviceUrl, slug, type),
    })),
    ...lifecycleEvents.map((event) => ({
      name: event.replace('.', '-'),
      event,
      url: appUrl(serviceUrl, slug, 'lifecycle'),
    })),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="https://raw.githubusercontent.com/shopware/shopware/trunk/src/Core/Framework/App/Manifest/Schema/manifest-2.0.xsd">
  <meta>
    <name>${appName(slug)}</name>
    <label>${escaped(`Parcel tracking: ${name}`)}</label>
    <label lang="de-DE">${escaped(`Sendungsverfolgung: ${name}`)}</label>
    <description>Sends orders and their parcels to the tracking service.</description>
    <description lang="de-DE">Sendet Bestellungen und ihre Pakete an den Dienst zur Sendungsverfolgung.</description>
    <author>${escaped(name)}</author>
    <copyright>(c) ${escaped(name)}</copyright>
    <version>${version}</version>
    <license>proprietary</license>
  </meta>
  <setup>
    <registrationUrl>${escaped(appUrl(serviceUrl, slug, 'registration'))}</registrationUrl>
    <secret>${escaped(secret)}</secret>
  </setup>
  <permissions>
${neededReads.map((entity) => `    <read>${entity}</read>`).join('\n')}
  </permissions>
  <webhooks>
${hooks.map(webhook).join('\n')}
  </webhooks>
</manifest>
`;
}

function webhook({ name, event, url }: { name: string; event: string; url: string }): string {
  const liveOnly = entityEvents.includes(event) ? ' onlyLiveVersion="true"' : '';
  return `    <webhook name="${name}" url="${escaped(url)}" event="${event}"${liveOnly}/>`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
/** XML has no place for control characters, not even escaped. */
const unwanted = /[&<>"']|[^\P{Cc}\n\t]|[\uFFFE\uFFFF]/gu;
const escaped = (text: string): string => text.toWellFormed().replace(unwanted, (found) => entities[found] ?? '');
