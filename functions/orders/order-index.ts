import { type IndexRange, type Place, walkIndex } from '#shared/index-walk.ts';
import { orderIdIn } from '#shared/keys.ts';

/** A part of an index, from one time to another. */
export interface Index extends Omit<IndexRange, 'forward'> {
  name: 'timeline' | 'activity' | 'emails' | 'zip_codes' | 'names';
}

/** An order's place in an index. */
export interface Entry extends Omit<Place, 'item'> {
  orderId: string;
}

/** Entries newest first, changes oldest first, page by page; the caller stops when it has enough. */
export async function* walk(
  index: Index,
  start: Record<string, unknown> | undefined,
  limit: number,
): AsyncGenerator<Entry[]> {
  // Changes are read in the order they happened: an order that changes again comes later, and is not missed.
  const range = { ...index, forward: index.name === 'activity' };
  for await (const places of walkIndex(range, start, limit)) {
    yield places.map(({ item, key, place }) => ({ orderId: orderIdIn(String(item.pk)), key, place }));
  }
}
