import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { type RunningDynamoDb, startDynamoDb } from '#lib/local/dynamodb/server.ts';

export interface EngineUnderTest {
  name: string;
  start(): Promise<StartedEngine>;
}

export function enginesUnderTest(): EngineUnderTest[] {
  return [{ name: 'the engine on node:sqlite', start: () => startDynamoDb({ file: ':memory:' }) }];
}

export type StartedEngine = Pick<RunningDynamoDb, 'endpoint' | 'stop'>;

const settings = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  maxAttempts: 1,
});

export const clientFor = (endpoint: string) => new DynamoDBClient(settings(endpoint));
export const streamsClientFor = (endpoint: string) => new DynamoDBStreamsClient(settings(endpoint));
