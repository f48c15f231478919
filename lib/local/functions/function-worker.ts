import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { sendRequestsBy } from '../aws/port-requests.ts';

/** Runs in a worker thread: loads the bundle of one function and runs its invocations. */

export interface WorkerData {
  folder: string;
  handler: string;
  functionName: string;
  functionArn: string;
  memorySize: string;
  logGroup: string;
  /** Where the emulators answer. */
  aws: MessagePort;
}

export interface InvocationRequest {
  requestId: string;
  event: string;
  deadline: number;
}

/**
 * The first message of the worker: the bundle is loaded, or loading failed and the first invocation will report why.
 */
export type Ready = 'ready';

export type InvocationResult =
  | { payload: string | undefined }
  | { error: { errorType: string; errorMessage: string; trace: string[] } };

export interface InvocationAnswer {
  requestId: string;
  result: InvocationResult;
}

type Handler = (event: unknown, context: unknown) => unknown;

const data = workerData as WorkerData;
const port = parentPort as MessagePort;
sendRequestsBy(data.aws, process.env.AWS_ENDPOINT_URL!);
const handler = loadHandler();

handler
  .catch(() => {})
  .finally(() => {
    port.on('message', (request: InvocationRequest) => {
      const { requestId } = request;
      run(request).then((result) => port.postMessage({ requestId, result } satisfies InvocationAnswer));
    });
    port.postMessage('ready' satisfies Ready);
  });

async function run(request: InvocationRequest): Promise<InvocationResult> {
  try {
    const result = await (await handler)(JSON.parse(request.event), contextOf(request));
    return { payload: JSON.stringify(result) };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    const trace = (error.stack ?? '').split('\n');
    return { error: { errorType: error.name, errorMessage: error.message, trace } };
  }
}

async function loadHandler(): Promise<Handler> {
  const dot = data.handler.lastIndexOf('.');
  const name = data.handler.slice(dot + 1);
  const base = join(data.folder, data.handler.slice(0, dot));
  const file = ['.mjs', '.js', '.cjs'].map((extension) => base + extension).find((candidate) => existsSync(candidate));
  if (!file) throw new Error(`Cannot find module '${data.handler.slice(0, dot)}' in ${data.folder}`);
  const loaded = (await import(pathToFileURL(file).href)) as Record<string, unknown> & {
    default?: Record<string, unknown>;
  };
  const found = loaded[name] ?? loaded.default?.[name];
  if (typeof found !== 'function') throw new Error(`${data.handler} is undefined or not exported`);
  return found as Handler;
}

function contextOf({ requestId, deadline }: InvocationRequest): Record<string, unknown> {
  return {
    awsRequestId: requestId,
    functionName: data.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: data.functionArn,
    memoryLimitInMB: data.memorySize,
    logGroupName: data.logGroup,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}
