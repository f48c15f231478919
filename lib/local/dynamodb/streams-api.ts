import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
} from '@aws-sdk/client-dynamodb-streams';
import type { StreamRecord } from '../functions/event-sources/stream-record.ts';
import type { RunningDynamoDb } from './server.ts';

/** DynamoDB Streams with values in DynamoDB's own JSON, as functions get them. Errors have the names of AWS. */
export interface StreamsApi {
  /** Oldest first. */
  shardIds(streamArn: string): Promise<string[]>;
  shardIterator(request: GetShardIteratorCommandInput): Promise<string | undefined>;
  records(shardIterator: string | undefined, limit: number): Promise<RecordsPage>;
}

interface RecordsPage {
  records: StreamRecord[];
  /** Undefined if the shard has ended. */
  next: string | undefined;
}

interface Description {
  Shards?: { ShardId?: string | undefined }[] | undefined;
  LastEvaluatedShardId?: string | undefined;
}

// The limit of GetRecords.
const maxRecords = 1_000;

export function ownStreams(engine: Pick<RunningDynamoDb, 'perform'>): StreamsApi {
  const call = <T>(operation: string, input: object): T => {
    try {
      return engine.perform(`DynamoDBStreams_20120810.${operation}`, input) as T;
    } catch (error) {
      const { type = 'InternalServerError', message } = error as Error & { type?: string };
      throw Object.assign(new Error(message), { name: type.split('#').at(-1)! });
    }
  };
  return {
    shardIds: (StreamArn) =>
      allShardIds(async (more) => {
        return call<{ StreamDescription?: Description }>('DescribeStream', { StreamArn, ...more }).StreamDescription;
      }),
    shardIterator: async (request) => call<{ ShardIterator?: string }>('GetShardIterator', request).ShardIterator,
    records: async (ShardIterator, limit) => {
      const request = { ShardIterator, Limit: Math.min(limit, maxRecords) };
      const page = call<{ Records?: StreamRecord[]; NextShardIterator?: string }>('GetRecords', request);
      return { records: page.Records ?? [], next: page.NextShardIterator };
    },
  };
}

export function sdkStreams(client: DynamoDBStreamsClient): StreamsApi {
  return {
    shardIds: (StreamArn) =>
      allShardIds(async (more) => {
        return (await client.send(new DescribeStreamCommand({ StreamArn, ...more }))).StreamDescription;
      }),
    shardIterator: async (request) => (await client.send(new GetShardIteratorCommand(request))).ShardIterator,
    records: async (ShardIterator, limit) => {
      const command = new GetRecordsCommand({ ShardIterator, Limit: Math.min(limit, maxRecords) });
      const { Records = [], NextShardIterator } = await client.send(command);
      return { records: Records.map((record) => asJson(record) as StreamRecord), next: NextShardIterator };
    },
  };
}

async function allShardIds(
  describe: (more: { ExclusiveStartShardId?: string }) => Promise<Description | undefined>,
): Promise<string[]> {
  const ids: string[] = [];
  for (let last: string | undefined, first = true; first || last; first = false) {
    const description = await describe(last ? { ExclusiveStartShardId: last } : {});
    ids.push(...(description?.Shards ?? []).map(({ ShardId }) => ShardId ?? ''));
    last = description?.LastEvaluatedShardId;
  }
  return ids;
}

/** Converts the SDK's values back to DynamoDB's JSON: times in seconds, bytes in base64. */
function asJson(value: unknown): unknown {
  if (value instanceof Date) return value.getTime() / 1000;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, asJson(inner)]));
}
