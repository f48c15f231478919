import { decrypt } from './credential-cipher.ts';

interface Known {
  plaintext: Promise<string>;
  until: number;
}

/** What one execution environment remembers, and for how long: no secret stays in memory longer than it is of use. */
const mostKnown = 1000;
const keptMs = 5 * 60_000;

const known = new Map<string, Known>();

/** A ciphertext never changes its meaning: KMS is asked once for each in a while, not once for each use. */
export function decryptOnce(ciphertext: Uint8Array, context: Record<string, string>): Promise<string> {
  const name = JSON.stringify([context, Buffer.from(ciphertext).toString('base64')]);
  const found = known.get(name);
  const now = Date.now();
  const current = found && found.until > now ? found : { plaintext: decrypt(ciphertext, context), until: now + keptMs };
  known.delete(name); // and to the end: who was not used for longest is at the beginning
  known.set(name, current);
  current.plaintext.catch(() => known.delete(name));
  if (known.size > mostKnown) known.delete(known.keys().next().value!);
  return current.plaintext;
}
