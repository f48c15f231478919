import { availableParallelism } from 'node:os';
import type { FunctionDefinition } from './function-definition.ts';
import type { FunctionLogs } from './function-logs.ts';
import { FunctionError, type Sandbox, sandboxEnvironment, startSandbox } from './function-sandbox.ts';
import type { Principals } from './principals.ts';

/** A function's sandboxes: they grow on demand up to its concurrency; further invocations wait for a free one. */
export interface FunctionPool {
  definition: FunctionDefinition;
  invoke(event: unknown): Promise<unknown>;
  logs: FunctionLogs;
  stop(): Promise<void>;
}

export class PayloadTooLarge extends Error {}

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
  const idle: Sandbox[] = [];
  const waiting: { resolve(sandbox: Sandbox): void; reject(error: Error): void }[] = [];
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
        grow();
      },
    });
    all.add(sandbox);
    return sandbox;
  };

  /** Starts a sandbox when more invocations wait than sandboxes are starting for. */
  const grow = (): void => {
    const full = all.size >= definition.maximumConcurrency || starting >= startingLimit;
    if (stopped || full || waiting.length <= starting) return;
    starting++;
    const sandbox = start();
    void sandbox.loaded.then(() => {
      starting--;
      if (sandbox.alive()) release(sandbox);
      else waiting.shift()?.reject(new FunctionError('Runtime.ExitError', 'The function exited while it was loaded.'));
      grow();
    });
    grow();
  };

  const acquire = async (): Promise<Sandbox> => {
    if (stopped) throw new Error('The local stack is stopping.');
    for (let sandbox = idle.pop(); sandbox; sandbox = idle.pop()) if (sandbox.alive()) return sandbox;
    if (waiting.length >= waitingLimit) throw new FunctionError('TooManyRequestsException', 'Rate Exceeded.');
    const { promise, resolve, reject } = Promise.withResolvers<Sandbox>();
    waiting.push({ resolve, reject });
    grow();
    return promise;
  };

  const release = (sandbox: Sandbox): void => {
    if (!sandbox.alive()) return;
    const next = waiting.shift();
    if (next) next.resolve(sandbox);
    else idle.push(sandbox);
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

  const stop = async (): Promise<void> => {
    stopped = true;
    for (const { reject } of waiting.splice(0)) reject(new Error('The local stack is stopping.'));
    await Promise.all([...all].map((sandbox) => sandbox.stop()));
    await logs.close();
  };

  return { definition, invoke, logs, stop };
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
