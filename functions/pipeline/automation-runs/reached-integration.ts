import type { Target } from '#domain/deliveries/delivery-items.ts';
import { integrationTarget } from '#domain/deliveries/integration-targets.ts';
import { batchGet } from '#platform/table/batch-get.ts';
import { keyOf } from '#platform/table/keys.ts';
import type { NotifiedIntegration } from '#schemas/catalogues/integrations.ts';

/** Undefined where the integration has no address or the shop no key. Its switch is for events: an automation is its own. */
export async function reachedIntegration(slug: string, integration: NotifiedIntegration): Promise<Target | undefined> {
  const [settings = {}, key] = await batchGet([keyOf.settings(slug), keyOf.integrationKey(slug, integration)]);
  return key && integrationTarget(integration, settings) ? { id: integration, kind: 'integration' } : undefined;
}
