import type { Context, DynamoDBRecord, DynamoDBStreamEvent, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type Count, type CounterChange, foldCounts } from '#domain/figures/count-rules.ts';
import { addCounts, countedUntil, maxChanges, maxCounters } from '#domain/figures/counter-store.ts';
import { logger } from '#platform/logging.ts';
import { handleBatch, isOfQueue } from '#platform/message-batch.ts';
import { isPutAside, type RecordOutcome, recordIn, streamBatchResponse, verdictsOf } from '#platform/put-aside.ts';
import { isHeartbeat, noteRead } from '#platform/table/heartbeat.ts';
import { WriteConflict } from '#platform/table/writes.ts';
import { RecordFault } from '#platform/verdicts.ts';
import { countsOf, kindOf, readImages } from './changes.ts';
import { learnLanes } from './learn-lanes.ts';
import { listCountsOf } from './list-counts.ts';
import { type OrderChange, orderChangeIn, testCountsOf } from './test-counts.ts';

/**
 * Counts what happens in each shop, from the table's stream. A batch becomes few writes, because all that it adds to a
 * counter is written at once. It is counted in parts: each is one transaction, and a batch that comes again goes on after
 * the parts that were counted. A record that cannot be read waits or is put aside, as in fan-out: a command counts a shop
 * anew, but for what only happens and is kept nowhere (visits, promotions, mails). After that it learns what the counters
 * say about arrivals.
 */
export function handler(event: DynamoDBStreamEvent | SQSEvent, context?: Context): Promise<SQSBatchResponse> {
  return isOfQueue(event) ? countReplayed(event, context!) : countStream(event, context);
}

async function countStream({ Records }: DynamoDBStreamEvent, context?: Context): Promise<SQSBatchResponse> {
  const response = Records.every(isHeartbeat) ? streamBatchResponse([]) : await countRecords(Records, context);
  if (response.batchItemFailures.length === 0) await noteRead('counts', Records);
  return response;
}

async function countRecords(Records: readonly DynamoDBRecord[], context?: Context): Promise<SQSBatchResponse> {
  const now = new Date();
  const read = Records.map(readRecord);
  let position = 0;
  const again = (error: unknown) => {
    logger.warn('counts', { records: Records.length, counted: position, error: (error as Error).name });
    return streamBatchResponse([read[position]!.sequenceNumber]);
  };
  try {
    await addTestCounts(read);
  } catch (error) {
    return again(error);
  }
  const verdicts = verdictsOf(read, now);
  const added: Count[] = [];
  while (position < read.length) {
    const next = verdicts.findIndex((verdict, place) => place >= position && verdict !== 'done');
    const end = next === -1 ? read.length : next;
    try {
      while (position < end) {
        const part = await countPart(read, position, end, now);
        position = part.to;
        added.push(...part.added);
      }
    } catch (error) {
      const isKept = error instanceof RecordFault && (await isPutAside({ ...read[position]!, error }, now));
      if (!isKept) return again(error);
      position += 1;
      continue;
    }
    // Unless it was counted before, with those after it.
    if (position !== next) continue;
    // Those after it are not counted before it is kept: if it is not, they come again with it.
    const isKept = verdicts[position] === 'put_aside' && (await isPutAside(read[position]!, now));
    if (!isKept) return again(read[position]!.error);
    position += 1;
  }
  logger.info('counts', { records: Records.length });
  // A batch that comes again after it was counted may do so because of what was learned: it ends at once.
  await learnLanes(added, now, () => context?.getRemainingTimeInMillis() ?? Number.POSITIVE_INFINITY);
  return streamBatchResponse([]);
}

/** Records that were put aside, or that Lambda gave up, and that an operator sends again. */
const countReplayed = (event: SQSEvent, context: Context) =>
  handleBatch(event, countAlone, replays, context.getRemainingTimeInMillis());

const logged = 'replayed counts';
const replays = { logged, variable: 'STREAM_REPLAYS_QUEUE_URL', failures: 'STREAM_FAILURES_QUEUE_URL' };

