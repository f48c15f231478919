import { join } from 'node:path';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { region } from '../template/physical-names.ts';
import type { RunningDynamoDb } from './server.ts';
import { ownStreams, type StreamsApi, sdkStreams } from './streams-api.ts';

export interface Emulator {
  endpoint: string;
  /** Set if the engine runs in this process. Then it answers without a connection. */
  inProcess?: Pick<RunningDynamoDb, 'answer' | 'perform'>;
  streams: StreamsApi;
  stop(): Promise<void>;
}

/** Connects to another DynamoDB if an endpoint is configured, otherwise starts the engine of this repository. */
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
  // The same key with which the functions' requests are forwarded, because DynamoDB Local keeps separate data for each
  // key.
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const requestHandler = { connectionTimeout: 5_000, requestTimeout: 10_000 };
  const client = new DynamoDBStreamsClient({ endpoint, region, credentials, requestHandler });
  return { endpoint, streams: sdkStreams(client), stop: async () => client.destroy() };
}
