import { cleanImage, storeImage } from '#domain/images/image-store.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { images } from '#schemas/families/images.ts';

export const uploadImage: Implementation<typeof images.uploadImage> = async ({ shop, body, now }) => {
  const { image_type, image } = body;
  const url = await storeImage(shop.uuid, image_type, await cleanImage(image), now);
  return { url, image_type, shop_slug: shop.slug };
};
