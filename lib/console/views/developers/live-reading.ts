/** More than anybody reads while more arrive. */
const maxRows = 200;

/**
 * What was read replaces what was known. A known row stays only if it is older than a full page: one that the page would
 * hold, and does not, has left the filter. Newest first, as the ids sort.
 */
export function joined<D extends { id: string }>(known: readonly D[], read: readonly D[], pageSize: number): D[] {
  const oldest = read.length < pageSize ? '' : read.reduce((least, { id }) => (id < least ? id : least), read[0]!.id);
  const older = known.filter(({ id }) => id < oldest);
  return [...read, ...older].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, maxRows);
}

interface Reading {
  read: (signal: AbortSignal) => Promise<void>;
  onFailure: (error: unknown) => void;
  /** Whether another read would fail in the same way. */
  isFinal: (error: unknown) => boolean;
  /** Whether somebody looks. */
  mayRead: () => boolean;
  everyMs: number;
}

/** Reads again and again, one read at a time. After a final failure it stops until `wake`. */
export function keepReading(reading: Reading): { wake: () => void; stop: () => void } {
  const { read, onFailure, isFinal, mayRead, everyMs } = reading;
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
        isOver = isFinal(error);
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
