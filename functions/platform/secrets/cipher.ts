import type { KMSClient } from '@aws-sdk/client-kms';

let client: KMSClient | undefined;

/**
 * Encrypts what a merchant entrusts to us, bound to its place by the context: a ciphertext moved to another shop or
 * integration does not decrypt. KMS is loaded only by the few requests that need it.
 */
export async function encrypt(plaintext: string, context: Record<string, string>): Promise<Uint8Array> {
  const { KMSClient, EncryptCommand } = await import('#platform/lazy/kms.ts');
  client ??= new KMSClient({});
  const { CiphertextBlob } = await client.send(
    new EncryptCommand({
      KeyId: process.env.CREDENTIALS_KEY_ID,
      Plaintext: Buffer.from(plaintext),
      EncryptionContext: context,
    }),
  );
  return CiphertextBlob!;
}

/** What `encrypt` was given, if the context is the same. */
async function decrypt(ciphertext: Uint8Array, context: Record<string, string>): Promise<string> {
  const { KMSClient, DecryptCommand } = await import('#platform/lazy/kms.ts');
  client ??= new KMSClient({});
  const { Plaintext } = await client.send(
    new DecryptCommand({
      KeyId: process.env.CREDENTIALS_KEY_ID,
      CiphertextBlob: ciphertext,
      EncryptionContext: context,
    }),
  );
  return Buffer.from(Plaintext!).toString('utf8');
}

interface Known {
  plaintext: Promise<string>;
  until: number;
}

/** What one execution environment remembers, and for how long: no secret stays in memory longer than it is of use. */
const maxKnown = 1000;
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
  if (known.size > maxKnown) known.delete(known.keys().next().value!);
  return current.plaintext;
}
