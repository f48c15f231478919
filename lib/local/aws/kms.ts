import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackTemplate } from '../template/template.ts';
import { AwsError } from './aws-error.ts';

/** KMS with the operations that the functions may use. Our own code, because no npm package emulates KMS. */
export interface Kms {
  /** The ARN of the key that a request uses, or undefined if the key does not exist. */
  keyArn(operation: string, body: Record<string, unknown>): string | undefined;
  handle(operation: string, body: Record<string, unknown>): Record<string, unknown>;
}

const formatVersion = 1;
const keyIdBytes = 16;
const ivBytes = 12;
const tagBytes = 16;
const maximumPlaintext = 4096;
const dataKeyBytes: Record<string, number> = { AES_256: 32, AES_128: 16 };

export function startKms(stack: StackTemplate, dataDir: string | undefined): Kms {
  const root = rootSecret(dataDir);
  const keys = new Map(stack.resources('AWS::KMS::Key').map(({ ref, arn }) => [ref, arn]));
  const aliases = new Map(
    stack
      .resources('AWS::KMS::Alias')
      .map(({ properties }) => [String(properties.AliasName), bareKeyId(String(properties.TargetKeyId))]),
  );

  const findKey = (idOrAlias: unknown): string | undefined => {
    const id = bareKeyId(String(idOrAlias ?? ''));
    const keyId = aliases.get(id) ?? id;
    return keys.has(keyId) ? keyId : undefined;
  };
  const keyOf = (operation: string, body: Record<string, unknown>): string | undefined =>
    operation === 'Decrypt' ? findKey(keyIdOf(bytes(body.CiphertextBlob))) : findKey(body.KeyId);
  const secretOf = (keyId: string): Buffer => Buffer.from(hkdfSync('sha256', root, '', keyId, 32));

  const encrypt = (keyId: string, plaintext: Buffer, context: unknown): string => {
    const iv = randomBytes(ivBytes);
    const cipher = createCipheriv('aes-256-gcm', secretOf(keyId), iv).setAAD(additionalData(context));
    const data = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    const id = Buffer.from(keyId.replaceAll('-', ''), 'hex');
    return Buffer.concat([Buffer.from([formatVersion]), id, iv, cipher.getAuthTag(), data]).toString('base64');
  };

  const handle = (operation: string, body: Record<string, unknown>): Record<string, unknown> => {
    const keyId = keyOf(operation, body);
    if (!keyId && operation === 'Decrypt') throw invalidCiphertext();
    if (!keyId) throw new AwsError('NotFoundException', `Key '${String(body.KeyId)}' does not exist`);
    const keyFields = { KeyId: keys.get(keyId)! };
    switch (operation) {
      case 'Encrypt': {
        const plaintext = bytes(body.Plaintext);
        if (plaintext.length === 0 || plaintext.length > maximumPlaintext) {
          throw new AwsError('ValidationException', 'Plaintext must have a length between 1 and 4096.');
        }
        return { ...keyFields, ...algorithm, CiphertextBlob: encrypt(keyId, plaintext, body.EncryptionContext) };
      }
      case 'Decrypt': {
        if (body.KeyId !== undefined && findKey(body.KeyId) !== keyId) {
          throw new AwsError(
            'IncorrectKeyException',
            'The key ID in the request does not identify a CMK that can perform this operation.',
          );
        }
        const plaintext = decrypt(secretOf(keyId), bytes(body.CiphertextBlob), body.EncryptionContext);
        return { ...keyFields, ...algorithm, Plaintext: plaintext.toString('base64') };
      }
      case 'GenerateDataKey':
      case 'GenerateDataKeyWithoutPlaintext': {
        const dataKey = randomBytes(Number(body.NumberOfBytes ?? dataKeyBytes[String(body.KeySpec)] ?? 32));
        return {
          ...keyFields,
          ...(operation === 'GenerateDataKey' && { Plaintext: dataKey.toString('base64') }),
          CiphertextBlob: encrypt(keyId, dataKey, body.EncryptionContext),
        };
      }
      default:
        throw new AwsError('UnsupportedOperationException', `The local KMS does not support ${operation}.`);
    }
  };

  return {
    keyArn: (operation, body) => {
      const keyId = keyOf(operation, body);
      return keyId && keys.get(keyId);
    },
    handle,
  };
}

const algorithm = { EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' };

function decrypt(secret: Buffer, blob: Buffer, context: unknown): Buffer {
  const ivStart = 1 + keyIdBytes;
  const tagStart = ivStart + ivBytes;
  const dataStart = tagStart + tagBytes;
  if (blob.length < dataStart) throw invalidCiphertext();
  const decipher = createDecipheriv('aes-256-gcm', secret, blob.subarray(ivStart, tagStart))
    .setAAD(additionalData(context))
    .setAuthTag(blob.subarray(tagStart, dataStart));
  try {
    return Buffer.concat([decipher.update(blob.subarray(dataStart)), decipher.final()]);
  } catch {
    throw invalidCiphertext();
  }
}

function keyIdOf(blob: Buffer): string | undefined {
  if (blob[0] !== formatVersion || blob.length <= keyIdBytes) return undefined;
  const hex = blob.subarray(1, 1 + keyIdBytes).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function additionalData(context: unknown): Buffer {
  const entries = Object.entries((context ?? {}) as Record<string, string>);
  return Buffer.from(JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
}

function bareKeyId(idOrArn: string): string {
  return idOrArn.startsWith('arn:') ? idOrArn.replace(/^.*:(key\/)?/, '') : idOrArn;
}

function bytes(value: unknown): Buffer {
  return Buffer.from(typeof value === 'string' ? value : '', 'base64');
}

function invalidCiphertext(): AwsError {
  return new AwsError('InvalidCiphertextException', '');
}

function rootSecret(dataDir: string | undefined): Buffer {
  if (dataDir === undefined) return randomBytes(32);
  const file = join(dataDir, 'kms.key');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx', flush: true });
  return Buffer.from(readFileSync(file, 'utf8'), 'hex');
}
