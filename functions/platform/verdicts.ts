import { within } from './batches.ts';
import { NotEnqueued } from './queue.ts';
import { WriteConflict } from './table/writes.ts';
import { UnknownForm } from './unknown-form.ts';

/**
 * Decides what becomes of the records of the table's stream and the messages of queues that a function could not handle.
 * An outage of ours (a missing grant, a refused queue, a bad deployment) hits all of them, so they wait until it is over.
 * One that can never be handled is put aside.
 */

/** The record itself is at fault: it can never be handled. */
export class RecordFault extends Error {
  /** Until it is this old, somebody may still mend it from outside. */
  readonly mendableMs: number;

  constructor(name: string, message = name, { mendableMs = 0 } = {}) {
    super(message);
    this.name = name;
    this.mendableMs = mendableMs;
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

/** Without this, a record that hangs would end the function, and with it the others of its batch, again and again. */
export async function inTime<T>(work: () => Promise<T>, ms: number): Promise<T> {
  if (ms <= 0) throw new NotTried();
  return within(ms, work(), () => new TookTooLong());
}

export interface Outcome {
  /** Records of one kind take the same way through the code. */
  kind: string;
  shop: string;
  ageMs: number;
  /** Absent if the record was handled. */
  error?: unknown;
  /** Whether it was handled and needed what records of its kind need. One in which nobody is interested proves nothing. */
  isProof: boolean;
  /** Whether this instance of the function has handled others of its kind since the record was written. */
  isProvenSince?: boolean;
}

export type Verdict = 'done' | 'again' | 'put_aside';

export interface Patience {
  /** With an error that others of its kind do not have: it may still go away. */
  besideOthersMs: number;
  /** If only one shop has failures, they may come from a bad deployment as well as from the records of that shop. */
  aloneMs: number;
  /** The same if nothing of the kind was handled since, as after a bad deployment for a single shop. */
  unprovenMs: number;
  /** What failed for so long is put aside while it still exists. */
  maxAgeMs: number;
}

export function verdictsOn(outcomes: readonly Outcome[], patience: Patience): Verdict[] {
  return outcomes.map((outcome) => verdictOn(outcome, outcomes, patience));
}

function verdictOn(outcome: Outcome, outcomes: readonly Outcome[], patience: Patience): Verdict {
  const { error, ageMs, shop, kind } = outcome;
  if (error === undefined) return 'done';
  if (error instanceof RecordFault) return ageMs >= error.mendableMs ? 'put_aside' : 'again';
  if (ageMs >= patience.maxAgeMs) return 'put_aside';
  if (isOutage(error) || error instanceof NotTried) return 'again';
  if (outcomes.some((other) => other.isProof && other.kind === kind)) {
    return ageMs >= patience.besideOthersMs ? 'put_aside' : 'again';
  }
  const isAlone = outcomes.every((other) => !fails(other) || other.shop === shop);
  const aloneMs = outcome.isProvenSince ? patience.aloneMs : patience.unprovenMs;
  return isAlone && ageMs >= aloneMs ? 'put_aside' : 'again';
}

/** A record that is itself at fault, or was not tried, says nothing about the others. */
const fails = ({ error }: Outcome): boolean =>
  error !== undefined && !(error instanceof RecordFault) && !(error instanceof NotTried);

/** An error of AWS, of the network, or of a queue, or what a newer version wrote. Only a request that AWS finds invalid may be the record's own. */
export function isOutage(error: unknown): boolean {
  const { name = '', code = '', $metadata } = error as { name?: string; code?: unknown; $metadata?: object };
  if (error instanceof NotEnqueued || error instanceof WriteConflict || error instanceof UnknownForm) return true;
  if (invalidRequests.has(name)) return false;
  return $metadata !== undefined || outageNames.test(name) || /^E[A-Z]+$/.test(String(code));
}

const invalidRequests = new Set(['ValidationException', 'InvalidCiphertextException', 'NoSuchKey']);

const outageNames = /Throttl|ThroughputExceeded|AccessDenied|Timeout|Unavailable|InternalServer|Credentials|Expired/;
