import { eraseClaims } from '#domain/claims/erase-claims.ts';
import { eraseMails } from '#domain/emails/erase-mails.ts';
import { removeEveryVersion } from '#domain/images/image-store.ts';
import { eraseOrder, eraseOutbox } from '#domain/orders/erase-order.ts';
import type { OrderWithShipments, ShopIdentity } from '#domain/orders/model.ts';
import { erasePage } from '#domain/pages/erase-page.ts';
import { eraseWithdrawal } from '#domain/withdrawals/erase-withdrawal.ts';
import { mapConcurrently } from '#platform/batches.ts';
import type { Counted, CountsOf, Erasure } from '#platform/personal-data.ts';
import type { PersonalStore } from '#schemas/catalogues/personal-stores.ts';
import { eraseTrail, type Receivers } from './erase-trail.ts';

/** Files of disclosures have many orders, so they go at the end of a request. */
type StoreOfOrder = Exclude<PersonalStore, 'disclosures'>;

/**
 * Erases everything of an order. The order itself comes first: what is made of it from then on is made of the erased one.
 * All of it can be repeated. A store that no step counts does not compile: see stores.ts.
 */
export async function eraseEverything(
  shop: ShopIdentity,
  orderId: string,
  receivers: Receivers,
  asked: Erasure,
  spend: (units: number) => Promise<void>,
): Promise<Counted> {
  const erasure = { ...asked, spend };
  const order = await eraseOrder(shop, orderId, erasure);
  if (!order) return {};
  const { images, removeImages } = imagesOf(shop, erasure);
  const documents = {
    ...order.counted,
    ...(await eraseClaims(shop, order.after, erasure, removeImages)),
    // After the claims: from then on no withdrawal is declared.
    ...(await eraseWithdrawal(shop, orderId, erasure)),
    ...(await eraseOutbox(shop, orderId, erasure)),
    ...(await erasePage(order.after.order, erasure, removeImages)),
    ...(await eraseMails(shop.slug, orderId, erasure)),
  };
  const counted = { ...documents, images: { found: images.size, erased: images.size, kept: 0 } };
  const trail = await eraseTrail(shop, order.after, receivers, erasure, spend);
  return { ...counted, ...trail } satisfies CountsOf<StoreOfOrder>;
}

/** Counts each image once, however many claims name it. */
function imagesOf(shop: ShopIdentity, erasure: Erasure) {
  const images = new Set<string>();
  const removeImages = async (urls: readonly string[]): Promise<void> => {
    const own = await mapConcurrently(new Set(urls), (url) => removeEveryVersion(url, shop, erasure), 4);
    for (const name of own) if (name !== undefined) images.add(name);
  };
  return { images, removeImages };
}

/**
 * A second look, at what functions can have written that had read the order before its erasure.
 * @param since of which time events are looked at
 */
export async function eraseLate(
  shop: ShopIdentity,
  fullOrder: OrderWithShipments,
  receivers: Receivers,
  erasure: Erasure,
  spend: (units: number) => Promise<void>,
  since: string,
): Promise<void> {
  await erasePage(fullOrder.order, erasure, imagesOf(shop, erasure).removeImages);
  await eraseMails(shop.slug, fullOrder.order.uuid, erasure);
  await eraseTrail(shop, fullOrder, receivers, erasure, spend, since);
}
