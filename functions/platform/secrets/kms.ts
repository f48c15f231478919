import type { KMSClient } from '@aws-sdk/client-kms';
import { clientOptions } from '#platform/aws-client.ts';
import { remember } from '#platform/recently-used.ts';
import type { Context } from './envelope.ts';

let client: KMSClient | undefined;

/** KMS is loaded only by the few requests that need it. */
const load = () => import('#platform/lazy/kms.ts');

const keyId = () => process.env.CREDENTIALS_KEY_ID;

export async function encryptByKms(Plaintext: Uint8Array, EncryptionContext: Context): Promise<Uint8Array> {
  const { KMSClient, EncryptCommand } = await load();
  client ??= new KMSClient(clientOptions);
  const { CiphertextBlob } = await client.send(new EncryptCommand({ KeyId: keyId(), Plaintext, EncryptionContext }));
  return CiphertextBlob!;
}

/** A new data key, encrypted. Who may use it decrypts it. */
export async function newWrappedKey(EncryptionContext: Context): Promise<Uint8Array> {
  const { KMSClient, GenerateDataKeyWithoutPlaintextCommand } = await load();
  client ??= new KMSClient(clientOptions);
  const { CiphertextBlob } = await client.send(
    new GenerateDataKeyWithoutPlaintextCommand({ KeyId: keyId(), KeySpec: 'AES_256', EncryptionContext }),
  );
  return CiphertextBlob!;
}

/** Fails if the context is not the one of the encryption. */
async function decryptByKms(CiphertextBlob: Uint8Array, EncryptionContext: Context): Promise<Uint8Array> {
  const { KMSClient, DecryptCommand } = await load();
  client ??= new KMSClient(clientOptions);
  const { Plaintext } = await client.send(new DecryptCommand({ KeyId: keyId(), CiphertextBlob, EncryptionContext }));
  return Plaintext!;
}

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
