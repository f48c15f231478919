import { targetFault } from '#domain/deliveries/integration-targets.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { invalidValue } from '#platform/errors.ts';
import { keyOf } from '#platform/table/keys.ts';
import { batchGet } from '#platform/table/reads.ts';
import type { NotifiedIntegration } from '#schemas/catalogues/integrations.ts';

/** A delivery to an integration without an address or a key would only be cancelled, so the request is refused. */
export async function requireReachable(shop: ShopItem, integration: NotifiedIntegration): Promise<void> {
  const [settings = {}, key] = await batchGet([
    keyOf.settings(shop.slug),
    keyOf.integrationKey(shop.slug, integration),
  ]);
  const fault = targetFault(integration, { shop, settings, key });
  if (fault) throw invalidValue(['path', 'integration'], messages[fault]);
}

const messages: Record<NonNullable<ReturnType<typeof targetFault>>, string> = {
  no_address:
    'must have an address; for integration_3, set rest_endpoint in its trigger settings, for others ask the operator of ' +
    'the service',
  no_key: 'must have a key; set the key of the integration first',
  key_for_other_server:
    'must have a key for its present address; the key was set for another server than that of rest_endpoint or shop_admin_url, ' +
    'so set it again',
};
