import type { Answer } from '#domain/deliveries/attempt-rules.ts';
import { type CallOptions, callDeadlineMs, createCall, type Outcome } from '#platform/outgoing/call.ts';
import { mostKept, textOf } from './answer-text.ts';

export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** Sends and answers; never throws. */
export type Post = (outgoing: Outgoing) => Promise<Answer>;

export type PostOptions = Omit<CallOptions, 'mostKept'>;

export const attemptDeadlineMs = callDeadlineMs;

export function createPost(options: PostOptions = {}): Post {
  const call = createCall({ ...options, mostKept });
  return async (outgoing) => answerOf(await call({ method: 'POST', ...outgoing }));
}

function answerOf({ status, headers = {}, body, failure }: Outcome): Answer {
  if (status === undefined) return { error: failure };
  const read = body === undefined ? { error: failure } : { response: textOf(body, headers['content-encoding']) };
  if (status >= 200 && status < 300) return { status, ...read };
  return { status, ...read, error: `http_${status}`, retryAfter: [headers['retry-after']].flat()[0] };
}
