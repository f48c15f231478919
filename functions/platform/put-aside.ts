import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import { type Caused, causeOf, correlationIds } from '#platform/correlation.ts';
import { logger } from '#platform/logging.ts';
import { parsed } from '#platform/message-batch.ts';
import { sendAll } from '#platform/queue.ts';
import { storeBody, textOf } from '#platform/table/stored-body.ts';
import { type Outcome, type Verdict, verdictsOn } from '#platform/verdicts.ts';

/**
 * A record of the stream that was put aside, whole. `npm run operator -- failures` lists such records, and `replay` sends
 * them to the function that could not handle them.
 */
interface PutAsideRecord extends RecordMessage, Caused {
  kind: string;
  sequence_number: string;
  reason: string;
  put_aside_at: string;
}

/** A whole record of the stream in a message of a queue. */
export interface RecordMessage {
  packed?: string;
  s3_key?: string;
}

export interface RecordOutcome extends Outcome, Caused {
  record: DynamoDBRecord;
  kind: string;
}

/** The stream keeps a record for 24 hours. */
const triedForMs = 22 * 3_600_000;

export const verdictsOf = (outcomes: readonly RecordOutcome[], now: Date): Verdict[] =>
  verdictsOn(outcomes, ({ record }) => ageOf(record, now), triedForMs);

function ageOf({ dynamodb }: DynamoDBRecord, now: Date): number {
  const { ApproximateCreationDateTime: seconds } = dynamodb ?? {};
  return seconds === undefined ? 0 : now.getTime() - seconds * 1000;
}

/**
 * Puts aside the records that can never be handled. Returns why the others are to come again, by their sequence numbers.
 * From the first of them on, the stream delivers every record again, so none after it is put aside now.
 */
export async function failuresOf(outcomes: readonly RecordOutcome[], now: Date): Promise<Map<string, unknown>> {
  const verdicts = verdictsOf(outcomes, now);
  const again = new Map<string, unknown>();
  for (const [position, outcome] of outcomes.entries()) {
    if (verdicts[position] === 'done') continue;
    const isNext = verdicts[position] === 'put_aside' && again.size === 0;
    const isKept = isNext && (await isPutAside(outcome, now));
    if (!isKept) again.set(outcome.record.dynamodb!.SequenceNumber!, outcome.error);
  }
  return again;
}

/** Lambda continues from the first record that is to come again. */
export function streamBatchResponse(again: Iterable<string>): DynamoDBBatchResponse {
  return { batchItemFailures: [...again].map((itemIdentifier) => ({ itemIdentifier })) };
}

/** False if it could not be kept. Then it stays in the stream. */
export async function isPutAside(outcome: RecordOutcome, now: Date): Promise<boolean> {
  const { record, kind, error } = outcome;
  const correlation_ids = correlationIds([outcome]);
  try {
    // Not the message of the error, which may quote the data that was to be written.
    const about = { kind, sequence_number: record.dynamodb!.SequenceNumber!, reason: (error as Error).name };
    const message: PutAsideRecord = {
      ...about,
      put_aside_at: now.toISOString(),
      ...causeOf(outcome),
      ...(await toMessage(record)),
    };
    await sendAll([message], { variable: 'STREAM_FAILURES_QUEUE_URL', groupOf: () => kind });
    logger.error('record put aside', { ...about, correlation_ids });
    return true;
  } catch (keeping) {
    logger.warn('record not put aside', { kind, reason: (keeping as Error).name, correlation_ids });
    return false;
  }
}

export async function toMessage(record: DynamoDBRecord): Promise<RecordMessage> {
  const stored = await storeBody(JSON.stringify(record));
  return 'body' in stored ? { packed: Buffer.from(stored.body).toString('base64') } : stored;
}

/** The record in a message, or undefined if it has none. */
export async function recordIn(body: string): Promise<DynamoDBRecord | undefined> {
  const { packed, s3_key } = parsed<RecordMessage>(body);
  if (packed !== undefined) return JSON.parse(await textOf({ body: Buffer.from(packed, 'base64') }));
  return s3_key === undefined ? undefined : JSON.parse(await textOf({ s3_key }));
}
