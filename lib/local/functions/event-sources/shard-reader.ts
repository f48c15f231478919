import type { StreamsApi } from '../../dynamodb/streams-api.ts';
import type { Position } from './checkpoint.ts';
import type { StreamRecord } from './stream-record.ts';

interface ShardRead {
  shardId: string;
  records: StreamRecord[];
}

/** Reads a stream shard after shard, oldest first. */
export interface ShardReader {
  read(limit: number): Promise<ShardRead>;
  /** Reads again from after this record. */
  seek(position: Position): void;
}

export function createShardReader(streams: StreamsApi, StreamArn: string, start: Position): ShardReader {
  let position = start;
  let iterator: string | undefined;

  const openIterator = async (shardId: string): Promise<string | undefined> => {
    const { sequenceNumber } = position.shardId === shardId ? position : {};
    const shard = { StreamArn, ShardId: shardId };
    if (!sequenceNumber) return streams.shardIterator({ ...shard, ShardIteratorType: 'TRIM_HORIZON' });
    const from = { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: sequenceNumber } as const;
    return streams.shardIterator({ ...shard, ...from });
  };

  const followingShard = async (shardId: string): Promise<void> => {
    const shards = await streams.shardIds(StreamArn);
    const following = shards[shards.indexOf(shardId) + 1];
    if (following) position = { shardId: following };
  };

  return {
    seek: (given) => {
      position = given;
      iterator = undefined;
    },
    read: async (limit) => {
      const shardId = position.shardId ?? (await streams.shardIds(StreamArn))[0];
      if (shardId === undefined) return { shardId: '', records: [] };
      try {
        iterator ??= await openIterator(shardId);
        const { records, next } = await streams.records(iterator, limit);
        const last = records.at(-1)?.dynamodb?.SequenceNumber;
        position = { shardId, ...(last ? { sequenceNumber: last } : sequenceOf(position)) };
        iterator = next;
        if (next === undefined) await followingShard(shardId);
        return { shardId, records };
      } catch (error) {
        iterator = undefined;
        const again = positionAfter(error as Error, { ...position, shardId });
        if (!again) throw error;
        position = again;
        return { shardId, records: [] };
      }
    },
  };
}

/** Where to read on after an error that only says that the position is no longer there. */
function positionAfter({ name }: Error, position: Position & { shardId: string }): Position | undefined {
  if (name === 'ExpiredIteratorException') return position;
  if (name === 'TrimmedDataAccessException') return { shardId: position.shardId };
  // A shard is gone a day after its end: the oldest that is left holds what came after it.
  if (name === 'ResourceNotFoundException') return {};
  return undefined;
}

function sequenceOf({ sequenceNumber }: Position): Pick<Position, 'sequenceNumber'> {
  return sequenceNumber === undefined ? {} : { sequenceNumber };
}
