import { gunzipSync, gzipSync } from 'node:zlib';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { abTestCalendar, abTestRecords } from '#domain/promotions/ab-test.ts';
import { announcementKind } from '#domain/promotions/announcement.ts';
import type { Window } from '#domain/promotions/calendar.ts';
import { openInAnySegment } from '#domain/promotions/calendar-store.ts';
import { campaignCalendar, campaignRecords } from '#domain/promotions/campaign.ts';
import { byRank, dealRecords } from '#domain/promotions/deal.ts';
import { discountsNamed } from '#domain/promotions/discount.ts';
import type { StoredSettings } from '#domain/settings/stored-settings.ts';
import type { ShopItem } from '#platform/access/caller.ts';
import { ServiceError } from '#platform/errors.ts';
import { logger } from '#platform/logging.ts';
import { table, tableName } from '#platform/table/client.ts';
import { keyOf, storefrontOf, storefrontVersion } from '#platform/table/keys.ts';
import { batchGet, getItem, itemsIn, queryAll } from '#platform/table/reads.ts';
import { newestRecords } from '#platform/table/records.ts';
import { secondsOfDays, storefrontLimits } from '#schemas/catalogues/limits.ts';
import {
  bareStorefront,
  discountCodeOf,
  newestOfEachLanguage,
  type Storefront,
  toStorefrontCampaign,
  toStorefrontDeal,
  toStorefrontTest,
} from './storefront.ts';

/**
 * A view of everything that a shop shows to all its customers, in one compressed item. Every transaction that changes a
 * part of it counts up the version. A view is right as long as it has been made for the present version, so nobody has
 * to remove it, and a view that was made while something changed is never used. So it may stay in memory, too: who has one
 * reads only the version, which is half a unit however much the shop shows.
 */

interface StoredVersion {
  sk: string;
  version: number;
}

interface StoredView extends StoredVersion {
  valid_until: string;
  document: Uint8Array;
}

/** Undefined if the shop does not exist. */
export async function readStorefront(slug: string, now: Date): Promise<Storefront | undefined> {
  return (await inMemory(slug, now)) ?? (await stored(slug, now)) ?? makeStorefront(slug, now);
}

async function inMemory(slug: string, now: Date): Promise<Storefront | undefined> {
  const kept = keptViews.get(slug);
  if (!kept || kept.valid_until <= now.toISOString()) return undefined;
  const [present] = await batchGet([keyOf.storefrontVersion(slug)], { ConsistentRead: false });
  if (present?.version !== kept.version) return undefined;
  becomesNewest(slug, kept);
  return kept.storefront;
}

async function stored(slug: string, now: Date): Promise<Storefront | undefined> {
  const items = await queryAll<StoredVersion | StoredView>(itemsIn(storefrontOf(slug)));
  const version = items.find(({ sk }) => sk === storefrontVersion)?.version ?? 0;
  const view = items.find((item): item is StoredView => 'document' in item);
  if (view?.version !== version || view.valid_until <= now.toISOString()) return undefined;
  const storefront = unpacked(view.document);
  if (storefront) keep(slug, { version, valid_until: view.valid_until, storefront, bytes: view.document.length });
  return storefront;
}

interface KeptView extends Pick<StoredView, 'version' | 'valid_until'> {
  storefront: Storefront;
  /** Of the compressed document. */
  bytes: number;
}

const keptViews = new Map<string, KeptView>();

function becomesNewest(slug: string, view: KeptView): void {
  keptViews.delete(slug);
  keptViews.set(slug, view);
}

/**
 * Keeps what was used last. A shop that has never changed anything has no version, by which its view could be told from that
 * of a shop that had its slug before.
 */
function keep(slug: string, view: KeptView): void {
  if (view.version === 0) return;
  becomesNewest(slug, view);
  let bytes = [...keptViews.values()].reduce((sum, kept) => sum + kept.bytes, 0);
  for (const [oldest, kept] of keptViews) {
    if (bytes <= storefrontLimits.bytesInMemory) return;
    keptViews.delete(oldest);
    bytes -= kept.bytes;
  }
}

