import { isGivenFor } from '#domain/settings/integration-key.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import {
  extrasOf,
  type IntegrationId,
  type NotifiedIntegration,
  notifiedIntegrations,
} from '#schemas/catalogues/integrations.ts';

/** Where an integration expects its credential: in the Authorization header, or in its own header. */
export type CredentialScheme = 'bearer' | 'basic' | `header:${string}`;

export interface IntegrationTarget {
  url: string;
  scheme: CredentialScheme;
}

type IntegrationTargets = Partial<Record<IntegrationId, IntegrationTarget>>;

/**
 * Where the events of an integration go. The address comes from the shop's settings if the integration allows that,
 * otherwise from the deployment. Without an address, or without a key for it, nothing is sent.
 */
export function integrationTarget(
  integration: NotifiedIntegration,
  settings: StoredSettings,
  key: { origin?: string | null } | undefined,
): IntegrationTarget | undefined {
  if (!key) return undefined;
  const configured = integrationTargets()[integration];
  const url = settings.trigger_settings?.[integration]?.rest_endpoint;
  if (url === undefined) return configured;
  return isGivenFor(key, url) ? { url, scheme: configured?.scheme ?? 'bearer' } : undefined;
}

/** The integrations that can have an address in at least one shop. */
export function reachableIntegrations(): NotifiedIntegration[] {
  const configured = integrationTargets();
  return notifiedIntegrations.filter((id) => configured[id] !== undefined || extrasOf(id).includes('rest_endpoint'));
}

function integrationTargets(): IntegrationTargets {
  return JSON.parse(process.env.INTEGRATION_TARGETS || '{}');
}
