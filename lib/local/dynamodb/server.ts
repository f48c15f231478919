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
  /** 0, the default, means any free port. */
  port?: number;
  now?: () => number;
  region?: string;
  accountId?: string;
  sweepEveryMs?: number;
}

export interface RunningDynamoDb {
  endpoint: string;
  /** Answers a request without a connection, for callers in the same process. */
  answer(target: string, content: unknown): Reply;
  /** The same, as plain values. Throws DynamoDbError. */
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
// Longer than clients keep an idle connection. A connection that closes during a request looks like a random failure.
const KEEP_ALIVE_MS = 120_000;

/** DynamoDB and DynamoDB Streams on one loopback port. */
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

/** Running requests get their response. Connections that are still open after a moment are closed. */
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

/** A failed round, for example on a full disk, must not end the process. The next round tries again. */
function sweepQuietly(engine: Engine): void {
  try {
    sweep(engine);
  } catch (error) {
    console.error('The background cleanup of the local DynamoDB failed:', error);
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
    const known = error instanceof DynamoDbError ? error : unexpected(error);
    return reply(known.status, { __type: known.type, ...messageOf(known), ...known.details });
  }
}

function perform(engine: Engine, target: string, content: unknown): object {
  const operation = operationFor(target);
  if (!isObject(content)) throw serialization('The request body is not a JSON object');
  return operation(engine, content);
}

function unexpected(error: unknown): DynamoDbError {
  console.error('A request to the local DynamoDB failed:', error);
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

/** AWS writes this field with a capital letter for a cancelled transaction. */
const messageOf = (error: DynamoDbError) =>
  error.type.endsWith('#TransactionCanceledException') ? { Message: error.message } : { message: error.message };
