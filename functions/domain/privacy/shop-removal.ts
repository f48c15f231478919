import { storefrontChanged } from '#domain/settings/storefront-version.ts';
import { shopKeysOf } from '#platform/access/api-key.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { tableName } from '#platform/table/client.ts';
import { keyOf } from '#platform/table/keys.ts';
import { type Key, queryPages } from '#platform/table/reads.ts';
import { type Action, commit, put, remove } from '#platform/table/writes.ts';
import { dueAt, type Work } from './work.ts';

/** The removal of a shop and all that it holds: what happens at once, and the work that follows. */

/** The steps of a pass, in their order. What leads to other items goes after them, or leaves a trace. */
export const removalSteps = [
  'roots',
  'orders',
  'strays',
  'automations',
  'targets',
  'campaigns',
  'simulations',
  'keys',
  'lists',
  'requests',
  'buckets',
] as const;
export type RemovalStep = (typeof removalSteps)[number];

export interface ShopRemoval extends Work {
  work: 'removal';
  shop_uuid: string;
  created_at: string;
  step: RemovalStep;
  /** The last trace that the step is done with. */
  position?: string;
  /** Whether the pass has found nothing so far. A removal ends with a pass that finds nothing. */
  is_clean: boolean;
}

/** Names what a removed item led to, so that a later pass finds what came in after it. */
export type TraceKind = 'target' | 'automation' | 'campaign' | 'simulation' | 'key';

const trace = (slug: string, kind: TraceKind, id: string): Action => put(keyOf.removalTrace(slug, kind, id));

export async function leaveTraces(slug: string, kind: TraceKind, ids: Iterable<string>): Promise<void> {
  await mapConcurrently(new Set(ids), (id) => commit([trace(slug, kind, id)]), 8);
}

interface RemovedShop {
  slug: string;
  uuid: string;
}

/**
 * From now on the shop does not exist for any request, event or page, and its slug is taken until the removal is done.
 * Throws `shop_not_found` if somebody else has removed it.
 */
export function startRemoval({ slug, uuid }: RemovedShop, now: Date): Promise<void> {
  const key = keyOf.shopRemoval(slug);
  const removal: ShopRemoval = {
    ...key,
    ...dueAt(slug, key.sk, now),
    work: 'removal',
    shop_slug: slug,
    version: 1,
    shop_uuid: uuid,
    created_at: now.toISOString(),
    step: 'roots',
    is_clean: false,
  };
  return commit([
    { ...remove(keyOf.shop(slug), '#uuid = :uuid', { ':uuid': uuid }, { '#uuid': 'uuid' }), refusal: 'shop_not_found' },
    { ...put(removal, 'attribute_not_exists(pk)'), refusal: 'shop_not_found' },
    // Else its pages would be shown until they are removed.
    storefrontChanged(slug),
  ]);
}

/** Lets a shop be created only if none with the slug is being removed. */
export const unlessRemoved = (slug: string): Action => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: keyOf.shopRemoval(slug),
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  refusal: 'shop_exists',
});

/** Ends the API keys of a shop. @returns how many there were, until it was over */
export async function endKeys(slug: string, isOver: () => boolean): Promise<number> {
  let ended = 0;
  for await (const page of queryPages({ ...shopKeysOf(slug), Limit: 100 })) {
    if (isOver()) break;
    await mapConcurrently(page as unknown as Key[], ({ sk }) => endKey(slug, sk), 8);
    ended += page.length;
  }
  return ended;
}

/** The trace first: without the key nobody would find its sessions. */
async function endKey(slug: string, tokenId: string): Promise<void> {
  await commit([trace(slug, 'key', tokenId)]);
  await commit([remove(keyOf.apiKey(slug, tokenId))]);
}
