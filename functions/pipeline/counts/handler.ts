import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { changePositions } from '#domain/positions/position-store.ts';
import { addCounts, countedUntil, maxChanges } from '#domain/statistics/counter-store.ts';
import { type Count, type CounterChange, foldCounts } from '#domain/statistics/counts.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { logger } from '#platform/logging.ts';
import { isHeartbeat } from '#platform/table/heartbeat.ts';
import { WriteConflict } from '#platform/table/writes.ts';
import { countsOf, readImages } from './changes.ts';
import { foldListChanges, type ListChange, listChangesOf } from './list-changes.ts';

/**
 * Counts what happens in each shop, from the table's stream. A batch becomes few writes, because all that it adds to a
 * counter or changes in a list is written at once. It is counted in parts: each is one transaction, and a batch that comes
 * again goes on after the parts that were counted. The positions of lists come first, because they may be changed twice.
 */
export async function handler({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  if (Records.every(isHeartbeat)) return { batchItemFailures: [] };
  const read = Records.map(readRecord);
  let position = 0;
  try {
    await changeLists(read, new Date());
    while (position < read.length) position = await countPart(read, position, new Date());
  } catch (error) {
    logger.warn('counts', { records: Records.length, counted: position, error: (error as Error).name });
    return { batchItemFailures: [{ itemIdentifier: read[position]!.sequenceNumber }] };
  }
  const unreadable = read.filter((record) => record.isUnreadable).length;
  if (unreadable > 0) logger.error('counts', { records: Records.length, unreadable });
  else logger.info('counts', { records: Records.length });
  return { batchItemFailures: [] };
}

interface ReadRecord {
  id: string;
  sequenceNumber: string;
  counts: Count[];
  listChanges: ListChange[];
  /** It is passed over: it would never be readable, and nothing else depends on a count. */
  isUnreadable: boolean;
}

function readRecord(record: DynamoDBRecord): ReadRecord {
  const images = readable(() => readImages(record));
  const counts = images && readable(() => countsOf(record, images));
  const listChanges = images && readable(() => listChangesOf(images));
  return {
    id: record.eventID!,
    sequenceNumber: record.dynamodb!.SequenceNumber!,
    counts: counts ?? [],
    listChanges: listChanges ?? [],
    isUnreadable: !counts || !listChanges,
  };
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Lists that are changed at the same time. */
const listsAtOnce = 5;

async function changeLists(records: readonly ReadRecord[], now: Date): Promise<void> {
  const changes = foldListChanges(records.flatMap(({ listChanges }) => listChanges));
  await mapConcurrently(changes, ({ list, changes }) => changePositions(list, changes, now), listsAtOnce);
}

/** Counts as many records as one transaction can, or passes over those that were counted. Returns where to go on. */
async function countPart(records: readonly ReadRecord[], from: number, now: Date): Promise<number> {
  const first = records[from]!.id;
  const until = await countedUntil(first);
  if (until !== undefined) return from + records.slice(from).filter((record) => isUpTo(record, until)).length;
  const { changes, to } = nextPart(records, from);
  if (changes.length === 0) return to;
  try {
    await addCounts({ first, until: records[to - 1]!.sequenceNumber }, changes, now);
  } catch (error) {
    if (!isCountedMeanwhile(error)) throw error;
    return from;
  }
  return to;
}

/** Sequence numbers grow within a shard, and all records of a batch are of one shard. */
const isUpTo = ({ sequenceNumber }: ReadRecord, until: string) => BigInt(sequenceNumber) <= BigInt(until);

/** The records from this one on that touch no more items than a transaction can change. */
function nextPart(records: readonly ReadRecord[], from: number): { changes: CounterChange[]; to: number } {
  const items = new Set<string>();
  let to = from;
  for (; to < records.length; to++) {
    for (const { key } of records[to]!.counts) items.add(`${key.pk} ${key.sk}`);
    if (items.size > maxChanges && to > from) break;
  }
  return { changes: foldCounts(records.slice(from, to).flatMap(({ counts }) => counts)), to };
}

/** An earlier run of the function, which was thought to be dead, has counted these records. */
const isCountedMeanwhile = (error: unknown) => error instanceof WriteConflict && error.positions.includes(0);
