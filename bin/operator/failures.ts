import { gzipSync } from 'node:zlib';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { FailureQueue, Failures } from '#lib/failure-queues.ts';

/** What the service gave up: in failure queues, and in the bucket what Lambda gave up itself. */

export interface Place {
  failures: Failures;
  sqs: SQSClient;
  s3: S3Client;
}

export interface GivenUp {
  queue: string;
  /** When it was put aside, or when its message was sent first. */
  since: string;
  /** Why, if the function knew. */
  reason: string;
  /** How many records it has. */
  records: number;
}

export async function listFailures({ failures, sqs, s3 }: Place, name?: string): Promise<GivenUp[]> {
  const found: GivenUp[] = [];
  for (const queue of queuesNamed(failures, name)) {
    const messages = await receiveAll(sqs, queue, Date.now());
    found.push(...messages.map((message) => describe(queue, message)));
    for (const message of messages) await handBack(sqs, queue, message);
  }
  for await (const { queue, lost } of lostRecords(s3, failures, name)) {
    found.push({ queue: queue.name, since: lost.timestamp, reason: lost.condition, records: lost.records.length });
  }
  return found;
}

/** Sends everything to the queue from which it is handled again, then removes it. Returns how much that was. */
export async function replayFailures({ failures, sqs, s3 }: Place, name?: string): Promise<number> {
  const start = Date.now();
  let count = 0;
  for (const queue of queuesNamed(failures, name)) {
    for (const message of await receiveAll(sqs, queue, start)) {
      await send(sqs, queue, message.Body!, message.Attributes?.MessageGroupId);
      await sqs.send(new DeleteMessageCommand({ QueueUrl: queue.from, ReceiptHandle: message.ReceiptHandle }));
      count++;
    }
  }
  for await (const { queue, lost, key } of lostRecords(s3, failures, name)) {
    for (const record of lost.records) await sendRecord({ sqs, s3, failures }, queue, record);
    await s3.send(new DeleteObjectCommand({ Bucket: failures.bucket, Key: key }));
    count += lost.records.length;
  }
  return count;
}

function queuesNamed({ queues }: Failures, name: string | undefined): readonly FailureQueue[] {
  const found = queues.filter((queue) => name === undefined || queue.name === name);
  if (found.length > 0) return found;
  throw new Error(`No failures are called ${name}. There are: ${queues.map((queue) => queue.name).join(', ')}.`);
}

/** Long enough to handle all messages of a queue before the first one can be received again. */
const VisibilityTimeout = 300;

/** A request that does not wait asks only some of the servers of SQS, and may find nothing although there is something. */
const WaitTimeSeconds = 2;

/** The messages that were in the queue at the start. What fails again meanwhile stays. */
async function receiveAll(sqs: SQSClient, queue: FailureQueue, start: number): Promise<Message[]> {
  const all: Message[] = [];
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queue.from,
        MaxNumberOfMessages: 10,
        VisibilityTimeout,
        WaitTimeSeconds,
        MessageSystemAttributeNames: ['SentTimestamp', 'MessageGroupId'],
        MessageAttributeNames: ['reason'],
      }),
    );
    if (Messages.length === 0) return all;
    const later = Messages.filter((message) => sentAt(message) > start);
    for (const message of later) await handBack(sqs, queue, message);
    if (later.length === Messages.length) return all;
    all.push(...Messages.filter((message) => !later.includes(message)));
  }
}

const sentAt = ({ Attributes }: Message): number => Number(Attributes?.SentTimestamp ?? 0);

async function handBack(sqs: SQSClient, { from }: FailureQueue, { ReceiptHandle }: Message): Promise<void> {
  await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl: from, ReceiptHandle, VisibilityTimeout: 0 }));
}

async function send(sqs: SQSClient, { to }: FailureQueue, MessageBody: string, MessageGroupId?: string): Promise<void> {
  await sqs.send(new SendMessageCommand({ QueueUrl: to, MessageBody, ...(MessageGroupId && { MessageGroupId }) }));
}

/** Shows nothing of the content, which may be about customers. */
function describe({ name }: FailureQueue, message: Message): GivenUp {
  const told = message.MessageAttributes?.reason?.StringValue ?? 'given up';
  const { reason = told, kind, put_aside_at } = partsOf(message.Body ?? '');
  const since = put_aside_at ?? new Date(sentAt(message)).toISOString();
  return { queue: name, since, reason: kind ? `${reason} (${kind})` : reason, records: 1 };
}

function partsOf(body: string): { reason?: string; kind?: string; put_aside_at?: string } {
  try {
    const parts = JSON.parse(body);
    return typeof parts?.put_aside_at === 'string' ? parts : {};
  } catch {
    return {};
  }
}

interface LostRecords {
  timestamp: string;
  condition: string;
  records: object[];
}

/** What Lambda gave up because the function did not run for most of a day. */
async function* lostRecords(s3: S3Client, { bucket: Bucket, queues }: Failures, name: string | undefined) {
  const objects: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client: s3 }, { Bucket, Prefix: 'aws/lambda/' })) {
    objects.push(...Contents.flatMap(({ Key }) => Key ?? []));
  }
  for (const key of objects) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key: key }));
    const { timestamp, requestContext, payload } = JSON.parse(await Body!.transformToString());
    const queue = queues.find(({ functionArn }) => functionArn && requestContext.functionArn.startsWith(functionArn));
    if (!queue || (name !== undefined && queue.name !== name)) continue;
    const { Records: records } = typeof payload === 'string' ? JSON.parse(payload) : payload;
    const lost: LostRecords = { timestamp, condition: requestContext.condition, records };
    yield { queue, key, lost };
  }
}

/** SQS takes a megabyte, and a compressed record may have more as text. */
const maxPackedLength = 900_000;

async function sendRecord({ sqs, s3, failures }: Place, queue: FailureQueue, record: object): Promise<void> {
  const text = JSON.stringify(record);
  const packed = gzipSync(text).toString('base64');
  if (packed.length <= maxPackedLength) return send(sqs, queue, JSON.stringify({ packed }));
  const { SequenceNumber } = (record as { dynamodb: { SequenceNumber: string } }).dynamodb;
  const s3_key = `payloads/replayed-${SequenceNumber}.json.gz`;
  await s3.send(new PutObjectCommand({ Bucket: failures.bucket, Key: s3_key, Body: gzipSync(text) }));
  await send(sqs, queue, JSON.stringify({ s3_key }));
}
