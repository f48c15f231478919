import type { Order } from '#domain/orders/model.ts';
import { type CountsOf, type Erasure, noCount } from '#platform/personal-data.ts';
import { trackingPageOf } from '#platform/table/keys.ts';
import { allItemsIn, type Key } from '#platform/table/reads.ts';
import { removeAll } from '#platform/table/remove-all.ts';
import { photosIn } from './page-photos.ts';

/**
 * After `eraseOrder`: removes all that lies under the token of the tracking page. It can be repeated.
 * @param removeImages gets the URLs of photos before the page forgets them, also in a dry run; it can be repeated
 */
export async function erasePage(
  { page_token }: Order,
  { dryRun, spend }: Erasure,
  removeImages: (urls: readonly string[]) => Promise<void>,
): Promise<CountsOf<'tracking_pages'>> {
  if (page_token === undefined) return { tracking_pages: noCount };
  const items = await allItemsIn<Key & { image_urls?: string[] }>(trackingPageOf(page_token));
  await removeImages(photosIn(items));
  // The token is the order's alone, and it opens nothing any more.
  if (!dryRun) {
    await spend?.(2 * items.length);
    await removeAll(items);
  }
  return { tracking_pages: { found: items.length, erased: items.length, kept: 0 } };
}
