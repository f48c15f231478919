import type { DynamoDBRecord } from 'aws-lambda';
import { type Caused, causeOf, correlationIds } from '#platform/correlation.ts';
import { logger } from '#platform/logging.ts';
import { parsed } from '#platform/message-batch.ts';
import { sendAll } from '#platform/queue.ts';
import { type StoredBody, storeBody, textOf } from '#platform/table/stored-body.ts';
import { type RecordOutcome, verdictsOf } from '#platform/table/stream-verdicts.ts';
import type { Verdict } from '#platform/verdicts.ts';

/**
 * A record of the stream that was put aside, whole. `npm run operator -- failures` lists such records, and `replay` sends
 * them to the function that could not handle them.
 */
type PutAsideRecord = Caused & {
  kind: string;
  sequence_number: string;
  reason: string;
  put_aside_at: string;
} & ({ packed: string } | { s3_key: string });

/**
 * Puts aside the records that can never be handled. Returns the reasons why the others are to come again, by their
 * sequence numbers. From the first of them on, the stream delivers every record again, so none after it is put aside now.
 */
export async function failuresOf(outcomes: readonly RecordOutcome[], now: Date): Promise<Map<string, string>> {
  const verdicts = judge(outcomes, now);
  rememberProof(outcomes, now);
  const again = new Map<string, string>();
  for (const [place, outcome] of outcomes.entries()) {
    if (verdicts[place] === 'done') continue;
    const isNext = verdicts[place] === 'put_aside' && again.size === 0;
    const isKept = isNext && (await isPutAside(outcome, now));
    if (!isKept) again.set(outcome.record.dynamodb!.SequenceNumber!, nameOf(outcome.error));
  }
  return again;
}

/** Of this instance. After a deployment it is empty. There are few kinds. */
const provenAt = new Map<string, number>();

export function rememberProof(outcomes: readonly RecordOutcome[], now: Date): void {
  for (const { kind, isProof } of outcomes) if (isProof) provenAt.set(kind, now.getTime());
}

/** What `failuresOf` will decide about these outcomes. */
export const judge = (outcomes: readonly RecordOutcome[], now: Date): Verdict[] => verdictsOf(outcomes, now, provenAt);

/** The log gets only the name of an error, because its message may quote the data that was to be written. */
const nameOf = (error: unknown): string => (error as Error).name;

/** False if it could not be kept. Then it stays in the stream. */
export async function isPutAside(outcome: RecordOutcome, now: Date): Promise<boolean> {
  const { record, kind, error } = outcome;
  const correlation_ids = correlationIds([outcome]);
  try {
    const about = { kind, sequence_number: record.dynamodb!.SequenceNumber!, reason: nameOf(error) };
    const message: PutAsideRecord = {
      ...about,
      put_aside_at: now.toISOString(),
      ...causeOf(outcome),
      ...inMessage(await storeBody(JSON.stringify(record))),
    };
    await sendAll([message], { variable: 'STREAM_FAILURES_QUEUE_URL', groupOf: () => kind });
    logger.error('record put aside', { ...about, correlation_ids });
    return true;
  } catch (keeping) {
    logger.warn('record not put aside', { kind, reason: nameOf(keeping), correlation_ids });
    return false;
  }
}

const inMessage = (stored: StoredBody) =>
  'body' in stored ? { packed: Buffer.from(stored.body).toString('base64') } : stored;

/** The record in a message, or undefined if the message is none of a record that was put aside. */
export async function recordIn(body: string): Promise<DynamoDBRecord | undefined> {
  const { packed, s3_key } = parsed<Partial<{ packed: string; s3_key: string }>>(body);
  if (packed !== undefined) return JSON.parse(await textOf({ body: Buffer.from(packed, 'base64') }));
  return s3_key === undefined ? undefined : JSON.parse(await textOf({ s3_key }));
}

/** Throws if the record is to come again, so that its message does. */
export function requireNone(again: ReadonlyMap<string, string>): void {
  for (const name of again.values()) throw Object.assign(new Error('The record failed again.'), { name });
}
