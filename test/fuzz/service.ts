import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { DecryptCommand, EncryptCommand, GenerateDataKeyWithoutPlaintextCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { APIGatewayProxyResult, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import type { RoundResult } from '#pipeline/privacy-work/round.ts';
import type { GatewayEvent } from '#platform/http/request.ts';
import { table } from '#platform/table/client.ts';
import { partitions } from '#schemas/catalogues/table.ts';
import { openApiDescription } from '#schemas/description/openapi.ts';
import { type FamilyName, familyNames } from '#schemas/families/index.ts';
import { memoryTable } from '#test/kit/memory-table.ts';
import { context } from '#test/kit/queue-messages.ts';

type Handler = (event: GatewayEvent, context?: object) => Promise<APIGatewayProxyResult>;

/** Every handler in this process, on the table in memory; queues, buckets and keys are mocked. */
export interface Service {
  api: Record<FamilyName, Handler>;
  ingest(event: SQSEvent): Promise<SQSBatchResponse>;
  /** What goes on for privacy once a minute. */
  privacyWork(): Promise<RoundResult>;
  /** How often the table was changed. */
  writes(): number;
  /** Empties the table and forgets what was sent. */
  renew(...items: object[]): void;
}

export async function startService(): Promise<Service> {
  Object.assign(process.env, {
    ALLOW_LOCAL_TARGETS: 'true',
    PUBLIC_URL: 'https://service.example.com',
    AWS_REGION: 'eu-central-1',
    CREDENTIALS_KEY_ID: 'credentials',
    IMAGES_URL: 'https://images.example.net',
    IMAGE_BUCKET: 'images',
    PAYLOAD_BUCKET: 'payloads',
    LEDGER_BUCKET: 'ledger',
    EMAIL_FROM: 'post@mail.example.com',
    DELIVERY_QUEUE_URL: 'https://queue.example.com/deliveries',
    CARRIER_UPDATES_QUEUE_URL: 'https://queue.example.com/carrier-updates',
    CARRIER_UPDATES_FAILURES_QUEUE_URL: 'https://queue.example.com/carrier-update-failures',
    WATCHED_QUEUES: JSON.stringify([{ name: 'deliveries', queue: 'https://queue', failures: 'https://failures' }]),
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    POWERTOOLS_METRICS_DISABLED: 'true',
    POWERTOOLS_DEV: 'false',
  });
  serveDocuments();
  const objects = new Map<string, Buffer>();
  const mocks = [mockQueues(), mockBuckets(objects), mockKeys(), mockMails()];
  // Signatures take a fifth of the time, and the table in memory does not check them.
  table.middlewareStack.remove('httpSigningMiddleware');
  const writes = countWrites();
  const handlers = familyNames.map(async (name) => [
    name,
    (await import(`../../functions/api/${name}/handler.ts`)).handler,
  ]);
  const { handler: ingest } = await import('#pipeline/ingest/handler.ts');
  const { workers } = await import('#pipeline/privacy-work/handler.ts');
  const { runRound } = await import('#pipeline/privacy-work/round.ts');
  return {
    api: Object.fromEntries(await Promise.all(handlers)),
    ingest: (event) => ingest(event, context),
    privacyWork: () =>
      runRound(workers, { now: () => new Date(), remainingMs: () => Number.POSITIVE_INFINITY, spend: async () => {} }),
    writes,
    renew: (...items) => {
      for (const mock of mocks) mock.resetHistory();
      objects.clear();
      memoryTable.renew();
      memoryTable.put(...items);
    },
  };
}

const reads = new Set(['GetCommand', 'BatchGetCommand', 'QueryCommand', 'ScanCommand', 'TransactGetCommand']);

/** A request that is refused may still be counted, and may have made a view that the next one reads. */
function isAside(command: object): boolean {
  const { Item } = (command as { input: { Item?: { pk: string } } }).input;
  return [partitions.lookups, partitions.storefronts, partitions.keyUses].some((prefix) => Item?.pk.startsWith(prefix));
}

function countWrites(): () => number {
  const send = table.send.bind(table) as (command: object) => Promise<unknown>;
  let writes = 0;
  table.send = (async (command: object) => {
    const answer = await send(command);
    if (!reads.has(command.constructor.name) && !isAside(command)) writes++;
    return answer;
  }) as never;
  return () => writes;
}

function mockQueues() {
  const queues = mockClient(SQSClient);
  queues.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
  queues.on(GetQueueAttributesCommand).resolves({ Attributes: { ApproximateNumberOfMessages: '1' } });
  return queues;
}

function mockMails() {
  const mails = mockClient(SESv2Client);
  mails.on(SendEmailCommand).resolves({ MessageId: 'mail' });
  return mails;
}

function mockBuckets(objects: Map<string, Buffer>) {
  const buckets = mockClient(S3Client);
  buckets.onAnyCommand().resolves({});
  buckets.on(PutObjectCommand).callsFake(({ Key, Body }) => {
    objects.set(Key, Buffer.from(Body));
    return {};
  });
  buckets.on(GetObjectCommand).callsFake(({ Key }) => {
    const object = objects.get(Key);
    if (!object) throw Object.assign(new Error(`There is no ${Key}.`), { name: 'NoSuchKey' });
    return { Body: { transformToByteArray: async () => object } };
  });
  return buckets;
}

/** A ciphertext is the reversed plaintext. */
function mockKeys() {
  const keys = mockClient(KMSClient);
  keys.on(EncryptCommand).callsFake(({ Plaintext }) => ({ CiphertextBlob: Buffer.from(Plaintext).reverse() }));
  keys.on(DecryptCommand).callsFake(({ CiphertextBlob }) => ({ Plaintext: Buffer.from(CiphertextBlob).reverse() }));
  // Always the same, so that a run can be repeated. It has 32 bytes.
  const CiphertextBlob = Buffer.from('the data key of shops, 32 bytes!');
  keys.on(GenerateDataKeyWithoutPlaintextCommand).resolves({ CiphertextBlob });
  return keys;
}

/** The build writes these beside the bundle, and a handler that is not bundled does not find them. */
function serveDocuments(): void {
  const documents: Record<string, string> = {
    'openapi.json': JSON.stringify(openApiDescription()),
    'docs-start.html': '<!doctype html>',
  };
  const { readFile } = fs;
  fs.readFile = (async (path: string, ...rest: [never]) =>
    documents[basename(String(path))] ?? readFile(path, ...rest)) as typeof readFile;
  syncBuiltinESMExports();
}
