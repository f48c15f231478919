import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  HeadBucketCommand,
  NotFound,
  type S3Client,
} from '@aws-sdk/client-s3';
import { CreateQueueCommand, SetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { OtherEndpoints } from './configuration.ts';
import { type Fauxqs, startFauxqs } from './fauxqs.ts';
import type { StackTemplate } from './template.ts';

export interface QueuesAndBuckets {
  sqs: string;
  s3: string;
  /** Where the queues are our own. */
  own?: Pick<Fauxqs, 'queues' | 'answer'>;
  stop(): Promise<void>;
}

/** SQS and S3 on fauxqs, unless both have another endpoint. */
export async function startQueuesAndBuckets(
  dataDir: string | undefined,
  { sqs, s3 }: OtherEndpoints = {},
): Promise<QueuesAndBuckets> {
  if (sqs && s3) return { sqs, s3, stop: async () => {} };
  const folder = dataDir === undefined ? undefined : join(dataDir, 'fauxqs');
  if (folder) mkdirSync(folder, { recursive: true });
  const own = await startFauxqs(folder);
  return { sqs: sqs ?? own.url, s3: s3 ?? own.url, ...(!sqs && { own }), stop: own.stop };
}

const queueAttributes = [
  'VisibilityTimeout',
  'MessageRetentionPeriod',
  'MaximumMessageSize',
  'DelaySeconds',
  'ReceiveMessageWaitTimeSeconds',
  'RedrivePolicy',
  'RedriveAllowPolicy',
  'ContentBasedDeduplication',
  'DeduplicationScope',
  'FifoThroughputLimit',
] as const;

/** Makes the template's queues; one that exists keeps its messages and gets the template's attributes. */
export async function deployQueues(stack: StackTemplate, client: SQSClient): Promise<void> {
  const queues = stack.resources('AWS::SQS::Queue');
  for (const { arn, properties } of queues) {
    const fifo = properties.FifoQueue === true ? { Attributes: { FifoQueue: 'true' } } : {};
    await client.send(new CreateQueueCommand({ QueueName: queueName(arn), ...fifo }));
  }
  for (const { arn, properties } of queues) {
    const given = queueAttributes.filter((name) => properties[name] !== undefined);
    if (given.length === 0) continue;
    const Attributes = Object.fromEntries(given.map((name) => [name, attributeText(properties[name])]));
    // Any address will do: the client has its own endpoint, and emulators look at the queue's name only.
    await client.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl(arn), Attributes }));
  }
}

export async function deployBuckets(stack: StackTemplate, client: S3Client): Promise<void> {
  for (const { ref } of stack.resources('AWS::S3::Bucket')) {
    if (await bucketExists(client, ref)) continue;
    try {
      await client.send(new CreateBucketCommand({ Bucket: ref }));
    } catch (error) {
      if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
    }
  }
}

async function bucketExists(client: S3Client, Bucket: string): Promise<boolean> {
  try {
    await client.send(new HeadBucketCommand({ Bucket }));
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}

function attributeText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function queueName(arn: string): string {
  return arn.split(':').at(-1) ?? '';
}

export function queueUrl(arn: string): string {
  return `http://sqs/${arn.split(':').at(-2)}/${queueName(arn)}`;
}
