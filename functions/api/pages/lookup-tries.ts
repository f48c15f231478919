import { createHmac } from 'node:crypto';
import type { ShopIdentity } from '#domain/orders/model.ts';
import { oneMore } from '#platform/access/sliding-window.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import { commit, putVersion, retryOnConflict } from '#platform/table/writes.ts';
import { pageLimits } from '#schemas/catalogues/limits.ts';

const window = { max: pageLimits.lookups, ms: pageLimits.lookupMinutes * 60_000 };

/** Counts a try to find an order of the shop. Returns how long to wait, 0 if there is room for it. */
export function countLookup(shop: ShopIdentity, address: string, now: number): Promise<number> {
  const key = keyOf.lookupTries(hashOf(shop, address));
  return retryOnConflict(async () => {
    const before = await getItem<Tries>(key);
    const counted = oneMore(before?.times ?? [], now, window);
    if ('waitMs' in counted) return counted.waitMs;
    const version = (before?.version ?? 0) + 1;
    const expires_at = Math.ceil((now + window.ms) / 1000);
    await commit([putVersion({ ...key, version, times: counted.times, expires_at })]);
    return 0;
  });
}

interface Tries {
  version: number;
  times: number[];
}

/** Keyed with the id of the shop, which no page shows: there are few enough addresses to try all of them. */
const hashOf = ({ slug, uuid }: ShopIdentity, address: string) =>
  createHmac('sha256', uuid).update(`${slug} ${address}`).digest('base64url');
