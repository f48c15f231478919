import { createHash } from 'node:crypto';
import type { Endpoint, EndpointSecret } from '#domain/endpoints/endpoint.ts';
import { isInForce } from '#domain/endpoints/secrets.ts';
import { endpointLimits } from '#schemas/catalogues/limits.ts';
import type { WebhookCreate, WebhookEndpoint, WebhookFilters, WebhookUpdate } from '#schemas/families/webhooks.ts';

type Place = Pick<Endpoint, 'shop_slug' | 'uuid'>;

/** What a new endpoint is, from what the caller said about it. */
export function newEndpoint(place: Place, body: WebhookCreate, ciphertext: Uint8Array, now: Date): Endpoint {
  const { url, enabled_events, description, status } = body;
  const created_at = now.toISOString();
  return {
    ...place,
    url,
    enabled_events,
    description: description ?? null,
    status,
    secrets: [{ ciphertext, created_at, expires_at: null }],
    created_at,
    updated_at: created_at,
  };
}

/** The attributes that an update changes. */
export const endpointChanges = ({ url, enabled_events, description, status }: WebhookUpdate, now: Date) => ({
  url,
  enabled_events,
  description,
  status,
  updated_at: now.toISOString(),
});

/** At another address, or switched on again: what went wrong before says nothing about it. */
export const beginsAnew = (before: Endpoint, { url, status }: WebhookUpdate): boolean =>
  (url !== undefined && url !== before.url) || (status === 'active' && before.status !== 'active');

export function toWebhook(endpoint: Endpoint, secret: string): WebhookEndpoint {
  const { uuid, shop_slug, created_at, updated_at, url, enabled_events, description, status } = endpoint;
  return { uuid, shop_slug, created_at, updated_at, url, enabled_events, secret, description, status };
}

export function matches(endpoint: Endpoint, { uuid, status, url }: WebhookFilters): boolean {
  return (
    (uuid === undefined || endpoint.uuid === uuid.toLowerCase()) &&
    (status === undefined || endpoint.status === status) &&
    (url === undefined || sameUrl(endpoint.url) === sameUrl(url))
  );
}

export const newestFirst = (a: Endpoint, b: Endpoint) => (a.uuid < b.uuid ? 1 : -1);

/** A signature for each goes into one header. */
const { secrets: maxSecrets } = endpointLimits;

/**
 * The secrets after a rotation. Those of before go on signing until the grace period ends, and no longer. All of them:
 * a caller who repeats a rotation whose answer was lost must not cut off receivers that know only the first secret.
 */
export function rotated(secrets: readonly EndpointSecret[], ciphertext: Uint8Array, graceHours: number, now: Date) {
  const end = new Date(now.getTime() + graceHours * 3_600_000).toISOString();
  const before = secrets.map((secret) => ({ ...secret, expires_at: earlier(secret.expires_at, end) }));
  const current: EndpointSecret = { ciphertext, created_at: now.toISOString(), expires_at: null };
  return [current, ...before.filter((secret) => isInForce(secret, now))].slice(0, maxSecrets);
}

const earlier = (expiry: string | null, end: string) => (expiry !== null && expiry < end ? expiry : end);

/** One spelling for addresses that lead to the same place. The fragment never leaves the client. */
export function sameUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.hash = '';
  return parsed.href;
}

/** An address may be longer than a key of the table. */
export const urlHash = (url: string): string => createHash('sha256').update(sameUrl(url)).digest('hex');
