import { within } from './batches.ts';
import { NotEnqueued } from './queue.ts';
import { WriteConflict } from './table/writes.ts';
import { UnknownForm } from './unknown-form.ts';

/**
 * Decides what becomes of the records of the table's stream and the messages of queues that a function could not handle:
 *
 * - In an outage of ours (a missing grant, a queue that refuses, what a newer version wrote) they wait until it is over.
 * - One that is itself at fault is put aside at once.
 * - One that failed for an unknown reason is put aside after 15 minutes if anything else of its batch was handled. If
 *   nothing was, a bad deployment may be the reason, and it waits as in an outage.
 */

/** The record itself is at fault: it can never be handled. */
export class RecordFault extends Error {
  constructor(name: string, message = name) {
    super(message);
    this.name = name;
  }
}

/** The record cannot be handled yet, and nothing is wrong with it. It waits as in an outage. */
export class NotYet extends Error {
  constructor(name: string) {
    super(name);
    this.name = name;
  }
}

/** The record was not done when the function had to end. It may be at fault itself, so the reason is unknown. */
export class TookTooLong extends Error {
  override name = 'TookTooLong';
}

/** Without this, a record that hangs would end the function, and with it the others of its batch, again and again. */
export async function inTime<T>(work: () => Promise<T>, ms: number): Promise<T> {
  if (ms <= 0) throw new NotYet('NotTried');
  return within(ms, work(), () => new TookTooLong());
}

export interface Outcome {
  /** Absent if the record did not fail. */
  error?: unknown;
  /** Whether something came of it. A record that did not fail because nobody wants it says nothing about the others. */
  isHandled: boolean;
}

export type Verdict = 'done' | 'again' | 'put_aside';

const unknownReasonMs = 15 * 60_000;

/** @param triedForMs until then what waits is tried; it is put aside while it still exists */
export function verdictsOn<O extends Outcome>(
  outcomes: readonly O[],
  ageMs: (outcome: O) => number,
  triedForMs: number,
): Verdict[] {
  const works = outcomes.some(({ isHandled }) => isHandled);
  return outcomes.map((outcome) => {
    const { error } = outcome;
    if (error === undefined) return 'done';
    if (error instanceof RecordFault) return 'put_aside';
    return ageMs(outcome) >= (works && !isOutage(error) ? unknownReasonMs : triedForMs) ? 'put_aside' : 'again';
  });
}

/** An error of AWS, of the network, or of a queue, or what a newer version wrote. Only a request that AWS finds invalid may be the record's own. */
export function isOutage(error: unknown): boolean {
  const { name = '', code = '', $metadata } = error as { name?: string; code?: unknown; $metadata?: object };
  if (waiting.some((type) => error instanceof type)) return true;
  if (invalidRequests.has(name)) return false;
  return $metadata !== undefined || outageNames.test(name) || /^E[A-Z]+$/.test(String(code));
}

const waiting = [NotEnqueued, NotYet, UnknownForm, WriteConflict];

const invalidRequests = new Set(['ValidationException', 'InvalidCiphertextException', 'NoSuchKey']);

const outageNames = /Throttl|ThroughputExceeded|AccessDenied|Timeout|Unavailable|InternalServer|Credentials|Expired/;
