import { setTimeout as delay } from 'node:timers/promises';
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { StreamsApi } from '../../dynamodb/streams-api.ts';
import { queueUrl } from '../../queues-and-buckets.ts';
import type { Signal } from '../../signal.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { EventSource } from './event-source.ts';
import { failureKey, failureMessage } from './failure-message.ts';
import { createLanes, type ReadRecord } from './lanes.ts';
import { isQueue, type Mapping } from './mapping.ts';
import { createShardReader } from './shard-reader.ts';
import { type BatchPorts, deliverBatch } from './stream-batch.ts';
import { type EventRecord, type StreamRecord, toEventRecord } from './stream-record.ts';

// A write through the endpoint wakes us. Changes that the emulator makes itself (an item expires) are found by polling.
const idleIntervalMs = 200;
// Records that arrive within this time become one batch, because AWS also reads a stream more slowly than it is
// written.
const gatheringMs = 10;
const windowGatheringMs = 50;
// A mapping with a batching window wants few large batches. Here its first batch after a quiet time comes at once, and the
// next one after this time or when it is full: a person does not notice that, and would notice the window of AWS.
const maxRestMs = 500;
const errorPauseMs = 1_000;
const firstRetryPauseMs = 100;
const maxRetryPauseMs = 5_000;

export interface StreamSourceOptions {
  mapping: Mapping;
  /** The ARN of the stream in the emulator. */
  streamArn: string;
  streams: StreamsApi;
  tableChanged: Signal;
  sqs: SQSClient;
  s3: S3Client;
  checkpoint: Checkpoint;
  log(line: string): void;
}

/** Reads a table's stream and passes batches to the function. The records of an item stay in their order. */
export function startStreamSource(options: StreamSourceOptions): EventSource {
  const { mapping, streamArn, streams, tableChanged, sqs, s3, checkpoint, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const start = checkpoint.read() ?? firstPosition(mapping.startingPosition);
  checkpoint.write(start);
  checkpoint.flush();
  const reader = createShardReader(streams, streamArn, start);

  const wait = (milliseconds: number): Promise<boolean> =>
    delay(milliseconds, undefined, { signal }).then(
      () => true,
      () => false,
    );

  /** A promise of its own for each work: one of the whole life of the stack would keep something of every race. */
  const orStopped = async (work: Promise<void>): Promise<void> => {
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    const stop = () => resolve();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    await Promise.race([work, stopped]).finally(() => signal.removeEventListener('abort', stop));
  };
  const changeAfter = async (seen: number): Promise<void> => {
    await orStopped(tableChanged.beyond(seen, idleIntervalMs));
    await wait(mapping.batchingWindowSeconds > 0 ? windowGatheringMs : gatheringMs);
  };

  const ports = (shardId: string, passed: BatchPorts['passed']): BatchPorts => ({
    invoke: (Records) => mapping.pool.invoke({ Records }),
    passed,
    pause: (attempt) => wait(Math.min(firstRetryPauseMs * 2 ** (attempt - 1), maxRetryPauseMs)),
    stopping: () => signal.aborted,
    now: Date.now,
    giveUp: async (records, condition, attempts) => {
      log(`${mapping.logicalId}: ${records.length} record(s) will not be retried: ${condition}`);
      const { failureArn, logicalId } = mapping;
      if (!failureArn) return;
      const source = { functionArn: mapping.pool.definition.arn, streamArn: mapping.sourceArn, shardId };
      const message = failureMessage(records, condition, attempts, source);
      if (isQueue(failureArn)) {
        const MessageBody = JSON.stringify(message);
        await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(failureArn), MessageBody }));
      } else {
        // Only a bucket gets the records themselves.
        const Body = JSON.stringify({ ...message, payload: JSON.stringify({ Records: records }) });
        const Key = failureKey(logicalId, shardId, new Date());
        await s3.send(new PutObjectCommand({ Bucket: failureArn.replace('arn:aws:s3:::', ''), Key, Body }));
      }
    },
  });

  const logError = (error: unknown): void =>
    log(`${mapping.logicalId}: ${error instanceof Error ? error.message : String(error)}`);

  const { parallelizationFactor: count, batchSize, batchingWindowSeconds } = mapping;
  const restMs = Math.min(batchingWindowSeconds * 1000, maxRestMs);
  const lanes = createLanes(
    { count, batchSize },
    {
      deliver: (shardId, batch, passed) => deliverBatch(batch, mapping, ports(shardId, passed)),
      passedUntil: checkpoint.write,
      pauseAfter: (error) => {
        logError(error);
        return wait(errorPauseMs);
      },
      rest: () => (restMs > 0 ? wait(restMs) : undefined),
    },
  );

  const toRead = (record: StreamRecord): ReadRecord => {
    const toDeliver = toEventRecord(record, mapping.sourceArn);
    return { record: toDeliver, isAccepted: isRecent(toDeliver, start.since) && mapping.accepts(toDeliver) };
  };

  const poll = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const seen = tableChanged.count();
        const { shardId, records } = await reader.read(count * batchSize);
        if (records.length === 0) {
          await changeAfter(seen);
          continue;
        }
        await orStopped(lanes.add(shardId, records.map(toRead)));
      } catch (error) {
        if (signal.aborted) break;
        logError(error);
        await wait(errorPauseMs);
      }
    }
    await lanes.settled();
    checkpoint.flush();
  };

  const polling = poll();
  return {
    stop: async () => stopping.abort(),
    settled: () => polling,
  };
}

function firstPosition(startingPosition: string): { since?: number } {
  return startingPosition === 'LATEST' ? { since: Math.floor(Date.now() / 1000) } : {};
}

function isRecent({ dynamodb }: EventRecord, since: number | undefined): boolean {
  return since === undefined || dynamodb.ApproximateCreationDateTime >= since;
}