async function countAlone({ body }: SQSRecord): Promise<undefined> {
  const record = await recordIn(body);
  if (!record) throw new RecordFault('Malformed');
  const read = readRecord(record);
  if (read.error !== undefined) throw read.error;
  // A batch that began with this record may have been counted without it.
  const alone = { ...read, id: `${read.id} replayed` };
  await addTestCounts([alone]);
  if (alone.error !== undefined) throw alone.error;
  await countPart([alone], 0, 1, new Date());
}

interface ReadRecord extends RecordOutcome {
  id: string;
  sequenceNumber: string;
  counts: Count[];
  orderChange?: OrderChange | undefined;
}

function readRecord(record: DynamoDBRecord): ReadRecord {
  const about = { record, id: record.eventID!, sequenceNumber: record.dynamodb!.SequenceNumber! };
  const kind = kindOf(record) ?? 'unknown';
  try {
    const images = readImages(record);
    const counts = [...countsOf(images), ...listCountsOf(images)];
    return { ...about, kind, orderChange: orderChangeIn(images), counts, isHandled: counts.length > 0 };
  } catch (error) {
    return { ...about, kind, counts: [], error, isHandled: false };
  }
}

/**
 * What depends on more than the record itself. It is counted with the rest of its record, so it counts once, too. A record
 * that needs an order that cannot be read is as one that cannot be read itself.
 */
async function addTestCounts(records: readonly ReadRecord[]): Promise<void> {
  const added = await testCountsOf(records.map(({ orderChange }) => orderChange));
  for (const [place, record] of records.entries()) {
    const { counts, error } = added[place]!;
    if (error === undefined) record.counts.push(...counts);
    else Object.assign(record, { error, isHandled: false });
  }
}

interface Part {
  /** Where to go on. */
  to: number;
  /** What was counted now, and not before. */
  added: readonly Count[];
}

/** Counts as many records as one transaction can, or passes over those that were counted. */
async function countPart(records: readonly ReadRecord[], from: number, end: number, now: Date): Promise<Part> {
  const first = records[from]!.id;
  const until = await countedUntil(first);
  if (until !== undefined) {
    return { to: from + records.slice(from).filter((record) => isUpTo(record, until)).length, added: [] };
  }
  const { changes, to } = nextPart(records, from, end);
  if (changes.length === 0) return { to, added: [] };
  try {
    await addCounts({ first, until: records[to - 1]!.sequenceNumber }, changes, now);
  } catch (error) {
    if (isCountedMeanwhile(error)) return { to: from, added: [] };
    if (!isRefused(error)) throw error;
    if (to - from > 1) return countPart(records, from, from + Math.ceil((to - from) / 2), now);
    // The items of one record are few enough. If they are refused all the same, they will be the next time, too.
    throw new RecordFault('Refused', 'DynamoDB refuses what the record adds.');
  }
  return { to, added: records.slice(from, to).flatMap(({ counts }) => counts) };
}

/** Sequence numbers grow within a shard, and all records of a batch are of one shard. */
const isUpTo = ({ sequenceNumber }: ReadRecord, until: string) => BigInt(sequenceNumber) <= BigInt(until);

/** The records from this one on that touch no more items, and no more counters of an item, than a transaction can change. */
function nextPart(records: readonly ReadRecord[], from: number, end: number): { changes: CounterChange[]; to: number } {
  const items = new Map<string, Set<string>>();
  const isFull = () => items.size > maxChanges || [...items.values()].some((names) => names.size > maxCounters);
  let to = from;
  for (; to < end; to++) {
    for (const { key, name } of records[to]!.counts) {
      const item = `${key.pk} ${key.sk}`;
      items.set(item, (items.get(item) ?? new Set()).add(name));
    }
    if (to > from && isFull()) break;
  }
  return { changes: foldCounts(records.slice(from, to).flatMap(({ counts }) => counts)), to };
}

/** All items of a transaction may have 4 MB. Those of many days in which a shop sent parcels to every country can have more. */
function isRefused(error: unknown): boolean {
  const { name, CancellationReasons: reasons = [] } = error as Cancelled;
  return name === 'ValidationException' || reasons.some(({ Code }) => Code === 'ValidationError');
}

interface Cancelled {
  name?: string;
  CancellationReasons?: { Code?: string }[];
}

/** An earlier run of the function, which was thought to be dead, has counted these records. */
const isCountedMeanwhile = (error: unknown) => error instanceof WriteConflict && error.positions.includes(0);
