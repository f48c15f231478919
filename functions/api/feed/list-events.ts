import type { Feed } from '#domain/feed/blocks.ts';
import { readCursor } from '#domain/feed/cursor.ts';
import { feedIn } from '#domain/feed/feed-settings.ts';
import { wholeShop } from '#domain/feed/mark.ts';
import { readFeed } from '#domain/feed/reading.ts';
import { loadSettings } from '#domain/settings/stored-settings.ts';
import { invalidValue, ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import type { feed } from '#schemas/families/feed.ts';

type Operations = typeof feed;

/** Throws feed_off, or webhook_not_found. */
export async function requireFeed(slug: string, endpoint: string | undefined): Promise<Feed> {
  const found = feedIn(slug, await loadSettings(slug));
  if (!found) throw new ServiceError('feed_off');
  if (endpoint !== undefined && !(await getItem(keyOf.webhook(slug, endpoint)))) {
    throw new ServiceError('webhook_not_found');
  }
  return found;
}

export const listEvents: Implementation<Operations['listEvents']> = async ({ shop, query, now }) => {
  const { after, limit, endpoint, ref } = query;
  const found = await requireFeed(shop.slug, endpoint);
  const cursor = after === undefined ? undefined : readCursor(after);
  if (after !== undefined && !cursor) throw invalidValue(['query', 'after'], 'is no cursor of this feed');
  return readFeed(
    found,
    { after: cursor, limit, receiver: endpoint ?? wholeShop, refs: ref === undefined ? undefined : [ref] },
    now,
  );
};
