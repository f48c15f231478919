import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { required } from '#platform/environment.ts';
import { packLongText, packText, unpackLongText, unpackText } from './packed-text.ts';

/** A packed text in an item, or the name of the object in the bucket that holds it. */
export type StoredBody = { body: Uint8Array } | { s3_key: string };

/** An item can hold 400 KB. A larger body goes to the bucket. */
const maxItemBytes = 300 * 1024;

/**
 * Compresses a text, and stores it in the bucket if it is too big for an item. Its name there is the hash of its
 * content, so a replay that makes another text does not replace one that is being sent.
 */
export async function storeBody(text: string): Promise<StoredBody> {
  const body = text.length <= maxSyncText ? packText(text) : await packLongText(text);
  if (body.length <= maxItemBytes) return { body };
  const s3_key = `payloads/${createHash('sha256').update(text).digest('hex')}.json.gz`;
  const { putObject } = await loadS3();
  await putObject({ Bucket: bucket(), Key: s3_key, Body: await promisify(gzip)(text) });
  return { s3_key };
}

export async function removeBody(s3_key: string): Promise<void> {
  const { deleteObject } = await loadS3();
  await deleteObject({ Bucket: bucket(), Key: s3_key });
}

export const textOf = async (stored: StoredBody): Promise<string> => (await unpackBody(stored)).toString('utf8');

export async function unpackBody(stored: StoredBody): Promise<Buffer> {
  const compressed = 'body' in stored ? stored.body : await readObject(stored.s3_key);
  return compressed.length <= maxSyncBytes ? unpackText(compressed) : unpackLongText(compressed);
}

/** Most bodies have a few kilobytes, and packing and unpacking them here is faster than in another thread. */
const maxSyncBytes = 16 * 1024;
const maxSyncText = 8 * maxSyncBytes;

async function readObject(key: string): Promise<Uint8Array> {
  const { getObject } = await loadS3();
  return getObject({ Bucket: bucket(), Key: key });
}

/** S3 is loaded only when a body needs it, and few do. */
const loadS3 = () => import('#platform/lazy/s3.ts');

const bucket = () => required('PAYLOAD_BUCKET');
