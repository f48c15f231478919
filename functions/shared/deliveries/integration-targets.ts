import type { IntegrationId } from '#schemas/integrations.ts';

/** How an integration wants its credential: in the Authorization header, or in a header of its own. */
export type CredentialScheme = 'bearer' | 'basic' | `header:${string}`;

export interface IntegrationTarget {
  url: string;
  scheme: CredentialScheme;
}

export type IntegrationTargets = Partial<Record<IntegrationId, IntegrationTarget>>;

/** Where the events of each integration go, as the deployment says. No address: nothing is sent. */
export function integrationTargets(): IntegrationTargets {
  return JSON.parse(process.env.INTEGRATION_TARGETS || '{}');
}
