export interface Part<T> {
  entries: T[];
  /** Where to go on; undefined at the end of the list. */
  next?: string | undefined;
}

/** Reads at most `limit` entries of a list, from its beginning or behind the place `after`. */
export type ReadPart<T> = (limit: number, after: string | undefined) => Promise<Part<T>>;

export interface Walk {
  after?: string | undefined;
  /** How many to pass over. */
  skip?: number;
  /** How many to find. */
  size: number;
}

export interface Walked<T> {
  found: T[];
  /** How many are still to be passed over, where the walk had to stop before. */
  toSkip: number;
  /** Where to go on; undefined at the end of the list. */
  next: string | undefined;
}

const mostAtOnce = 1000;
/** So that a request ends in time, however long the list is. */
const mostSteps = 10;

/** Walks a list until there are enough, at its end, or after a bounded way. */
export async function walk<T>(read: ReadPart<T>, { after, skip = 0, size }: Walk): Promise<Walked<T>> {
  const found: T[] = [];
  let toSkip = skip;
  let next = after;
  for (let step = 0; step < mostSteps; step++) {
    const limit = Math.min(toSkip + size - found.length, mostAtOnce);
    const part = await read(limit, next);
    found.push(...part.entries.slice(toSkip));
    toSkip = Math.max(0, toSkip - part.entries.length);
    next = part.next;
    if (next === undefined || found.length === size) break;
  }
  return { found, toSkip, next };
}
