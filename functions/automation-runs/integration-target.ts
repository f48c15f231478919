import type { IntegrationId } from '#schemas/integrations.ts';
import { batchGet } from '#shared/batch-get.ts';
import type { Target } from '#shared/deliveries/delivery-items.ts';
import { integrationTargets } from '#shared/deliveries/integration-targets.ts';
import { keyOf } from '#shared/keys.ts';

/** Undefined where the integration has no address or the shop no key. Its switch is for events: an automation is its own. */
export async function integrationTarget(slug: string, integration: string): Promise<Target | undefined> {
  if (!integrationTargets()[integration as IntegrationId]) return undefined;
  const [key] = await batchGet([keyOf.integrationKey(slug, integration)]);
  return key && { id: integration, kind: 'integration' };
}
