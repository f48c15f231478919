import { isDeepStrictEqual } from 'node:util';
import { allAutomations } from '#domain/automations/automation-store.ts';
import { automationTarget } from '#domain/automations/model.ts';
import type { Claim } from '#domain/claims/claim-rules.ts';
import { claimItem, type StoredClaim, toClaim } from '#domain/claims/claim-store.ts';
import { allMessages } from '#domain/claims/message-store.ts';
import { firstIdAt } from '#domain/deliveries/delivery-items.ts';
import { privateObjectKey } from '#domain/images/image-urls.ts';
import { cutoffOf } from '#domain/privacy/retention-rules.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { required } from '#platform/environment.ts';
import {
  claimPrefix,
  countedTarget,
  deliveryCountsPrefix,
  goneWebhookPrefix,
  keyOf,
  orderIdIn,
  partitionOf,
  shopPartition,
  statisticsOf,
  webhookPrefix,
} from '#platform/table/keys.ts';
import { batchGet, itemsIn, type Key, queryAll } from '#platform/table/reads.ts';
import { put, tryCommit } from '#platform/table/writes.ts';
import { emailTarget } from '#schemas/catalogues/emails.ts';
import { privateImageTypes } from '#schemas/catalogues/enumerations.ts';
import { imagePlaces } from '#schemas/catalogues/image-places.ts';
import { notifiedIntegrations } from '#schemas/catalogues/integrations.ts';
import { retentionLimits } from '#schemas/catalogues/limits.ts';
import type { Keeping } from './night.ts';
import { removeDeliveries } from './remove-deliveries.ts';
import { removeObjectsIn } from './remove-objects.ts';
import type { Turn } from './round.ts';
import { firstPage, itemsAfter } from './sweep.ts';

/** Removes images of claims, and signatures, that were stored too long ago, with all their versions. False if the time was over before. */
export async function removeOldImages({
  shop,
  retention: { claim_images_days: days },
  turn,
}: Keeping): Promise<boolean> {
  if (days === null) return true;
  const upTo = firstIdAt(new Date(cutoffOf(days, turn.now())));
  const sweep = { slug: shop.slug, turn, removed: 0 };
  for (const type of privateImageTypes) {
    const prefix = `${imagePlaces.private}${shop.uuid}/${type}/`;
    if (!(await removeObjectsIn(sweep, required('IMAGE_BUCKET'), prefix, upTo))) return false;
  }
  return true;
}

/**
 * Claims that were made before then name images that are gone: nobody can add an image to a claim later, except in a message.
 * They lose the names.
 * @returns the last claim of the page, or undefined if none is left
 */
export async function walkOldClaims(
  { shop, retention: { claim_images_days: days }, turn }: Keeping,
  position: string | undefined,
): Promise<string | undefined> {
  if (days === null) return undefined;
  const page = await firstPage<Key & { timeline_sk: string }>(
    itemsAfter(partitionOf.claimsByCreation(shop.slug), position, cutoffOf(days, turn.now())),
  );
  const items = await batchGet(page.map(({ pk, sk }) => ({ pk, sk })));
  const claims = items.flatMap((item) => (item ? [item as unknown as StoredClaim] : []));
  await mapConcurrently(claims, (stored) => forgetImages(shop, stored, turn), 8);
  return page.at(-1)?.timeline_sk;
}

/**
 * The same for messages in claims that were last changed before then: each message is a change.
 * @returns the last claim of the page, or undefined if none is left
 */
export async function walkOldMessages(
  { shop, retention: { claim_images_days: days }, turn }: Keeping,
  position: string | undefined,
): Promise<string | undefined> {
  if (days === null) return undefined;
  const page = await firstPage<Key & { activity_sk: string }>(
    itemsAfter(partitionOf.claimsByUpdate(shop.slug), position, cutoffOf(days, turn.now()), 'activity'),
  );
  await mapConcurrently(page, ({ pk, sk }) => forgetImagesOfMessages(shop, orderIdIn(pk), sk, turn), 4);
  return page.at(-1)?.activity_sk;
}

const unchanged = '#uuid = :uuid AND #text = :text AND image_urls = :images';

