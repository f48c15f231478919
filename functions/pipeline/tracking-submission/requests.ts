import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { TrackingBacklogItem, TrackingRequestItem } from '#domain/outbox/outbox.ts';
import type { RegistrationMessage } from '#domain/tracking-providers/registration-queue.ts';
import { RecordFault } from '#platform/table/stream-verdicts.ts';
import type { ItemKindOf } from '#schemas/catalogues/stream-kinds.ts';
import type { TrackingRequest } from '#schemas/shapes/carrier-updates.ts';

/** What one outbox item asks for. */
export interface Submission {
  sequenceNumber: string;
  slug: string;
  /** The parcels that one API request fulfilled. */
  parcels: TrackingRequest[];
  /** After the shop switched updates on. */
  backlogs: RegistrationMessage[];
}

type Kind = ItemKindOf<'tracking-submission'>;
type StreamItem = { tracking_request: TrackingRequestItem; tracking_backlog: TrackingBacklogItem }[Kind];

export function toSubmission({ dynamodb }: DynamoDBRecord): Submission {
  const item = unmarshall(dynamodb!.NewImage as Image) as StreamItem;
  const { shop_slug } = item;
  if (!shop_slug || (item.kind === 'tracking_request' && !Array.isArray(item.parcels))) {
    throw new RecordFault('MalformedRequest');
  }
  const source = { sequenceNumber: dynamodb!.SequenceNumber!, slug: shop_slug };
  if (item.kind === 'tracking_backlog') {
    const { generation, since } = item;
    return { ...source, parcels: [], backlogs: [{ shop_slug, backlog: { generation, since } }] };
  }
  return { ...source, parcels: item.parcels.map((parcel) => ({ shop_slug, ...parcel })), backlogs: [] };
}

type Image = Parameters<typeof unmarshall>[0];

export function withFailedMessage(submissions: readonly Submission[], failed: ReadonlySet<object>): Submission[] {
  return submissions.filter(({ parcels, backlogs }) => [...parcels, ...backlogs].some((one) => failed.has(one)));
}
