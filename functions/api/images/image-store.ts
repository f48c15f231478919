import type { S3Client } from '@aws-sdk/client-s3';
import { type ImageName, isPrivate, objectKey } from '#domain/images/image-address.ts';

/** An image never changes: another upload has another name. */
const caching = { public: 'public, max-age=31536000, immutable', private: 'private, no-store' };

export async function keepImage(name: ImageName, bytes: Uint8Array, mediaType: string): Promise<void> {
  const { PutObjectCommand, S3Client } = await import('#platform/lazy/s3.ts');
  client ??= new S3Client({});
  await client.send(
    new PutObjectCommand({
      Bucket: bucket(),
      Key: objectKey(name),
      Body: bytes,
      ContentType: mediaType,
      ContentDisposition: 'inline',
      CacheControl: isPrivate(name) ? caching.private : caching.public,
    }),
  );
}

let client: S3Client | undefined;

function bucket(): string {
  const name = process.env.IMAGE_BUCKET;
  if (!name) throw new Error('IMAGE_BUCKET is not set');
  return name;
}
