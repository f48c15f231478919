import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RunningDynamoDb } from './dynamodb/server.ts';

export interface Emulator {
  endpoint: string;
  /** Where it runs in this process, it answers without a connection. */
  inProcess?: Pick<RunningDynamoDb, 'answer' | 'perform'>;
  stop(): Promise<void>;
}

const dynoxidePackage = '@dynoxide/linux-x64';
const startLimit = 15_000;
const stopLimit = 5_000;

/** DynamoDB: another endpoint if one is set, else dynoxide where its binary runs, else the engine of this repository. */
export async function startDynamoDbEmulator(dataDir: string | undefined): Promise<Emulator> {
  const other = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  if (other) return { endpoint: other, stop: async () => {} };
  const forced = process.env.DYNAMODB_ENGINE;
  if (forced !== undefined && forced !== 'sqlite' && forced !== 'dynoxide') {
    throw new Error(`DYNAMODB_ENGINE must be sqlite or dynoxide, not ${forced}.`);
  }
  const binary = forced === 'sqlite' ? undefined : dynoxideBinary();
  if (binary) return startDynoxide(binary, dataDir);
  if (forced === 'dynoxide') throw nothingRuns(`${dynoxidePackage} is not installed for this platform`);
  return startEngine(dataDir);
}

function dynoxideBinary(): string | undefined {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${dynoxidePackage}/package.json`)), 'dynoxide');
  } catch {
    return undefined;
  }
}

async function startEngine(dataDir: string | undefined): Promise<Emulator> {
  try {
    const { startDynamoDb } = await import('./dynamodb/server.ts');
    const file = dataDir === undefined ? ':memory:' : join(dataDir, 'dynamodb-engine.sqlite');
    const engine = await startDynamoDb({ file, port: 0 });
    return { endpoint: engine.endpoint, inProcess: engine, stop: engine.stop };
  } catch (error) {
    throw nothingRuns(error instanceof Error ? error.message : String(error));
  }
}

async function startDynoxide(binary: string, dataDir: string | undefined): Promise<Emulator> {
  const port = await freePort();
  const file = dataDir === undefined ? [] : ['--db-path', join(dataDir, 'dynamodb.sqlite')];
  const keeper = spawn(
    process.execPath,
    [fileURLToPath(new URL('./dynoxide-keeper.ts', import.meta.url)), binary, 'serve', '--port', String(port), ...file],
    // A group of its own: a Ctrl-C or a kill of ours reaches the keeper only through its standard input.
    { stdio: ['pipe', 'ignore', 'ignore'], detached: true },
  );
  const exited = once(keeper, 'exit');
  const endpoint = `http://127.0.0.1:${port}`;
  const gone = new AbortController();
  keeper.once('exit', () => gone.abort());
  const stop = async () => {
    keeper.stdin.end();
    const forced = setTimeout(() => keeper.kill('SIGKILL'), stopLimit);
    await exited;
    clearTimeout(forced);
  };
  if (!(await answers(endpoint, gone.signal))) {
    await stop();
    throw nothingRuns('dynoxide did not start');
  }
  return { endpoint, stop };
}

async function answers(endpoint: string, gone: AbortSignal): Promise<boolean> {
  for (const end = Date.now() + startLimit; Date.now() < end && !gone.aborted; await delay(50)) {
    try {
      await fetch(endpoint, { signal: AbortSignal.timeout(1000) });
      return true;
    } catch {}
  }
  return false;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function nothingRuns(reason: string): Error {
  return new Error(
    `The local DynamoDB did not start (${reason}). Set AWS_ENDPOINT_URL_DYNAMODB to the address of another one.`,
  );
}
