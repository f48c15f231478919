import type { NotifiedIntegration } from '#schemas/integrations.ts';
import { batchGet } from '#shared/batch-get.ts';
import type { Target } from '#shared/deliveries/delivery-items.ts';
import { integrationTarget } from '#shared/deliveries/integration-targets.ts';
import { keyOf } from '#shared/keys.ts';

/** Undefined where the integration has no address or the shop no key. Its switch is for events: an automation is its own. */
export async function reachedIntegration(slug: string, integration: NotifiedIntegration): Promise<Target | undefined> {
  const [settings = {}, key] = await batchGet([keyOf.settings(slug), keyOf.integrationKey(slug, integration)]);
  return key && integrationTarget(integration, settings) ? { id: integration, kind: 'integration' } : undefined;
}
