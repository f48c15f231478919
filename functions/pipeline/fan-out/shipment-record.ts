import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { PlannedShipment } from '#domain/triggers/plan.ts';
import { type PlannableItem, plannableShipments, versionOf } from '#domain/triggers/plannable-shipments.ts';
import { shopOfOrder } from '#platform/table/keys.ts';
import { sortKeys } from '#schemas/catalogues/table.ts';
import { bytesOf } from './image-bytes.ts';

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
