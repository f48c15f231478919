import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createRecorder, type Usage } from './aws/usage.ts';
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
import { MailboxPage } from './ses/mailbox-page.ts';
import type { SentMail } from './ses/send-email.ts';

export type { Usage } from './aws/usage.ts';

export interface LocalStackOptions {
  /**
   * The folder that app.synth() wrote, or a function that writes it. The function is called after the data folder is
   * locked and the port is open.
   */
  assembly: string | (() => Promise<string>);
  /** 0 means any free port. */
  port: number;
  /** Undefined keeps everything in memory. */
  dataDir: string | undefined;
  /** Emulators that run already. All others are started. */
  others?: OtherEndpoints;
  /** Added to the environment of every function. */
  environment?: Record<string, string>;
  /** Sees every request of the public address first. True: it answers the request, which is not one of the template. */
  answers?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Called with lines that a person should see: errors of functions and refused requests. */
  log?: (line: string) => void;
}

export interface LocalStack {
  url: string;
  /** The outputs of the template, without those of resources that do not run here. */
  outputs: Record<string, string>;
  /** The operator's access, which no policy limits. */
  clientConfig: ClientConfig;
  /** Runs the function whose logical id begins with this prefix. */
  invoke(logicalIdPrefix: string, event: unknown): Promise<unknown>;
  /** `accesses`: the permissions that the function used. */
  usage: { start(options?: { heat: boolean }): void; take(): Usage[]; accesses(logicalIdPrefix: string): Access[] };
  /** The statements of a function's role. A change of the list counts from the next request. */
  statements(logicalIdPrefix: string): Statement[];
  /** Ends a function's sandboxes, even during an invocation. */
  kill(logicalIdPrefix: string): Promise<void>;
  /** What was sent to customers, newest first. */
  mails(): SentMail[];
  /** The last lines that a function printed. */
  logs(logicalIdPrefix: string): string[];
  stop(): Promise<void>;
}

type End = () => Promise<unknown> | unknown;

// When the stack stops, running functions have this much time to end.
const settleTimeoutMs = 2_000;

/** Runs a synthesized template on this machine. */
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
  const { stack, clientConfig, endpoint } = emulators;

  const pools = new Map<string, FunctionPool>();
  for (const definition of readFunctions(stack, { PUBLIC_URL: url, ...environment })) {
    const logs = openFunctionLogs(definition.logicalId, dataDir, log);
    pools.set(definition.arn, createFunctionPool(definition, endpoint, principals, logs));
  }
  const sources: EventSource[] = [];
  atStop(() => stopFunctions(pools, sources));
  sources.push(...(await startEventSources(emulators, pools, dataDir, log)));
  atStop(() => Promise.all(sources.map((source) => source.stop())));
  const schedules = startSchedules(stack, pools, log);
  atStop(schedules.stop);
  const gateway = createApiGateway(stack, pools, log);
  const distributions = createDistributions(stack, emulators.clients.s3, gateway, pools);
  const mailbox = emulators.ses && new MailboxPage(emulators.ses.mails);
  const shown = after((request, response) => mailbox?.answer(request, response) === true, distributions);
  front.connect(after(options.answers, shown));
  atStop(front.close); // closes before the parts that it needs

  return {
    url,
    outputs: stack.outputs(),
    clientConfig,
    invoke: async (prefix, event) => poolNamed(pools, prefix).invoke(event),
    statements: (prefix) => poolNamed(pools, prefix).definition.statements,
    mails: () => emulators.ses?.mails.list() ?? [],
    kill: (prefix) => poolNamed(pools, prefix).kill(),
    logs: (prefix) => poolNamed(pools, prefix).logs.recent(),
    usage: {
      start: recorder.start,
      take: recorder.take,
      accesses: (prefix) => recorder.accesses(poolNamed(pools, prefix).definition.logicalId),
    },
  };
}

function after(first: LocalStackOptions['answers'], others: RequestListener): RequestListener {
  return (request, response) => {
    if (!first?.(request, response)) others(request, response);
  };
}

async function stopFunctions(pools: ReadonlyMap<string, FunctionPool>, sources: EventSource[]): Promise<void> {
  const settled = Promise.all(sources.map((source) => source.settled()));
  await Promise.race([settled, sleep(settleTimeoutMs)]);
  await Promise.all([...pools.values()].map((pool) => pool.stop()));
  await settled;
}

function poolNamed(pools: ReadonlyMap<string, FunctionPool>, prefix: string): FunctionPool {
  const found = [...pools.values()].filter(({ definition }) => definition.logicalId.startsWith(prefix));
  if (found.length !== 1) throw new Error(`${found.length} functions have a logical id that begins with ${prefix}.`);
  return found[0]!;
}

/** If one part fails to stop, the others must still stop. */
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

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
