import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { AutomationRun } from '#domain/automations/run.ts';
import type { DeliveryMessage } from '#domain/deliveries/delivery-rules.ts';
import type { Snapshot } from '#domain/outbox/outbox.ts';
import type { StoredEvent } from '#domain/payload/event-payload.ts';
import { type PlannableItem, type PlannedShipment, plannableShipments, versionOf } from '#domain/triggers/plan.ts';
import { shopOfOrder } from '#platform/table/keys.ts';
import { type ChangeKind, changeKindOf, type ItemKindOf } from '#schemas/catalogues/stream-kinds.ts';

/** An event as the stream shows it, with its order. */
export type OutboxItem = StoredEvent & Snapshot;

/** Word that a delivery which exists is to be queued, again or for the first time. */
export type WakeItem = DeliveryMessage & { probe?: boolean };

/** What is read of each kind of item: a kind that is missing here does not compile. */
interface ItemOf extends Record<FanOutKind, object> {
  event: OutboxItem;
  wake: WakeItem;
  run: AutomationRun;
}

type FanOutKind = ItemKindOf<'fan-out'>;
type StreamItem = { [K in FanOutKind]: ItemOf[K] & { kind: K } }[FanOutKind];

export function toStreamItem({ dynamodb }: DynamoDBRecord): StreamItem {
  const item = unmarshall(dynamodb!.NewImage as Image) as StreamItem;
  if (item.kind === 'wake' || item.kind === 'run') return item;
  if (!item.shop_slug || !item.order_id || !hasSubject(item)) throw new MalformedEvent();
  return item.snapshot ? { ...item, snapshot: bytesOf(item.snapshot) } : item;
}

const hasSubject = (item: OutboxItem): boolean =>
  item.source === 'claims' ? Boolean(item.claim_id && item.claim) : Array.isArray(item.shipments);

class MalformedEvent extends Error {
  override readonly name = 'MalformedEvent';
}

type Image = Parameters<typeof unmarshall>[0];

/** Which change of what is stored it is; undefined where it is an item that was written for the stream. */
export const changeOf = ({ dynamodb }: DynamoDBRecord): ChangeKind | undefined =>
  changeKindOf(dynamodb!.NewImage?.sk?.S ?? '');

/** The shipments as the change left them. */
export function shipmentsOf({ dynamodb }: DynamoDBRecord): PlannedShipment[] {
  const item = itemOf(dynamodb!.NewImage)!;
  const slug = shopOfOrder(item.pk);
  const old = itemOf(dynamodb!.OldImage);
  const before = new Map((old ? plannableShipments(old) : []).map((shipment) => [shipment.uuid, shipment]));
  return plannableShipments(item).map((shipment) => ({
    slug,
    shipment,
    version: versionOf(item),
    before: before.get(shipment.uuid),
  }));
}

type Images = NonNullable<DynamoDBRecord['dynamodb']>;

function itemOf(image: Images['NewImage']): PlannableItem | undefined {
  if (!image) return undefined;
  const { document, ...item } = unmarshall(image as Parameters<typeof unmarshall>[0]) as PlannableItem;
  return { ...item, document: bytesOf(document) };
}

/** Lambda hands binary values of the stream over as text. */
const bytesOf = (value: Uint8Array | string): Uint8Array =>
  typeof value === 'string' ? Buffer.from(value, 'base64') : value;
