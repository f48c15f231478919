import {
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type _Record as StreamRecord,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { Position } from './checkpoint.ts';

export interface ShardRead {
  shardId: string;
  records: StreamRecord[];
}

/** Reads a stream shard after shard, oldest first. */
export interface ShardReader {
  read(limit: number): Promise<ShardRead>;
  /** Reads again from after this record. */
  seek(position: Position): void;
}

export function createShardReader(client: DynamoDBStreamsClient, StreamArn: string, start: Position): ShardReader {
  let position = start;
  let iterator: string | undefined;

  const nextShard = async (): Promise<string | undefined> => {
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn }));
    const shards = (StreamDescription?.Shards ?? []).map(({ ShardId }) => ShardId ?? '');
    const index = position.shardId === undefined ? 0 : shards.indexOf(position.shardId);
    return shards[Math.max(0, index)];
  };

  const openIterator = async (shardId: string): Promise<string | undefined> => {
    const { sequenceNumber } = position.shardId === shardId ? position : {};
    const from = sequenceNumber
      ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: sequenceNumber }
      : { ShardIteratorType: 'TRIM_HORIZON' as const };
    const command = new GetShardIteratorCommand({ StreamArn, ShardId: shardId, ...from });
    return (await client.send(command)).ShardIterator;
  };

  const followingShard = async (shardId: string): Promise<void> => {
    const { StreamDescription } = await client.send(new DescribeStreamCommand({ StreamArn }));
    const shards = (StreamDescription?.Shards ?? []).map(({ ShardId }) => ShardId ?? '');
    const following = shards[shards.indexOf(shardId) + 1];
    if (following) position = { shardId: following };
  };

  return {
    seek: (given) => {
      position = given;
      iterator = undefined;
    },
    read: async (Limit) => {
      const shardId = position.shardId ?? (await nextShard());
      if (shardId === undefined) return { shardId: '', records: [] };
      try {
        iterator ??= await openIterator(shardId);
        const { Records = [], NextShardIterator } = await client.send(
          new GetRecordsCommand({ ShardIterator: iterator, Limit }),
        );
        const last = Records.at(-1)?.dynamodb?.SequenceNumber;
        position = { shardId, ...(last ? { sequenceNumber: last } : sequenceOf(position)) };
        iterator = NextShardIterator;
        if (NextShardIterator === undefined) await followingShard(shardId);
        return { shardId, records: Records };
      } catch (error) {
        iterator = undefined;
        if (error instanceof TrimmedDataAccessException) position = { shardId };
        if (error instanceof TrimmedDataAccessException || error instanceof ExpiredIteratorException) {
          return { shardId, records: [] };
        }
        throw error;
      }
    },
  };
}

function sequenceOf({ sequenceNumber }: Position): Pick<Position, 'sequenceNumber'> {
  return sequenceNumber === undefined ? {} : { sequenceNumber };
}
