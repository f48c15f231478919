import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { type RunningDynamoDb, startDynamoDb } from '#lib/local/dynamodb/server.ts';

export interface EngineUnderTest {
  name: string;
  start(): Promise<StartedEngine>;
}

/** Our engine always; dynoxide beside it where its binary is installed, to hold both to the same expectations. */
export function enginesUnderTest(): EngineUnderTest[] {
  const own = { name: 'the engine on node:sqlite', start: () => startDynamoDb({ file: ':memory:' }) };
  const binary = dynoxideBinary();
  return binary ? [own, { name: 'dynoxide', start: () => startDynoxide(binary) }] : [own];
}

export type StartedEngine = Pick<RunningDynamoDb, 'endpoint' | 'stop'>;

function dynoxideBinary(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    return join(dirname(createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json')), 'dynoxide');
  } catch {
    return undefined;
  }
}

async function startDynoxide(binary: string): Promise<StartedEngine> {
  const port = await freePort();
  const child = spawn(binary, ['serve', '--port', String(port)], { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), exited]);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill();
      await exited;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const settings = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  maxAttempts: 1,
});

export const clientFor = (endpoint: string) => new DynamoDBClient(settings(endpoint));
export const streamsClientFor = (endpoint: string) => new DynamoDBStreamsClient(settings(endpoint));
