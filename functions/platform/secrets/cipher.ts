import type { KMSClient } from '@aws-sdk/client-kms';
import { clientOptions } from '#platform/aws-client.ts';

let client: KMSClient | undefined;

/**
 * Encrypts a merchant's secret. The context binds it to its place: a ciphertext that is copied to another shop or
 * integration does not decrypt. KMS is loaded only by the few requests that need it.
 */
export async function encrypt(plaintext: string, context: Record<string, string>): Promise<Uint8Array> {
  const { KMSClient, EncryptCommand } = await import('#platform/lazy/kms.ts');
  client ??= new KMSClient(clientOptions);
  const { CiphertextBlob } = await client.send(
    new EncryptCommand({
      KeyId: process.env.CREDENTIALS_KEY_ID,
      Plaintext: Buffer.from(plaintext),
      EncryptionContext: context,
    }),
  );
  return CiphertextBlob!;
}

/** Fails if the context is not the one of `encrypt`. */
async function decrypt(ciphertext: Uint8Array, context: Record<string, string>): Promise<string> {
  const { KMSClient, DecryptCommand } = await import('#platform/lazy/kms.ts');
  client ??= new KMSClient(clientOptions);
  const { Plaintext } = await client.send(
    new DecryptCommand({
      KeyId: process.env.CREDENTIALS_KEY_ID,
      CiphertextBlob: ciphertext,
      EncryptionContext: context,
    }),
  );
  return Buffer.from(Plaintext!).toString('utf8');
}

interface CachedSecret {
  plaintext: Promise<string>;
  until: number;
}

/** The limits of the cache in one execution environment. No secret stays in memory longer than it is useful. */
const maxCached = 1000;
const cacheMs = 5 * 60_000;

const cache = new Map<string, CachedSecret>();

/** A ciphertext always decrypts to the same text, so KMS is called once in a while and not for each use. */
export function decryptOnce(ciphertext: Uint8Array, context: Record<string, string>): Promise<string> {
  const name = JSON.stringify([context, Buffer.from(ciphertext).toString('base64')]);
  const found = cache.get(name);
  const now = Date.now();
  const current =
    found && found.until > now ? found : { plaintext: decrypt(ciphertext, context), until: now + cacheMs };
  cache.delete(name); // moves it to the end, so the first entry is the least recently used
  cache.set(name, current);
  current.plaintext.catch(() => cache.delete(name));
  if (cache.size > maxCached) cache.delete(cache.keys().next().value!);
  return current.plaintext;
}
