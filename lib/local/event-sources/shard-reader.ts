import type { StreamsApi } from '../streams-api.ts';
import type { Position } from './checkpoint.ts';
import type { StreamRecord } from './stream-record.ts';

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

interface Description {
  StreamDescription?: { Shards?: { ShardId?: string }[] };
}

interface Page {
  Records?: StreamRecord[];
  NextShardIterator?: string;
}

export function createShardReader(call: StreamsApi, StreamArn: string, start: Position): ShardReader {
  let position = start;
  let iterator: string | undefined;

  const shardIds = async (): Promise<string[]> => {
    const { StreamDescription } = await call<Description>('DescribeStream', { StreamArn });
    return (StreamDescription?.Shards ?? []).map(({ ShardId }) => ShardId ?? '');
  };

  const nextShard = async (): Promise<string | undefined> => {
    const shards = await shardIds();
    const index = position.shardId === undefined ? 0 : shards.indexOf(position.shardId);
    return shards[Math.max(0, index)];
  };

  const openIterator = async (shardId: string): Promise<string | undefined> => {
    const { sequenceNumber } = position.shardId === shardId ? position : {};
    const from = sequenceNumber
      ? { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: sequenceNumber }
      : { ShardIteratorType: 'TRIM_HORIZON' };
    const request = { StreamArn, ShardId: shardId, ...from };
    return (await call<{ ShardIterator?: string }>('GetShardIterator', request)).ShardIterator;
  };

  const followingShard = async (shardId: string): Promise<void> => {
    const shards = await shardIds();
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
        const { Records = [], NextShardIterator } = await call<Page>('GetRecords', { ShardIterator: iterator, Limit });
        const last = Records.at(-1)?.dynamodb?.SequenceNumber;
        position = { shardId, ...(last ? { sequenceNumber: last } : sequenceOf(position)) };
        iterator = NextShardIterator;
        if (NextShardIterator === undefined) await followingShard(shardId);
        return { shardId, records: Records };
      } catch (error) {
        iterator = undefined;
        const { name } = error as Error;
        if (name === 'TrimmedDataAccessException') position = { shardId };
        if (name === 'TrimmedDataAccessException' || name === 'ExpiredIteratorException') {
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
