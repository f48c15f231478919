/** Where the shipments of a shop are listed: before a stage spreads them, long after, and in between. */
export const spreads = ['in one list', 'in shards', 'half of them in shards'] as const;
export type Spread = (typeof spreads)[number];

/** What a function writes that has the setting, or not. @param n counts what is written */
export function writtenAs<T>(spread: Spread, n: number, write: () => T): T {
  const before = process.env.SPREAD_SHIPMENTS;
  process.env.SPREAD_SHIPMENTS = String(spread === 'in shards' || (spread !== 'in one list' && n % 2 === 0));
  try {
    return write();
  } finally {
    if (before === undefined) delete process.env.SPREAD_SHIPMENTS;
    else process.env.SPREAD_SHIPMENTS = before;
  }
}
