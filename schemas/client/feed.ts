import { ApiError, ConnectionError } from './errors.ts';
import type { Operations, WebhookEvent } from './types.ts';
import { maxWaitSeconds, wait } from './wait.ts';

type Page = Operations['listEvents']['answer'];
type Listed = Page['events'][number];

/** What happened. With `endpoint`, `id` is the `webhook-id` of the delivery. */
export type ToldEvent = Required<Omit<Listed, 'payload' | 'erased'>> & {
  /** Null if it is too large for an answer. */
  payload: WebhookEvent | null;
  erased?: undefined;
};

/** The order of the event was erased: only its id and its time are left. */
export type ErasedEvent = Pick<Listed, 'id' | 'at' | 'cursor'> & { erased: true };

/** How long to wait after failures in a row: each time twice as long. */
export interface Pauses {
  firstMs: number;
  maxMs: number;
}

export type FeedQuery = Operations['listEvents']['query'];

export type EventsOptions = FeedQuery & {
  /** `end`: the loop ends when it has read all that is there. Without it, it waits for more. */
  until?: 'end' | undefined;
  /** Ends the loop. If it was to read until the end, the loop throws the reason, because it has not read all. */
  signal?: AbortSignal | undefined;
  /** Is told what failed, before the same is tried again. */
  onRetry?: ((error: ApiError | ConnectionError, waitMs: number) => void) | undefined;
  /** None is longer than `maxMs`, unless the service asks for it. Default: from 200 ms to 30 seconds. */
  pauses?: Pauses | undefined;
};

/** All events, in the order of the feed. A loop that follows another one goes on where that one was. */
export interface Events extends AsyncIterable<ToldEvent | ErasedEvent, void, undefined> {
  /** Behind the last event that the loop is done with. Keep it, and go on `after` it. */
  readonly cursor: string | undefined;
}

const usualPauses: Pauses = { firstMs: 200, maxMs: 30_000 };
const longestWaitSeconds = 20;
/** Between two questions, if the service did not wait: where too many wait already, it answers at once. */
const idleMs = 1000;

/** @param load asks for a page once, and throws what it gets instead of one */
export function followFeed(load: (query: FeedQuery) => Promise<unknown>, options: EventsOptions): Events {
  const { until, signal, onRetry, pauses = usualPauses, after, ...rest } = options;
  const query = { ...rest, wait: until === 'end' ? 0 : (rest.wait ?? longestWaitSeconds) };
  let cursor = after;

  /** Nothing moves before a page is here as a whole, so a question that failed is asked again as it was. */
  async function page(): Promise<Page> {
    for (let failures = 0; ; failures++) {
      try {
        return pageIn(await load({ ...query, after: cursor }));
      } catch (error) {
        if (signal?.aborted || !isPassing(error)) throw error;
        const waitMs = pauseAfter(error, failures, pauses);
        onRetry?.(error, waitMs);
        await wait(waitMs, signal);
      }
    }
  }

  async function* all(): AsyncGenerator<ToldEvent | ErasedEvent, void, undefined> {
    for (;;) {
      const asked = Date.now();
      const { events, next, at_end } = await page();
      for (const event of events) {
        signal?.throwIfAborted();
        yield event as ToldEvent | ErasedEvent;
        cursor = event.cursor;
      }
      cursor = next;
      if (at_end && until === 'end') return;
      if (at_end && events.length === 0 && Date.now() - asked < idleMs)
        await wait(Math.min(idleMs, pauses.maxMs), signal);
    }
  }

  async function* untilAborted() {
    try {
      yield* all();
    } catch (error) {
      if (!signal?.aborted || until === 'end') throw error;
    }
  }

  return {
    get cursor() {
      return cursor;
    },
    [Symbol.asyncIterator]: untilAborted,
  };
}

/** Something between us and the service may answer in its place. */
function pageIn(answer: unknown): Page {
  const { events, next } = (answer ?? {}) as Partial<Page>;
  if (!Array.isArray(events) || typeof next !== 'string') {
    throw new ConnectionError('The answer is not from the service.');
  }
  return answer as Page;
}

const isPassing = (error: unknown): error is ApiError | ConnectionError =>
  error instanceof ConnectionError || (error instanceof ApiError && (error.status === 429 || error.status >= 500));

function pauseAfter(error: ApiError | ConnectionError, failures: number, { firstMs, maxMs }: Pauses): number {
  const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
  return Math.max(Math.min(firstMs * 2 ** failures, maxMs), Math.min(asked, maxWaitSeconds) * 1000);
}

/**
 * The digest of these ids, as the ledger has it: the sum of their SHA-256 modulo 2^256, in hex. Their order does not matter.
 * Name each once.
 */
export async function digestOf(ids: Iterable<string>): Promise<string> {
  let sum = 0n;
  for (const id of ids) {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(id)));
    sum += BigInt(`0x${hexOf(hash)}`);
  }
  return BigInt.asUintN(256, sum).toString(16).padStart(64, '0');
}

const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
