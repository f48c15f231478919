import { isDeepStrictEqual } from 'node:util';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { AutomationRun } from '#domain/automations/run.ts';
import type { DeliveryMessage } from '#domain/deliveries/delivery-messages.ts';
import { type Announcement, contentOf } from '#domain/orders/enclosed-events.ts';
import type { Order } from '#domain/orders/model.ts';
import { type StoredItem, shipmentVersion } from '#domain/orders/order-items.ts';
import type { TrackingBacklogItem, TrackingRequestItem } from '#domain/orders/outbox.ts';
import { type PlannableShipment, plannableShipments } from '#domain/triggers/plan.ts';
import { type Caused, causeOf } from '#platform/correlation.ts';
import { shopOfOrder, slugIn } from '#platform/table/keys.ts';
import { ownRegion } from '#platform/table/stream-mark.ts';
import { UnknownForm } from '#platform/unknown-form.ts';
import { RecordFault } from '#platform/verdicts.ts';
import { type ChangeKind, changeKindOf, type ItemKindOf, isItemKind } from '#schemas/catalogues/stream-kinds.ts';
import type { OutboxItem } from './event-work.ts';

/** What a record of the stream says. It is read once, and all that fan-out does follows from this. */
export type StreamRecord =
  | StreamItem
  | OrderChange
  | ShipmentChange
  | { kind: 'triggers_change'; slug: string }
  | { kind: 'heartbeat' };

/** Asks the fan-out to queue an existing delivery, again or for the first time. */
export type WakeItem = DeliveryMessage & { probe?: boolean };

/** The type of each kind of item. A missing kind does not compile. */
interface ItemOf extends Record<FanOutKind, object> {
  event: OutboxItem;
  wake: WakeItem;
  run: AutomationRun;
  tracking_request: TrackingRequestItem;
  tracking_backlog: TrackingBacklogItem;
}

type FanOutKind = ItemKindOf<'fan-out'>;
type StreamItem = { [K in FanOutKind]: ItemOf[K] & { kind: K } }[FanOutKind];

/** A write of an order or shipment. */
export interface Change {
  record: DynamoDBRecord;
  slug: string;
  /** What the write announced in this region. */
  announcement?: Announcement | undefined;
  /** The shipments whose triggers are to be planned, with their version. */
  shipments: PlannableShipment[];
  version: number;
  /** Absent if the item is new. It is unpacked only if there are triggers. */
  before?: StoredItem | undefined;
}

interface OrderChange extends Change {
  kind: 'order_change';
  order: Order;
}

interface ShipmentChange extends Change {
  kind: 'shipment_change';
}

export const isChange = (read: StreamRecord): read is OrderChange | ShipmentChange =>
  read.kind === 'order_change' || read.kind === 'shipment_change';

/** Throws if the record is of a kind or form that this version does not know. */
export function readRecord(record: DynamoDBRecord): StreamRecord {
  const kind = changeOf(record);
  if (kind === undefined) return toStreamItem(record);
  if (kind === 'triggers_change') return { kind, slug: slugIn(record.dynamodb!.NewImage!.pk!.S!) };
  if (kind !== 'order_change' && kind !== 'shipment_change') return { kind: 'heartbeat' };
  const { OldImage, NewImage } = record.dynamodb!;
  const [item, before] = [itemOf(NewImage!), OldImage && itemOf(OldImage)];
  const { holder, announcement } = contentOf(item);
  // A write that leaves the document as it is announces nothing anew.
  const isAnnounced = announcement?.region === ownRegion() && !isDeepStrictEqual(item.document, before?.document);
  const isPlanned = kind === 'shipment_change' || hasOtherDrafts(item, before);
  // The clock of a simulation decides when its triggers fire.
  const isReal = ({ simulation_id }: PlannableShipment) => simulation_id === undefined;
  const change: Change = {
    record,
    slug: shopOfOrder(item.pk),
    announcement: isAnnounced ? announcement : undefined,
    shipments: isPlanned ? plannableShipments(holder).filter(isReal) : [],
    version: shipmentVersion(item),
    before,
  };
  return kind === 'order_change' ? { ...change, kind, order: holder as Order } : { ...change, kind };
}

/** The kind of change of a stored item; undefined for an item that was written only for the stream. */
const changeOf = ({ dynamodb }: DynamoDBRecord): ChangeKind | undefined =>
  changeKindOf('fan-out', dynamodb!.NewImage?.sk?.S ?? dynamodb!.Keys?.sk?.S ?? '');

function toStreamItem({ dynamodb }: DynamoDBRecord): StreamItem {
  if (!isItemKind(dynamodb!.NewImage?.kind?.S)) throw new UnknownForm('A record of the stream is of an unknown kind.');
  const item = unmarshall(dynamodb!.NewImage as Image) as StreamItem;
  if (item.kind === 'tracking_request' && !Array.isArray(item.parcels)) throw new RecordFault('MalformedRequest');
  if (item.kind !== 'event') return item;
  if (item.source && !sources.has(item.source)) throw new UnknownForm('An event has an unknown source.');
  if (!item.shop_slug || !item.order_id || !hasSubject(item)) throw new RecordFault('MalformedEvent');
  return item.snapshot ? { ...item, snapshot: bytesOf(item.snapshot) } : item;
}

const sources: ReadonlySet<string> = new Set<OutboxItem['source']>(['shipments', 'claims', 'withdrawals']);

function hasSubject(item: OutboxItem): boolean {
  if (item.source === 'claims') return Boolean(item.claim_id && item.claim);
  if (item.source === 'withdrawals') return Boolean(item.withdrawal_id && item.withdrawal);
  return Array.isArray(item.shipments);
}

type Image = Parameters<typeof unmarshall>[0];

function itemOf(image: object): OrderItem {
  const { document, announced, ...item } = unmarshall(image as Image) as OrderItem;
  return { ...item, document: bytesOf(document), ...(announced && { announced: bytesOf(announced) }) };
}

/** Lambda passes binary values of the stream as base64 text. */
const bytesOf = (value: Uint8Array | string): Uint8Array =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : value;

/** The attributes of an order that has drafts. */
type OrderItem = StoredItem & { drafts?: string; activity_sk?: string };

/** Whether an order has drafts, and had others before. */
const hasOtherDrafts = (after: OrderItem, before: OrderItem | undefined): boolean =>
  after.drafts !== undefined && (after.drafts !== before?.drafts || after.activity_sk !== before?.activity_sk);

/** What a record is called in logs and when it is put aside, and which request caused it. @param read if it could be read */
export function aboutOf(record: DynamoDBRecord, read?: StreamRecord): { kind: string } & Caused {
  const [announced] = (read && isChange(read) && read.announcement?.events) || [];
  if (announced) return { kind: 'event', ...causeOf(announced) };
  const { kind, cause, event } = record.dynamodb!.NewImage ?? {};
  // The event of a run, or the item itself, says it.
  const text = cause?.S ?? event?.M?.cause?.S;
  return { kind: changeOf(record) ?? kind?.S ?? 'unknown', ...(text !== undefined && { cause: text }) };
}
