import { currentDataKey, scopeOf } from './data-key.ts';
import { type Context, isEnvelope, open, seal, wrappedKeyOf } from './envelope.ts';
import { decryptedOnce, loadKms } from './kms.ts';

/**
 * Encrypts a secret for a function that may not read it again. The context binds it to its place: a ciphertext that is
 * copied to another shop or integration does not decrypt.
 */
export const encrypt = async (plaintext: string, context: Context): Promise<Uint8Array> =>
  (await loadKms()).encryptByKms(Buffer.from(plaintext), context);

/**
 * Encrypts one of many secrets of a shop, with the data key that they share. So KMS is called once for all of them, and
 * not for each. A function needs the right to read them, too.
 */
export const encryptWithDataKey = async (plaintext: string, context: Context): Promise<Uint8Array> =>
  seal(plaintext, context, await currentDataKey(context));

/** Decrypts a secret of either kind. */
export async function decryptOnce(ciphertext: Uint8Array, context: Context): Promise<string> {
  if (!isEnvelope(ciphertext)) return Buffer.from(await decryptedOnce(ciphertext, context)).toString('utf8');
  return open(ciphertext, context, await decryptedOnce(wrappedKeyOf(ciphertext), scopeOf(context)));
}
