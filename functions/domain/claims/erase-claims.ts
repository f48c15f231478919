import type { OrderWithShipments, ShopIdentity } from '#domain/orders/model.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { type Count, type CountsOf, type Erasure, erased, personalPaths } from '#platform/personal-data.ts';
import { claimHistoryPrefix, claimPrefix, claimsOf, keyOf } from '#platform/table/keys.ts';
import { allItemsIn, getItem, itemsIn, type Key, queryPages } from '#platform/table/reads.ts';
import { removeAll } from '#platform/table/remove-all.ts';
import {
  commit,
  insert,
  put,
  putVersion,
  retryOnConflict,
  setAttributes,
  tryCommit,
  update,
} from '#platform/table/writes.ts';
import { imagesOfClaim } from './claim-rules.ts';
import { claimItem, historyItem, type StoredClaim, type StoredHistoryEntry, toClaim } from './claim-store.ts';
import { messageItemsOf } from './message-store.ts';
import { claimData, historyData } from './personal-data.ts';

/** So many writes of one order at a time: other shops use the same table. */
const maxConcurrentWrites = 4;

/** With its entries in indexes and its history, in one transaction. */
const unitsOfClaim = 14;

/** Of a long one. */
const unitsOfMessage = 4;

/**
 * After `eraseOrder`: erases what is personal from the claims of an order and their histories. It can be repeated.
 * @param removeImages gets the URLs in a claim before the claim forgets them, also in a dry run; it can be repeated
 */
export async function eraseClaims(
  { slug }: ShopIdentity,
  { order }: OrderWithShipments,
  erasure: Erasure,
  removeImages: (urls: readonly string[]) => Promise<void>,
): Promise<CountsOf<'claims'>> {
  // Who read the order before its erasure can make no claim any more: claim-writes.ts checks it.
  if (!erasure.dryRun)
    await commit([update(keyOf.claimCount(slug, order.uuid), setAttributes({ erased_at: erasure.at }))]);
  const claims = await allItemsIn<StoredClaim>(claimsOf(slug, order.uuid), { prefix: claimPrefix });
  await mapConcurrently(claims, (item) => eraseClaim(slug, item, erasure, removeImages), maxConcurrentWrites);
  const { length } = claims;
  const history = await eraseHistories(claimsOf(slug, order.uuid), erasure);
  // Every claim has a new version by now, so who read its order before the erasure can write no message any more.
  const messages = await eraseMessages(slug, order.uuid, erasure, removeImages);
  const found = history.found + messages + length;
  return { claims: { found, erased: history.erased + messages + length, kept: history.kept } };
}

/** Also a claim with nothing personal gets a new version, so that who read its order before the erasure reads it again. */
async function eraseClaim(
  slug: string,
  item: StoredClaim,
  { at, by, dryRun, spend }: Erasure,
  removeImages: (urls: readonly string[]) => Promise<void>,
): Promise<void> {
  let known: StoredClaim | undefined = item;
  await retryOnConflict(async () => {
    const current = known ?? (await getItem<StoredClaim>({ pk: item.pk, sk: item.sk }));
    known = undefined;
    if (!current) return;
    const claim = toClaim(current);
    await removeImages(imagesOfClaim(claim));
    if (dryRun || (claim.erased_at !== undefined && personalPaths(claimData, claim).length === 0)) return;
    const after = { ...erased(claimData, claim), erased_at: claim.erased_at ?? at };
    const version = current.version + 1;
    await spend?.(unitsOfClaim);
    await commit([
      putVersion(claimItem(slug, after, version)),
      insert(historyItem(slug, claim, version, { at, by: 'erasure', by_name: by, action: 'updated', changes: [] })),
    ]);
  });
}

/** Nothing would be left of a message, so it goes whole. @returns how many there are */
async function eraseMessages(
  slug: string,
  orderId: string,
  { dryRun, spend }: Erasure,
  removeImages: (urls: readonly string[]) => Promise<void>,
): Promise<number> {
  let found = 0;
  for await (const page of messageItemsOf(slug, orderId)) {
    found += page.length;
    await removeImages(page.flatMap(({ image_urls }) => image_urls));
    if (dryRun) continue;
    await spend?.(unitsOfMessage * page.length);
    await removeAll(page.map(({ pk, sk }) => ({ pk, sk })));
  }
  return found;
}

type HistoryItem = StoredHistoryEntry & Key;

/** An entry is never changed otherwise, and no new one has anything personal. */
async function eraseHistories(partition: string, { dryRun, spend }: Erasure): Promise<Count> {
  const count = { found: 0, erased: 0, kept: 0 };
  const entries = queryPages({ ...itemsIn(partition, { prefix: claimHistoryPrefix }), ConsistentRead: true });
  for await (const page of entries as AsyncGenerator<unknown[]> as AsyncGenerator<HistoryItem[]>) {
    const personal = page.filter(({ pk: _, sk: __, ...entry }) => personalPaths(historyData, entry).length > 0);
    const write = async ({ pk, sk, ...entry }: HistoryItem) => {
      await spend?.(2);
      await tryCommit([put({ pk, sk, ...erased(historyData, entry) }, 'attribute_exists(pk)')]);
    };
    if (!dryRun) await mapConcurrently(personal, write, maxConcurrentWrites);
    count.found += page.length;
    count.erased += personal.length;
    count.kept += page.length - personal.length;
  }
  return count;
}
