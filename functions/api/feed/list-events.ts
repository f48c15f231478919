import type { Feed } from '#domain/feed/blocks.ts';
import { type Cursor, readCursor } from '#domain/feed/cursor.ts';
import { feedIn } from '#domain/feed/feed-settings.ts';
import { wholeShop } from '#domain/feed/mark.ts';
import { type FeedPage, readFeed } from '#domain/feed/reading.ts';
import { loadSettings } from '#domain/settings/stored-settings.ts';
import { invalidValue, ServiceError } from '#platform/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import { utc } from '#platform/time.ts';
import type { feed } from '#schemas/families/feed.ts';
import { type Clock, lookUntil, realClock, takeWaitingPlace } from './waiting.ts';

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

function cursorIn(slug: string, after: string | undefined): Cursor | undefined {
  if (after === undefined) return undefined;
  const cursor = readCursor(slug, after);
  if (!cursor) throw invalidValue(['query', 'after'], 'is no cursor of this feed');
  return cursor;
}

/** Behind a page without events more may follow, if none of those that it looked at is asked for. */
const isIdle = ({ events, at_end }: FeedPage): boolean => events.length === 0 && at_end;

export function listEventsWith(clock: Clock): Implementation<Operations['listEvents']> {
  return async ({ shop: { slug }, query, now, remainingMs, setWaited }) => {
    const { after, from, limit, wait, endpoint, ref } = query;
    const found = await requireFeed(slug, endpoint);
    const question = {
      limit,
      from: from === undefined ? undefined : Date.parse(utc(from)),
      receiver: endpoint ?? wholeShop,
      refs: ref === undefined ? undefined : [ref],
    };
    const lookFrom = (cursor: Cursor | undefined, at: Date) => readFeed(found, { ...question, after: cursor }, at);
    const first = await lookFrom(cursorIn(slug, after), now);
    if (wait === 0 || !isIdle(first)) return first;

    const waitMs = wait * 1000;
    const leave = await takeWaitingPlace(slug, clock.now(), waitMs);
    if (!leave) return first;
    try {
      const look = ({ next }: FeedPage, at: Date) => lookFrom(readCursor(slug, next), at);
      const last = await lookUntil({ first, isIdle, look, waitMs, remainingMs, setWaited }, clock);
      await requireSame(found, endpoint);
      return last;
    } finally {
      await leave();
    }
  };
}

/** While a request waited, the shop may have switched its feed off, and on again, or removed the endpoint. */
async function requireSame({ slug, generation }: Feed, endpoint: string | undefined): Promise<void> {
  const now = await requireFeed(slug, endpoint);
  if (now.generation !== generation) throw new ServiceError('cursor_expired');
}

export const listEvents = listEventsWith(realClock);
