import type { AttributeValue, _Record as StreamRecord } from '@aws-sdk/client-dynamodb-streams';
import { region } from '../physical-names.ts';

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

/** A stream record as a Lambda function sees it: dates in seconds, binary values in base64. */
export function toEventRecord(record: StreamRecord, eventSourceARN: string): EventRecord {
  const change = record.dynamodb;
  const created = change?.ApproximateCreationDateTime ?? new Date();
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
      ApproximateCreationDateTime: Math.floor(created.getTime() / 1000),
      ...(change?.Keys ? { Keys: plain(change.Keys) } : {}),
      ...(change?.NewImage ? { NewImage: plain(change.NewImage) } : {}),
      ...(change?.OldImage ? { OldImage: plain(change.OldImage) } : {}),
      SequenceNumber: change?.SequenceNumber ?? '',
      SizeBytes: change?.SizeBytes ?? 0,
      StreamViewType: change?.StreamViewType,
    },
    eventSourceARN,
  };
}

function plain(item: Record<string, AttributeValue>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(value: AttributeValue): unknown {
  if (value.B) return { B: base64(value.B) };
  if (value.BS) return { BS: value.BS.map(base64) };
  if (value.L) return { L: value.L.map(plainValue) };
  if (value.M) return { M: plain(value.M) };
  return value;
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
