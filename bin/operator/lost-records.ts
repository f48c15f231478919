import { gzipSync } from 'node:zlib';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { FailureQueue, Failures } from '#lib/failure-queues.ts';
import { mapConcurrently } from '#platform/batches.ts';
import { type GivenUp, maxListed, Progress, type Run } from './failure.ts';
import { sendAll } from './failure-queue.ts';

/** What Lambda gave up itself, because a function did not run for most of a day. It is in a bucket. */

interface Bucket {
  s3: S3Client;
  name: string;
  /** Those whose records are wanted. */
  queues: readonly FailureQueue[];
}

export const bucketOf = (s3: S3Client, { bucket }: Failures, queues: readonly FailureQueue[]): Bucket => ({
  s3,
  name: bucket,
  queues,
});

export async function listLostRecords(bucket: Bucket, run: Run): Promise<GivenUp[]> {
  const found: GivenUp[] = [];
  for await (const keys of pagesOf(bucket, run)) {
    for (const key of keys) {
      const lost = await read(bucket, key);
      if (!lost) continue;
      if (found.length === maxListed) {
        run.say(`There are more batches in the bucket than the ${maxListed} that are listed.`);
        return found;
      }
      const { queue, since, reason, records } = lost;
      found.push({ queue: queue.name, since, reason, records: records.length });
    }
  }
  return found;
}

/** Objects that are in hand at the same time. Each has a batch of at most 6 MB. */
const maxObjects = 4;

/** An object is removed when all its records were sent. If this dies before, they are sent again. @returns how many */
export async function replayLostRecords(bucket: Bucket, sqs: SQSClient, run: Run): Promise<number> {
  const progress = new Progress('records in the bucket', run.say);
  const replay = async (key: string): Promise<void> => {
    const lost = run.signal.aborted ? undefined : await read(bucket, key);
    if (!lost) return;
    const texts = await mapConcurrently(lost.records, (record) => messageOf(bucket, record), 1);
    await sendAll(sqs, lost.queue, texts);
    await bucket.s3.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: key }));
    progress.add(lost.records.length);
  };
  for await (const keys of pagesOf(bucket, run)) await mapConcurrently(keys, replay, maxObjects);
  return progress.count;
}

/** The keys of the objects that were there at the start. */
async function* pagesOf({ s3, name, queues }: Bucket, { signal, start }: Run): AsyncGenerator<string[]> {
  if (!queues.some(({ functionArn }) => functionArn)) return;
  for await (const { Contents = [] } of paginateListObjectsV2(
    { client: s3 },
    { Bucket: name, Prefix: 'aws/lambda/' },
  )) {
    if (signal.aborted) return;
    yield Contents.flatMap(({ Key, LastModified }) => (Key && !isAfter(start, LastModified) ? [Key] : []));
  }
}

/** S3 tells whole seconds. */
const isAfter = (start: number, time: Date | undefined): boolean =>
  time !== undefined && Math.floor(time.getTime() / 1000) > Math.floor(start / 1000);

interface LostRecords {
  queue: FailureQueue;
  since: string;
  reason: string;
  records: object[];
}

/** Undefined if it is of a function whose records are not wanted. */
async function read({ s3, name, queues }: Bucket, key: string): Promise<LostRecords | undefined> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: name, Key: key }));
  const { timestamp, requestContext, payload } = JSON.parse(await Body!.transformToString());
  const queue = queues.find(({ functionArn }) => functionArn && requestContext.functionArn.startsWith(functionArn));
  if (!queue) return undefined;
  const { Records: records } = typeof payload === 'string' ? JSON.parse(payload) : payload;
  return { queue, since: timestamp, reason: requestContext.condition, records };
}

/** SQS takes a megabyte, and a compressed record may have more as text. */
const maxPackedLength = 900_000;

async function messageOf({ s3, name }: Bucket, record: object): Promise<string> {
  const text = JSON.stringify(record);
  const packed = gzipSync(text).toString('base64');
  if (packed.length <= maxPackedLength) return JSON.stringify({ packed });
  const { SequenceNumber } = (record as { dynamodb: { SequenceNumber: string } }).dynamodb;
  const s3_key = `payloads/replayed-${SequenceNumber}.json.gz`;
  await s3.send(new PutObjectCommand({ Bucket: name, Key: s3_key, Body: gzipSync(text) }));
  return JSON.stringify({ s3_key });
}
