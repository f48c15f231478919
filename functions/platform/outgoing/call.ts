import { EventEmitter } from 'node:events';
import { Agent, type Dispatcher } from 'undici';
import { remembered } from '#platform/recently-used.ts';
import { addressFault } from './address-guard.ts';
import {
  type Guard,
  guardedConnector,
  PrivateAddress,
  type Resolve,
  resolveByDns,
  resolveLocally,
} from './connector.ts';
import { ResponseTooLarge, readBeginning, maxBytesRead as usualBytesRead } from './response-limit.ts';

export interface Outgoing {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: Uint8Array;
  /** Set if less time is left than the usual deadline. */
  deadlineMs?: number;
}

/** The response, complete or incomplete, or the reason why there is none. */
export interface CallResult {
  status?: number;
  headers?: Record<string, string | string[] | undefined>;
  /** The beginning of the body, as it was sent. */
  body?: Buffer;
  /** Why there is no complete response, as a short code. */
  failure?: string;
}

/** Sends a request. It never throws and follows no redirects. */
export type Call = (outgoing: Outgoing) => Promise<CallResult>;

export interface CallOptions {
  /** For name resolution, connection, headers and body together. */
  deadlineMs?: number;
  allowLocal?: boolean;
  resolve?: Resolve;
  /** How many bytes of the response body are read. Set if a longer answer is of use. */
  maxBytesRead?: number;
  /** How many of them are kept. Default: all. */
  maxBytesKept?: number;
}

export const callDeadlineMs = 10_000;

/** Sends requests to URLs that a caller gave us: only to public addresses, each within one deadline. */
export function createCall(options: CallOptions = {}): Call {
  const { deadlineMs = callDeadlineMs, maxBytesRead = usualBytesRead, maxBytesKept = maxBytesRead } = options;
  const { allowLocal = process.env.ALLOW_LOCAL_TARGETS === 'true' } = options;
  const resolve = options.resolve ?? (allowLocal ? resolveLocally : resolveByDns);
  const connections = freshConnections(() =>
    agentOf({ resolve, allowLoopback: allowLocal, timeoutMs: deadlineMs, maxBytesRead }),
  );
  const addressOf = remembered(async (url: string) =>
    (await addressFault(url, allowLocal)) === undefined ? placeOf(url) : undefined,
  );
  return async ({ url, deadlineMs: requestDeadlineMs = deadlineMs, ...rest }) => {
    const place = await addressOf(url);
    if (!place) return { failure: 'address_not_allowed' };
    const request: Dispatcher.RequestOptions = { ...rest, ...place };
    try {
      return await connections((agent) =>
        withDeadline(Math.min(requestDeadlineMs, deadlineMs), (deadline) =>
          resultOf(agent, request, { maxBytesKept, maxBytesRead }, deadline),
        ),
      );
    } catch (error) {
      return { failure: failureWord(error) };
    }
  };
}

/** The parts of an address that is asked often are kept: to take it apart and to check its text takes 5 % of a delivery. */
function placeOf(url: string): Pick<Dispatcher.RequestOptions, 'origin' | 'path'> {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: pathname + search };
}

async function resultOf(
  agent: Agent,
  request: Dispatcher.RequestOptions,
  { maxBytesKept, maxBytesRead }: Required<Pick<CallOptions, 'maxBytesKept' | 'maxBytesRead'>>,
  { signal, before }: Deadline,
): Promise<CallResult> {
  const { statusCode: status, headers, body } = await before(agent.request({ ...request, signal }));
  const read = await before(readBeginning(body, maxBytesKept, maxBytesRead)).then(
    (beginning) => ({ body: beginning }),
    (error) => ({ failure: failureWord(error) }),
  );
  return { status, headers, ...read };
}

const maxHeadBytes = 16 * 1024;

function agentOf(guard: Guard): Agent {
  const { timeoutMs: deadlineMs } = guard;
  return new Agent({
    connect: guardedConnector(guard),
    maxHeaderSize: maxHeadBytes,
    // Our own deadline comes first. These only clean up after it.
    headersTimeout: 2 * deadlineMs,
    bodyTimeout: 2 * deadlineMs,
    keepAliveMaxTimeout: maxIdleMs,
    keepAliveTimeout: maxIdleMs,
  });
}

/** Between two invocations the sandbox is frozen, and a target may close connections without our noticing. */
const maxIdleMs = 4_000;

/** Reuses connections while requests follow each other, but not after a pause. */
function freshConnections(open: () => Agent) {
  let agent: Agent | undefined;
  let inUse = 0;
  let usedAt = 0;
  return async <T>(use: (agent: Agent) => Promise<T>): Promise<T> => {
    if (inUse === 0 && Date.now() - usedAt > maxIdleMs / 2) {
      void agent?.destroy();
      agent = undefined;
    }
    agent ??= open();
    inUse++;
    try {
      return await use(agent);
    } finally {
      inUse--;
      usedAt = Date.now();
    }
  };
}

class DeadlinePassed extends Error {
  override readonly name = 'DeadlinePassed';
}

interface Deadline {
  /**
   * Aborts the request. This alone is not enough, because undici checks it only after it has a connection. An emitter,
   * which undici takes as well, because Node takes several times longer for an AbortSignal.
   */
  signal: EventEmitter;
  /** Rejects when the deadline passes. */
  before<T>(waiting: Promise<T>): Promise<T>;
}

/** Runs a task with one deadline for everything that it waits for. */
async function withDeadline<T>(milliseconds: number, task: (deadline: Deadline) => Promise<T>): Promise<T> {
  const signal = new EventEmitter();
  const passed = Promise.withResolvers<never>();
  passed.promise.catch(() => {}); // the deadline may pass while nothing waits for it
  const timer = setTimeout(() => {
    passed.reject(new DeadlinePassed());
    signal.emit('abort');
  }, milliseconds);
  try {
    return await task({ signal, before: (waiting) => Promise.race([waiting, passed.promise]) });
  } finally {
    clearTimeout(timer);
  }
}

/** A short code that merchants understand, for why there is no complete response. */
function failureWord(error: unknown): string {
  if (error instanceof DeadlinePassed) return 'timeout';
  if (error instanceof PrivateAddress) return 'private_address';
  if (error instanceof ResponseTooLarge) return 'answer_too_large';
  const { name, code = '' } = error as NodeJS.ErrnoException;
  if (name === 'HTTPParserError') return 'malformed_answer';
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_)/.test(code)) return 'tls_error';
  return wordOf[code] ?? 'connection_failed';
}

const wordOf: Record<string, string> = {
  ECONNREFUSED: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers_too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'malformed_answer',
  // undici's error for a status below 100.
  ERR_ASSERTION: 'malformed_answer',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  ENOTFOUND: 'name_not_found',
  ENODATA: 'name_not_found',
  EBADNAME: 'name_not_found',
  EAI_AGAIN: 'name_server_failed',
  ESERVFAIL: 'name_server_failed',
  EREFUSED: 'name_server_failed',
  ETIMEOUT: 'name_server_failed',
  EPROTO: 'tls_error',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_error',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_error',
};
