import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { TrackingRequestItem } from '#domain/outbox/outbox.ts';
import type { TrackingRequest } from '#schemas/shapes/carrier-updates.ts';

/** The parcels of one outbox item, which are those that one API request fulfilled. */
export interface Submission {
  sequenceNumber: string;
  slug: string;
  parcels: TrackingRequest[];
}

export function toSubmission({ dynamodb }: DynamoDBRecord): Submission {
  const { shop_slug, parcels } = unmarshall(dynamodb!.NewImage as Image) as TrackingRequestItem;
  return {
    sequenceNumber: dynamodb!.SequenceNumber!,
    slug: shop_slug,
    parcels: parcels.map((parcel) => ({ shop_slug, ...parcel })),
  };
}

type Image = Parameters<typeof unmarshall>[0];

export function withFailedParcel(submissions: readonly Submission[], failed: readonly TrackingRequest[]): Submission[] {
  const failedParcels = new Set(failed);
  return submissions.filter(({ parcels }) => parcels.some((parcel) => failedParcels.has(parcel)));
}
