import type { CampaignRecord } from '#domain/promotions/campaign-records.ts';
import { equalsOf } from '#domain/records/filters.ts';
import { utc } from '#platform/time.ts';
import type { CampaignFilters } from '#schemas/families/campaigns.ts';

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
