import type { Context, DynamoDBRecord, DynamoDBStreamEvent, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { mapConcurrently } from '#platform/batches.ts';
import { type Caused, causeOf, correlationIds } from '#platform/correlation.ts';
import { logger } from '#platform/logging.ts';
import { type Handled, handleBatch, isOfQueue } from '#platform/message-batch.ts';
import { failuresOf, type RecordOutcome, recordIn, streamBatchResponse, verdictsOf } from '#platform/put-aside.ts';
import { isHeartbeat, noteRead } from '#platform/table/heartbeat.ts';
import { inTime } from '#platform/verdicts.ts';
import { isItemKind } from '#schemas/catalogues/stream-kinds.ts';
import { handlePart, isPlanningPart, planRecord } from './parts.ts';
import { type Outgoing, outgoingOf, reservedMs, type Sending, send, type Tools, toolsFor } from './record-work.ts';
import { aboutOf, isChange, readRecord, type StreamRecord } from './stream-records.ts';

/**
 * Turns outgoing events from the table's stream into one message for each endpoint or integration that wants them, and
 * plans internal triggers after changes of shipments. It passes parcels on that are to be watched. What would take long
 * comes again as parts, from a queue.
 */
export function handler(event: DynamoDBStreamEvent | SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const leftMs = () => context.getRemainingTimeInMillis();
  return isOfQueue(event) ? handleParts(event, leftMs) : handleStream(event, leftMs);
}

const handleParts = (event: SQSEvent, leftMs: () => number) =>
  handleBatch(event, (one) => handleMessage(one, leftMs), isReplayed(event) ? replays : parts, leftMs());

const logged = 'parts of events';
const parts = { logged, variable: 'PARTS_QUEUE_URL', failures: 'DEAD_PARTS_QUEUE_URL' };
const replays = { logged, variable: 'STREAM_REPLAYS_QUEUE_URL', failures: 'STREAM_FAILURES_QUEUE_URL' };

/** A batch comes from one queue. */
const isReplayed = ({ Records }: SQSEvent) => Records[0]?.eventSourceARN === process.env.STREAM_REPLAYS_ARN;

/** A part of an event, or a record of the stream that an operator sends again. */
async function handleMessage(message: SQSRecord, leftMs: () => number): Promise<Handled> {
  const now = new Date();
  const record = await recordIn(message.body);
  if (!record) return handlePart(message, now);
  if (isPlanningPart(message)) return planRecord(record, now);
  const { failures } = await fanOut([sentNow(record, message)], now, leftMs);
  for (const error of failures.values()) throw error;
  return undefined;
}

/** For a record that an operator sends again, the stream's time is over. The time of its message counts. */
const sentNow = (record: DynamoDBRecord, { attributes }: SQSRecord): DynamoDBRecord => ({
  ...record,
  dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: Number(attributes.SentTimestamp) / 1000 },
});

/** It uses no batch processor, because nothing may be queued from the first failure on. */
async function handleStream({ Records }: DynamoDBStreamEvent, leftMs: () => number): Promise<SQSBatchResponse> {
  const failures = Records.every(isHeartbeat) ? [] : await fanOutStream(Records, leftMs);
  if (failures.length === 0) await noteRead('fan-out', Records);
  return streamBatchResponse(failures);
}

/** Returns the sequence numbers of the records that must come again. */
async function fanOutStream(records: readonly DynamoDBRecord[], leftMs: () => number): Promise<string[]> {
  const { results, failures } = await fanOut(records, new Date(), leftMs);
  logRecords(results, failures);
  return [...failures.keys()];
}

/** What a record of the stream led to. */
interface Result extends Sending, Caused {
  record: DynamoDBRecord;
  kind: string;
  /** Absent if the record could not be read. */
  read?: StreamRecord | undefined;
}

/** The errors of the records that must come again, by their sequence numbers. */
type Failures = ReadonlyMap<string, unknown>;

/** Each record holds an order in memory. */
const maxConcurrentRecords = 10;

/**
 * Queues the deliveries of each event, also those that an earlier try queued: it may have ended before it could queue all
 * of them. Their ids are derived, so delivery does nothing twice, and a replay loses nothing. Automation runs are recorded
 * with their event and queued when the stream shows them.
 */
async function fanOut(records: readonly DynamoDBRecord[], now: Date, leftMs: () => number) {
  const tools = toolsFor(now, leftMs);
  const results = await mapConcurrently(records, (record) => handleRecord(record, tools), maxConcurrentRecords);
  const verdicts = verdictsOf(results.map(outcomeOf), now);
  const firstAgain = verdicts.indexOf('again');
  // From this record on, the stream delivers every record again. Their messages would be on the queues twice.
  await send(firstAgain === -1 ? results : results.slice(0, firstAgain));
  const failures: Failures = await failuresOf(results.map(outcomeOf), now);
  return { results, failures };
}

const outcomeOf = ({ record, kind, outgoing, error, ...result }: Result): RecordOutcome => {
  return { record, kind, error, isHandled: error === undefined && outgoing.length > 0, ...causeOf(result) };
};

async function handleRecord(record: DynamoDBRecord, tools: Tools): Promise<Result> {
  let read: StreamRecord | undefined;
  try {
    const known = readRecord(record);
    read = known;
    const found = await inTime(() => outgoingOf(known, tools), tools.leftMs() - reservedMs);
    return { record, read, ...aboutOf(record, read), outgoing: found };
  } catch (error) {
    return { record, read, ...aboutOf(record, read), outgoing: [], error };
  }
}

function logRecords(results: readonly Result[], failures: Failures): void {
  const messages = results.flatMap(({ outgoing }) => outgoing);
  const sentTo = (...names: Outgoing['to'][]) => messages.filter(({ to }) => names.includes(to)).length;
  const reads = results.flatMap(({ read }) => read ?? []);
  const counts = {
    events: results.filter(({ kind }) => isItemKind(kind)).length,
    planned: reads.filter(leadsToPlanning).length,
    orders: reads.filter((read) => read.kind === 'order_change' && !read.before).length,
    submitted: sentTo('registrations', 'tracking_requests'),
    deliveries: sentTo('deliveries'),
    split: sentTo('event_parts', 'planning_parts'),
    failed: failures.size,
    correlation_ids: correlationIds(results),
  };
  if (failures.size === 0) {
    logger.info('events', counts);
    return;
  }
  const failed = results.filter(({ record }) => failures.has(record.dynamodb!.SequenceNumber!));
  logger.warn('events', {
    ...counts,
    failures: Object.fromEntries([...failures].map(([position, error]) => [position, (error as Error).name])),
    failed_correlation_ids: correlationIds(failed),
  });
}

const leadsToPlanning = (read: StreamRecord) =>
  read.kind === 'triggers_change' || (isChange(read) && read.shipments.length > 0);
