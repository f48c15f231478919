import { createHash } from 'node:crypto';
import type { Endpoint, EndpointSecret } from '#domain/endpoints/endpoint.ts';
import { isInForce } from '#domain/endpoints/secrets.ts';
import { invalidValue } from '#platform/errors.ts';
import { laterThan } from '#platform/time.ts';
import { endpointLimits } from '#schemas/catalogues/limits.ts';
import { refOf } from '#schemas/catalogues/shipment-events.ts';
import type {
  TestEvent,
  WebhookCreate,
  WebhookEndpoint,
  WebhookFilters,
  WebhookUpdate,
} from '#schemas/families/webhooks.ts';

type EndpointKey = Pick<Endpoint, 'shop_slug' | 'uuid'>;

export function newEndpoint(key: EndpointKey, body: WebhookCreate, ciphertext: Uint8Array, now: Date): Endpoint {
  const { url, enabled_events, description, status } = body;
  const created_at = now.toISOString();
  return {
    ...key,
    url,
    enabled_events,
    description: description ?? null,
    status,
    secrets: [{ ciphertext, created_at, expires_at: null }],
    created_at,
    updated_at: created_at,
  };
}

export const endpointChanges = (
  before: Endpoint,
  { url, enabled_events, description, status }: WebhookUpdate,
  now: Date,
) => ({
  url,
  enabled_events,
  description,
  status,
  updated_at: laterThan(before.updated_at, now),
});

/** Earlier failures say nothing about an endpoint that has another URL or was activated again. */
export const needsCircuitReset = (before: Endpoint, { url, status }: WebhookUpdate): boolean =>
  (url !== undefined && url !== before.url) || (status === 'active' && before.status !== 'active');

export function toWebhook(endpoint: Endpoint, secret: string): WebhookEndpoint {
  const { uuid, shop_slug, created_at, updated_at, url, enabled_events, description, status } = endpoint;
  return { uuid, shop_slug, created_at, updated_at, url, enabled_events, secret, description, status };
}

export function matches(endpoint: Endpoint, { uuid, status, url }: WebhookFilters): boolean {
  return (
    (uuid === undefined || endpoint.uuid === uuid.toLowerCase()) &&
    (status === undefined || endpoint.status === status) &&
    (url === undefined || normalizeUrl(endpoint.url) === normalizeUrl(url))
  );
}

export const newestFirst = (a: Endpoint, b: Endpoint) => (a.uuid < b.uuid ? 1 : -1);

/** One header holds a signature for each secret. */
const { secrets: maxSecrets } = endpointLimits;

/**
 * The secrets after a rotation. The previous secrets go on signing until the grace period ends. All of them do: if a
 * caller repeats a rotation whose response was lost, receivers that know only the first secret must not be cut off.
 */
export function rotated(secrets: readonly EndpointSecret[], ciphertext: Uint8Array, graceHours: number, now: Date) {
  const end = new Date(now.getTime() + graceHours * 3_600_000).toISOString();
  const before = secrets.map((secret) => ({ ...secret, expires_at: earlier(secret.expires_at, end) }));
  const current: EndpointSecret = { ciphertext, created_at: now.toISOString(), expires_at: null };
  return [current, ...before.filter((secret) => isInForce(secret, now))].slice(0, maxSecrets);
}

const earlier = (expiry: string | null, end: string) => (expiry !== null && expiry < end ? expiry : end);

/** Which event a test sends. Undefined if the caller leaves it to us. */
export function refOfTest({ event_name, ref }: TestEvent): string | undefined {
  if (!event_name) return ref ?? undefined;
  if (ref) throw invalidValue(['body', 'ref'], 'cannot be given together with event_name');
  return refOf(event_name, 'merchant_customer');
}

/** Two URLs that lead to the same place become equal. The fragment is dropped, because a client never sends it. */
export function normalizeUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}

/** The URL itself may be too long for a key of the table. */
export const urlHash = (url: string): string => createHash('sha256').update(normalizeUrl(url)).digest('hex');
