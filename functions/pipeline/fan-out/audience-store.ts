import { integrationTarget, reachableIntegrations } from '#domain/deliveries/integration-targets.ts';
import { activeEndpoints } from '#domain/endpoints/endpoint-store.ts';
import { type Viewer, viewerOf } from '#domain/orders/presentation.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import { triggerRules } from '#domain/settings/trigger-rules.ts';
import type { ShopItem } from '#platform/access/shop-item.ts';
import { batchGet } from '#platform/table/batch-get.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { Audience } from './target-rules.ts';

export interface ShopAudience extends Audience {
  /** The shop, with the texts of its language: nobody asks for another one here. */
  viewer: Viewer;
}

/** The shop and who may want its events; undefined where there is no such shop. */
export async function loadAudience(slug: string): Promise<ShopAudience | undefined> {
  const reachable = reachableIntegrations();
  const keys = reachable.map((id) => keyOf.integrationKey(slug, id));
  const [endpoints, [shop, settings = {}, ...credentials]] = await Promise.all([
    activeEndpoints(slug),
    batchGet([keyOf.shop(slug), keyOf.settings(slug), ...keys]),
  ]);
  if (!shop) return undefined;
  const found = shop as unknown as ShopItem;
  const stored: StoredSettings = settings;
  return {
    viewer: await viewerOf({ shop: found, language: found.language ?? 'en' }),
    endpoints,
    integrations: reachable.filter((id, i) => integrationTarget(id, stored) && credentials[i] !== undefined),
    rules: triggerRules(stored),
  };
}
