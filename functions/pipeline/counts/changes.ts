import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { type StoredClaim, toClaim } from '#domain/claims/claim-store.ts';
import { toDelivery } from '#domain/deliveries/delivery-items.ts';
import { draftsIn, type StoredItem, toOrder, toShipment } from '#domain/orders/order-items.ts';
import {
  type Changed,
  type Count,
  type CountedShipment,
  claimCounts,
  deliveryCounts,
  draftCounts,
  foldCounts,
  orderCounts,
  shipmentCounts,
} from '#domain/statistics/count-rules.ts';
import { countedLists, countedRecords } from '#platform/table/counted-lists.ts';
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
import { type CountedList, countersAt } from '#platform/table/list-counters.ts';
import { UnknownForm } from '#platform/unknown-form.ts';
import type { Phase } from '#schemas/catalogues/shipment-events.ts';
import { type ChangeKind, changeKindOf } from '#schemas/catalogues/stream-kinds.ts';

type Image = Record<string, unknown>;

/** What a record of the stream adds to the counters. Throws if the record cannot be read. */
export function countsOf({ dynamodb }: DynamoDBRecord, { pk, sk, images }: RecordImages): Count[] {
  switch (changeKindOf('counts', sk)) {
    case 'shipment_change':
      return shipmentCounts(shopOfOrder(pk), both(images, toCountedShipment));
    case 'order_change': {
      // Most changes leave the drafts as they are. Then the order need not be unpacked.
      if (images.before && images.after && images.before.drafts === images.after.drafts) return [];
      const orders = both(images, (image) => toOrder(image as unknown as StoredItem));
      const at = new Date(dynamodb!.ApproximateCreationDateTime! * 1000);
      return [
        ...draftCounts(shopOfOrder(pk), orders),
        ...(orders.after && !orders.before ? orderCounts(shopOfOrder(pk), orders.after, at) : []),
      ];
    }
    case 'claim_change':
      // What the tracking page shows of a claim has the same sort key.
      if (!isClaim(pk)) return [];
      return claimCounts(
        shopOfClaims(pk),
        both(images, (image) => toClaim(image as unknown as StoredClaim)),
      );
    case 'delivery_change':
      return deliveryCounts(both(images, toDelivery));
    default:
      return [];
  }
}

const toCountedShipment = (image: Image): CountedShipment => ({
  ...toShipment(image as unknown as StoredItem),
  ...(image.counted_phase !== undefined && { counted_phase: image.counted_phase as Phase }),
});

/** What a record of the stream is about, and how that was before and after the change. */
export interface RecordImages {
  pk: string;
  sk: string;
  images: Changed<Image>;
}

export const kindOf = ({ dynamodb }: DynamoDBRecord): ChangeKind | undefined =>
  changeKindOf('counts', dynamodb!.Keys!.sk!.S!);

/** Throws if the record is of a kind that this version does not know. */
export function readImages(record: DynamoDBRecord): RecordImages {
  if (!kindOf(record)) throw new UnknownForm('A record of the stream is of an unknown kind.');
  const { dynamodb } = record;
  const { pk, sk } = unmarshall(dynamodb!.Keys as WireImage) as { pk: string; sk: string };
  return { pk, sk, images: { before: imageOf(dynamodb!.OldImage), after: imageOf(dynamodb!.NewImage) } };
}

const both = <T>({ before, after }: Changed<Image>, read: (image: Image) => T): Changed<T> => ({
  before: before && read(before),
  after: after && read(after),
});

type WireImage = Parameters<typeof unmarshall>[0];

/** Lambda passes binary values of the stream as base64 text. */
function imageOf(image: object | undefined): Image | undefined {
  if (!image) return undefined;
  const { document, ...item } = unmarshall(image as WireImage);
  if (document === undefined) return item;
  return { ...item, document: typeof document === 'string' ? Buffer.from(document, 'base64') : document };
}

/** What a record of the stream changes in the counters of lists: an entry leaves one cell and comes to another. */
export function listCountsOf({ pk, sk, images: { before, after } }: RecordImages): Count[] {
  const countsAt = (image: Image | undefined, step: number) =>
    image
      ? entriesOf(pk, sk, image).flatMap(([list, place]) =>
          countersAt(list, String(place)).map((one) => ({ ...one, step })),
        )
      : [];
  // Most changes leave an entry where it is, and touch nothing.
  const changes = foldCounts([
    ...countsAt(before, -1),
    ...countsAt(after, 1),
    ...(before ? [] : completeCounts(pk, sk)),
  ]);
  return changes.flatMap(({ steps, ...item }) =>
    Object.entries(steps).map(([name, step]) => ({ ...item, name, step })),
  );
}

/** All that a new shop will have is counted. An older shop is complete when somebody has counted it anew. */
const completeCounts = (pk: string, sk: string): Count[] =>
  changeKindOf('counts', sk) === 'shop_change' ? [{ key: keyOf.countedLists(slugIn(pk)), name: 'shop', step: 1 }] : [];

/** A list, and the key of an entry in it. */
type ListEntry = [list: CountedList, place: unknown];

/** Where an item stands in lists. */
function entriesOf(pk: string, sk: string, image: Image): ListEntry[] {
  const { timeline_sk, activity_sk, shop_slug, id } = image;
  switch (changeKindOf('counts', sk)) {
    case 'order_change': {
      const drafts = countedLists.shipments(shopOfOrder(pk), 'created_at', ['draft']);
      return [
        [countedLists.orders(shopOfOrder(pk)), timeline_sk],
        ...draftsIn(image).map((): ListEntry => [drafts, activity_sk]),
      ];
    }
    case 'shipment_change': {
      const state = image.tracking_number === undefined ? 'withoutNumber' : 'withNumber';
      return [
        [countedLists.shipments(shopOfOrder(pk), 'created_at', [state]), timeline_sk],
        [countedLists.shipments(shopOfOrder(pk), 'updated_at', [state]), activity_sk],
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
function recordLists(pk: string): CountedList[] {
  if (shopOfRecords(pk, 'deals') !== undefined) return [countedLists.dealsOfAllShops()];
  return countedRecords.flatMap((kind) => {
    const slug = shopOfRecords(pk, kind);
    return slug === undefined ? [] : [countedLists.records(slug, kind)];
  });
}
