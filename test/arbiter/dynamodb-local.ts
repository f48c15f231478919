import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dynamoDbLocalJar, findJava } from './installation.ts';

export interface DynamoDbLocal {
  endpoint: string;
  stop(): Promise<void>;
}

const startLimit = 60_000;
const stopLimit = 5_000;
const attempts = 3;

// It lives for a minute at most: what the JVM would spend on compiling well comes too late.
const jvm = ['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xmx512m'];
// One database for all access keys: the functions of a local stack have a key each.
const options = ['-inMemory', '-sharedDb', '-disableTelemetry'];

/** AWS's DynamoDB Local, empty, in memory. */
export async function startDynamoDbLocal(): Promise<DynamoDbLocal> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const started = await startOn(await freePort());
    if (started) return started;
  }
  throw new Error(`DynamoDB Local did not start, ${attempts} times.`);
}

/** Undefined where somebody else took the port meanwhile, or it did not come up for another reason. */
async function startOn(port: number): Promise<DynamoDbLocal | undefined> {
  const command = [findJava(), ...jvm, ...dynamoDbLocalJar(), ...options, '-port', String(port)];
  const keeper = spawn(process.execPath, [join(import.meta.dirname, 'keeper.ts'), ...command], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A group of its own: a Ctrl-C reaches it only through its standard input.
    detached: true,
  });
  const exited = once(keeper, 'exit');
  const gone = new AbortController();
  keeper.once('exit', () => gone.abort());
  const stop = async () => {
    keeper.stdin.end();
    const forced = setTimeout(() => keeper.kill('SIGKILL'), stopLimit);
    await exited;
    clearTimeout(forced);
  };
  const endpoint = `http://127.0.0.1:${port}`;
  if (await answers(endpoint, gone.signal)) return { endpoint, stop };
  await stop();
  return undefined;
}

async function answers(endpoint: string, gone: AbortSignal): Promise<boolean> {
  for (const end = Date.now() + startLimit; Date.now() < end && !gone.aborted; await delay(100)) {
    try {
      await fetch(endpoint, { signal: AbortSignal.timeout(5_000) });
      return !gone.aborted;
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
