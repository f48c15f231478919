import { pMapSettled, pMapStop } from 'p-map';

/** Splits a list into parts of at most `size`, because AWS limits what one request can contain. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < items.length; from += size) parts.push(items.slice(from, from + size));
  return parts;
}

/**
 * The results of all items, in their order, with at most `concurrency` running at the same time. After a failure no
 * further item is started, and the first error is thrown only when all running items have ended: nothing may continue
 * in the background.
 */
export async function mapConcurrently<T, R>(
  items: Iterable<T>,
  map: (item: T) => Promise<R>,
  concurrency = Number.POSITIVE_INFINITY,
): Promise<R[]> {
  let hasFailed = false;
  const mapUnlessFailed = async (item: T): Promise<R | typeof pMapStop> => {
    if (hasFailed) return pMapStop;
    try {
      return await map(item);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const results = await pMapSettled(items, mapUnlessFailed, { concurrency });
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/**
 * Loads each name once, for example each shop of a batch. Use one for each batch only, because loaded values become
 * outdated.
 */
export function loadOnce<T>(load: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const loads = new Map<string, Promise<T>>();
  return (name) => {
    const loading = loads.get(name) ?? load(name);
    loads.set(name, loading);
    return loading;
  };
}

/** The result of the work, or this error if it takes longer. The work itself is not stopped. */
export async function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  const { promise: isLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), ms);
  try {
    return await Promise.race([work, isLate]);
  } finally {
    clearTimeout(timer);
  }
}
