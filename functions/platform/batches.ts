import { pMapSettled, pMapStop } from 'p-map';

/** A list in parts of at most `size`, the order kept: AWS bounds what one request takes. */
export function chunks<T>(items: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let from = 0; from < items.length; from += size) parts.push(items.slice(from, from + size));
  return parts;
}

/**
 * The results of all items, in their order, at most `concurrency` under way at the same time. After a failure no further
 * item is begun, and the first error waits for the others: what is under way must not go on behind who gave up.
 */
export async function mapConcurrently<T, R>(
  items: Iterable<T>,
  map: (item: T) => Promise<R>,
  concurrency = Number.POSITIVE_INFINITY,
): Promise<R[]> {
  let hasFailed = false;
  const begin = async (item: T): Promise<R | typeof pMapStop> => {
    if (hasFailed) return pMapStop;
    try {
      return await map(item);
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const results = await pMapSettled(items, begin, { concurrency });
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

/** One read for each name, such as one for each shop of a batch. Not longer than that: what was read grows old. */
export function loadOnce<T>(load: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (name) => {
    const loading = known.get(name) ?? load(name);
    known.set(name, loading);
    return loading;
  };
}
