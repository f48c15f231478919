import { type CredentialKind, integrations, type NotifiedIntegration, notifiedIntegrations } from './integrations.ts';

/**
 * The configuration of a deployment: where the events of each integration go, and in which form. Names of vendors are
 * values of this configuration only. The contract calls integrations by number.
 */

/** The form in which an integration takes events: our own payload, or the request that a vendor documents. */
export const dialectNames = ['service', 'klaviyo', 'braze', 'hubspot', 'emarsys', 'salesforce', 'shopify'] as const;

type DialectName = (typeof dialectNames)[number];

/** A dialect that is not our own. */
export type VendorName = Exclude<DialectName, 'service'>;

/** Where an integration expects its credential: in the Authorization header, or in its own header. */
export type CredentialScheme = 'bearer' | 'basic' | `header:${string}`;

export interface IntegrationTarget {
  url: string;
  /** The default is `service`. */
  dialect?: DialectName;
  /** Of the dialect `service`. The others authenticate as their vendor documents it. The default is `bearer`. */
  scheme?: CredentialScheme;
  /** What the vendor calls our event groups. `*` stands for every group that is not listed. */
  events?: Record<string, string>;
  /** Where a vendor with OAuth gives out access tokens, if that is not the place that the vendor documents. */
  auth_url?: string;
  /** The business unit of Salesforce Marketing Cloud (MID). */
  account_id?: string;
}

export type IntegrationTargets = Partial<Record<NotifiedIntegration, IntegrationTarget>>;

const example = '{ "integration_1": { "url": "https://a.klaviyo.com", "dialect": "klaviyo" } }';

/** What is wrong with the configuration, in one sentence for an operator. Undefined if it is valid. */
export function integrationTargetsFault(text: string): string | undefined {
  const targets = parsed(text);
  if (!isObject(targets)) return `must be JSON. Example: ${example}`;
  for (const [id, target] of Object.entries(targets)) {
    const fault = targetFault(id, target);
    if (fault) return `${id}: ${fault}. Example: ${example}`;
  }
  return undefined;
}

function targetFault(id: string, target: unknown): string | undefined {
  if (!isOneOf(notifiedIntegrations, id)) return `must be one of ${notifiedIntegrations.join(', ')}`;
  if (!isObject(target)) return 'must be an object with a url';
  const unknown = Object.keys(target).find((name) => !isOneOf(fieldNames, name));
  if (unknown !== undefined) return `${unknown} is not a field; the fields are ${fieldNames.join(', ')}`;
  return (
    urlFault('url', target.url) ??
    dialectFault(target.dialect) ??
    credentialFault(id, target.dialect) ??
    schemeFault(target.scheme, target.dialect) ??
    (target.auth_url === undefined ? undefined : urlFault('auth_url', target.auth_url)) ??
    eventsFault(target.events) ??
    (isTextOrAbsent(target.account_id) ? undefined : 'account_id must be a text')
  );
}

const fieldNames = [
  'url',
  'dialect',
  'scheme',
  'events',
  'auth_url',
  'account_id',
] as const satisfies readonly (keyof IntegrationTarget)[];

function urlFault(name: string, url: unknown): string | undefined {
  return typeof url === 'string' && /^https?:\/\/[^\s/]+/.test(url) && URL.canParse(url)
    ? undefined
    : `${name} must be an address such as https://a.klaviyo.com`;
}

const dialectFault = (dialect: unknown): string | undefined =>
  dialect === undefined || isOneOf(dialectNames, dialect)
    ? undefined
    : `dialect must be one of ${dialectNames.join(', ')}`;

/** The credentials that a vendor can use. */
const credentialsOf: Record<VendorName, readonly CredentialKind[]> = {
  klaviyo: ['api_key'],
  braze: ['api_key'],
  hubspot: ['api_key'],
  shopify: ['api_key'],
  emarsys: ['client', 'basic'],
  salesforce: ['client'],
};

function credentialFault(id: NotifiedIntegration, dialect: unknown): string | undefined {
  const usable = credentialsOf[dialect as VendorName] ?? [];
  if (usable.length === 0 || usable.includes(integrations[id].credential)) return undefined;
  const fitting = notifiedIntegrations.filter((one) => usable.includes(integrations[one].credential));
  return `its credential does not fit ${dialect}; take ${fitting.join(' or ')}`;
}

function schemeFault(scheme: unknown, dialect: unknown): string | undefined {
  if (scheme === undefined) return undefined;
  if (dialect !== undefined && dialect !== 'service') return 'scheme is for the dialect service only';
  return typeof scheme === 'string' && /^(bearer|basic|header:[!#$%&'*+.^_`|~\w-]+)$/.test(scheme)
    ? undefined
    : 'scheme must be bearer, basic or header:<name>';
}

const eventsFault = (events: unknown): string | undefined =>
  events === undefined || (isObject(events) && Object.values(events).every((name) => name && isTextOrAbsent(name)))
    ? undefined
    : 'events must give a text for each event group, such as { "shipment_delivered": "the vendor\'s name" }';

const isTextOrAbsent = (value: unknown): boolean => value === undefined || typeof value === 'string';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isOneOf = <T extends string>(names: readonly T[], value: unknown): value is T =>
  (names as readonly unknown[]).includes(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
