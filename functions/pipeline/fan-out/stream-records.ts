import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { QueuedRunItem } from '#domain/automations/run.ts';
import type { DeliveryMessage } from '#domain/deliveries/delivery-rules.ts';
import type { Snapshot } from '#domain/outbox/snapshot.ts';
import type { StoredEvent } from '#domain/payload/event-payload.ts';
import { type PlannableItem, type PlannedShipment, plannableShipments, versionOf } from '#domain/triggers/plan.ts';
import { shopOfOrder } from '#platform/table/keys.ts';
import { sortKeys } from '#schemas/catalogues/table.ts';

/** An event as the stream shows it, with its order. */
export type OutboxItem = StoredEvent & Snapshot;

/** Word that a delivery which exists is to be queued, again or for the first time. */
export interface WakeItem extends DeliveryMessage {
  kind: 'wake';
  probe?: boolean;
}

type StreamItem = OutboxItem | WakeItem | QueuedRunItem;

export function toOutboxItem({ dynamodb }: DynamoDBRecord): StreamItem {
  const item = unmarshall(dynamodb!.NewImage as Image) as StreamItem;
  if (isWake(item) || isRun(item)) return item;
  if (!item.shop_slug || !item.order_id || !hasSubject(item)) throw new MalformedEvent();
  return item.snapshot ? { ...item, snapshot: bytesOf(item.snapshot) } : item;
}

const hasSubject = (item: OutboxItem): boolean =>
  item.source === 'claims' ? Boolean(item.claim_id && item.claim) : Array.isArray(item.shipments);

export const isWake = (item: StreamItem): item is WakeItem => 'kind' in item && item.kind === 'wake';

/** A run of an automation that is to act at once. */
export const isRun = (item: StreamItem): item is QueuedRunItem => 'kind' in item && item.kind === 'run';

class MalformedEvent extends Error {
  override readonly name = 'MalformedEvent';
}

type Image = Parameters<typeof unmarshall>[0];

/** A change of a shipment, or of the drafts of an order. */
export function isShipmentChange(record: DynamoDBRecord): boolean {
  const sk = sortKeyOf(record);
  return sk === sortKeys.drafts || sk.startsWith(sortKeys.shipment);
}

/** A shop has other internal triggers. */
export const isTriggersChange = (record: DynamoDBRecord) => sortKeyOf(record).startsWith(sortKeys.internalTriggers);

const sortKeyOf = ({ dynamodb }: DynamoDBRecord) => dynamodb!.NewImage?.sk?.S ?? '';

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
