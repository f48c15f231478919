import type { AutomationRun } from '#domain/automations/run.ts';
import { blocksFrom } from '#domain/feed/blocks.ts';
import {
  endKeys,
  leaveTraces,
  type RemovalStep,
  removalSteps,
  type ShopRemoval,
  type TraceKind,
} from '#domain/privacy/shop-removal.ts';
import { saveIfHeld } from '#domain/privacy/work-store.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { required } from '#platform/environment.ts';
import { logger } from '#platform/logging.ts';
import { countedRecords } from '#platform/table/counted-lists.ts';
import {
  automationRunPrefix,
  automationRunsOf,
  countedTarget,
  dataKeysOf,
  deliveryCountsPrefix,
  duePartition,
  feedBlocks,
  feedOf,
  foundOrdersOf,
  generationOfBlock,
  goneWebhookPrefix,
  isOfRemoval,
  isPayloadPartition,
  keyOf,
  keyUsesOf,
  laneOfModel,
  listCountersOf,
  orderIdIn,
  outboxOf,
  pageStartsOf,
  partitionOf,
  privacyOf,
  privacyRequestPrefix,
  promotionCountsOf,
  recordPrefix,
  recordsIn,
  removalTracePrefix,
  removalTraces,
  sessionsOf,
  shopPartition,
  shopWebhooksOf,
  simulationPrefix,
  simulationsOf,
  statisticsOf,
  storefrontOf,
  suppressionsOf,
  targetPartition,
  webhookPrefix,
  withdrawalsOf,
} from '#platform/table/keys.ts';
import { getItem, itemsIn, type Key, queryPages } from '#platform/table/reads.ts';
import { removeIf } from '#platform/table/remove-all.ts';
import { emailTarget } from '#schemas/catalogues/emails.ts';
import { imagePlaces } from '#schemas/catalogues/image-places.ts';
import { notifiedIntegrations } from '#schemas/catalogues/integrations.ts';
import { shopRemovalLimits as limits } from '#schemas/catalogues/limits.ts';
import { recordKindNames } from '#schemas/catalogues/table.ts';
import { removeDeliveries } from './remove-deliveries.ts';
import { removeObjectsIn } from './remove-objects.ts';
import { removeOrder } from './remove-order.ts';
import type { Turn, Worker } from './round.ts';
import { keysOfPage, removeKeys, removePartition, removePayloads, type Sweep } from './sweep.ts';

/**
 * Removes all that a shop held. The shop itself is gone already, so nothing new is made for it, except by what was on its
 * way: events in the stream and requests that had begun. So the removal goes over everything again after a pause, until a
 * pass finds nothing. Every step removes from the beginning of what it finds, so it can die and be repeated anywhere.
 */
export const workOnRemoval: Worker = async (work, turn) => {
  const removal = work as ShopRemoval;
  const { shop_slug: slug, shop_uuid: uuid } = removal;
  const newer = await getItem<{ uuid: string }>(keyOf.shop(slug));
  // Only a release that does not know of removals lets a shop be created while one is going on.
  if (newer) throw Object.assign(new Error('The slug belongs to another shop.'), { name: 'ShopExistsAgain' });
  const sweep: Removing = { slug, uuid, turn, removed: 0, position: removal.position };
  // A turn that died may have removed something without telling.
  let isClean = removal.is_clean && work.tries === 1;
  for (let at = removalSteps.indexOf(removal.step); at < removalSteps.length; at++) {
    const step = removalSteps[at]!;
    const isDone = !turn.isOver() && (await steps[step](sweep));
    isClean &&= sweep.removed === 0;
    if (!isDone) {
      await save(removal, { step, position: sweep.position, is_clean: isClean });
      return turn.now();
    }
    sweep.position = undefined;
  }
  if (isClean) return end(removal, turn);
  await save(removal, { step: removalSteps[0], is_clean: true });
  return new Date(turn.now().getTime() + limits.pauseSeconds * 1000);
};

