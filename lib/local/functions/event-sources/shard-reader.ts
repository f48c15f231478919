import type { StreamsApi } from '../../dynamodb/streams-api.ts';
import type { Position } from './checkpoint.ts';
import type { StreamRecord } from './stream-record.ts';

interface ShardRead {
  shardId: string;
  records: StreamRecord[];
}

/** Reads the shards of a stream one after the other, oldest first. */
export interface ShardReader {
  /** After an error the next read continues where the last one ended. */
  read(limit: number): Promise<ShardRead>;
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

  const moveToNextShard = async (shardId: string): Promise<void> => {
    const shards = await streams.shardIds(StreamArn);
    const nextShard = shards[shards.indexOf(shardId) + 1];
    if (nextShard) position = { shardId: nextShard };
  };

  return {
    read: async (limit) => {
      const shardId = position.shardId ?? (await streams.shardIds(StreamArn))[0];
      if (shardId === undefined) return { shardId: '', records: [] };
      try {
        iterator ??= await openIterator(shardId);
        const { records, next } = await streams.records(iterator, limit);
        const last = records.at(-1)?.dynamodb?.SequenceNumber;
        position = { shardId, ...(last ? { sequenceNumber: last } : sequenceOf(position)) };
        iterator = next;
        if (next === undefined) await moveToNextShard(shardId);
        return { shardId, records };
      } catch (error) {
        iterator = undefined;
        const retryPosition = positionAfter(error as Error, { ...position, shardId });
        if (!retryPosition) throw error;
        position = retryPosition;
        return { shardId, records: [] };
      }
    },
  };
}

/** The position to continue from after an error which only means that the old position does not exist any more. */
function positionAfter({ name }: Error, position: Position & { shardId: string }): Position | undefined {
  if (name === 'ExpiredIteratorException') return position;
  if (name === 'TrimmedDataAccessException') return { shardId: position.shardId };
  // A shard disappears a day after its end. The oldest shard that is left contains what came after it.
  if (name === 'ResourceNotFoundException') return {};
  return undefined;
}

function sequenceOf({ sequenceNumber }: Position): Pick<Position, 'sequenceNumber'> {
  return sequenceNumber === undefined ? {} : { sequenceNumber };
}
