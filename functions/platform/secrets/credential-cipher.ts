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
export async function decrypt(ciphertext: Uint8Array, context: Record<string, string>): Promise<string> {
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
