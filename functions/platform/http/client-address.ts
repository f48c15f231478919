import { cameThroughDistribution } from './distribution.ts';
import type { GatewayEvent } from './request.ts';

/**
 * The address of the caller, in a form that the caller cannot choose. API Gateway knows who connected to it. If that
 * was our distribution, the caller is the address that the distribution added to X-Forwarded-For: everything before it
 * was in the caller's own header. The REST API can also be called directly, with any X-Forwarded-For, so the header
 * counts only with the distribution's mark, which no caller knows.
 */
export function clientAddress({ headers, requestContext }: Pick<GatewayEvent, 'headers' | 'requestContext'>): string {
  const connected = requestContext?.identity?.sourceIp ?? '';
  if (!cameThroughDistribution(headers)) return network(connected);
  const forwarded = (headers['x-forwarded-for'] ?? '').split(',').map((address) => address.trim());
  // API Gateway adds the address of the distribution.
  if (forwarded.at(-1) === connected) forwarded.pop();
  return network(forwarded.at(-1) || connected);
}

/** Whoever has an IPv6 address has all addresses with its first 64 bits. */
function network(address: string): string {
  const text = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!text.includes(':')) return text;
  const [beginning = '', end] = text.toLowerCase().split('::');
  const first = beginning.split(':').filter((part) => part !== '');
  const last = end === undefined ? [] : end.split(':').filter((part) => part !== '');
  const zeros = Array.from({ length: Math.max(8 - first.length - last.length, 0) }, () => '0');
  return [...first, ...zeros, ...last].slice(0, 4).join(':');
}
