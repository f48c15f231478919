import { withoutSecrets } from '#platform/secrets/mask.ts';
import { deliveryLimits } from '#schemas/catalogues/limits.ts';
import type { Attempt, Delivery, SentRequest } from './delivery-rules.ts';

/** The headers of every request in our own form. */
export const usualHeaders = ({ id, subject_version, feed }: Sent, now: Date): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'post-purchase-service',
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  ...(subject_version !== undefined && { 'webhook-subject-version': String(subject_version) }),
  ...(feed && { 'webhook-hour': feed.hour }),
});

type Sent = Pick<Delivery, 'id' | 'subject_version' | 'feed'>;

const usual = new Set(
  Object.keys(usualHeaders({ id: '', subject_version: 0, feed: { generation: 0, hour: '' } }, new Date(0))),
);

interface Outgoing {
  url: string;
  headers: Record<string, string>;
}

/**
 * @param secrets of an integration. The address of an endpoint is the merchant's own and is kept as it is, but that of an
 * integration may be the operator's, and any part of its path may be a key.
 */
export function ownRequest({ url, headers }: Outgoing, secrets: readonly string[] | undefined): SentRequest {
  const own = Object.entries(headers).filter(([name]) => !usual.has(name));
  return { url: secrets ? serverOf(url) : url, own: maskedHeaders(own, secrets ?? []) };
}

/** @param body is left out if it holds a credential */
export function vendorRequest(
  { method, url, headers, body }: Outgoing & { method: string; body?: string | undefined },
  secrets: readonly string[],
): SentRequest {
  const isKept = body !== undefined && Buffer.byteLength(body) <= deliveryLimits.requestBytes;
  return {
    method,
    url: maskedUrl(url, secrets),
    headers: maskedHeaders(Object.entries(headers), secrets),
    ...(isKept && { body: withoutSecrets(body, secrets) }),
  };
}

/** The request as the merchant sees it. */
export function shownRequest(delivery: Sent, { at, request }: Attempt) {
  if (!request) return null;
  const { url } = request;
  if ('own' in request) {
    return { method: 'POST', url, headers: { ...usualHeaders(delivery, new Date(at)), ...request.own }, body: null };
  }
  const { method, headers, body = null } = request;
  return { method, url, headers, body };
}

/**
 * The attempts with the requests of the newest ones only, and the body of the newest: the attempts of a delivery all send
 * the same.
 */
export function withNewestRequests(attempts: readonly Attempt[]): Attempt[] {
  const firstKept = attempts.length - deliveryLimits.requestsKept;
  return attempts.map((attempt, place) => {
    const { request, ...rest } = attempt;
    if (!request || place === attempts.length - 1) return attempt;
    return place < firstKept ? rest : { ...rest, request: withoutBody(request) };
  });
}

function withoutBody(request: SentRequest): SentRequest {
  if ('own' in request) return request;
  const { body: _body, ...rest } = request;
  return rest;
}

const stars = '***';

/** Any other header may hold a credential. */
const harmless = new Set([
  'accept',
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-simulation',
  'webhook-timestamp',
  'revision',
]);
const signatures = new Set(['service-signature', 'webhook-signature']);

function maskedHeaders(headers: readonly [name: string, value: string][], secrets: readonly string[]) {
  return Object.fromEntries(headers.map(([name, value]) => [name, maskedHeader(name.toLowerCase(), value, secrets)]));
}

function maskedHeader(name: string, value: string, secrets: readonly string[]): string {
  if (signatures.has(name)) return value.replace(/(v1[=,])([\w+/=]{8})[\w+/=]*/g, '$1$2…');
  // The shop's own settings, such as its account at the vendor.
  if (harmless.has(name) || name.startsWith('x-integration-')) return withoutSecrets(value, secrets);
  const [scheme] = /^(Bearer|Basic|Klaviyo-API-Key|UsernameToken) /.exec(value) ?? [''];
  return scheme + stars;
}

const serverOf = (url: string): string => (URL.canParse(url) ? `${new URL(url).origin}/…` : stars);

/** Without user, password and the values of the query, because each may be a credential. */
function maskedUrl(url: string, secrets: readonly string[]): string {
  if (!URL.canParse(url)) return stars;
  const { protocol, username, host, pathname, searchParams } = new URL(url);
  const query = [...searchParams.keys()].map((name) => `${encodeURIComponent(name)}=${stars}`).join('&');
  const user = username === '' ? '' : `${stars}@`;
  return `${protocol}//${user}${host}${withoutSecrets(pathname, secrets)}${query && `?${query}`}`;
}
