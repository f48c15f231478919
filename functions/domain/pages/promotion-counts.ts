import { hash } from 'node:crypto';
import { logger } from '#platform/logging.ts';
import { keyOf, promotionCountPrefix, promotionCountsOf } from '#platform/table/keys.ts';
import { allItemsIn } from '#platform/table/reads.ts';
import { type Action, commit, insert, update, WriteConflict } from '#platform/table/writes.ts';
import { findPage, type Page } from './page-store.ts';

/**
 * How often a campaign was shown and followed, once for each order. The page of the order has a mark for what was
 * counted, so there is no cookie and nothing about the customer.
 */
export interface PromotionCounts {
  shown: number;
  clicked: number;
}

/** A popular campaign is counted in several items, because one item takes about a thousand writes in a second. */
const shards = 16;

interface Promotion {
  campaignId: string;
  testId: string | undefined;
  now: Date;
}

type Kind = keyof PromotionCounts;

/** Counts the first showing of a campaign on this page. It never fails: what could not be counted is left for the next view. */
export async function countShowing(page: Page, promotion: Promotion): Promise<void> {
  if (!page.shown.has(promotion.campaignId)) await count(page, promotion, ['shown']);
}

/** Counts the first click, and the showing if it was not counted. A click counts for the test of its showing. */
export async function countClick(page: Page, promotion: Promotion): Promise<void> {
  if (await countClickOn(page, promotion)) return;
  // A view counted the showing in the meantime, so the click is counted alone.
  const current = await findPage(page.token);
  if (current) await countClickOn(current, promotion);
}

async function countClickOn(page: Page, promotion: Promotion): Promise<boolean> {
  const { campaignId, now } = promotion;
  if (page.clicked.has(campaignId)) return true;
  const testId = page.shown.get(campaignId);
  if (page.shown.has(campaignId)) return count(page, { campaignId, testId, now }, ['clicked']);
  return count(page, promotion, ['shown', 'clicked']);
}

/** False if another request counted at the same time. */
async function count(page: Page, promotion: Promotion, kinds: readonly Kind[]): Promise<boolean> {
  try {
    await commit([...kinds.map((kind) => mark(page, promotion, kind)), addOne(page, promotion, kinds)]);
  } catch (error) {
    if (error instanceof WriteConflict) return false;
    logger.warn('promotion not counted', { error: (error as Error).name });
  }
  return true;
}

/**
 * Fails if it is there. The mark of a showing keeps the test, so that the click counts for the same one. By its slug the
 * figures of the day count it.
 */
function mark({ token, slug }: Page, { campaignId, testId, now }: Promotion, kind: Kind): Action {
  const key = kind === 'shown' ? keyOf.pageShown(token, campaignId) : keyOf.pageClicked(token, campaignId);
  return insert({ ...key, slug, at: now.toISOString(), ...(testId !== undefined && { test: testId }) });
}

function addOne({ token, slug }: Page, { campaignId, testId }: Promotion, kinds: readonly Kind[]): Action {
  return update(keyOf.promotionCount(slug, campaignId, testId, shardOf(token)), {
    UpdateExpression: `ADD ${kinds.map((kind) => `${kind} :one`).join(', ')}`,
    ExpressionAttributeValues: { ':one': 1 },
  });
}

const shardOf = (token: string) => Number.parseInt(hash('sha256', token).slice(0, 2), 16) % shards;

/** The counts of a campaign, in all A/B tests and outside of them, or in one test. */
export async function readCounts(slug: string, campaignId: string, testId?: string): Promise<PromotionCounts> {
  const range = testId === undefined ? {} : { prefix: promotionCountPrefix(testId) };
  const items = await allItemsIn<Partial<PromotionCounts>>(promotionCountsOf(slug, campaignId), range);
  return {
    shown: items.reduce((sum, { shown = 0 }) => sum + shown, 0),
    clicked: items.reduce((sum, { clicked = 0 }) => sum + clicked, 0),
  };
}
