import { remember } from '#platform/recently-used.ts';
import type { Context } from './envelope.ts';

/** KMS is loaded only by the few requests that need it. */
export const loadKms = () => import('#platform/lazy/kms.ts');

const decryptByKms = async (ciphertext: Uint8Array, context: Context) =>
  (await loadKms()).decryptByKms(ciphertext, context);

interface Cached {
  plaintext: Promise<Uint8Array>;
  until: number;
}

/** The limits of the cache in one execution environment. No secret stays in memory longer than it is useful. */
const maxCached = 1000;
export const cacheMs = 5 * 60_000;

const cache = new Map<string, Cached>();

/** A ciphertext always decrypts to the same bytes, so KMS is called once in a while and not for each use. */
export function decryptedOnce(ciphertext: Uint8Array, context: Context): Promise<Uint8Array> {
  const name = JSON.stringify([context, Buffer.from(ciphertext).toString('base64')]);
  const found = cache.get(name);
  const now = Date.now();
  const current =
    found && found.until > now ? found : { plaintext: decryptByKms(ciphertext, context), until: now + cacheMs };
  remember(cache, name, current, maxCached);
  current.plaintext.catch(() => cache.delete(name));
  return current.plaintext;
}
