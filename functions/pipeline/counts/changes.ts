import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { type StoredClaim, toClaim } from '#domain/claims/claim-store.ts';
import { toDelivery } from '#domain/deliveries/delivery-items.ts';
import { arrivalCountsOf, ledgerCounts } from '#domain/feed/ledger.ts';
import { markIn } from '#domain/feed/mark.ts';
import {
  type Changed,
  type Count,
  type CountedShipment,
  claimCounts,
  deliveryCounts,
  draftCounts,
  orderCounts,
  type PageVisits,
  promotionCounts,
  shipmentCounts,
  visitCounts,
} from '#domain/figures/count-rules.ts';
import { parcelCounts } from '#domain/figures/parcel-figures.ts';
import type { Order } from '#domain/orders/model.ts';
import { type StoredItem, toOrder, toShipment } from '#domain/orders/order-items.ts';
import { eventOfPayloads, isClaim, shopOfClaims, shopOfOrder } from '#platform/table/keys.ts';
import { UnknownForm } from '#platform/unknown-form.ts';
import type { Phase } from '#schemas/catalogues/shipment-events.ts';
import { type ChangeKind, changeKindOf } from '#schemas/catalogues/stream-kinds.ts';

export type Image = Record<string, unknown>;

/** What a record of the stream adds to the counters. Throws if the record cannot be read. */
export function countsOf({ pk, sk, images }: RecordImages): Count[] {
  switch (changeKindOf('counts', sk)) {
    case 'shipment_change': {
      const shipments = both(images, toCountedShipment);
      return [...shipmentCounts(shopOfOrder(pk), shipments), ...parcelCounts(shopOfOrder(pk), shipments)];
    }
    case 'order_change': {
      if (isCountedAlike(images)) return [];
      const orders = both(images, orderIn);
      return [...draftCounts(shopOfOrder(pk), orders), ...orderCounts(shopOfOrder(pk), orders)];
    }
    case 'claim_change':
      // What the tracking page shows of a claim has the same sort key.
      if (!isClaim(pk)) return [];
      return claimCounts(
        shopOfClaims(pk),
        both(images, (image) => toClaim(image as unknown as StoredClaim)),
      );
    case 'delivery_change': {
      const deliveries = both(images, toDelivery);
      return [...deliveryCounts(deliveries), ...arrivalCountsOf(deliveries)];
    }
    case 'feed_entry':
      return entryCounts(pk, images);
    case 'page_visit':
      return visitCounts(images as Changed<PageVisits>);
    case 'promotion_shown':
      return promotionCounts('promotions_shown', images.after);
    case 'promotion_clicked':
      return promotionCounts('promotions_clicked', images.after);
    default:
      return [];
  }
}

/** An event enters the feed once. What is written later, when it is kept for longer or erased, has its mark already. */
function entryCounts(pk: string, { before, after }: Changed<Image>): Count[] {
  const mark = before && 'feed' in before ? undefined : markIn(after);
  if (!mark) return [];
  const { slug, eventId } = eventOfPayloads(pk);
  return ledgerCounts(slug, eventId, mark);
}

/** Most changes leave the drafts of an order and its time as they are. Then the order need not be unpacked. */
const isCountedAlike = ({ before, after }: Changed<Image>): boolean =>
  before !== undefined &&
  after !== undefined &&
  before.drafts === after.drafts &&
  before.timeline_sk === after.timeline_sk;

const unpacked = new WeakMap<Image, Order>();

/** Several rules look at an order. It is unpacked once. */
export function orderIn(image: Image): Order {
  const order = unpacked.get(image) ?? toOrder(image as unknown as StoredItem);
  unpacked.set(image, order);
  return order;
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

export const both = <T>({ before, after }: Changed<Image>, read: (image: Image) => T): Changed<T> => ({
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
