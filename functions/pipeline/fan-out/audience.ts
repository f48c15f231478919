import { integrationTarget, reachableIntegrations } from '#domain/deliveries/integration-targets.ts';
import type { Audience } from '#domain/deliveries/notifications.ts';
import { activeEndpoints } from '#domain/endpoints/endpoint-store.ts';
import { type Viewer, viewerOf } from '#domain/orders/presentation.ts';
import { isSegmentSource } from '#domain/segments/segment-rules.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { triggerRules } from '#domain/settings/trigger-settings.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { serviceUrl } from '#platform/service-url.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { NotifiedIntegration } from '#schemas/catalogues/integrations.ts';

export interface ShopAudience extends Audience {
  /** The shop with the texts of its own language: no caller asks for another language here. */
  viewer: Viewer;
  /** The integrations that know the segments of the shop's customers. */
  segmentSources: readonly NotifiedIntegration[];
}

/** Loads the shop and the possible receivers of its events; undefined if the shop does not exist. */
export async function loadAudience(slug: string): Promise<ShopAudience | undefined> {
  const reachable = reachableIntegrations();
  const keys = reachable.map((id) => keyOf.integrationKey(slug, id));
  const [endpoints, [shop, settings = {}, ...credentials]] = await Promise.all([
    activeEndpoints(slug),
    batchGet([keyOf.shop(slug), keyOf.settings(slug), ...keys]),
  ]);
  if (!shop) return undefined;
  const shopItem = shop as unknown as ShopItem;
  const stored: StoredSettings = settings;
  const connectionOf = (i: number) => ({ shop: shopItem, settings: stored, key: credentials[i] });
  return {
    viewer: await viewerOf({ shop: shopItem, language: shopItem.language ?? 'en', serviceUrl: serviceUrl() }),
    endpoints,
    integrations: reachable.filter((id, i) => integrationTarget(id, connectionOf(i)) !== undefined),
    rules: triggerRules(stored),
    segmentSources: reachable.filter((id, i) => isSegmentSource(id, connectionOf(i))),
  };
}
