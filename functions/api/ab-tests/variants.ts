import type { Entry } from '#domain/promotions/calendar.ts';
import { type CampaignRecord, campaignKind } from '#domain/promotions/campaign-records.ts';
import { hasEnded } from '#domain/promotions/window.ts';
import { replacement } from '#domain/records/record-steps.ts';
import type { WriteStep } from '#domain/records/write-steps.ts';

/**
 * A campaign holds the periods of the tests that it belongs to, so that its status is known from itself. Written only as
 * long as the campaign is as it was read: so nobody deletes it or changes its type meanwhile.
 */
export function joining(campaigns: readonly CampaignRecord[], test: Entry, now: Date): WriteStep[] {
  return campaigns.flatMap((campaign) => withTests(campaign, [...othersOf(campaign, test.uuid, now), test]));
}

export function leaving(campaigns: Iterable<CampaignRecord>, uuid: string, now: Date): WriteStep[] {
  return [...campaigns].flatMap((campaign) => withTests(campaign, othersOf(campaign, uuid, now)));
}

const othersOf = ({ tests }: CampaignRecord, uuid: string, now: Date) =>
  tests.filter((test) => test.uuid !== uuid && !hasEnded(test, now));

const withTests = (campaign: CampaignRecord, tests: Entry[]) =>
  replacement(campaignKind, campaign, { ...campaign, tests, version: campaign.version + 1 });
