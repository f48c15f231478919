import { Agent, type Dispatcher } from 'undici';
import { addressFault } from '#shared/address-guard.ts';
import type { Answer } from '#shared/deliveries/attempt-rules.ts';
import { readBeginning, textOf } from './answer-body.ts';
import { type Deadline, within } from './deadline.ts';
import { failureWord } from './failure-words.ts';
import { guardedConnector } from './guarded-connector.ts';
import { askNameServer, askThisMachine, type Resolve } from './resolve-name.ts';

export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Sends and answers; never throws. */
export type Post = (outgoing: Outgoing) => Promise<Answer>;

export interface PostOptions {
  /** Over name, connection, headers and body together. */
  deadlineMs?: number;
  allowLocal?: boolean;
  resolve?: Resolve;
}

export const attemptDeadlineMs = 10_000;

export function createPost(options: PostOptions = {}): Post {
  const { deadlineMs = attemptDeadlineMs, allowLocal = process.env.ALLOW_LOCAL_TARGETS === 'true' } = options;
  const resolve = options.resolve ?? (allowLocal ? askThisMachine : askNameServer);
  const connections = freshConnections(() => agentOf(resolve, allowLocal, deadlineMs));
  return async ({ url, headers, body }) => {
    if ((await addressFault(url, allowLocal)) !== undefined) return { error: 'address_not_allowed' };
    const { origin, pathname, search } = new URL(url);
    const request: Dispatcher.RequestOptions = { origin, path: pathname + search, method: 'POST', headers, body };
    try {
      return await connections((agent) => within(deadlineMs, (deadline) => answerOf(agent, request, deadline)));
    } catch (error) {
      return { error: failureWord(error) };
    }
  };
}

async function answerOf(
  agent: Agent,
  request: Dispatcher.RequestOptions,
  { signal, before }: Deadline,
): Promise<Answer> {
  const { statusCode: status, headers, body } = await before(agent.request({ ...request, signal }));
  const read = await before(readBeginning(body)).then(
    (beginning) => ({ response: textOf(beginning, headers['content-encoding']) }),
    (error) => ({ error: failureWord(error) }),
  );
  const { 'retry-after': retryAfter } = headers;
  if (status >= 200 && status < 300) return { status, ...read };
  return { status, ...read, error: `http_${status}`, retryAfter: [retryAfter].flat()[0] };
}

const largestHead = 16 * 1024;

function agentOf(resolve: Resolve, allowLoopback: boolean, deadlineMs: number): Agent {
  return new Agent({
    connect: guardedConnector({ resolve, allowLoopback, timeoutMs: deadlineMs }),
    maxHeaderSize: largestHead,
    // Our own deadline comes first; these only clean up behind it.
    headersTimeout: 2 * deadlineMs,
    bodyTimeout: 2 * deadlineMs,
    keepAliveMaxTimeout: longestIdleMs,
    keepAliveTimeout: longestIdleMs,
  });
}

/** Between two invocations the sandbox stands still, and a target closes connections without our noticing. */
const longestIdleMs = 4_000;

/** Connections are used again within a busy period, and not after a pause. */
function freshConnections(open: () => Agent) {
  let agent: Agent | undefined;
  let inUse = 0;
  let usedAt = 0;
  return async <T>(use: (agent: Agent) => Promise<T>): Promise<T> => {
    if (inUse === 0 && Date.now() - usedAt > longestIdleMs / 2) {
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
