import { type DeliveryFilter, listDeliveries } from '#shared/deliveries/delivery-store.ts';
import type { Delivery } from '#shared/deliveries/model.ts';

export interface Walk {
  slug: string;
  target: string;
  filter: DeliveryFilter;
  /** Begins behind this id. */
  before?: string | undefined;
  /** How many to pass over. */
  skip?: number;
  /** How many to find. */
  size: number;
}

export interface Walked {
  found: Delivery[];
  /** How many are still to be passed over, where the walk had to stop before. */
  toSkip: number;
  /** Where to go on; undefined at the end of the list. */
  next: string | undefined;
}

const mostAtOnce = 1000;
/** So that a request ends in time, however long the list is. */
const mostSteps = 10;

/** Walks the deliveries of an endpoint, newest first, until there are enough, at their end, or after a bounded way. */
export async function walk({ slug, target, filter, before, skip = 0, size }: Walk): Promise<Walked> {
  const found: Delivery[] = [];
  let toSkip = skip;
  let next = before;
  for (let step = 0; step < mostSteps; step++) {
    const limit = Math.min(toSkip + size - found.length, mostAtOnce);
    const part = await listDeliveries(slug, target, { ...filter, limit, before: next });
    found.push(...part.deliveries.slice(toSkip));
    toSkip = Math.max(0, toSkip - part.deliveries.length);
    next = part.next;
    if (next === undefined || found.length === size) break;
  }
  return { found, toSkip, next };
}
