import { Failure } from '../../api/client.ts';
import type { Delivery } from './target.ts';

/** More than anybody reads while more arrive. */
const maxRows = 200;

/**
 * What was read replaces what was known. A known row stays only if it is older than a full page: one that the page would
 * hold, and does not, has left the filter. Newest first, as the ids sort.
 */
export function joined(known: readonly Delivery[], read: readonly Delivery[], pageSize: number): Delivery[] {
  const oldest = read.length < pageSize ? '' : read.reduce((least, { id }) => (id < least ? id : least), read[0]!.id);
  const older = known.filter(({ id }) => id < oldest);
  return [...read, ...older].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, maxRows);
}

const ended = new Set(['session_required', 'invalid_merchant_or_key']);

const isSessionOver = (error: unknown) => error instanceof Failure && (error.status === 401 || ended.has(error.key));

interface Reading {
  read: (signal: AbortSignal) => Promise<void>;
  onFailure: (error: unknown) => void;
  /** Whether somebody looks. */
  mayRead: () => boolean;
  everyMs: number;
}

/**
 * Reads again and again, one read at a time. Without a session it stops until `wake`, because another request would only
 * fail again.
 */
export function keepReading({ read, onFailure, mayRead, everyMs }: Reading): { wake: () => void; stop: () => void } {
  const own = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReading = false;
  const wake = async () => {
    if (isReading || own.signal.aborted) return;
    clearTimeout(timer);
    let isOver = false;
    if (mayRead()) {
      isReading = true;
      try {
        await read(own.signal);
      } catch (error) {
        isOver = isSessionOver(error);
        if (!own.signal.aborted) onFailure(error);
      }
      isReading = false;
    }
    if (!isOver && !own.signal.aborted) timer = setTimeout(wake, everyMs);
  };
  wake();
  return {
    wake,
    stop: () => {
      own.abort();
      clearTimeout(timer);
    },
  };
}
