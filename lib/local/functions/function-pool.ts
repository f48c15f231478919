import { availableParallelism } from 'node:os';
import type { AwsEndpoint } from '../aws/aws-endpoint.ts';
import type { Principals } from '../iam/principals.ts';
import type { FunctionDefinition } from './function-definition.ts';
import type { FunctionLogs } from './function-logs.ts';
import { FunctionError, type Sandbox, sandboxEnvironment, startSandbox } from './function-sandbox.ts';

/**
 * The sandboxes of a function. They are started on demand, up to its concurrency. Further invocations wait for a free
 * one.
 */
export interface FunctionPool {
  definition: FunctionDefinition;
  /** @param route of API Gateway, for the recorder */
  invoke(event: unknown, route?: string): Promise<unknown>;
  /** Raises the number of concurrent invocations, if it is lower. */
  widen(concurrency: number): void;
  /** Ends every sandbox at once, even during an invocation, as Lambda does when a host fails. */
  kill(): Promise<void>;
  logs: FunctionLogs;
  stop(): Promise<void>;
}

export class PayloadTooLarge extends Error {}

/**
 * Threads are expensive: a mapping may allow 200 concurrent invocations, but we cannot run 200 threads. Such a function
 * gets one thread for each core except one, which everything else uses, and each thread runs many invocations at a
 * time.
 */
interface Limits {
  sandboxes: number;
  /** Concurrent invocations in one sandbox. */
  invocations: number;
}

const cores = availableParallelism();
// Loading a bundle uses a whole core. More at the same time would only slow down the running sandboxes.
const maxStarting = cores;
/**
 * More sandboxes than cores are faster only if they wait for something, so an invocation waits this long for one of the
 * first. Each has a heap of its own and compiles its code anew: without this rule a day takes 15 % more processor time.
 */
const patienceMs = 1_000;
// If more invocations wait than this, something calls without end. Lambda throttles much earlier.
const maxWaiting = 1000;
const maxPayloadBytes = 6 * 1024 * 1024;

export function createFunctionPool(
  definition: FunctionDefinition,
  aws: Pick<AwsEndpoint, 'url' | 'serve'>,
  principals: Principals,
  logs: FunctionLogs,
): FunctionPool {
  const all = new Set<Sandbox>();
  /** The loaded sandboxes, with the number of invocations that each runs. */
  const ready = new Map<Sandbox, number>();
  const waiting: { isImpatient: boolean; resolve(sandbox: Sandbox): void; reject(error: Error): void }[] = [];
  let limits: Limits = { sandboxes: definition.maximumConcurrency, invocations: 1 };
  let starting = 0;
  let stopped = false;

  const start = (): Sandbox => {
    const credentials = principals.add({
      statements: definition.statements,
      arn: definition.principalArn,
      functionId: definition.logicalId,
      invocation: () => sandbox.current(),
    });
    const sandbox = startSandbox({
      definition,
      environment: sandboxEnvironment(definition, credentials, aws.url),
      serveAws: aws.serve,
      onLine: logs.write,
      onExit: () => {
        principals.remove(credentials.accessKeyId);
        all.delete(sandbox);
        ready.delete(sandbox);
        grow();
      },
    });
    all.add(sandbox);
    return sandbox;
  };

  /** Starts a sandbox if more invocations wait than sandboxes are starting. */
  const grow = (): void => {
    if (!stopped && waiting.length > starting && mayStart()) {
      startOne();
      grow();
    }
  };

  const mayStart = () => all.size < limits.sandboxes && starting < maxStarting && (all.size < cores || isImpatient());

  const isImpatient = () => waiting[0]?.isImpatient === true;

  const startOne = (): void => {
    starting++;
    const sandbox = start();
    void sandbox.loaded.then(() => {
      starting--;
      if (sandbox.alive()) {
        ready.set(sandbox, 0);
        serveWaiting();
      } else
        waiting.shift()?.reject(new FunctionError('Runtime.ExitError', 'The function exited while it was loaded.'));
      grow();
    });
  };

  /** Reserves a place in the sandbox with the fewest invocations. Undefined if all are full. */
  const take = (): Sandbox | undefined => {
    const free = [...ready].filter(([sandbox, count]) => sandbox.alive() && count < limits.invocations);
    const [found] = free.sort(([, one], [, other]) => one - other);
    if (!found) return undefined;
    const [sandbox, count] = found;
    ready.set(sandbox, count + 1);
    if (count > 0 && starting === 0 && mayStart()) startOne();
    return sandbox;
  };

  const serveWaiting = (): void => {
    while (waiting.length > 0) {
      const sandbox = take();
      if (!sandbox) return;
      waiting.shift()!.resolve(sandbox);
    }
  };

  const acquire = async (): Promise<Sandbox> => {
    if (stopped) throw new Error('The local stack is stopping.');
    const sandbox = waiting.length === 0 ? take() : undefined;
    if (sandbox) return sandbox;
    if (waiting.length >= maxWaiting) throw new FunctionError('TooManyRequestsException', 'Rate Exceeded.');
    const { promise, resolve, reject } = Promise.withResolvers<Sandbox>();
    const waits = { isImpatient: false, resolve, reject };
    waiting.push(waits);
    grow();
    setTimeout(() => {
      waits.isImpatient = true;
      grow();
    }, patienceMs).unref();
    return promise;
  };

  const release = (sandbox: Sandbox): void => {
    const count = ready.get(sandbox);
    if (count !== undefined) ready.set(sandbox, count - 1);
    serveWaiting();
  };

  const invoke: FunctionPool['invoke'] = async (event, route) => {
    const payload = JSON.stringify(event ?? null);
    if (Buffer.byteLength(payload) > maxPayloadBytes) throw new PayloadTooLarge();
    const sandbox = await acquire();
    try {
      return parseResult(await sandbox.invoke(payload, route));
    } finally {
      release(sandbox);
    }
  };

  const widen = (concurrency: number): void => {
    if (concurrency <= limits.sandboxes * limits.invocations) return;
    const sandboxes = Math.max(1, Math.min(limits.sandboxes, cores - 1));
    limits = { sandboxes, invocations: Math.ceil(concurrency / sandboxes) };
  };

  const kill = async (): Promise<void> => {
    await Promise.all([...all].map((sandbox) => sandbox.stop()));
  };

  const stop = async (): Promise<void> => {
    stopped = true;
    for (const { reject } of waiting.splice(0)) reject(new Error('The local stack is stopping.'));
    await kill();
    await logs.close();
  };

  return { definition, invoke, widen, kill, logs, stop };
}

function parseResult(payload: string | undefined): unknown {
  if (payload === undefined) return null;
  const size = Buffer.byteLength(payload);
  if (size > maxPayloadBytes) {
    const message = `Response payload size (${size} bytes) exceeded maximum allowed payload size (${maxPayloadBytes + 152} bytes).`;
    throw new FunctionError('Function.ResponseSizeTooLarge', message);
  }
  return JSON.parse(payload);
}
