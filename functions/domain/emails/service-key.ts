import { hkdfSync } from 'node:crypto';
import { currentDataKey, existingDataKey } from '#platform/secrets/data-key.ts';

/**
 * The keys with which addresses are hashed and links signed. They come from one data key of the service, which KMS opens once
 * in five minutes. No shop has such a slug. Who holds the table alone can neither guess an address from its hash nor make a link.
 */
const context = { shop: '*', email: '*' };

const keyBytes = 32;

/** So that what is made for one purpose is worth nothing for another. */
type Purpose = 'addresses' | 'unsubscribing';

export const serviceKey = async (purpose: Purpose): Promise<Uint8Array> =>
  keyFor(purpose, (await currentDataKey(context)).plain);

/** Undefined if nothing was made with it yet. */
export async function existingServiceKey(purpose: Purpose): Promise<Uint8Array | undefined> {
  const found = await existingDataKey(context);
  return found && keyFor(purpose, found.plain);
}

const keyFor = (purpose: Purpose, plain: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', plain, new Uint8Array(), purpose, keyBytes));
