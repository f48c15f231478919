import { reportedFailures } from './item-failures.ts';
import type { EventRecord } from './stream-record.ts';

/** How a stream mapping handles a batch that fails. Separate from polling, so it can be tested without a stream. */
export interface BatchPolicy {
  reportsItemFailures: boolean;
  bisects: boolean;
  maximumRetries: number;
  maximumAgeSeconds: number;
}

export type FailureCondition = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

export interface BatchPorts {
  invoke(records: EventRecord[]): Promise<unknown>;
  /** Everything up to this record is processed: the position may move after it. */
  passed(record: EventRecord): void;
  /** Called with records that are not retried any more. */
  giveUp(records: EventRecord[], condition: FailureCondition, attempts: number): Promise<void>;
  /** Waits before a retry. Returns false if the stack is stopping. */
  pause(attempt: number): Promise<boolean>;
  /** Whether the stack is stopping: the function may have failed only because of that. */
  stopping(): boolean;
  now(): number;
}

// A stream keeps records for 24 hours, so nothing is retried for longer.
const retentionSeconds = 24 * 60 * 60;

/**
 * Delivers records in order until each is processed or given up. Returns false if the stack is stopping and the rest is
 * not delivered.
 */
export async function deliverBatch(records: EventRecord[], policy: BatchPolicy, ports: BatchPorts): Promise<boolean> {
  let pending = records;
  for (let attempt = 1; ; attempt++) {
    pending = await dropAged(pending, policy, ports, attempt - 1);
    const last = pending.at(-1);
    if (!last) return true;
    const failure = await firstFailure(pending, policy, ports);
    if (!failure) {
      ports.passed(last);
      return true;
    }
    if (ports.stopping()) return false;
    const before = pending[failure.at - 1];
    if (before) ports.passed(before);
    pending = pending.slice(failure.at);
    const willBisect = policy.bisects && !failure.reported && pending.length > 1;
    if (policy.maximumRetries >= 0 && attempt > policy.maximumRetries && !willBisect) {
      await ports.giveUp(pending, 'RetryAttemptsExhausted', attempt);
      ports.passed(last);
      return true;
    }
    if (!(await ports.pause(attempt))) return false;
    // Splitting does not count as a retry: each half starts again with all retries.
    if (willBisect) return deliverHalves(pending, policy, ports);
  }
}

async function deliverHalves(records: EventRecord[], policy: BatchPolicy, ports: BatchPorts): Promise<boolean> {
  const middle = Math.ceil(records.length / 2);
  return (
    (await deliverBatch(records.slice(0, middle), policy, ports)) && deliverBatch(records.slice(middle), policy, ports)
  );
}

interface Failure {
  /** The index of the first record that failed. */
  at: number;
  /**
   * Whether the function itself reported the failure. Then AWS continues from that record and does not bisect the
   * batch.
   */
  reported: boolean;
}

/** Undefined if no record failed. */
async function firstFailure(
  records: EventRecord[],
  policy: BatchPolicy,
  ports: BatchPorts,
): Promise<Failure | undefined> {
  let result: unknown;
  try {
    result = await ports.invoke(records);
  } catch {
    return { at: 0, reported: false };
  }
  if (!policy.reportsItemFailures) return undefined;
  const numbers = records.map(({ dynamodb }) => dynamodb.SequenceNumber);
  const failed = reportedFailures(result, new Set(numbers));
  if (!failed) return { at: 0, reported: false };
  const at = numbers.findIndex((number) => failed.has(number));
  return at < 0 ? undefined : { at, reported: true };
}

async function dropAged(
  records: EventRecord[],
  { maximumAgeSeconds }: BatchPolicy,
  ports: BatchPorts,
  attempts: number,
): Promise<EventRecord[]> {
  const limit = maximumAgeSeconds < 0 ? retentionSeconds : maximumAgeSeconds;
  const aged = records.filter(({ dynamodb }) => ports.now() / 1000 - dynamodb.ApproximateCreationDateTime > limit);
  const last = aged.at(-1);
  if (!last) return records;
  await ports.giveUp(aged, 'RecordAgeExceeded', attempts);
  ports.passed(last);
  return records.slice(aged.length);
}
