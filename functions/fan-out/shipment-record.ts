import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { sortKeys } from '#schemas/table.ts';
import type { PlannedShipment } from '#shared/internal-triggers/plan.ts';
import { orderIdIn, shopOfOrder } from '#shared/keys.ts';
import type { Draft } from '#shared/orders/model.ts';
import { type StoredItem, toShipment } from '#shared/orders/order-items.ts';
import { draftShipment } from '#shared/orders/shipment-rules.ts';

/** A change of a shipment, or of the drafts of an order. */
export function isShipmentChange({ dynamodb }: DynamoDBRecord): boolean {
  const sk = dynamodb!.NewImage?.sk?.S ?? '';
  return sk === sortKeys.drafts || sk.startsWith(sortKeys.shipment);
}

/** The shipments as the change left them. */
export function shipmentsOf({ dynamodb }: DynamoDBRecord): PlannedShipment[] {
  const item = unmarshall(dynamodb!.NewImage as Image) as StoredItem & { drafts?: Draft[] };
  const slug = shopOfOrder(item.pk);
  if (item.drafts) {
    // The number plays no part in a plan.
    const order = { uuid: orderIdIn(item.pk), order_number: '' };
    return item.drafts.map((draft) => ({ slug, shipment: draftShipment(order, draft), version: 0 }));
  }
  const shipment = toShipment({ ...item, document: bytesOf(item.document) });
  return [{ slug, shipment, version: item.version }];
}

/** Lambda hands binary values over as text. */
const bytesOf = (document: Uint8Array | string) =>
  typeof document === 'string' ? Buffer.from(document, 'base64') : document;

/** Which item changed. */
export const changedItem = ({ dynamodb }: DynamoDBRecord): string =>
  `${dynamodb!.NewImage?.pk?.S} ${dynamodb!.NewImage?.sk?.S}`;

type Image = Parameters<typeof unmarshall>[0];
