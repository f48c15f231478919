import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { QueuedRunItem } from '#domain/automations/run-items.ts';
import type { DeliveryMessage } from '#domain/deliveries/model.ts';
import type { Snapshot } from '#domain/outbox/snapshot.ts';
import type { StoredEvent } from '#domain/payload/event-payload.ts';
import { bytesOf } from './image-bytes.ts';

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
