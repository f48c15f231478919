import { createHmac, timingSafeEqual } from 'node:crypto';
import { isPageToken } from '#domain/orders/tracking-page.ts';
import { addressHash, isAddressHash } from './address-hash.ts';
import { existingServiceKey, serviceKey } from './service-key.ts';

/**
 * The token of a link that switches the e-mails to one address off and on: `<slug>.<page token>.<hash of the
 * address>.<signature>`. It works also when the order is erased and its page is gone: the customer may have other orders.
 * Nobody can make one for an address, or read the address from one.
 */

const signatureBytes = 16;

export async function unsubscribeToken(one: { pageToken: string; slug: string; address: string }): Promise<string> {
  const signed = `${one.slug}.${one.pageToken}.${await addressHash(one.slug, one.address)}`;
  return `${signed}.${signatureOf(signed, await serviceKey('unsubscribing'))}`;
}

export interface UnsubscribeToken {
  slug: string;
  pageToken: string;
  addressHash: string;
}

/** Undefined if we did not make it. */
export async function readUnsubscribeToken(token: string): Promise<UnsubscribeToken | undefined> {
  // A slug may have dots.
  const [signature = '', hash = '', pageToken = '', ...rest] = token.split('.').reverse();
  const slug = rest.reverse().join('.');
  if (!isPageToken(pageToken) || !isAddressHash(hash)) return undefined;
  const key = await existingServiceKey('unsubscribing');
  const isOurs = key !== undefined && isSame(signature, signatureOf(`${slug}.${pageToken}.${hash}`, key));
  return isOurs ? { slug, pageToken, addressHash: hash } : undefined;
}

/** Compared as text: base64url would read several texts as the same bytes. */
function isSame(...texts: [given: string, expected: string]): boolean {
  const [given, expected] = texts.map((text) => Buffer.from(text)) as [Buffer, Buffer];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const signatureOf = (signed: string, key: Uint8Array): string =>
  createHmac('sha256', key).update(signed).digest().subarray(0, signatureBytes).toString('base64url');
