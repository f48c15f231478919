import { logger } from '#platform/logging.ts';
import { clickedPrefix, keyOf, pageVisits, shownPrefix, trackingPageOf } from '#platform/table/keys.ts';
import { itemsIn, queryAll } from '#platform/table/reads.ts';
import { commit, put, WriteConflict } from '#platform/table/writes.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import { pageLimits } from '#schemas/catalogues/limits.ts';
import { photosIn } from './page-photos.ts';

/**
 * When customers looked at the tracking page of an order, for the order's timeline, and in which language, for e-mails. Views
 * that follow each other are one visit, so somebody who reloads the page costs no further write.
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
  visits: readonly string[];
  /** Of the last visit. Null if nobody looked, or before it was kept. */
  language: Language | null;
}

/** It never fails: the customer sees the page also if the visit cannot be recorded. */
export async function recordView({ token, visits, language: before }: Visited, now: Date, language: Language) {
  const after = withView(visits, now) ?? (language === before ? undefined : visits);
  if (!after) return;
  try {
    const Item = { ...keyOf.pageVisits(token), visits: after, language };
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
  /** The language of the last one. */
  language: Language | null;
  /** Marks that were made before they had a time are left out. */
  promotions: { campaignId: string; what: 'shown' | 'followed'; at: string }[];
  /** The URLs of photos that forms brought, also of those that made no claim. */
  photos: string[];
}

export async function pageActivity(token: string): Promise<PageActivity> {
  const items = await queryAll<{
    sk: string;
    at?: string;
    visits?: string[];
    language?: Language;
    image_urls?: string[];
  }>(itemsIn(trackingPageOf(token)));
  const marks = (prefix: string, what: 'shown' | 'followed') =>
    items.flatMap(({ sk, at }) =>
      sk.startsWith(prefix) && at !== undefined ? [{ campaignId: sk.slice(prefix.length), what, at }] : [],
    );
  const visited = items.find(({ sk }) => sk === pageVisits);
  return {
    visits: visited?.visits ?? [],
    language: visited?.language ?? null,
    promotions: [...marks(shownPrefix, 'shown'), ...marks(clickedPrefix, 'followed')],
    photos: photosIn(items),
  };
}
