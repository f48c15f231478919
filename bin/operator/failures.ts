import type { S3Client } from '@aws-sdk/client-s3';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { FailureQueue, Failures } from '#lib/failure-queues.ts';
import { mapConcurrently } from '#platform/batches.ts';
import type { GivenUp, Run } from './failure.ts';
import { listQueue, replayQueue } from './failure-queue.ts';
import { dueName, listGivenUpDue, replayGivenUpDue } from './given-up-due.ts';
import { bucketOf, listLostRecords, replayLostRecords } from './lost-records.ts';

/** What the service gave up: in failure queues, in the bucket what Lambda gave up itself, and in the table what was due. */

export interface Place {
  failures: Failures;
  sqs: SQSClient;
  s3: S3Client;
  table: DynamoDBDocumentClient;
}

export async function listFailures(place: Place, name?: string, options: Partial<Run> = {}): Promise<GivenUp[]> {
  const { failures, sqs, s3 } = place;
  const { queues, hasDue } = chosen(failures, name);
  const run = runWith(options);
  const found = await mapConcurrently(queues, (queue) => listQueue(sqs, queue, run));
  found.push(await listLostRecords(bucketOf(s3, failures, queues), run));
  if (hasDue) found.push(await listGivenUpDue(tableOf(place), run));
  return found.flat();
}

/**
 * Has everything handled again that was given up before the start. It can be interrupted at any time and begun again:
 * nothing is removed before it was sent, and what was sent twice is done once. @returns how much was sent
 */
export async function replayFailures(place: Place, name?: string, options: Partial<Run> = {}): Promise<number> {
  const { failures, sqs, s3 } = place;
  const { queues, hasDue } = chosen(failures, name);
  const run = runWith(options);
  let count = 0;
  for (const queue of queues) count += await replayQueue(sqs, queue, run);
  count += await replayLostRecords(bucketOf(s3, failures, queues), sqs, run);
  if (hasDue) count += await replayGivenUpDue(tableOf(place), run);
  return count;
}

const tableOf = ({ table: client, failures }: Place) => ({ client, name: failures.table });

const runWith = (options: Partial<Run>): Run => ({
  say: () => {},
  signal: new AbortController().signal,
  start: Date.now(),
  ...options,
});

interface Chosen {
  queues: readonly FailureQueue[];
  hasDue: boolean;
}

function chosen({ queues }: Failures, name: string | undefined): Chosen {
  if (name === undefined) return { queues, hasDue: true };
  const named = queues.filter((queue) => queue.name === name);
  if (named.length > 0 || name === dueName) return { queues: named, hasDue: name === dueName };
  const names = [...queues.map((queue) => queue.name), dueName];
  throw new Error(`No failures are called ${name}. There are: ${names.join(', ')}.`);
}
