import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import { Engine } from './engine.ts';
import { DynamoDbError, internalError, serialization, unknownOperation } from './errors.ts';
import { operationFor } from './operations/index.ts';
import { sweep } from './sweep.ts';
import { isObject } from './values.ts';

export interface DynamoDbOptions {
  /** A path, or `:memory:`. */
  file: string;
  /** 0, the default, takes any free port. */
  port?: number;
  now?: () => number;
  region?: string;
  accountId?: string;
  sweepEveryMs?: number;
}

export interface RunningDynamoDb {
  endpoint: string;
  /** Answers a request without a connection, for who runs in the same process. */
  answer(target: string, content: unknown): Reply;
  /** The same as plain values. Throws DynamoDbError. */
  perform(target: string, content: unknown): object;
  stop(): Promise<void>;
}

export interface Reply {
  status: number;
  headers: Record<string, string | number>;
  body: Buffer;
}

const MAX_BODY_BYTES = 20 * 1024 * 1024;
const SWEEP_EVERY_MS = 2000;
const STOP_LIMIT_MS = 1000;
// Longer than clients keep an idle connection: one that closes under a request shows up as a random failure.
const KEEP_ALIVE_MS = 120_000;

/** DynamoDB and DynamoDB Streams on one loopback port, for machines that no emulator binary is published for. */
export async function startDynamoDb(options: DynamoDbOptions): Promise<RunningDynamoDb> {
  const engine = new Engine({
    file: options.file,
    now: options.now ?? Date.now,
    region: options.region ?? 'us-east-1',
    accountId: options.accountId ?? '000000000000',
  });
  const server = createServer((request, response) => {
    serve(engine, request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await listen(server, options.port ?? 0).catch((error) => {
    engine.close();
    throw error;
  });
  const timer = setInterval(() => sweepQuietly(engine), options.sweepEveryMs ?? SWEEP_EVERY_MS).unref();
  const { port } = server.address() as AddressInfo;
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    clearInterval(timer);
    await close(server);
    engine.close();
  };
  return {
    endpoint: `http://127.0.0.1:${port}`,
    answer: (target, content) => replyTo(() => perform(engine, target, content)),
    perform: (target, content) => perform(engine, target, content),
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Requests under way get their answer; what is still open after a moment is cut off. */
function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), STOP_LIMIT_MS);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** A failed round (a full disk, say) is tried again by the next one: it must not end the process. */
function sweepQuietly(engine: Engine): void {
  try {
    sweep(engine);
  } catch (error) {
    console.error('DynamoDB background sweep failed:', error);
  }
}

async function serve(engine: Engine, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request).catch((error: unknown) => error as Error);
  const {
    status,
    headers,
    body: content,
  } = replyTo(() => {
    if (body instanceof Error) throw body;
    if (request.method !== 'POST') throw unknownOperation();
    return perform(engine, String(request.headers['x-amz-target'] ?? ''), parseBody(body));
  });
  response.writeHead(status, headers).end(content);
}

function replyTo(work: () => object): Reply {
  try {
    return reply(200, work());
  } catch (error) {
    const known = error instanceof DynamoDbError ? error : unforeseen(error);
    return reply(known.status, { __type: known.type, ...messageOf(known), ...known.details });
  }
}

function perform(engine: Engine, target: string, content: unknown): object {
  const operation = operationFor(target);
  if (!isObject(content)) throw serialization('The request body is not a JSON object');
  return operation(engine, content);
}

function unforeseen(error: unknown): DynamoDbError {
  console.error('DynamoDB request failed:', error);
  return internalError();
}

function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw serialization('The request body is not JSON');
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw serialization('The request body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function reply(status: number, content: object): Reply {
  const body = Buffer.from(JSON.stringify(content));
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': body.length,
    'x-amzn-requestid': randomUUID(),
    'x-amz-crc32': crc32(body),
  };
  return { status, headers, body };
}

/** AWS spells the field of a cancelled transaction with a capital. */
const messageOf = (error: DynamoDbError) =>
  error.type.endsWith('#TransactionCanceledException') ? { Message: error.message } : { message: error.message };
