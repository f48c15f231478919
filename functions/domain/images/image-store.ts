import type { S3Client } from '@aws-sdk/client-s3';
import { v7 as uuidv7 } from 'uuid';
import type { ImageType } from '#schemas/catalogues/enumerations.ts';
import { type ImageName, imageUrl, isPrivate, objectKey } from './image-urls.ts';

/** Removes the metadata of an image, stores it and returns its URL. Throws `image_media_unsupported`. */
export async function storeImage(shopUuid: string, type: ImageType, image: Uint8Array, now: Date): Promise<string> {
  // Loaded only here, because a request that is refused earlier does not need it.
  const { cleanImage } = await import('./clean-image.ts');
  const { bytes, format } = await cleanImage(image);
  const file = `${uuidv7({ msecs: now.getTime() })}.${format.extension}`;
  const name = { shopUuid, type, file };
  await putImage(name, bytes, format.mediaType);
  return imageUrl(name);
}

/** An image never changes, because each upload gets a new name. */
const caching = { public: 'public, max-age=31536000, immutable', private: 'private, no-store' };

async function putImage(name: ImageName, bytes: Uint8Array, mediaType: string): Promise<void> {
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
