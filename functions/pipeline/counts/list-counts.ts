import { type Count, foldCounts } from '#domain/figures/count-rules.ts';
import { draftsIn } from '#domain/orders/order-items.ts';
import { countedLists, countedRecords, type ListInTable } from '#platform/table/counted-lists.ts';
import {
  isAutomationRun,
  isClaim,
  keyOf,
  recordPrefix,
  shopOfClaims,
  shopOfOrder,
  shopOfRecords,
  shopOfSimulations,
  simulationPrefix,
  slugIn,
} from '#platform/table/keys.ts';
import { countersAt } from '#platform/table/list-counters.ts';
import { changeKindOf } from '#schemas/catalogues/stream-kinds.ts';
import type { Image, RecordImages } from './changes.ts';

/** What a record of the stream changes in the counters of lists: an entry leaves one cell and comes to another. */
export function listCountsOf({ pk, sk, images: { before, after } }: RecordImages): Count[] {
  // Most changes leave an entry where it is, and touch nothing.
  const changes = foldCounts([
    ...(before ? countersOf(pk, sk, before).map((counter) => ({ ...counter, step: -1 })) : completeCounts(pk, sk)),
    ...(after ? countersOf(pk, sk, after).map((counter) => ({ ...counter, step: 1 })) : []),
  ]);
  return changes.flatMap(({ steps, ...item }) =>
    Object.entries(steps).map(([name, step]) => ({ ...item, name, step })),
  );
}

/** All that a new shop will have is counted. An older shop is complete when somebody has counted it anew. */
const completeCounts = (pk: string, sk: string): Count[] =>
  changeKindOf('counts', sk) === 'shop_change' ? [{ key: keyOf.countedLists(slugIn(pk)), name: 'shop', step: 1 }] : [];

const countersOf = (pk: string, sk: string, image: Image) =>
  entriesOf(pk, sk, image).flatMap(([list, key]) => countersAt(list, String(key)));

/** A list, and the key of an entry in it. */
type ListEntry = [list: ListInTable, key: unknown];

/** Where an item stands in lists. */
export function entriesOf(pk: string, sk: string, image: Image): ListEntry[] {
  const { timeline_sk, activity_sk, shop_slug, id } = image;
  switch (changeKindOf('counts', sk)) {
    case 'order_change': {
      const drafts = countedLists.drafts(shopOfOrder(pk));
      return [
        [countedLists.orders(shopOfOrder(pk)), timeline_sk],
        ...draftsIn(image).map((): ListEntry => [drafts, activity_sk]),
      ];
    }
    case 'shipment_change': {
      const state = image.tracking_number === undefined ? 'withoutNumber' : 'withNumber';
      return [
        [countedLists.parcels(shopOfOrder(pk), 'created_at', state), timeline_sk],
        [countedLists.parcels(shopOfOrder(pk), 'updated_at', state), activity_sk],
      ];
    }
    case 'claim_change':
      if (!isClaim(pk) || timeline_sk === undefined) return []; // it is shown on a page, or deleted
      return [
        [countedLists.claimsByCreation(shopOfClaims(pk)), timeline_sk],
        [countedLists.claimsByUpdate(shopOfClaims(pk)), activity_sk],
      ];
    case 'delivery_change':
      return [[countedLists.deliveries(String(shop_slug), String(image.target)), id]];
    case 'automation_run':
      if (!isAutomationRun(pk)) return []; // a run that waits for its delay has a second item
      return [[countedLists.automationRuns(String(shop_slug), String(image.automation_id)), id]];
    case 'record_change':
      return recordLists(pk).map((list): ListEntry => [list, sk.slice(recordPrefix.length)]);
    case 'simulation_change':
      if (image.removed_at !== undefined) return []; // one that is being removed is no longer listed
      return [[countedLists.simulations(shopOfSimulations(pk)), sk.slice(simulationPrefix.length)]];
    case 'shop_change':
      return [[countedLists.shops(), image.uuid]];
    default:
      return [];
  }
}

/** Deals are also in the list of all shops. Of other kinds with a limit a shop has few. */
function recordLists(pk: string): ListInTable[] {
  if (shopOfRecords(pk, 'deals') !== undefined) return [countedLists.dealsOfAllShops()];
  return countedRecords.flatMap((kind) => {
    const slug = shopOfRecords(pk, kind);
    return slug === undefined ? [] : [countedLists.records(slug, kind)];
  });
}