async function makeStorefront(slug: string, now: Date): Promise<Storefront | undefined> {
  // Before everything else is read: what changes from now on has a higher version.
  const { version = 0 } = (await getItem<StoredVersion>(keyOf.storefrontVersion(slug))) ?? {};
  const until = new Date(now.getTime() + storefrontLimits.minutes * 60_000);
  const storefront = await gather(slug, { start_date: now.toISOString(), end_date: until.toISOString() });
  if (storefront) await storeView(slug, version, storefront, until);
  return storefront;
}

async function storeView(slug: string, version: number, storefront: Storefront, until: Date): Promise<void> {
  const document = gzipSync(JSON.stringify(storefront));
  const bytes = document.length;
  if (bytes > storefrontLimits.bytes) return;
  const expires_at = Math.floor(until.getTime() / 1000) + secondsOfDays(1);
  const valid_until = until.toISOString();
  const view = { version, valid_until, document, expires_at };
  keep(slug, { version, valid_until, storefront, bytes });
  try {
    await table.send(new PutCommand({ TableName: tableName(), Item: { ...keyOf.storefrontView(slug), ...view } }));
  } catch (error) {
    // The customer has the page already; the next one makes the view again.
    logger.warn('storefront not stored', { error: (error as Error).name });
  }
}

/** Undefined if another version packed it in a way that this one does not know: the view is made anew. */
function unpacked(document: Uint8Array): Storefront | undefined {
  try {
    return JSON.parse(gunzipSync(document).toString('utf8'));
  } catch (error) {
    logger.warn('storefront not readable', { error: (error as Error).name });
    return undefined;
  }
}

/** Reads everything as the last write left it. */
async function gather(slug: string, period: Window): Promise<Storefront | undefined> {
  const [shop, settings = {}] = (await batchGet([keyOf.shop(slug), keyOf.settings(slug)])) as unknown as [
    ShopItem | undefined,
    StoredSettings | undefined,
  ];
  // Before the rest is read: anybody may ask for the page of any slug.
  if (!shop) return undefined;
  const [deals, announcements, promotions] = await Promise.all([
    firstDeals(slug),
    newestRecords(announcementKind, slug, storefrontLimits.announcementsRead),
    openPromotions(slug, period),
  ]);
  return { ...bareStorefront(shop, settings), deals, announcements: newestOfEachLanguage(announcements), promotions };
}

async function firstDeals(slug: string): Promise<Storefront['deals']> {
  const all = await orNull(dealRecords.all(slug));
  const first = (all ?? []).sort(byRank).slice(0, storefrontLimits.deals);
  const codes = await codesOf(first);
  return first.map((deal) => toStorefrontDeal(deal, codes.get(deal.discount_id) ?? null));
}

async function openPromotions(slug: string, period: Window): Promise<Storefront['promotions']> {
  const found = await orNull(
    Promise.all(
      [campaignCalendar, abTestCalendar].map((kind) => openInAnySegment(kind, slug, period, () => tooMuch())),
    ),
  );
  const [campaignIds = [], testIds = []] = found ?? [];
  if (!found || campaignIds.length + testIds.length > storefrontLimits.promotions) return null;
  const tests = [...(await abTestRecords.byUuid(slug, testIds)).values()];
  const variants = tests.flatMap((test) => test.campaigns.map(({ campaign_id }) => campaign_id));
  const campaigns = [...(await campaignRecords.byUuid(slug, [...campaignIds, ...variants])).values()];
  const codes = await codesOf(campaigns);
  return {
    campaigns: campaigns.map((campaign) => toStorefrontCampaign(campaign, discountCodeOf(campaign, codes))),
    tests: tests.map(toStorefrontTest),
  };
}

/** The promotion codes of the discounts that the records refer to, by the uuid of the discount. */
export async function codesOf(references: Parameters<typeof discountsNamed>[0]): Promise<Map<string, string | null>> {
  const discounts = await discountsNamed(references);
  return new Map([...discounts].map(([uuid, { code }]) => [uuid, code]));
}

/** A list that is too long to read must not cost customers their page. */
async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ServiceError && error.key === 'payload_too_large') return null;
    throw error;
  }
}

const tooMuch = () => new ServiceError('payload_too_large');
