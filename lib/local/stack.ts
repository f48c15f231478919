import type { OtherEndpoints } from './configuration.ts';
import { lockDataDir } from './data-lock.ts';
import { type ClientConfig, startEmulators } from './emulators.ts';
import type { EventSource } from './functions/event-sources/event-source.ts';
import { startEventSources } from './functions/event-sources/start.ts';
import { readFunctions } from './functions/function-definition.ts';
import { openFunctionLogs } from './functions/function-logs.ts';
import { createFunctionPool, type FunctionPool } from './functions/function-pool.ts';
import { startSchedules } from './functions/schedules.ts';
import { createApiGateway } from './gateway/api-gateway.ts';
import { createDistributions } from './gateway/distributions.ts';
import { openFront } from './gateway/front.ts';
import type { Access, Statement } from './iam/evaluate.ts';
import { createPrincipals } from './iam/principals.ts';
import { createRecorder, type Usage } from './iam/usage.ts';

export type { Usage } from './iam/usage.ts';

export interface LocalStackOptions {
  /** The folder that app.synth() wrote, or what writes it: that is begun once the data folder and the port are ours. */
  assembly: string | (() => Promise<string>);
  /** 0: any free port. */
  port: number;
  /** Undefined: everything in memory. */
  dataDir: string | undefined;
  /** Emulators that run already: what is not named here is started. */
  others?: OtherEndpoints;
  /** Added to every function's environment. */
  environment?: Record<string, string>;
  /** What a person should see: errors of functions, refused requests. */
  log?: (line: string) => void;
}

export interface LocalStack {
  url: string;
  /** The template's outputs, but for those of resources that do not run here. */
  outputs: Record<string, string>;
  /** The operator's access: not limited by any function's policies. */
  clientConfig: ClientConfig;
  /** Runs the function whose logical id begins like this. */
  invoke(logicalIdPrefix: string, event: unknown): Promise<unknown>;
  /** `accesses`: what the function whose logical id begins like this was allowed to do. */
  usage: { start(): void; take(): Usage[]; accesses(logicalIdPrefix: string): Access[] };
  /** What a function's role allows, as it is now: a change counts from the next request on. */
  statements(logicalIdPrefix: string): Statement[];
  /** Ends a function's sandboxes in the middle of what they do. */
  kill(logicalIdPrefix: string): Promise<void>;
  /** What a function printed last. */
  logs(logicalIdPrefix: string): string[];
  stop(): Promise<void>;
}

type End = () => Promise<unknown> | unknown;

// What a function was doing when the stack stops gets this long to end well.
const settleLimit = 2_000;

/** Runs what a synthesized template says, on this machine. */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const ends: End[] = [];
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= endAll(ends.toReversed());
    return stopped;
  };
  try {
    return { ...(await start(options, (end) => ends.push(end))), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(options: LocalStackOptions, atStop: (end: End) => void): Promise<Omit<LocalStack, 'stop'>> {
  const { port, dataDir, others = {}, environment = {}, log = () => {} } = options;
  if (dataDir !== undefined) atStop(lockDataDir(dataDir));
  const front = await openFront(port);
  atStop(front.close);
  const url = `http://${front.host}`;
  const assembly = typeof options.assembly === 'string' ? options.assembly : await options.assembly();
  const principals = createPrincipals();
  const recorder = createRecorder();
  const { host } = front;
  const emulators = await startEmulators({ assembly, dataDir, others, host, principals, recorder, log, atStop });
  const { stack, clientConfig } = emulators;

  const pools = new Map<string, FunctionPool>();
  for (const definition of readFunctions(stack, { PUBLIC_URL: url, ...environment })) {
    const logs = openFunctionLogs(definition.logicalId, dataDir, log);
    pools.set(definition.arn, createFunctionPool(definition, clientConfig.endpoint, principals, logs));
  }
  const sources: EventSource[] = [];
  atStop(() => stopFunctions(pools, sources));
  sources.push(...(await startEventSources(emulators, pools, dataDir, log)));
  atStop(() => Promise.all(sources.map((source) => source.stop())));
  const schedules = startSchedules(stack, pools, log);
  atStop(schedules.stop);
  front.connect(createDistributions(stack, emulators.clients.s3, createApiGateway(stack, pools, log)));
  atStop(front.close); // before what it leads to

  return {
    url,
    outputs: stack.outputs(),
    clientConfig,
    invoke: async (prefix, event) => poolNamed(pools, prefix).invoke(event),
    statements: (prefix) => poolNamed(pools, prefix).definition.statements,
    kill: (prefix) => poolNamed(pools, prefix).kill(),
    logs: (prefix) => poolNamed(pools, prefix).logs.recent(),
    usage: {
      start: recorder.start,
      take: recorder.take,
      accesses: (prefix) => recorder.accesses(poolNamed(pools, prefix).definition.logicalId),
    },
  };
}

async function stopFunctions(pools: ReadonlyMap<string, FunctionPool>, sources: EventSource[]): Promise<void> {
  const settled = Promise.all(sources.map((source) => source.settled()));
  await Promise.race([settled, limit(settleLimit)]);
  await Promise.all([...pools.values()].map((pool) => pool.stop()));
  await settled;
}

function poolNamed(pools: ReadonlyMap<string, FunctionPool>, prefix: string): FunctionPool {
  const found = [...pools.values()].filter(({ definition }) => definition.logicalId.startsWith(prefix));
  if (found.length !== 1) throw new Error(`${found.length} functions have a logical id that begins with ${prefix}.`);
  return found[0]!;
}

/** One part that fails to end must not keep the others running. */
async function endAll(ends: End[]): Promise<void> {
  const errors: unknown[] = [];
  for (const end of ends) {
    try {
      await end();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

function limit(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
