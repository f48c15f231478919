import { v7 as uuidv7 } from 'uuid';
import { required } from '#platform/environment.ts';
import type { CleanImage } from '#platform/images/clean-image.ts';
import type { ImageType } from '#schemas/catalogues/enumerations.ts';
import { type ImageName, imageUrl, isPrivate, objectKey, privateObjectKey } from './image-urls.ts';

/** Returns the image without its metadata. Throws `image_media_unsupported`. */
export async function cleanImage(image: Uint8Array): Promise<CleanImage> {
  // Loaded only here, because a request that is refused earlier does not need it.
  const cleaning = await import('#platform/images/clean-image.ts');
  return cleaning.cleanImage(image);
}

/** Returns the URL of the stored image. */
export const storeImage = (shopUuid: string, type: ImageType, image: CleanImage, now: Date): Promise<string> =>
  storeImageAs(newImageName(shopUuid, type, image, now), image);

export const newImageName = (shopUuid: string, type: ImageType, { format }: CleanImage, now: Date): ImageName => ({
  shopUuid,
  type,
  file: `${uuidv7({ msecs: now.getTime() })}.${format.extension}`,
});

/** Returns the URL of the stored image. */
export async function storeImageAs(name: ImageName, { bytes, format }: CleanImage): Promise<string> {
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

/**
 * Removes a private image of the shop with all its versions. Any other URL is left alone.
 * @returns the name of the image, undefined if there is none
 */
export async function removeEveryVersion(
  storedUrl: string,
  shop: { uuid: string },
  { dryRun = false }: { dryRun?: boolean },
): Promise<string | undefined> {
  const key = privateObjectKey(storedUrl, shop);
  if (key === undefined) return undefined;
  const { removeVersion, versionPages } = await import('#platform/lazy/s3-versions.ts');
  const bucket = required('IMAGE_BUCKET');
  let isFound = false;
  for await (const page of versionPages(bucket, key)) {
    isFound ||= page.length > 0;
    if (dryRun) break;
    for (const version of page) await removeVersion(bucket, version);
  }
  return isFound ? key : undefined;
}

/** An image never changes, because each upload gets a new name. */
const caching = { public: 'public, max-age=31536000, immutable', private: 'private, no-store' };
