import { firstKeptHour } from '#domain/feed/cursor.ts';
import { type LedgerItem, toLedgerHour } from '#domain/feed/ledger.ts';
import { hourOf, wholeShop } from '#domain/feed/mark.ts';
import type { Implementation } from '#platform/http/request.ts';
import { feedOf, keyOf } from '#platform/table/keys.ts';
import { allItemsIn } from '#platform/table/reads.ts';
import { timeRange } from '#platform/time.ts';
import type { feed } from '#schemas/families/feed.ts';
import { requireFeed } from './list-events.ts';

type Operations = typeof feed;

export const getEventLedger: Implementation<Operations['getEventLedger']> = async ({ shop, query, now }) => {
  const { from, to, endpoint } = query;
  const { slug, generation } = await requireFeed(shop.slug, endpoint);
  const { since, until } = timeRange('query', { since: from, until: to });
  const receiver = endpoint ?? wholeShop;
  const first = [firstKeptHour(now), ...(since ? [hourOf(since)] : [])].sort().at(-1)!;
  const keyAt = (hour: string) => keyOf.ledger(slug, generation, receiver, hour).sk;
  const items = await allItemsIn<LedgerItem>(feedOf(slug), { from: keyAt(first), to: keyAt(hourOf(until ?? now)) });
  return items.map((item) => {
    const { delivered, ...hour } = toLedgerHour(generation, receiver, item);
    return { ...hour, delivered: endpoint === undefined ? null : delivered, settled: false };
  });
};
