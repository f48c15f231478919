import { hkdfSync } from 'node:crypto';
import { currentDataKey } from '#platform/secrets/data-key.ts';

/**
 * The keys with which addresses are hashed and links signed. They come from one data key of the service, which KMS opens once
 * in five minutes. No shop has such a slug. Who holds the table alone can neither guess an address from its hash nor make a link.
 */
const context = { shop: '*', email: '*' };

const keyBytes = 32;

/** @param purpose so that what is made for one purpose is worth nothing for another */
export async function serviceKey(purpose: 'addresses' | 'unsubscribing'): Promise<Uint8Array> {
  const { plain } = await currentDataKey(context);
  return new Uint8Array(hkdfSync('sha256', plain, new Uint8Array(), purpose, keyBytes));
}