interface Removing extends Sweep {
  uuid: string;
  /** The last trace that the step is done with. */
  position: string | undefined;
}

/** Each answers whether nothing is left, as far as it sees. */
const steps: Record<RemovalStep, (sweep: Removing) => Promise<boolean>> = {
  roots: removeRoots,
  orders: (sweep) => eachOrder(sweep, partitionOf.orders(sweep.slug)),
  strays: removeStrays,
  automations: (sweep) => eachTrace(sweep, 'automation', (id) => removeAutomation(sweep, id)),
  targets: removeTargets,
  campaigns: (sweep) => eachTrace(sweep, 'campaign', (id) => removePartition(sweep, promotionCountsOf(sweep.slug, id))),
  simulations: (sweep) => eachTrace(sweep, 'simulation', (id) => removeMade(sweep, id)),
  keys: removeKeysOfShop,
  lists: removeLists,
  requests: removeRequests,
  buckets: removeObjects,
};

type Saved = Pick<ShopRemoval, 'step' | 'is_clean'> & { position?: string | undefined };

/** Without a position the step begins anew. */
const save = (removal: ShopRemoval, { step, is_clean, position }: Saved): Promise<void> =>
  saveIfHeld(removal, { step, is_clean, position });

/** The slug is free from now on. */
async function end({ shop_slug: slug, pk, sk, version }: ShopRemoval, turn: Turn): Promise<'done'> {
  const traces = { slug, removed: 0, turn: { ...turn, isOver: () => false } };
  await removePartition(traces, privacyOf(slug), { range: { prefix: removalTraces } });
  await removeIf({ pk, sk }, 'version = :held', { ':held': version });
  logger.info('shop removed', { shop: slug });
  return 'done';
}

/** What leads to other items: a trace takes its place. Without endpoints and automations nothing more is sent. */
async function removeRoots(sweep: Removing): Promise<boolean> {
  const { slug } = sweep;
  await leaveTraces(slug, 'target', [...notifiedIntegrations.flatMap((id) => [id, `${id}#segments`]), emailTarget]);
  if (!(await removePartition(sweep, storefrontOf(slug)))) return false;
  if (!(await removeTraced(sweep, shopPartition(slug), 'target', [webhookPrefix, goneWebhookPrefix]))) return false;
  if (!(await removeTraced(sweep, recordsIn('automations', slug), 'automation', [recordPrefix, 'DELETED#'])))
    return false;
  if (!(await removeTraced(sweep, recordsIn('campaigns', slug), 'campaign', [recordPrefix]))) return false;
  return removeTraced(sweep, simulationsOf(slug), 'simulation', [simulationPrefix]);
}

/** @param prefixes of the items that leave a trace */
async function removeTraced(sweep: Sweep, pk: string, kind: TraceKind, prefixes: readonly string[]): Promise<boolean> {
  for await (const page of pagesOfKeys(itemsIn(pk))) {
    const ids = page.flatMap(({ sk }) =>
      prefixes.filter((prefix) => sk.startsWith(prefix)).map((prefix) => sk.slice(prefix.length)),
    );
    await leaveTraces(sweep.slug, kind, ids);
    await removeKeys(sweep, page);
    if (page.length > 0 && sweep.turn.isOver()) return false;
  }
  return true;
}

/** So many orders are removed at the same time. */
const ordersAtOnce = 4;

/** @param partition of an index with items of orders */
async function eachOrder(sweep: Removing, partition: string): Promise<boolean> {
  for await (const page of pagesOfKeys({ ...itemsIn(partition, { index: 'timeline' }), Limit: ordersAtOnce })) {
    await mapConcurrently(new Set(page.map(({ pk }) => orderIdIn(pk))), (id) => removeOrder(sweep, id));
    if (page.length > 0 && sweep.turn.isOver()) return false;
  }
  return true;
}

