import { randomBytes } from 'node:crypto';
import {
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyWithoutPlaintextCommand,
  type KMSClient,
} from '@aws-sdk/client-kms';
import type { AwsClientStub } from 'aws-sdk-client-mock';

/**
 * KMS as handlers see it: a ciphertext is the reversed plaintext after its context, and another context is refused. So a
 * test can write and read what a function stores.
 */
export function fakeKms(kms: AwsClientStub<KMSClient>): void {
  kms.reset();
  kms.on(EncryptCommand).callsFake(({ Plaintext, EncryptionContext }) => ({
    CiphertextBlob: fakeKms.wrap(EncryptionContext, Plaintext),
  }));
  kms.on(GenerateDataKeyWithoutPlaintextCommand).callsFake(({ EncryptionContext }) => ({
    CiphertextBlob: fakeKms.wrap(EncryptionContext, randomBytes(32)),
  }));
  kms.on(DecryptCommand).callsFake(({ CiphertextBlob, EncryptionContext }) => {
    const context = contextBytes(EncryptionContext);
    const blob = Buffer.from(CiphertextBlob);
    if (!blob.subarray(0, context.length).equals(context)) {
      throw Object.assign(new Error(), { name: 'InvalidCiphertextException' });
    }
    return { Plaintext: Buffer.from(blob.subarray(context.length)).reverse() };
  });
}

const contextBytes = (context: Record<string, string>) => Buffer.from(JSON.stringify(context));

fakeKms.wrap = (context: Record<string, string>, plaintext: Uint8Array): Uint8Array =>
  Buffer.concat([contextBytes(context), Buffer.from(plaintext).reverse()]);
