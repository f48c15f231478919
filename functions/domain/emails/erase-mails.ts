import { type CountsOf, type Erasure, noCount } from '#platform/personal-data.ts';
import { mailsOf } from '#platform/table/keys.ts';
import { allItemsIn, type Key } from '#platform/table/reads.ts';
import { removeAll } from '#platform/table/remove-all.ts';

/**
 * After `eraseOrder`: nothing is mailed about the order any more, so nobody asks what was. It can be repeated. Who wants no
 * e-mails of the shop still gets none.
 */
export async function eraseMails(
  slug: string,
  orderId: string,
  { dryRun, spend }: Erasure,
): Promise<CountsOf<'mails'>> {
  const items = await allItemsIn<Key>(mailsOf(slug, orderId));
  if (items.length === 0) return { mails: noCount };
  if (!dryRun) {
    await spend?.(items.length);
    await removeAll(items);
  }
  return { mails: { found: items.length, erased: items.length, kept: 0 } };
}
