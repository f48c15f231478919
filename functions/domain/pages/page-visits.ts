import { logger } from '#platform/logging.ts';
import { clickedPrefix, keyOf, pageVisits, shownPrefix, trackingPageOf } from '#platform/table/keys.ts';
import { itemsIn, queryAll } from '#platform/table/reads.ts';
import { commit, put, WriteConflict } from '#platform/table/writes.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import { pageLimits } from '#schemas/catalogues/limits.ts';
import { photosIn } from './page-photos.ts';
import { type Rating, ratingsIn } from './rating.ts';

/**
 * When customers looked at the tracking page of an order, for the order's timeline. Views that follow each other are one
 * visit, so somebody who reloads the page costs no further write.
 */

const visitMs = pageLimits.visitMinutes * 60_000;

/** The visits with this view, or undefined if it belongs to the last visit. @param visits oldest first */
export function withView(visits: readonly string[], now: Date): string[] | undefined {
  const last = visits.at(-1);
  if (last !== undefined && now.getTime() - Date.parse(last) < visitMs) return undefined;
  return [...visits, now.toISOString()].slice(-pageLimits.visits);
}

interface Visited {
  token: string;
  /** Of the shop whose figures count the visit. */
  slug: string;
  visits: readonly string[];
  /** The language of the last visit. Visits were kept without it before customers got e-mails. */
  language?: Language | undefined;
}

/**
 * It never fails: the customer sees the page also if the visit cannot be recorded.
 * @param language of the page that is looked at. E-mails have it, so a change within a visit is recorded too
 */
export async function recordView({ token, slug, visits, ...before }: Visited, language: Language, now: Date) {
  const isOther = before.language !== undefined && before.language !== language;
  const after = withView(visits, now) ?? (isOther ? visits : undefined);
  if (!after) return;
  try {
    const Item = { ...keyOf.pageVisits(token), slug, visits: after, language };
    await commit([put(Item, 'attribute_not_exists(pk) OR visits = :before', { ':before': visits })]);
  } catch (error) {
    // Another view was recorded since these visits were read, so this one is of the same visit.
    if (error instanceof WriteConflict) return;
    logger.warn('visit not recorded', { error: (error as Error).name });
  }
}

export interface PageActivity {
  /** Oldest first. */
  visits: string[];
  /** Of the last visit, if it is known. */
  language?: Language | undefined;
  /** Marks that were made before they had a time are left out. */
  promotions: { campaignId: string; what: 'shown' | 'followed'; at: string }[];
  ratings: Rating[];
  /** The URLs of photos that forms brought, also of those that made no claim. */
  photos: string[];
}

interface Item {
  sk: string;
  at?: string;
  visits?: string[];
  language?: Language;
  image_urls?: string[];
}

export async function pageActivity(token: string): Promise<PageActivity> {
  const items = await queryAll<Item & Partial<Rating>>(itemsIn(trackingPageOf(token)));
  const visited = items.find(({ sk }) => sk === pageVisits);
  const marks = (prefix: string, what: 'shown' | 'followed') =>
    items.flatMap(({ sk, at }) =>
      sk.startsWith(prefix) && at !== undefined ? [{ campaignId: sk.slice(prefix.length), what, at }] : [],
    );
  return {
    visits: visited?.visits ?? [],
    language: visited?.language,
    promotions: [...marks(shownPrefix, 'shown'), ...marks(clickedPrefix, 'followed')],
    ratings: ratingsIn(items),
    photos: photosIn(items),
  };
}
