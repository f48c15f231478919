import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Failures } from '#lib/failure-queues.ts';
import { startLocalStack } from '#lib/local/stack.ts';
import { SuperAdminStore } from '../../../bin/operator/superadmin-store.ts';
import { type LiveMemory, liveMemory } from './live-memory.ts';
import { Units } from './units.ts';

/**
 * The stack of the bench in a process of its own, so that it can be killed, and so that its memory and its processor time
 * are its own. It talks to the bench by messages only.
 */

process.env.TZ = 'UTC'; // as in Lambda, also for the functions' workers

export interface StackOptions {
  assembly: string;
  dataDir: string;
  /** The same after a kill: pages have their address in their orders. 0 is any. */
  port: number;
  operator: { username: string; secret: string };
  countsUnits: boolean;
}

export interface Sample {
  rss: number;
  heapUsed: number;
  external: number;
  /** Of all threads since the process began, in milliseconds. */
  cpuMs: number;
  diskBytes: number;
}

/** Messages that wait, are held back or are being handled, of each queue; and those in the queues of failures. */
export interface Waiting {
  queues: Record<string, number>;
  failures: Record<string, number>;
}

export type Question = 'sample' | 'live' | 'waiting' | 'units' | 'stop';
export type Answers = {
  sample: Sample;
  live: LiveMemory;
  waiting: Waiting;
  units: ReturnType<Units['rows']>;
  stop: null;
};

const { assembly, dataDir, port, operator, countsUnits } = JSON.parse(process.argv[2]!) as StackOptions;

const stack = await startLocalStack({
  assembly,
  port,
  dataDir,
  environment: { ALLOW_LOCAL_TARGETS: 'true', RETRY_BASE_SECONDS: '1' },
  log: (line) => console.error(line),
});
const dynamo = new DynamoDBClient(stack.clientConfig);
const sqs = new SQSClient(stack.clientConfig);
await new SuperAdminStore(DynamoDBDocumentClient.from(dynamo), stack.outputs.TableName!).put(operator);

const units = new Units();
/** Less often, and the recorder's list would fill up in a busy second. */
const takeUnitsEveryMs = 200;
if (countsUnits) {
  stack.usage.start();
  setInterval(() => units.add(stack.usage.take()), takeUnitsEveryMs);
}

const answers: { [Q in Question]: () => Promise<Answers[Q]> } = {
  sample: async () => {
    const { rss, heapUsed, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    return { rss, heapUsed, external, cpuMs: (user + system) / 1000, diskBytes: bytesIn(dataDir) };
  },
  live: liveMemory,
  waiting: async () => {
    const { queues } = JSON.parse(stack.outputs.Failures!) as Failures;
    const [watched, given]: Record<string, number>[] = [{}, {}];
    watched!.deliveries = await messagesIn(stack.outputs.DeliveryQueueUrl!);
    for (const { name, from, to } of queues) {
      given![name] = await messagesIn(from);
      watched![name] = await messagesIn(to);
    }
    return { queues: watched!, failures: given! };
  },
  units: async () => units.rows(),
  stop: async () => {
    await stack.stop();
    return null;
  },
};

process.on('message', async (question: Question) => {
  const answer = await answers[question]();
  process.send!({ question, answer }, () => {
    if (question === 'stop') process.exit(0);
  });
});
// A bench that ends in any way takes its stack with it.
process.on('disconnect', () => process.exit(1));
process.send!({ ready: stack.url });

async function messagesIn(QueueUrl: string): Promise<number> {
  const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  return (
    Number(Attributes.ApproximateNumberOfMessages) +
    Number(Attributes.ApproximateNumberOfMessagesNotVisible) +
    Number(Attributes.ApproximateNumberOfMessagesDelayed)
  );
}

function bytesIn(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += sizeOf(join(entry.parentPath, entry.name));
  }
  return bytes;
}

/** A file can go between the list and the look. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
