import { hash } from 'node:crypto';

/**
 * How many partitions each of these lists is spread over. A partition takes at most 1,000 write units a second, and the
 * partition key of a list that is written faster ends with a shard. lib/capacity.md has the arithmetic.
 */
const shardCounts = {
  /** The deliveries of one target, also those that are parked. */
  deliveries: 4,
  /** Open circuits of all targets. */
  circuits: 4,
  /**
   * The shipments of one shop by their last change, and those under way by the day of their last event: an event of a parcel
   * moves its entry, which is two writes.
   */
  shipments: 8,
  /** What is planned, of all shops: plans are made as fast as parcels are scanned. */
  due: 8,
  /** Deliveries that wait for their next attempt, of all shops. */
  retries: 8,
} as const;

type Spread = keyof typeof shardCounts;

export const shardsOf = (list: Spread): number[] => Array.from({ length: shardCounts[list] }, (_, shard) => shard);

/** The same text always has the same shard. */
export const shardIn = (list: Spread, text: string): number => hash('sha256', text, 'buffer')[0]! % shardCounts[list];
