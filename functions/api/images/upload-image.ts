import type { S3Client } from '@aws-sdk/client-s3';
import { v7 as uuidv7 } from 'uuid';
import { type ImageName, imageUrl, isPrivate, objectKey } from '#domain/images/image-urls.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { images } from '#schemas/families/images.ts';

export const uploadImage: Implementation<typeof images.uploadImage> = async ({ shop, body, now }) => {
  const { image_type, image } = body;
  // Loaded only here, because a request that is refused earlier does not need it.
  const { cleanImage } = await import('./clean-image.ts');
  const { bytes, format } = await cleanImage(image);
  const file = `${uuidv7({ msecs: now.getTime() })}.${format.extension}`;
  const name = { shopUuid: shop.uuid, type: image_type, file };
  await keepImage(name, bytes, format.mediaType);
  return { url: imageUrl(name), image_type, shop_slug: shop.slug };
};

/** An image never changes, because each upload gets a new name. */
const caching = { public: 'public, max-age=31536000, immutable', private: 'private, no-store' };

async function keepImage(name: ImageName, bytes: Uint8Array, mediaType: string): Promise<void> {
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
