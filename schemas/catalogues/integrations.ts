/** The registry of third-party systems: the kind, the credential and the extra settings of each. */

export type CredentialKind = 'api_key' | 'client' | 'basic';

interface Integration {
  kind: string;
  credential: CredentialKind;
  extras: readonly string[];
}

export const integrations = {
  integration_1: { kind: 'e-mail marketing', credential: 'api_key', extras: [] },
  integration_2: { kind: 'e-mail', credential: 'api_key', extras: ['use_proxy'] },
  integration_3: { kind: 'push messaging', credential: 'api_key', extras: ['rest_endpoint'] },
  integration_4: { kind: 'CRM', credential: 'api_key', extras: ['portal_id'] },
  integration_5: { kind: 'marketing automation', credential: 'client', extras: [] },
  integration_6: { kind: 'inbox mailing', credential: 'basic', extras: ['instance_id'] },
  integration_7: { kind: 'shop system', credential: 'api_key', extras: [] },
  shop_system_2: { kind: "shop system's own API, keys only", credential: 'client', extras: [] },
  shop_system_3: { kind: "shop system's own API, keys only", credential: 'client', extras: [] },
} as const satisfies Record<string, Integration>;

export type IntegrationId = keyof typeof integrations;

export const integrationIds = Object.keys(integrations) as IntegrationId[];

export function integrationsWith(credential: CredentialKind): IntegrationId[] {
  return integrationIds.filter((id) => integrations[id].credential === credential);
}

/** The integrations that get events. The others only have a key. */
export const notifiedIntegrations = [
  'integration_1',
  'integration_2',
  'integration_3',
  'integration_4',
  'integration_5',
  'integration_6',
  'integration_7',
] as const satisfies readonly IntegrationId[];

/** The receivers of events: the integrations, and `webhook` for all webhook endpoints of a shop. */
export const thirdParties = [...notifiedIntegrations, 'webhook'] as const;

export type NotifiedIntegration = (typeof notifiedIntegrations)[number];
export type ThirdParty = (typeof thirdParties)[number];

/** The extra settings of an integration. */
export const extrasOf = (thirdParty: ThirdParty): readonly string[] =>
  thirdParty === 'webhook' ? [] : integrations[thirdParty].extras;
