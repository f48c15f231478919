import { v7 as uuidv7 } from 'uuid';
import { imageUrl } from '#domain/images/private-urls.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { images } from '#schemas/families/images.ts';
import { keepImage } from './image-store.ts';

export const uploadImage: Implementation<typeof images.uploadImage> = async ({ shop, body, now }) => {
  const { image_type, image } = body;
  // Of no use to a request that is refused before.
  const { cleanImage } = await import('./clean-image.ts');
  const { bytes, format } = await cleanImage(image);
  const file = `${uuidv7({ msecs: now.getTime() })}.${format.extension}`;
  const name = { shopUuid: shop.uuid, type: image_type, file };
  await keepImage(name, bytes, format.mediaType);
  return { url: imageUrl(name), image_type, shop_slug: shop.slug };
};