/** Parcels and claims that were written while their order was removed, the marks of deleted parcels, and withdrawals. */
async function removeStrays(sweep: Removing): Promise<boolean> {
  const { slug } = sweep;
  if (!(await eachOrder(sweep, partitionOf.shipmentsByCreation(slug)))) return false;
  if (!(await eachOrder(sweep, partitionOf.claimsByCreation(slug)))) return false;
  for await (const page of pagesOfKeys(itemsIn(partitionOf.goneTrackings(slug), { index: 'timeline' }))) {
    await removeKeys(sweep, page);
    if (page.length > 0 && sweep.turn.isOver()) return false;
  }
  return removeAllPartitions(sweep, [outboxOf(slug, 'CARRIERS'), duePartition(slug, 'TRIGGERS'), withdrawalsOf(slug)]);
}

/** Its runs, and those that wait. They name the targets of its webhooks, also those that it no longer has. */
async function removeAutomation(sweep: Removing, id: string): Promise<boolean> {
  const { slug } = sweep;
  const runs = queryPages({
    ...itemsIn(automationRunsOf(slug, id), { prefix: automationRunPrefix }),
    ProjectionExpression: 'pk, sk, results',
    Limit: keysOfPage,
  });
  for await (const page of runs) {
    const found = page as unknown as (Key & Pick<AutomationRun, 'results'>)[];
    const targets = found.flatMap(({ results = {} }) =>
      Object.values(results).flatMap(({ delivery }) => (delivery ? [delivery.target] : [])),
    );
    await leaveTraces(slug, 'target', targets);
    await removeKeys(sweep, found);
    if (page.length > 0 && sweep.turn.isOver()) return false;
  }
  return removeAllPartitions(sweep, [duePartition(slug, id), listCountersOf(slug, `runs#${id}`)]);
}

/** The counters of days name the targets that had deliveries, and the models of arrivals what other shops were told. */
async function removeTargets(sweep: Removing): Promise<boolean> {
  const { slug } = sweep;
  for await (const page of pagesOfKeys(itemsIn(statisticsOf(slug)))) {
    const counted = page.filter(({ sk }) => sk.startsWith(deliveryCountsPrefix));
    await leaveTraces(
      slug,
      'target',
      counted.map(({ sk }) => countedTarget(sk)),
    );
    await removeKeys(sweep, sharedArrivalsIn(page, slug));
    await removeKeys(sweep, page);
    if (page.length > 0 && sweep.turn.isOver()) return false;
  }
  return eachTrace(sweep, 'target', (target) => removeTarget(sweep, target));
}

const sharedArrivalsIn = (page: readonly Key[], slug: string): Key[] =>
  page.flatMap(({ sk }) => {
    const lane = laneOfModel(sk);
    return lane ? [keyOf.sharedArrivals(lane, slug)] : [];
  });

async function removeTarget(sweep: Removing, target: string): Promise<boolean> {
  if (!(await removeDeliveries(sweep, target))) return false;
  const { slug } = sweep;
  return removeAllPartitions(sweep, [
    targetPartition(slug, target),
    outboxOf(slug, target),
    listCountersOf(slug, `deliveries#${target}`),
  ]);
}

/** What the index still lists of a simulation: deliveries, payloads, runs. */
async function removeMade(sweep: Removing, id: string): Promise<boolean> {
  for await (const page of pagesOfKeys(itemsIn(partitionOf.madeBySimulation(id), { index: 'timeline' }))) {
    await removePayloads(
      sweep,
      page.filter(({ pk }) => isPayloadPartition(pk)),
    );
    await removeKeys(sweep, page);
    if (page.length > 0 && sweep.turn.isOver()) return false;
  }
  return true;
}

/** The keys, and the sessions and starts of pages that each of them had. */
async function removeKeysOfShop(sweep: Removing): Promise<boolean> {
  const { slug, uuid, turn } = sweep;
  sweep.removed += await endKeys(slug, () => turn.isOver());
  const areGone = await eachTrace(sweep, 'key', (id) => removeAllPartitions(sweep, [sessionsOf(id), pageStartsOf(id)]));
  const rates = [keyOf.keyRate(`SHOP#${slug}`).pk, keyOf.keyRate(uuid).pk];
  return areGone && removeAllPartitions(sweep, [keyUsesOf(slug), ...rates]);
}

