import { region } from '../../template/physical-names.ts';

/** A record as DynamoDB Streams returns it. */
export interface StreamRecord {
  eventID?: string;
  eventName?: string;
  userIdentity?: { Type?: string; PrincipalId?: string };
  dynamodb?: {
    ApproximateCreationDateTime?: number;
    Keys?: object;
    NewImage?: object;
    OldImage?: object;
    SequenceNumber?: string;
    SizeBytes?: number;
    StreamViewType?: string;
  };
}

export interface EventRecord {
  eventID: string | undefined;
  eventName: string | undefined;
  eventVersion: string;
  eventSource: 'aws:dynamodb';
  awsRegion: string;
  eventSourceARN: string;
  userIdentity?: { type: string | undefined; principalId: string | undefined };
  dynamodb: { SequenceNumber: string; ApproximateCreationDateTime: number } & Record<string, unknown>;
}

/** A stream record as a Lambda function gets it. */
export function toEventRecord(record: StreamRecord, eventSourceARN: string): EventRecord {
  const change = record.dynamodb;
  return {
    eventID: record.eventID,
    eventName: record.eventName,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: region,
    ...(record.userIdentity
      ? { userIdentity: { type: record.userIdentity.Type, principalId: record.userIdentity.PrincipalId } }
      : {}),
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(change?.ApproximateCreationDateTime ?? Date.now() / 1000),
      ...(change?.Keys ? { Keys: change.Keys } : {}),
      ...(change?.NewImage ? { NewImage: change.NewImage } : {}),
      ...(change?.OldImage ? { OldImage: change.OldImage } : {}),
      SequenceNumber: change?.SequenceNumber ?? '',
      SizeBytes: change?.SizeBytes ?? 0,
      StreamViewType: change?.StreamViewType,
    },
    eventSourceARN,
  };
}
