import { DecryptCommand, EncryptCommand, GenerateDataKeyWithoutPlaintextCommand, KMSClient } from '@aws-sdk/client-kms';
import { clientOptions } from '#platform/aws-client.ts';
import type { Context } from '#platform/secrets/envelope.ts';

const client = new KMSClient(clientOptions);

const keyId = () => process.env.CREDENTIALS_KEY_ID;

export async function encryptByKms(Plaintext: Uint8Array, EncryptionContext: Context): Promise<Uint8Array> {
  const { CiphertextBlob } = await client.send(new EncryptCommand({ KeyId: keyId(), Plaintext, EncryptionContext }));
  return CiphertextBlob!;
}

/** A new data key, encrypted. Who may use it decrypts it. */
export async function newWrappedKey(EncryptionContext: Context): Promise<Uint8Array> {
  const { CiphertextBlob } = await client.send(
    new GenerateDataKeyWithoutPlaintextCommand({ KeyId: keyId(), KeySpec: 'AES_256', EncryptionContext }),
  );
  return CiphertextBlob!;
}

/** Fails if the context is not the one of the encryption. */
export async function decryptByKms(CiphertextBlob: Uint8Array, EncryptionContext: Context): Promise<Uint8Array> {
  const { Plaintext } = await client.send(new DecryptCommand({ KeyId: keyId(), CiphertextBlob, EncryptionContext }));
  return Plaintext!;
}
