import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  HeadBucketCommand,
  NotFound,
  PutBucketVersioningCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { CreateQueueCommand, SetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { openS3, placeOf, type S3 } from './buckets/s3.ts';
import type { OtherEndpoints } from './configuration.ts';
import { openSqs, type Sqs } from './queues/sqs.ts';
import type { StackTemplate } from './template/template.ts';

/** Each is the address of another emulator, or our own emulator in this process. */
export interface QueuesAndBuckets {
  sqs: string | Sqs;
  s3: string | S3;
  stop(): void;
}

export function startQueuesAndBuckets(dataDir: string | undefined, others: OtherEndpoints = {}): QueuesAndBuckets {
  const file = (name: string) => (dataDir === undefined ? undefined : join(dataDir, name));
  const sqs = others.sqs ?? openSqs(file('queues.sqlite'));
  const s3 = others.s3 ?? openBuckets(dataDir);
  const stop = () => {
    for (const own of [sqs, s3]) if (typeof own !== 'string') own.stop();
  };
  return { sqs, s3, stop };
}

/**
 * The ledger of erasures lies in a folder of its own. Who copies the other files of the data folder back restores the
 * table, and must not restore the ledger.
 */
function openBuckets(dataDir: string | undefined): S3 {
  const folder = dataDir === undefined ? undefined : join(dataDir, ledgerFolder);
  if (folder !== undefined) mkdirSync(folder, { recursive: true });
  const ledger = openS3(folder && join(folder, 'buckets.sqlite'));
  const others = openS3(dataDir === undefined ? undefined : join(dataDir, 'buckets.sqlite'));
  return {
    answer: (request, body) => (isLedger(request.url) ? ledger : others).answer(request, body),
    stop: () => {
      ledger.stop();
      others.stop();
    },
  };
}

const ledgerFolder = 'ledger';
const isLedger = (url = '/'): boolean => placeOf(url).bucket.includes('erasureledger');

const queueAttributes = [
  'VisibilityTimeout',
  'MessageRetentionPeriod',
  'MaximumMessageSize',
  'DelaySeconds',
  'ReceiveMessageWaitTimeSeconds',
  'RedrivePolicy',
  'RedriveAllowPolicy',
] as const;

/** Creates the queues of the template. An existing queue keeps its messages and gets the new attributes. */
export async function deployQueues(stack: StackTemplate, client: SQSClient): Promise<void> {
  const queues = stack.resources('AWS::SQS::Queue');
  for (const { arn, logicalId, properties } of queues) {
    if (properties.FifoQueue === true) throw new Error(`${logicalId}: the local stack does not support FIFO queues.`);
    await client.send(new CreateQueueCommand({ QueueName: queueName(arn) }));
  }
  for (const { arn, properties } of queues) {
    const defined = queueAttributes.filter((name) => properties[name] !== undefined);
    if (defined.length === 0) continue;
    const Attributes = Object.fromEntries(defined.map((name) => [name, attributeText(properties[name])]));
    // Any host works here: the client has its own endpoint, and emulators use only the name of the queue.
    await client.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl(arn), Attributes }));
  }
}

export async function deployBuckets(stack: StackTemplate, client: S3Client): Promise<void> {
  for (const { ref, properties } of stack.resources('AWS::S3::Bucket')) {
    await createBucket(client, ref);
    const { Status } = (properties.VersioningConfiguration ?? {}) as { Status?: 'Enabled' };
    if (Status !== 'Enabled') continue;
    await client.send(new PutBucketVersioningCommand({ Bucket: ref, VersioningConfiguration: { Status } }));
  }
}

async function createBucket(client: S3Client, Bucket: string): Promise<void> {
  if (await bucketExists(client, Bucket)) return;
  try {
    await client.send(new CreateBucketCommand({ Bucket }));
  } catch (error) {
    if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
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
