import { Agent, type Dispatcher } from 'undici';
import { addressFault } from './address-guard.ts';
import { guardedConnector, PrivateAddress, type Resolve, resolveByDns, resolveLocally } from './connector.ts';
import { maxBytesRead, ResponseTooLarge, readBeginning } from './response-limit.ts';

export interface Outgoing {
  method: 'GET' | 'POST' | 'DELETE';
  url: string;
  headers: Record<string, string>;
  body?: Uint8Array;
  /** Where less time is left than a call usually has. */
  deadlineMs?: number;
}

/** What came back: an answer, whole or broken off, or the reason why there is none. */
export interface CallResult {
  status?: number;
  headers?: Record<string, string | string[] | undefined>;
  /** The beginning of its body, as it was sent. */
  body?: Buffer;
  /** Why no whole answer came, in a word. */
  failure?: string;
}

/** Sends and answers; never throws, follows no redirect. */
export type Call = (outgoing: Outgoing) => Promise<CallResult>;

export interface CallOptions {
  /** Over name, connection, headers and body together. */
  deadlineMs?: number;
  allowLocal?: boolean;
  resolve?: Resolve;
  /** How much of an answer's body is kept. */
  maxBytesKept?: number;
}

export const callDeadlineMs = 10_000;

/** Requests to addresses that a caller gave us: to public ones only, each within one deadline. */
export function createCall(options: CallOptions = {}): Call {
  const { deadlineMs = callDeadlineMs, maxBytesKept = maxBytesRead } = options;
  const { allowLocal = process.env.ALLOW_LOCAL_TARGETS === 'true' } = options;
  const resolve = options.resolve ?? (allowLocal ? resolveLocally : resolveByDns);
  const connections = freshConnections(() => agentOf(resolve, allowLocal, deadlineMs));
  return async ({ url, deadlineMs: leftMs = deadlineMs, ...rest }) => {
    if ((await addressFault(url, allowLocal)) !== undefined) return { failure: 'address_not_allowed' };
    const { origin, pathname, search } = new URL(url);
    const request: Dispatcher.RequestOptions = { ...rest, origin, path: pathname + search };
    try {
      return await connections((agent) =>
        withDeadline(Math.min(leftMs, deadlineMs), (deadline) => resultOf(agent, request, maxBytesKept, deadline)),
      );
    } catch (error) {
      return { failure: failureWord(error) };
    }
  };
}

async function resultOf(
  agent: Agent,
  request: Dispatcher.RequestOptions,
  maxBytesKept: number,
  { signal, before }: Deadline,
): Promise<CallResult> {
  const { statusCode: status, headers, body } = await before(agent.request({ ...request, signal }));
  const read = await before(readBeginning(body, maxBytesKept)).then(
    (beginning) => ({ body: beginning }),
    (error) => ({ failure: failureWord(error) }),
  );
  return { status, headers, ...read };
}

const maxHeadBytes = 16 * 1024;

function agentOf(resolve: Resolve, allowLoopback: boolean, deadlineMs: number): Agent {
  return new Agent({
    connect: guardedConnector({ resolve, allowLoopback, timeoutMs: deadlineMs }),
    maxHeaderSize: maxHeadBytes,
    // Our own deadline comes first; these only clean up behind it.
    headersTimeout: 2 * deadlineMs,
    bodyTimeout: 2 * deadlineMs,
    keepAliveMaxTimeout: maxIdleMs,
    keepAliveTimeout: maxIdleMs,
  });
}

/** Between two invocations the sandbox stands still, and a target closes connections without our noticing. */
const maxIdleMs = 4_000;

/** Connections are used again within a busy period, and not after a pause. */
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
  /** Ends the request. Not enough alone: undici looks at it only once it has a connection. */
  signal: AbortSignal;
  /** Waits no longer than the deadline. */
  before<T>(waiting: Promise<T>): Promise<T>;
}

/** Runs a task with one deadline over all that it waits for. */
async function withDeadline<T>(milliseconds: number, task: (deadline: Deadline) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const passed = Promise.withResolvers<never>();
  passed.promise.catch(() => {}); // it may pass while nobody waits
  const timer = setTimeout(() => {
    const error = new DeadlinePassed();
    passed.reject(error);
    controller.abort(error);
  }, milliseconds);
  try {
    return await task({ signal: controller.signal, before: (waiting) => Promise.race([waiting, passed.promise]) });
  } finally {
    clearTimeout(timer);
  }
}

/** Why no whole answer came, in a word that a merchant understands. */
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
  // How undici takes a status below 100.
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
