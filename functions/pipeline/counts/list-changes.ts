import { draftsIn } from '#domain/orders/listed-drafts.ts';
import { type Draft, shipmentId } from '#domain/orders/model.ts';
import type { Change } from '#domain/positions/position-changes.ts';
import { type ShipmentState, shipmentKey } from '#domain/positions/position-keys.ts';
import { countedRecords, type PositionList, positionLists } from '#domain/positions/position-lists.ts';
import { entryOf } from '#domain/positions/position-node.ts';
import { rootKey } from '#domain/positions/position-store.ts';
import {
  isAutomationRun,
  isClaim,
  orderIdIn,
  recordPrefix,
  shopOfClaims,
  shopOfOrder,
  shopOfRecords,
  shopOfSimulations,
  simulationPrefix,
  timeSortKey,
} from '#platform/table/keys.ts';
import { nameOf } from '#platform/table/reads.ts';
import { changeKindOf } from '#schemas/catalogues/stream-kinds.ts';
import type { Image, RecordImages } from './changes.ts';

/** An entry comes into a list or leaves it. */
export interface ListChange extends Change {
  list: PositionList;
}

/** How a record of the stream changes the lists of its shop. A move within a list is two changes. */
export function listChangesOf({ pk, sk, images }: RecordImages): ListChange[] {
  const before = images.before ? entriesOf(pk, sk, images.before) : [];
  const after = images.after ? entriesOf(pk, sk, images.after) : [];
  const [namesBefore, namesAfter] = [new Set(before.map(nameOfEntry)), new Set(after.map(nameOfEntry))];
  return [
    ...before.filter((entry) => !namesAfter.has(nameOfEntry(entry))).map((entry) => ({ ...entry, isListed: false })),
    ...after.filter((entry) => !namesBefore.has(nameOfEntry(entry))).map((entry) => ({ ...entry, isListed: true })),
  ];
}

type ListEntry = Omit<ListChange, 'isListed'>;

const nameOfEntry = ({ list, key }: ListEntry) => `${list.name} ${key.toString('hex')}`;

/** Where an item stands in lists. */
function entriesOf(pk: string, sk: string, image: Image): ListEntry[] {
  switch (changeKindOf('counts', sk)) {
    case 'order_change':
      return [
        entry(positionLists.orders(shopOfOrder(pk)), image.timeline_sk),
        ...draftEntries(shopOfOrder(pk), orderIdIn(pk), draftsIn(image)),
      ];
    case 'shipment_change':
      return shipmentEntries(
        shopOfOrder(pk),
        image,
        image.tracking_number === undefined ? 'withoutNumber' : 'withNumber',
      );
    case 'claim_change':
      return isClaim(pk) && image.timeline_sk !== undefined ? claimEntries(shopOfClaims(pk), image) : [];
    case 'delivery_change':
      return [entry(positionLists.deliveries(String(image.shop_slug), String(image.target)), image.id)];
    case 'automation_run':
      if (!isAutomationRun(pk)) return []; // a run that waits for its delay has a second item
      return [entry(positionLists.automationRuns(String(image.shop_slug), String(image.automation_id)), image.id)];
    case 'record_change':
      return recordEntries(pk, sk.slice(recordPrefix.length));
    case 'simulation_change':
      // One that is being removed is no longer listed.
      return image.removed_at === undefined
        ? [entry(positionLists.simulations(shopOfSimulations(pk)), sk.slice(simulationPrefix.length))]
        : [];
    case 'shop_change':
      return [entry(positionLists.shops(), image.uuid)];
    default:
      return [];
  }
}

/** Deals are also in the list of all shops. Of other kinds with a limit a shop has few. */
function recordEntries(pk: string, uuid: string): ListEntry[] {
  if (shopOfRecords(pk, 'deals') !== undefined) return [entry(positionLists.dealsOfAllShops(), uuid)];
  return countedRecords.flatMap((kind) => {
    const slug = shopOfRecords(pk, kind);
    return slug === undefined ? [] : [entry(positionLists.records(slug, kind), uuid)];
  });
}

const entry = (list: PositionList, key: unknown): ListEntry => ({
  list,
  ...entryOf(list.form, list.form.toBytes(String(key))),
});

function shipmentEntries(slug: string, { timeline_sk, activity_sk }: Image, state: ShipmentState): ListEntry[] {
  const entryAt = (list: PositionList, place: unknown): ListEntry => ({
    list,
    ...entryOf(list.form, shipmentKey(String(place), state)),
  });
  return [
    entryAt(positionLists.shipmentsByCreation(slug), timeline_sk),
    entryAt(positionLists.shipmentsByUpdate(slug), activity_sk),
  ];
}

/** The order stands for all its drafts, but each draft has its own place. */
const draftEntries = (slug: string, orderId: string, drafts: readonly Draft[]): ListEntry[] =>
  drafts.flatMap(({ slot, created_at }) => {
    const place = timeSortKey(created_at, shipmentId(orderId, slot));
    return shipmentEntries(slug, { timeline_sk: place, activity_sk: place }, 'draftOfOrder');
  });

const claimEntries = (slug: string, { timeline_sk, activity_sk }: Image): ListEntry[] => [
  entry(positionLists.claimsByCreation(slug), timeline_sk),
  entry(positionLists.claimsByUpdate(slug), activity_sk),
];

/** All changes of each list. Of several changes of one entry the last counts. */
export function foldListChanges(changes: readonly ListChange[]): { list: PositionList; changes: Change[] }[] {
  const byList = Map.groupBy(changes, ({ list }) => nameOf(rootKey(list)));
  return [...byList.values()].map((all) => ({
    list: all[0]!.list,
    changes: [...new Map(all.map(({ list: _, ...change }) => [change.key.toString('hex'), change])).values()],
  }));
}
