import type { DynamoDBBatchResponse, DynamoDBRecord } from 'aws-lambda';
import { NotEnqueued } from '#platform/queue.ts';
import { WriteConflict } from './writes.ts';

/**
 * Decides what becomes of the records of the table's stream that a function could not handle. An outage of ours (a
 * missing grant, a refused queue, a bad deployment) hits every record, so the stream waits until it is over. A record
 * that can never be handled is put aside, and the stream goes on.
 */

/** The record itself is at fault: it can never be handled. */
export class RecordFault extends Error {
  constructor(name: string, message = name) {
    super(message);
    this.name = name;
  }
}

/** The record was not done when the function had to end. It may be at fault itself, so it is judged as an unknown error. */
export class TookTooLong extends Error {
  override name = 'TookTooLong';
}

/** Others took so long that the record was not begun. This says nothing about it, nor about the others. */
export class NotTried extends Error {
  override name = 'NotTried';
}

export interface RecordOutcome {
  record: DynamoDBRecord;
  /** Records of one kind take the same way through the code. */
  kind: string;
  /** Absent if the record was handled. */
  error?: unknown;
  /** Whether it was handled and needed what records of its kind need. One in which nobody is interested proves nothing. */
  isProof: boolean;
}

export type Verdict = 'done' | 'again' | 'put_aside';

const minute = 60_000;

/** An error that others of its kind do not have may still go away. */
const patienceMs = 2 * minute;

/** If only one shop has failures, they may come from a bad deployment as well as from the records of that shop. */
const patienceAloneMs = 15 * minute;

/**
 * The same if this instance of the function has handled nothing of the kind since the record was written, as after a bad
 * deployment for a single shop. It is long enough for somebody to answer the alarm at night, and leaves most of the
 * stream's day.
 */
const patienceUnprovenMs = 6 * 60 * minute;

/** The stream keeps a record for 24 hours. What failed for so long is put aside while it still exists. */
const maxAgeMs = 22 * 60 * minute;

/** When a record of each kind was last handled, in Unix milliseconds. */
export type ProvenAt = ReadonlyMap<string, number>;

export function verdictsOf(outcomes: readonly RecordOutcome[], now: Date, provenAt: ProvenAt): Verdict[] {
  return outcomes.map((outcome) => verdictOn(outcome, outcomes, now, provenAt));
}

function verdictOn(outcome: RecordOutcome, outcomes: readonly RecordOutcome[], now: Date, provenAt: ProvenAt): Verdict {
  const { error, record } = outcome;
  if (error === undefined) return 'done';
  if (error instanceof RecordFault) return 'put_aside';
  const age = ageOf(record, now);
  if (age >= maxAgeMs) return 'put_aside';
  if (isOutage(error) || error instanceof NotTried) return 'again';
  if (outcomes.some(({ kind, isProof }) => isProof && kind === outcome.kind)) {
    return age >= patienceMs ? 'put_aside' : 'again';
  }
  const isAlone = outcomes.every((other) => !fails(other) || shopOf(other.record) === shopOf(record));
  const isProvenSince = (provenAt.get(outcome.kind) ?? 0) >= now.getTime() - age;
  return isAlone && age >= (isProvenSince ? patienceAloneMs : patienceUnprovenMs) ? 'put_aside' : 'again';
}

/** A record that is itself at fault, or was not tried, says nothing about the others. */
const fails = ({ error }: RecordOutcome): boolean =>
  error !== undefined && !(error instanceof RecordFault) && !(error instanceof NotTried);

/** The slug of the shop. The keys of the items that a function reads from the stream name it after their prefix. */
function shopOf({ dynamodb }: DynamoDBRecord): string {
  const { shop_slug, pk } = dynamodb?.NewImage ?? {};
  return shop_slug?.S ?? pk?.S?.split('#')[1] ?? '';
}

function ageOf({ dynamodb }: DynamoDBRecord, now: Date): number {
  const { ApproximateCreationDateTime: seconds } = dynamodb ?? {};
  return seconds === undefined ? 0 : now.getTime() - seconds * 1000;
}

/** An error of AWS, of the network, or of a queue. Only a request that AWS finds invalid may be the record's own. */
export function isOutage(error: unknown): boolean {
  const { name = '', code = '', $metadata } = error as { name?: string; code?: unknown; $metadata?: object };
  if (error instanceof NotEnqueued || error instanceof WriteConflict) return true;
  if (name === 'ValidationException') return false;
  return $metadata !== undefined || outageNames.test(name) || /^E[A-Z]+$/.test(String(code));
}

const outageNames = /Throttl|ThroughputExceeded|AccessDenied|Timeout|Unavailable|InternalServer|Credentials|Expired/;

/** Lambda continues from the first record that is to come again. */
export function streamBatchResponse(again: readonly string[]): DynamoDBBatchResponse {
  return { batchItemFailures: again.map((itemIdentifier) => ({ itemIdentifier })) };
}
