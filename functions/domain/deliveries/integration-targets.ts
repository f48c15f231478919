import { isGivenFor } from '#domain/settings/integration-key.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import type { IntegrationTarget, IntegrationTargets } from '#schemas/catalogues/integration-targets.ts';
import { extrasOf, type NotifiedIntegration, notifiedIntegrations } from '#schemas/catalogues/integrations.ts';

type StoredKey = { origin?: string | null } | undefined;

/** Where the events of an integration go. Without an address, or without a key for it, nothing is sent. */
export function integrationTarget(
  integration: NotifiedIntegration,
  settings: StoredSettings,
  key: StoredKey,
): IntegrationTarget | undefined {
  return targetFault(integration, settings, key) ? undefined : addressOf(integration, settings);
}

/** Why the events of an integration go nowhere. Undefined if they have an address and a key for it. */
export function targetFault(
  integration: NotifiedIntegration,
  settings: StoredSettings,
  key: StoredKey,
): 'no_address' | 'no_key' | 'key_for_other_server' | undefined {
  if (!addressOf(integration, settings)) return 'no_address';
  if (!key) return 'no_key';
  const url = addressInSettings(integration, settings);
  return url === undefined || isGivenFor(key, url) ? undefined : 'key_for_other_server';
}

/** The address comes from the shop's settings if the integration allows that, otherwise from the deployment. */
function addressOf(integration: NotifiedIntegration, settings: StoredSettings): IntegrationTarget | undefined {
  const configured = integrationTargets()[integration];
  const url = addressInSettings(integration, settings);
  return url === undefined ? configured : { ...configured, url };
}

const addressInSettings = (integration: NotifiedIntegration, settings: StoredSettings) =>
  settings.trigger_settings?.[integration]?.rest_endpoint;

/** The integrations that can have an address in at least one shop. */
export function reachableIntegrations(): NotifiedIntegration[] {
  const configured = integrationTargets();
  return notifiedIntegrations.filter((id) => configured[id] !== undefined || extrasOf(id).includes('rest_endpoint'));
}

function integrationTargets(): IntegrationTargets {
  return JSON.parse(process.env.INTEGRATION_TARGETS || '{}');
}
