import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import {
  extrasOf,
  type IntegrationId,
  type NotifiedIntegration,
  notifiedIntegrations,
} from '#schemas/catalogues/integrations.ts';

/** How an integration wants its credential: in the Authorization header, or in a header of its own. */
export type CredentialScheme = 'bearer' | 'basic' | `header:${string}`;

export interface IntegrationTarget {
  url: string;
  scheme: CredentialScheme;
}

type IntegrationTargets = Partial<Record<IntegrationId, IntegrationTarget>>;

/**
 * Where the events of an integration go: as the deployment says, or as the shop does where the integration has its
 * address from there. No address: nothing is sent.
 */
export function integrationTarget(
  integration: NotifiedIntegration,
  settings: StoredSettings,
): IntegrationTarget | undefined {
  const configured = integrationTargets()[integration];
  const url = settings.trigger_settings?.[integration]?.rest_endpoint;
  return url === undefined ? configured : { url, scheme: configured?.scheme ?? 'bearer' };
}

/** Those that have an address in some shop at least. */
export function reachableIntegrations(): NotifiedIntegration[] {
  const configured = integrationTargets();
  return notifiedIntegrations.filter((id) => configured[id] !== undefined || extrasOf(id).includes('rest_endpoint'));
}

function integrationTargets(): IntegrationTargets {
  return JSON.parse(process.env.INTEGRATION_TARGETS || '{}');
}
