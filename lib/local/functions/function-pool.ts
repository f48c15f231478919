import { availableParallelism } from 'node:os';
import type { Principals } from '../iam/principals.ts';
import type { FunctionDefinition } from './function-definition.ts';
import type { FunctionLogs } from './function-logs.ts';
import { FunctionError, type Sandbox, sandboxEnvironment, startSandbox } from './function-sandbox.ts';

/** A function's sandboxes: they grow on demand up to its concurrency; further invocations wait for a free one. */
export interface FunctionPool {
  definition: FunctionDefinition;
  invoke(event: unknown): Promise<unknown>;
  /** Lets so many invocations run at a time, if it lets fewer. */
  widen(concurrency: number): void;
  /** Ends every sandbox at once, with what it is doing: what Lambda does when a host dies. */
  kill(): Promise<void>;
  logs: FunctionLogs;
  stop(): Promise<void>;
}

export class PayloadTooLarge extends Error {}

/**
 * A thread is dear: 200 of them, as many as Lambda would run of a function that a mapping lets run so often, are out of
 * the question. Such a function gets a thread for each core but the one that everything else runs on, and each thread runs
 * many invocations at a time.
 */
interface Limits {
  sandboxes: number;
  /** In one sandbox at a time. */
  invocations: number;
}

// Loading a bundle takes a core: more at once would only slow down the sandboxes that already serve.
const startingLimit = availableParallelism();
// More than this waiting means that something calls without end; Lambda throttles long before.
const waitingLimit = 1000;
const payloadLimit = 6 * 1024 * 1024;

export function createFunctionPool(
  definition: FunctionDefinition,
  endpoint: string,
  principals: Principals,
  logs: FunctionLogs,
): FunctionPool {
  const all = new Set<Sandbox>();
  /** Those that are loaded, with how many invocations each has. */
  const ready = new Map<Sandbox, number>();
  const waiting: { resolve(sandbox: Sandbox): void; reject(error: Error): void }[] = [];
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
      environment: sandboxEnvironment(definition, credentials, endpoint),
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

  /** Starts a sandbox when more invocations wait than sandboxes are starting for. */
  const grow = (): void => {
    if (!stopped && waiting.length > starting && mayStart()) {
      startOne();
      grow();
    }
  };

  const mayStart = () => all.size < limits.sandboxes && starting < startingLimit;

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

  /** Takes a place in the sandbox with the least to do; undefined where each has as much as it may have. */
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
    if (waiting.length >= waitingLimit) throw new FunctionError('TooManyRequestsException', 'Rate Exceeded.');
    const { promise, resolve, reject } = Promise.withResolvers<Sandbox>();
    waiting.push({ resolve, reject });
    grow();
    return promise;
  };

  const release = (sandbox: Sandbox): void => {
    const count = ready.get(sandbox);
    if (count !== undefined) ready.set(sandbox, count - 1);
    serveWaiting();
  };

  const invoke = async (event: unknown): Promise<unknown> => {
    const payload = JSON.stringify(event ?? null);
    if (Buffer.byteLength(payload) > payloadLimit) throw new PayloadTooLarge();
    const sandbox = await acquire();
    try {
      return parseResult(await sandbox.invoke(payload));
    } finally {
      release(sandbox);
    }
  };

  const widen = (concurrency: number): void => {
    if (concurrency <= limits.sandboxes * limits.invocations) return;
    const sandboxes = Math.max(1, Math.min(limits.sandboxes, availableParallelism() - 1));
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
  if (size > payloadLimit) {
    const message = `Response payload size (${size} bytes) exceeded maximum allowed payload size (${payloadLimit + 152} bytes).`;
    throw new FunctionError('Function.ResponseSizeTooLarge', message);
  }
  return JSON.parse(payload);
}
