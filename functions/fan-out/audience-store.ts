import type { IntegrationId } from '#schemas/integrations.ts';
import { batchGet } from '#shared/batch-get.ts';
import { integrationTargets } from '#shared/deliveries/integration-targets.ts';
import { keyOf } from '#shared/keys.ts';
import { type Viewer, viewerOf } from '#shared/orders/presentation.ts';
import type { ShopItem } from '#shared/shop-item.ts';
import { activeEndpoints } from '#shared/webhooks/endpoint-store.ts';
import type { Audience } from './target-rules.ts';

export interface ShopAudience extends Audience {
  /** The shop, with the texts of its language: nobody asks for another one here. */
  viewer: Viewer;
}

interface Settings {
  triggers?: Partial<Record<IntegrationId, boolean>>;
}

/** The shop and who may want its events; undefined where there is no such shop. */
export async function loadAudience(slug: string): Promise<ShopAudience | undefined> {
  const configured = Object.keys(integrationTargets()) as IntegrationId[];
  const keys = [keyOf.shop(slug), keyOf.settings(slug), ...configured.map((id) => keyOf.integrationKey(slug, id))];
  const [endpoints, [shop, settings, ...credentials]] = await Promise.all([activeEndpoints(slug), batchGet(keys)]);
  if (!shop) return undefined;
  const { triggers = {} } = (settings ?? {}) as Settings;
  const found = shop as unknown as ShopItem;
  return {
    viewer: await viewerOf({ shop: found, language: found.language ?? 'en' }),
    endpoints,
    integrations: configured.filter((id, i) => triggers[id] === true && credentials[i] !== undefined),
  };
}
