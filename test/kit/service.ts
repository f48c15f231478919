import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { OtherEndpoints } from '#lib/local/configuration.ts';
import { type LocalStack, startLocalStack } from '#lib/local/stack.ts';
import { SuperAdminStore } from '../../bin/operator/superadmin-store.ts';
import { assemblyIn } from './assembly.ts';
import { testDynamoDb } from './dynamodb.ts';
import { hideStreamFrom, makeSequential, setVisibilityTimeout, stopSchedules } from './template.ts';

/** The whole service in this process, in memory, with a SuperAdmin key. */
export interface RunningService {
  stack: LocalStack;
  table: DynamoDBDocumentClient;
  tableName: string;
  operator: { username: string; secret: string };
  stop: () => Promise<void>;
}

const operator = { username: 'operator', secret: 'operator-secret-0001' };

export interface ServiceOptions {
  /** Seconds until a failed message is visible again, instead of the template's. */
  visibilityTimeout?: number;
  /** One record of the stream after the other, and no schedules: what functions do depends on the test alone. */
  isSequential?: boolean;
  /** No schedules: a test runs their functions itself. */
  hasNoSchedules?: boolean;
  /** The beginning of the logical id of a function that gets nothing from the stream. */
  withoutStream?: string | undefined;
  /** Emulators that already run; the others are started, except for a DynamoDB that the tests name. */
  others?: OtherEndpoints;
  /** Added to every function's environment. */
  environment?: Record<string, string>;
  /** Gets the errors of functions. */
  log?: (line: string) => void;
  /** Where to keep everything. In memory without it. */
  dataDir?: string | undefined;
}

export async function startService({
  visibilityTimeout,
  isSequential = false,
  hasNoSchedules = false,
  withoutStream,
  others = { dynamodb: testDynamoDb() },
  environment = {},
  log = () => {},
  dataDir,
}: ServiceOptions = {}): Promise<RunningService> {
  const folder = await mkdtemp(join(tmpdir(), 'service-'));
  const assembly = await assemblyIn(folder);
  if (visibilityTimeout !== undefined) setVisibilityTimeout(assembly, visibilityTimeout);
  if (isSequential) makeSequential(assembly);
  if (hasNoSchedules) stopSchedules(assembly);
  if (withoutStream !== undefined) hideStreamFrom(assembly, withoutStream);
  const stack = await startLocalStack({ assembly, port: 0, dataDir, others, environment, log });
  const table = DynamoDBDocumentClient.from(new DynamoDBClient(stack.clientConfig));
  const tableName = stack.outputs.TableName!;
  await new SuperAdminStore(table, tableName).put(operator);
  const stop = async () => {
    table.destroy();
    await stack.stop();
    await rm(folder, { recursive: true });
  };
  return { stack, table, tableName, operator, stop };
}
