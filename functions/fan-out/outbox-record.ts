import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { OutboxEvent } from '#shared/orders/outbox.ts';

/** An outgoing event as the table holds it. */
export interface OutboxItem extends OutboxEvent {
  shop_slug: string;
  shop_id: string;
}

export function toOutboxItem({ dynamodb }: DynamoDBRecord): OutboxItem {
  const item = unmarshall(dynamodb!.NewImage as Image) as OutboxItem;
  if (!item.shop_slug || !item.order_id || !Array.isArray(item.shipments)) throw new MalformedEvent();
  return item;
}

class MalformedEvent extends Error {
  override readonly name = 'MalformedEvent';
}

type Image = Parameters<typeof unmarshall>[0];
