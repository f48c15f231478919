import { Pool } from 'undici';
import { basic } from '#test/e2e/kit/client.ts';
import { Sketch } from './sketch.ts';

/** What was asked of one operation. */
export interface OperationRow {
  waits: Sketch;
  maxMs: number;
  requests: number;
  /** Without an answer, because the stack was killed: sent again. */
  unanswered: number;
  /** Answered with 429 or 5xx: sent again. */
  refused: number;
}

export interface DayRequest {
  /** The name under which it is counted. */
  operation: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  path: string;
  body?: string | Buffer | null;
  headers?: Record<string, string>;
  /** Instead of sending it again after no answer: whether the first one was done after all. */
  wasDone?: () => Promise<boolean>;
}

export interface DayAnswer {
  status: number;
  text: string;
}

const retryAfterMs = 200;
/** Then the last answer counts, or that there was none: more than a minute and a half. */
const mostTries = 500;
/** Only a hang takes longer. */
const timeoutMs = 60_000;

/** A merchant's client: keeps its connections, and sends again what got no answer. */
export class DayClient {
  readonly rows = new Map<string, OperationRow>();
  requests = 0;
  /** Of this half hour. Whoever looks at each of them puts a new one here. */
  recentWaits = new Sketch();
  #pool: Pool;
  /** Resolves when the stack is there. */
  #ready: Promise<unknown> = Promise.resolve();
  readonly #headers: Record<string, string>;

  constructor(url: string, connections: number, key: string) {
    this.#pool = new Pool(url, { connections, headersTimeout: timeoutMs, bodyTimeout: timeoutMs });
    this.#headers = { authorization: basic(key), 'content-type': 'application/json' };
  }

  /** Requests that get no answer until then are sent again after it. */
  awayUntil(ready: Promise<unknown>): void {
    this.#ready = ready;
  }

  /** Returns the first answer that is no 429 and no 5xx, or after many tries the last one; its status is 0 if there was none. */
  async send(request: DayRequest): Promise<DayAnswer> {
    const row = this.#row(request.operation);
    let answer: DayAnswer | undefined;
    for (let tries = 0; tries < mostTries; tries++) {
      await this.#ready;
      const began = performance.now();
      row.requests += 1;
      answer = await this.#answer(request);
      if (answer === undefined) {
        row.unanswered += 1;
        await this.#ready;
        if (await request.wasDone?.()) return { status: 200, text: '' };
      } else if (answer.status === 429 || answer.status >= 500) {
        row.refused += 1;
        await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
      } else {
        this.#note(row, performance.now() - began);
        return answer;
      }
    }
    return answer ?? { status: 0, text: 'no answer' };
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }

  /** Undefined without an answer. Then the stack was killed, and the driver says until when, or it hangs. */
  async #answer({ method, path, body = null, headers = this.#headers }: DayRequest): Promise<DayAnswer | undefined> {
    try {
      const { statusCode, body: content } = await this.#pool.request({ method, path, body, headers });
      return { status: statusCode, text: await content.text() };
    } catch {
      // The driver hears of the end of the process a moment later.
      await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
      return undefined;
    }
  }

  #note(row: OperationRow, ms: number): void {
    row.waits.add(ms);
    row.maxMs = Math.max(row.maxMs, ms);
    this.recentWaits.add(ms);
    this.requests += 1;
  }

  #row(operation: string): OperationRow {
    const found = this.rows.get(operation);
    if (found) return found;
    const row = { waits: new Sketch(), maxMs: 0, requests: 0, unanswered: 0, refused: 0 };
    this.rows.set(operation, row);
    return row;
  }
}
