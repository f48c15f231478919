import { createHmac, timingSafeEqual } from 'node:crypto';
import { isPageToken } from '#domain/orders/tracking-page.ts';
import { addressHash, isAddressHash } from './address-hash.ts';
import { serviceKey } from './service-key.ts';

/**
 * The token of a link that switches the e-mails to one address off and on: `<page token>.<hash of the address>.<signature>`.
 * The page says which shop it is. Nobody can make one for an address, or read the address from one.
 */

const signatureBytes = 16;

export async function unsubscribeToken(one: { pageToken: string; slug: string; address: string }): Promise<string> {
  const signed = `${one.pageToken}.${await addressHash(one.slug, one.address)}`;
  return `${signed}.${(await signatureOf(signed)).toString('base64url')}`;
}

export interface UnsubscribeToken {
  pageToken: string;
  addressHash: string;
}

/** Undefined if we did not make it. */
export async function readUnsubscribeToken(token: string): Promise<UnsubscribeToken | undefined> {
  const [pageToken = '', hash = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || !isPageToken(pageToken) || !isAddressHash(hash)) return undefined;
  const expected = await signatureOf(`${pageToken}.${hash}`);
  // Compared as text: base64url would read several texts as the same bytes.
  const isOurs = isSame(signature, expected.toString('base64url'));
  return isOurs ? { pageToken, addressHash: hash } : undefined;
}

const isSame = (given: string, expected: string): boolean =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));

const signatureOf = async (signed: string): Promise<Buffer> =>
  createHmac('sha256', await serviceKey('unsubscribing'))
    .update(signed)
    .digest()
    .subarray(0, signatureBytes);
