import { decrypt } from './credential-cipher.ts';

/** Secrets that one execution environment remembers. */
const mostKnown = 1000;

const known = new Map<string, Promise<string>>();

/** A ciphertext never changes its meaning: KMS is asked once for each, not once for each use. */
export function decryptOnce(ciphertext: Uint8Array, context: Record<string, string>): Promise<string> {
  const name = JSON.stringify([context, Buffer.from(ciphertext).toString('base64')]);
  const decrypting = known.get(name) ?? decrypt(ciphertext, context);
  known.delete(name); // and to the end: who was not used for longest is at the beginning
  known.set(name, decrypting);
  decrypting.catch(() => known.delete(name));
  if (known.size > mostKnown) known.delete(known.keys().next().value!);
  return decrypting;
}
