import { v7 as uuidv7 } from 'uuid';
import { readCounts } from '#domain/pages/promotion-counts.ts';
import { rebook } from '#domain/promotions/calendar-store.ts';
import {
  type CampaignRecord,
  campaignBooking,
  campaignCalendar,
  campaignRecords,
  campaignStatus,
  shownCampaigns,
} from '#domain/promotions/campaign.ts';
import { discountExists } from '#domain/promotions/discount.ts';
import { mapConcurrently } from '#platform/batches.ts';
import type { Implementation } from '#platform/http/request.ts';
import { equalsOf } from '#platform/table/record.ts';
import { utc } from '#platform/time.ts';
import type { CampaignFilters, campaigns } from '#schemas/families/campaigns.ts';
import { changedCampaign, newCampaign } from './campaign-rules.ts';

export const createCampaign: Implementation<typeof campaigns.createCampaign> = async (request) => {
  const { shop, body, now } = request;
  const fields = newCampaign(body, now, () => uuidv7({ msecs: now.getTime() }));
  const campaign = await campaignRecords.create(shop.slug, now, async (uuid) => ({
    fields,
    also: [
      ...checkDiscount(shop.slug, fields.discount_id),
      ...(await rebook(campaignCalendar, shop.slug, undefined, campaignBooking(uuid, fields), now)),
    ],
  }));
  return toResponse(campaign, request);
};

export const searchCampaigns: Implementation<typeof campaigns.searchCampaigns> = async (request) => {
  const { shop, query, now } = request;
  const found = await campaignRecords.page(request, campaignFilter(query, now));
  const shown = await shownCampaigns(found, request);
  if (!query.counts) return shown;
  return mapConcurrently(
    shown,
    async (one) => ({ ...one, counts: await readCounts(shop.slug, one.uuid) }),
    maxCountReads,
  );
};

/** At once, of the campaigns of one page. */
const maxCountReads = 10;

export const getCampaign: Implementation<typeof campaigns.getCampaign> = async (request) => {
  const campaign = await campaignRecords.get(request.shop.slug, request.params.uuid);
  const [response, counts] = await Promise.all([
    toResponse(campaign, request.query.untranslated ? { ...request, language: null } : request),
    readCounts(campaign.shop_slug, campaign.uuid),
  ]);
  return { ...response, counts };
};

export const updateCampaign: Implementation<typeof campaigns.updateCampaign> = async (request) => {
  const { shop, params, body, now } = request;
  const campaign = await campaignRecords.change(shop.slug, params.uuid, request, async (before) => {
    const fields = changedCampaign(before, body, now, () => uuidv7({ msecs: now.getTime() }));
    const bookings = [campaignBooking(before.uuid, before), campaignBooking(before.uuid, fields)] as const;
    return {
      fields,
      also: [
        ...(body.discount_id ? checkDiscount(shop.slug, fields.discount_id) : []),
        ...(await rebook(campaignCalendar, shop.slug, ...bookings, now)),
      ],
    };
  });
  return toResponse(campaign, request);
};

export const deleteCampaign: Implementation<typeof campaigns.deleteCampaign> = async (request) => {
  const { shop, params, now } = request;
  await campaignRecords.remove(shop.slug, params.uuid, request, (before) =>
    rebook(campaignCalendar, shop.slug, campaignBooking(before.uuid, before), undefined, now),
  );
  return null;
};

const checkDiscount = (slug: string, discountId: string | null) =>
  discountId === null ? [] : [discountExists(slug, discountId)];

async function toResponse(campaign: CampaignRecord, viewer: Parameters<typeof shownCampaigns>[1]) {
  const [response] = await shownCampaigns([campaign], viewer);
  return response!;
}

type Test = (campaign: CampaignRecord) => boolean;

/** Undefined if the filters match every campaign. */
export function campaignFilter(filters: CampaignFilters, now: Date): Test | undefined {
  const { start_date, end_date, status, counts: _counts, ...others } = filters;
  const equals = equalsOf<CampaignRecord>(others);
  const earliestStart = start_date && utc(start_date);
  const latestEnd = end_date && utc(end_date);
  const tests: Test[] = [
    ...(equals ? [equals] : []),
    ...(earliestStart ? [(campaign: CampaignRecord) => campaign.start_date >= earliestStart] : []),
    ...(latestEnd ? [(campaign: CampaignRecord) => campaign.end_date !== null && campaign.end_date <= latestEnd] : []),
    ...(status ? [(campaign: CampaignRecord) => campaignStatus(campaign, now) === status] : []),
  ];
  return tests.length === 0 ? undefined : (campaign) => tests.every((test) => test(campaign));
}