/** Only the feed names what nobody was sent, if its order is gone. Each of its blocks goes after the payloads that it names. */
async function removeFeed(sweep: Removing): Promise<boolean> {
  const { slug } = sweep;
  for await (const page of pagesOfKeys({ ...itemsIn(feedOf(slug), { prefix: feedBlocks }), Limit: 1 })) {
    for (const { sk } of page) {
      const feed = { slug, generation: generationOfBlock(sk) };
      for await (const { number, entries } of blocksFrom(feed, 0)) {
        const events = new Set(entries.map(({ event_id }) => event_id));
        await removePayloads(
          sweep,
          [...events].map((id) => keyOf.payload(slug, id)),
        );
        await removeKeys(sweep, [keyOf.feedBlock(slug, feed.generation, number)]);
        if (sweep.turn.isOver()) return false;
      }
    }
  }
  return removePartition(sweep, feedOf(slug));
}

async function removeLists(sweep: Removing): Promise<boolean> {
  const { slug } = sweep;
  if (!(await removeFeed(sweep))) return false;
  const records = recordKindNames.map((kind) => recordsIn(kind, slug));
  const counters = [...countedRecords, 'simulations'].map((list) => listCountersOf(slug, list));
  return removeAllPartitions(sweep, [
    ...records,
    suppressionsOf(slug),
    shopWebhooksOf(slug),
    dataKeysOf(slug),
    ...counters,
    listCountersOf(slug),
  ]);
}

/** What was asked for privacy, and all that retention remembers. */
async function removeRequests(sweep: Removing): Promise<boolean> {
  const { slug } = sweep;
  for await (const page of pagesOfKeys(itemsIn(privacyOf(slug), { prefix: privacyRequestPrefix }))) {
    for (const key of page) {
      const orders = foundOrdersOf(slug, key.sk.slice(privacyRequestPrefix.length));
      if (!(await removePartition(sweep, orders))) return false;
      await removeKeys(sweep, [key]);
    }
  }
  return removePartition(sweep, privacyOf(slug), { isSpared: isOfRemoval });
}

/** Images with all their versions, and files of disclosures. */
async function removeObjects(sweep: Removing): Promise<boolean> {
  for (const place of Object.values(imagePlaces)) {
    if (!(await removeObjectsIn(sweep, required('IMAGE_BUCKET'), `${place}${sweep.uuid}/`))) return false;
  }
  return removeObjectsIn(sweep, required('PAYLOAD_BUCKET'), `disclosures/${sweep.slug}/`);
}

/** Remembers which traces are done, because there may be more than a turn can look at. */
async function eachTrace(sweep: Removing, kind: TraceKind, remove: (id: string) => Promise<boolean>): Promise<boolean> {
  const prefix = removalTracePrefix(kind);
  const range = { from: prefix + (sweep.position === undefined ? '' : `${sweep.position}!`), to: `${prefix}~` };
  for await (const page of pagesOfKeys(itemsIn(privacyOf(sweep.slug), range))) {
    for (const { sk } of page) {
      const id = sk.slice(prefix.length);
      if (!(await remove(id))) return false;
      sweep.position = id;
      if (sweep.turn.isOver()) return false;
    }
  }
  return true;
}

async function removeAllPartitions(sweep: Sweep, partitions: readonly string[]): Promise<boolean> {
  for (const pk of partitions) if (!(await removePartition(sweep, pk))) return false;
  return true;
}

async function* pagesOfKeys(query: Parameters<typeof queryPages>[0]): AsyncGenerator<Key[]> {
  const pages = queryPages({ Limit: keysOfPage, ...query, ProjectionExpression: 'pk, sk' });
  for await (const page of pages) yield page as unknown as Key[];
}
