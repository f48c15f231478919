import { storeImage } from '#domain/images/image-store.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { images } from '#schemas/families/images.ts';

export const uploadImage: Implementation<typeof images.uploadImage> = async ({ shop, body, now }) => {
  const { image_type, image } = body;
  return { url: await storeImage(shop.uuid, image_type, image, now), image_type, shop_slug: shop.slug };
};
