import { isSettled, readLedger } from '#domain/feed/ledger.ts';
import { hourOf, wholeShop } from '#domain/feed/mark.ts';
import { keptSince } from '#domain/feed/retention.ts';
import { invalidValue } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { lastReads } from '#platform/table/heartbeat.ts';
import { utc } from '#platform/time.ts';
import type { feed } from '#schemas/families/feed.ts';
import { requireFeed } from './list-events.ts';

type Operations = typeof feed;

export const getEventLedger: Implementation<Operations['getEventLedger']> = async ({ shop, query, now }) => {
  const { endpoint } = query;
  const [from, to] = [query.from, query.to].map((time) => time && hourOf(Date.parse(utc(time))));
  if (from && to && to < from) throw invalidValue(['query', 'to'], 'must not be before from');
  // Before the counters: what it says is true of them then.
  const [found, [readUntil]] = await Promise.all([requireFeed(shop.slug, endpoint), lastReads(['counts'])]);
  const kept = hourOf(keptSince(now));
  const hours = await readLedger(found, endpoint ?? wholeShop, { from: from && from > kept ? from : kept, to });
  return hours.map(({ delivered, ...hour }) => ({
    ...hour,
    delivered: endpoint === undefined ? null : delivered,
    settled: isSettled(hour.hour, readUntil),
  }));
};
