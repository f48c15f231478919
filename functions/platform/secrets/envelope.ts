import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** What a secret is for. Only who names the same context can decrypt it. */
export type Context = Record<string, string>;

export interface DataKey {
  /** 32 bytes. */
  plain: Uint8Array;
  /** The same, encrypted by KMS. */
  wrapped: Uint8Array;
}

/**
 * A secret that was encrypted with a data key: this mark with the version, the length of the encrypted data key, the
 * encrypted data key itself, nonce, tag, and the secret. Every secret carries its data key, so that whoever reads it
 * needs nothing else, and a new data key does not make old secrets unreadable.
 */
const mark = Buffer.from('envelope:1');
const lengthBytes = 2;
const nonceBytes = 12;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';

/** What KMS encrypted directly begins in another way. */
export const isEnvelope = (ciphertext: Uint8Array): boolean => mark.equals(ciphertext.subarray(0, mark.length));

export function seal(plaintext: string, context: Context, { plain, wrapped }: DataKey): Uint8Array {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, plain, nonce).setAAD(bytesOf(context));
  const data = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt16BE(wrapped.length);
  return Buffer.concat([mark, length, wrapped, nonce, cipher.getAuthTag(), data]);
}

/** The encrypted data key of an envelope. */
export const wrappedKeyOf = (envelope: Uint8Array): Uint8Array => envelope.subarray(...keyRange(envelope));

/** Fails if the context is not that of `seal`, or if anything was changed. */
export function open(envelope: Uint8Array, context: Context, plainKey: Uint8Array): string {
  const [, nonceStart] = keyRange(envelope);
  const tagStart = nonceStart + nonceBytes;
  const dataStart = tagStart + tagBytes;
  if (envelope.length < dataStart) throw unreadable();
  const decipher = createDecipheriv(algorithm, plainKey, envelope.subarray(nonceStart, tagStart), {
    authTagLength: tagBytes,
  })
    .setAAD(bytesOf(context))
    .setAuthTag(envelope.subarray(tagStart, dataStart));
  try {
    return Buffer.concat([decipher.update(envelope.subarray(dataStart)), decipher.final()]).toString('utf8');
  } catch {
    throw unreadable();
  }
}

function keyRange(envelope: Uint8Array): [start: number, end: number] {
  const start = mark.length + lengthBytes;
  if (envelope.length < start) throw unreadable();
  return [start, start + Buffer.from(envelope).readUInt16BE(mark.length)];
}

/** The order of the names does not matter, as for KMS. */
const bytesOf = (context: Context): Buffer => Buffer.from(JSON.stringify(Object.entries(context).toSorted()));

/** KMS names its error so. */
const unreadable = () => Object.assign(new Error('The secret cannot be read.'), { name: 'InvalidCiphertextException' });
