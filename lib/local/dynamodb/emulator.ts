import { join } from 'node:path';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { region } from '../template/physical-names.ts';
import type { RunningDynamoDb } from './server.ts';
import { ownStreams, type StreamsApi, sdkStreams } from './streams-api.ts';

export interface Emulator {
  endpoint: string;
  /** Where it runs in this process, it answers without a connection. */
  inProcess?: Pick<RunningDynamoDb, 'answer' | 'perform'>;
  streams: StreamsApi;
  stop(): Promise<void>;
}

/** DynamoDB: another endpoint if one is given, else the engine of this repository, on every machine. */
export async function startDynamoDbEmulator(dataDir: string | undefined, other?: string): Promise<Emulator> {
  return other ? otherDynamoDb(other) : ownDynamoDb(dataDir);
}

async function ownDynamoDb(dataDir: string | undefined): Promise<Emulator> {
  const { startDynamoDb } = await import('./server.ts');
  const file = dataDir === undefined ? ':memory:' : join(dataDir, 'dynamodb-engine.sqlite');
  const engine = await startDynamoDb({ file, port: 0 });
  return { endpoint: engine.endpoint, inProcess: engine, streams: ownStreams(engine), stop: engine.stop };
}

function otherDynamoDb(endpoint: string): Emulator {
  // The key under which the functions' requests are passed on, too: DynamoDB Local keeps separate data for each.
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const requestHandler = { connectionTimeout: 5_000, requestTimeout: 10_000 };
  const client = new DynamoDBStreamsClient({ endpoint, region, credentials, requestHandler });
  return { endpoint, streams: sdkStreams(client), stop: async () => client.destroy() };
}