async function forgetImagesOfMessages(shop: ShopItem, orderId: string, sk: string, turn: Turn): Promise<void> {
  const place = { order_id: orderId, uuid: sk.slice(claimPrefix.length) };
  for (const [i, message] of (await allMessages(shop.slug, place)).entries()) {
    const image_urls = message.image_urls.filter((url) => privateObjectKey(url, shop) === undefined);
    if (image_urls.length === message.image_urls.length) continue;
    await turn.spend(4);
    const key = keyOf.claimMessage(shop.slug, orderId, place.uuid, i + 1);
    // An erasure at the same moment wins: what it took must not come back.
    const { uuid, text } = message;
    const values = { ':uuid': uuid, ':text': text, ':images': message.image_urls };
    await tryCommit([put({ ...key, ...message, image_urls }, unchanged, values, { '#uuid': 'uuid', '#text': 'text' })]);
  }
}

/** Its time of change stays: nobody has changed it. Who changes it at the same moment wins, and the names of lost images stay. */
async function forgetImages(shop: ShopItem, stored: StoredClaim, turn: Turn): Promise<void> {
  const claim = toClaim(stored);
  const next = withoutImages(claim, (url) => privateObjectKey(url, shop) !== undefined);
  if (next === claim) return;
  await turn.spend(3);
  await tryCommit([put(claimItem(shop.slug, next, stored.version), 'version = :read', { ':read': stored.version })]);
}

/** The same claim if it names none. */
function withoutImages(claim: Claim, isGone: (url: string) => boolean): Claim {
  const left = (urls: readonly string[]) => urls.filter((url) => !isGone(url));
  const withLeft = <T extends { image_urls: string[] }>(item: T): T => ({ ...item, image_urls: left(item.image_urls) });
  const signature = claim.customer_signature_image_url;
  const next = {
    ...claim,
    image_urls: left(claim.image_urls),
    optional_image_urls: left(claim.optional_image_urls),
    customer_signature_image_url: signature !== null && isGone(signature) ? null : signature,
    selected_items: claim.selected_items.map(withLeft),
    damaged_product_items: claim.damaged_product_items.map(withLeft),
  };
  return isDeepStrictEqual(next, claim) ? claim : next;
}

/**
 * Removes the deliveries of events that are too old, one target at a time.
 * @param done the last target that is done @returns the target that is done now, or undefined if none is left
 */
export async function removeOldDeliveries(
  { shop: { slug }, retention: { deliveries_days: days }, turn }: Keeping,
  done: string | undefined,
): Promise<string | undefined> {
  // The table itself removes them then.
  if (days >= retentionLimits.deliveriesDays) return undefined;
  const target = (await targetsOf(slug, turn.now())).find((id) => done === undefined || id > done);
  if (target === undefined) return undefined;
  const sweep = { slug, turn, removed: 0 };
  const isDone = await removeDeliveries(sweep, target, new Date(cutoffOf(days, turn.now())));
  return isDone ? target : (done ?? '');
}

/** Everything that can have deliveries, sorted: the counters of days also name what was deleted or changed since. */
async function targetsOf(slug: string, now: Date): Promise<string[]> {
  const since = cutoffOf(retentionLimits.deliveriesDays + 1, now).slice(0, 10);
  const [endpoints, gone, counted, automations] = await Promise.all([
    sortKeysIn(itemsIn(shopPartition(slug), { prefix: webhookPrefix })),
    sortKeysIn(itemsIn(shopPartition(slug), { prefix: goneWebhookPrefix })),
    sortKeysIn(itemsIn(statisticsOf(slug), { from: deliveryCountsPrefix + since, to: `${deliveryCountsPrefix}~` })),
    allAutomations(slug),
  ]);
  const own = automations.flatMap(({ uuid, actions }) =>
    actions.flatMap(({ type, params }) => (type === 'webhook' ? [automationTarget(uuid, params.url)] : [])),
  );
  const targets = [
    ...notifiedIntegrations,
    emailTarget,
    ...endpoints.map((sk) => sk.slice(webhookPrefix.length)),
    ...gone.map((sk) => sk.slice(goneWebhookPrefix.length)),
    ...counted.map(countedTarget),
    ...own,
  ];
  return [...new Set(targets)].sort();
}

async function sortKeysIn(query: Parameters<typeof queryAll>[0]): Promise<string[]> {
  const keys = await queryAll<Key>({ ...query, ProjectionExpression: 'sk' });
  return keys.map(({ sk }) => sk);
}
