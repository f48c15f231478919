import { v7 as uuidv7 } from 'uuid';
import { required } from '#platform/environment.ts';
import type { CleanImage } from '#platform/images/clean-image.ts';
import type { ImageType } from '#schemas/catalogues/enumerations.ts';
import { imageUrl, isPrivate, objectKey, privateObjectKey } from './image-urls.ts';

/** Returns the image without its metadata. Throws `image_media_unsupported`. */
export async function cleanImage(image: Uint8Array): Promise<CleanImage> {
  // Loaded only here, because a request that is refused earlier does not need it.
  const cleaning = await import('#platform/images/clean-image.ts');
  return cleaning.cleanImage(image);
}

/** Returns the URL of the stored image. */
export async function storeImage(shopUuid: string, type: ImageType, image: CleanImage, now: Date): Promise<string> {
  const { bytes, format } = image;
  const name = { shopUuid, type, file: `${uuidv7({ msecs: now.getTime() })}.${format.extension}` };
  const { putObject } = await import('#platform/lazy/s3.ts');
  await putObject({
    Bucket: required('IMAGE_BUCKET'),
    Key: objectKey(name),
    Body: bytes,
    ContentType: format.mediaType,
    ContentDisposition: 'inline',
    CacheControl: isPrivate(name) ? caching.private : caching.public,
  });
  return imageUrl(name);
}

/** Removes a private image of the shop. Any other URL is left alone. */
export async function removeImage(storedUrl: string, shopUuid: string): Promise<void> {
  const Key = privateObjectKey(storedUrl, { uuid: shopUuid });
  if (Key === undefined) return;
  const { deleteObject } = await import('#platform/lazy/s3.ts');
  await deleteObject({ Bucket: required('IMAGE_BUCKET'), Key });
}

/** An image never changes, because each upload gets a new name. */
const caching = { public: 'public, max-age=31536000, immutable', private: 'private, no-store' };
