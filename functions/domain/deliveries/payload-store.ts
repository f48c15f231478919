import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip } from 'node:zlib';
import type { S3Client } from '@aws-sdk/client-s3';
import type { StoredPayload } from './delivery-items.ts';

/** An item holds 400 KB at most; beyond this the body goes to the bucket. */
const maxItemBytes = 300 * 1024;

/**
 * Keeps the exact text of a body. In the bucket its name is its content: the same body of several deliveries is stored
 * once, and a replay that builds another body does not replace one that is already being sent.
 */
export async function keepBody(body: string): Promise<StoredPayload> {
  const compressed = await promisify(gzip)(body);
  if (compressed.length <= maxItemBytes) return { body: compressed };
  const s3_key = `payloads/${createHash('sha256').update(body).digest('hex')}.json.gz`;
  const { PutObjectCommand } = await import('#platform/lazy/s3.ts');
  await (await bucketClient()).send(new PutObjectCommand({ Bucket: bucket(), Key: s3_key, Body: compressed }));
  return { s3_key };
}

/** The exact bytes of the text that `keepBody` was given. */
export async function bodyOf(payload: StoredPayload): Promise<Buffer> {
  const compressed = 'body' in payload ? payload.body : await readObject(payload.s3_key);
  return compressed.length <= maxSyncBytes ? gunzipSync(compressed) : promisify(gunzip)(compressed);
}

/** A few kilobytes, as nearly all are, take less time than handing them to another thread. */
const maxSyncBytes = 16 * 1024;

async function readObject(key: string): Promise<Uint8Array> {
  const { GetObjectCommand } = await import('#platform/lazy/s3.ts');
  const { Body } = await (await bucketClient()).send(new GetObjectCommand({ Bucket: bucket(), Key: key }));
  return Body!.transformToByteArray();
}

let client: S3Client | undefined;

/** Loaded with the first body that needs it: few do. */
async function bucketClient(): Promise<S3Client> {
  const { S3Client } = await import('#platform/lazy/s3.ts');
  client ??= new S3Client({});
  return client;
}

function bucket(): string {
  const name = process.env.PAYLOAD_BUCKET;
  if (!name) throw new Error('PAYLOAD_BUCKET is not set');
  return name;
}
