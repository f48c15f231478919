import type { CampaignFilters } from '#schemas/campaigns.ts';
import { utc } from '#shared/orders/model.ts';
import type { CampaignRecord } from '#shared/promotions/campaign-records.ts';
import { equalsOf } from '#shared/records/filters.ts';

/** Whether a campaign is one of those asked for; undefined where all are. */
export function campaignFilter({
  start_date,
  end_date,
  ...others
}: CampaignFilters): ((campaign: CampaignRecord) => boolean) | undefined {
  const equals = equalsOf<CampaignRecord>(others);
  if (start_date === undefined && end_date === undefined) return equals;
  const earliestStart = start_date === undefined ? '' : utc(start_date);
  const latestEnd = end_date === undefined ? undefined : utc(end_date);
  return (campaign) =>
    (!equals || equals(campaign)) &&
    campaign.start_date >= earliestStart &&
    (latestEnd === undefined || (campaign.end_date !== null && campaign.end_date <= latestEnd));
}
