import type { S3Client } from '@aws-sdk/client-s3';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { FailureQueue, Failures } from '#lib/failure-queues.ts';
import type { GivenUp, Run } from './failure.ts';
import { listQueue, replayQueue } from './failure-queue.ts';
import { bucketOf, listLostRecords, replayLostRecords } from './lost-records.ts';

/** What the service gave up: in failure queues, and in the bucket what Lambda gave up itself. */

export interface Place {
  failures: Failures;
  sqs: SQSClient;
  s3: S3Client;
}

export async function listFailures(
  { failures, sqs, s3 }: Place,
  name?: string,
  options: Partial<Run> = {},
): Promise<GivenUp[]> {
  const run = runWith(options);
  const found: GivenUp[] = [];
  const queues = queuesNamed(failures, name);
  for (const queue of queues) found.push(...(await listQueue(sqs, queue, run)));
  found.push(...(await listLostRecords(bucketOf(s3, failures, queues), run)));
  return found;
}

/**
 * Has everything handled again that was given up before the start. It can be interrupted at any time and begun again:
 * nothing is removed before it was sent, and what was sent twice is done once. @returns how much was sent
 */
export async function replayFailures(
  { failures, sqs, s3 }: Place,
  name?: string,
  options: Partial<Run> = {},
): Promise<number> {
  const run = runWith(options);
  let count = 0;
  const queues = queuesNamed(failures, name);
  for (const queue of queues) count += await replayQueue(sqs, queue, run);
  count += await replayLostRecords(bucketOf(s3, failures, queues), sqs, run);
  return count;
}

const runWith = (options: Partial<Run>): Run => ({
  say: () => {},
  signal: new AbortController().signal,
  start: Date.now(),
  ...options,
});

function queuesNamed({ queues }: Failures, name: string | undefined): readonly FailureQueue[] {
  const found = queues.filter((queue) => name === undefined || queue.name === name);
  if (found.length > 0) return found;
  throw new Error(`No failures are called ${name}. There are: ${queues.map((queue) => queue.name).join(', ')}.`);
}
