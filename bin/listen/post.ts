import { Agent, request } from 'undici';

export interface Outgoing {
  headers: Record<string, string>;
  body: Buffer;
}

/** What the developer's receiver answered. `unreachable`: it answered nothing, so it may not be running. */
export type Outcome = { ms: number } & (
  | { status: number; text: string; retryAfter?: string }
  | { failure: 'unreachable' | 'timeout' }
);

export type Post = (outgoing: Outgoing) => Promise<Outcome>;

/** Somebody may look at the request in a debugger. */
const patienceMs = 60_000;

/** Of the connection, and not of the request. */
const perConnection = new Set(['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'expect']);

/** Posts the same bytes with the same headers: `fetch` would add some of its own. */
export function postTo(url: string, timeoutMs = patienceMs): Post & AsyncDisposable {
  const dispatcher = new Agent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
  const post: Post = async ({ headers, body }) => {
    const began = performance.now();
    const ms = () => Math.round(performance.now() - began);
    const passed = Object.fromEntries(Object.entries(headers).filter(([name]) => !perConnection.has(name)));
    try {
      const answer = await request(url, { method: 'POST', headers: passed, body, dispatcher });
      const text = await answer.body.text();
      const retryAfter = [answer.headers['retry-after']].flat()[0];
      return { ms: ms(), status: answer.statusCode, text, ...(retryAfter !== undefined && { retryAfter }) };
    } catch (error) {
      const isTimeout = /TIMEOUT/.test((error as { code?: string }).code ?? '');
      return { ms: ms(), failure: isTimeout ? 'timeout' : 'unreachable' };
    }
  };
  return Object.assign(post, { [Symbol.asyncDispose]: () => dispatcher.destroy() });
}

export const isAccepted = (outcome: Outcome): boolean =>
  'status' in outcome && outcome.status >= 200 && outcome.status < 300;
