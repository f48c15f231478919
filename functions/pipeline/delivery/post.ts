import type { Answer } from '#domain/deliveries/delivery-rules.ts';
import { type CallOptions, type CallResult, callDeadlineMs, createCall } from '#platform/outgoing/call.ts';

interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Sends and answers; never throws. */
export type Post = (outgoing: Outgoing) => Promise<Answer>;

export type PostOptions = Omit<CallOptions, 'maxBytesKept'>;

export const attemptDeadlineMs = callDeadlineMs;

export function createPost(options: PostOptions = {}): Post {
  const call = createCall({ ...options, maxBytesKept });
  return async (outgoing) => answerOf(await call({ method: 'POST', ...outgoing }));
}

function answerOf({ status, headers = {}, body, failure }: CallResult): Answer {
  if (status === undefined) return { error: failure };
  const read = body === undefined ? { error: failure } : { response: textOf(body, headers['content-encoding']) };
  if (status >= 200 && status < 300) return { status, ...read };
  return { status, ...read, error: `http_${status}`, retryAfter: [headers['retry-after']].flat()[0] };
}

/** What of an answer is kept for the merchant to see. */
const maxBytesKept = 1024;

/** As text of at most 1 KB; undefined where there is none to show. */
function textOf(beginning: Buffer, encoding: string | string[] | undefined): string | undefined {
  if (beginning.length === 0 || (encoding !== undefined && encoding !== 'identity')) return undefined;
  // A byte that is no text became three.
  return decoded(Buffer.from(decoded(beginning)).subarray(0, maxBytesKept));
}

/** Without the letter that the limit cut, if it cut one: a stream would go on with it. */
const decoded = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true });
