import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type AwsEndpoint, startAwsEndpoint } from './aws/aws-endpoint.ts';
import { startKms } from './aws/kms.ts';
import type { Recorder } from './aws/usage.ts';
import { deployFiles } from './buckets/deploy-files.ts';
import { endpointVariables, type OtherEndpoints } from './configuration.ts';
import { deployTables, partitionKeys } from './dynamodb/deploy-tables.ts';
import { startDynamoDbEmulator } from './dynamodb/emulator.ts';
import type { StreamsApi } from './dynamodb/streams-api.ts';
import type { Credentials, Principals } from './iam/principals.ts';
import { ownQueueReader, type QueueReader } from './queues/queue-reader.ts';
import { deployBuckets, deployQueues, queueUrl, startQueuesAndBuckets } from './queues-and-buckets.ts';
import { openSes, type Ses } from './ses/ses.ts';
import { createSignal, type Signal } from './signal.ts';
import { account, region } from './template/physical-names.ts';
import { readStack, type StackTemplate } from './template/template.ts';

export interface ClientConfig {
  region: string;
  endpoint: string;
  credentials: Credentials;
}

/** Clients with the permissions of the operator. */
interface Clients {
  dynamodb: DynamoDBClient;
  sqs: SQSClient;
  s3: S3Client;
}

export interface Emulators {
  stack: StackTemplate;
  clientConfig: ClientConfig;
  /** Where functions send their requests to AWS. */
  endpoint: Pick<AwsEndpoint, 'url' | 'serve'>;
  clients: Clients;
  streams: StreamsApi;
  /** Raised after a request has written to a table. */
  tableChanged: Signal;
  /** Reads a queue in this process. Undefined if another emulator has the queues. */
  ownQueue: ((arn: string) => QueueReader) | undefined;
  /** Undefined if the template sends no mails. */
  ses: Ses | undefined;
}

export interface EmulatorOptions {
  assembly: string;
  dataDir: string | undefined;
  /** Emulators that run already. */
  others: OtherEndpoints;
  /** The host of the template's distributions. */
  host: string;
  principals: Principals;
  recorder: Recorder;
  log(line: string): void;
  atStop(end: () => Promise<unknown> | unknown): void;
}

/** Starts the emulators of AWS and creates the template's tables, queues and buckets in them. */
export async function startEmulators(options: EmulatorOptions): Promise<Emulators> {
  const { assembly, dataDir, others, host, principals, recorder, log, atStop } = options;
  await requireAnswers(others);
  const dynamodb = await startDynamoDbEmulator(dataDir, others.dynamodb);
  atStop(dynamodb.stop);
  const { sqs, s3, stop } = startQueuesAndBuckets(dataDir, others);
  atStop(stop);
  const tableChanged = createSignal();
  const endpoint = await startAwsEndpoint(principals, recorder, tableChanged, log);
  atStop(endpoint.close);

  const stack = readStack(assembly, endpoint.url, host);
  const kms = startKms(stack, dataDir);
  const clientConfig = { region, endpoint: endpoint.url, credentials: operatorCredentials(principals) };
  const clients = createClients(clientConfig);
  const ses = openSes(stack, dataDir, (arn, MessageBody) =>
    clients.sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(arn), MessageBody })),
  );
  if (ses) atStop(ses.mails.stop);
  endpoint.connect({ dynamodb, sqs, s3, kms, ses, partitionKey: partitionKeys(stack) });
  atStop(() => {
    for (const client of Object.values(clients)) client.destroy();
  });
  await Promise.all([
    deployTables(stack, clients.dynamodb),
    deployQueues(stack, clients.sqs),
    deployBuckets(stack, clients.s3),
  ]);
  await deployFiles(stack, clients.s3);
  const ownQueue = typeof sqs === 'string' ? undefined : (arn: string) => ownQueueReader(sqs, arn);
  return { stack, clientConfig, endpoint, clients, streams: dynamodb.streams, tableChanged, ownQueue, ses };
}

const answerTimeoutMs = 5_000;

/**
 * Any response is fine. Checked first, because an SDK client would retry for long, and its error does not name the
 * address.
 */
async function requireAnswers(others: OtherEndpoints): Promise<void> {
  for (const name of ['dynamodb', 'sqs', 's3'] as const) {
    const address = others[name];
    if (!address) continue;
    const answer = await fetch(address, { signal: AbortSignal.timeout(answerTimeoutMs) }).catch(() => undefined);
    if (!answer) throw new Error(`Nothing answers at ${address}, the address in ${endpointVariables[name]}.`);
    await answer.body?.cancel();
  }
}

function createClients(config: ClientConfig): Clients & Record<string, { destroy(): void }> {
  return {
    dynamodb: new DynamoDBClient(config),
    sqs: new SQSClient(config),
    s3: new S3Client(config),
  };
}

function operatorCredentials(principals: Principals): Credentials {
  return principals.add({
    statements: undefined,
    arn: `arn:aws:iam::${account}:user/operator`,
    functionId: undefined,
    invocation: () => undefined,
  });
}
