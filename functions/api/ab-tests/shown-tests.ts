import { type AbTestFields, type AbTestRecord, abTestStatus } from '#domain/promotions/ab-test-records.ts';
import { campaignRecords } from '#domain/promotions/campaign-records.ts';
import { shownCampaigns } from '#domain/promotions/shown-campaigns.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import type { AbTest } from '#schemas/families/ab-tests.ts';

interface Viewer {
  shop: { slug: string };
  language: Language;
  now: Date;
}

export const idsOf = ({ campaigns }: Pick<AbTestFields, 'campaigns'>) =>
  campaigns.map(({ campaign_id }) => campaign_id);

/** Tests as callers see them, with their campaigns. */
export async function shownTests(tests: readonly AbTestRecord[], viewer: Viewer): Promise<AbTest[]> {
  const found = await campaignRecords.byUuid(viewer.shop.slug, tests.flatMap(idsOf));
  const shown = await shownCampaigns([...found.values()], viewer);
  const byUuid = new Map(shown.map((campaign) => [campaign.uuid, campaign]));
  return tests.map(({ version: _version, ...test }) => ({
    ...test,
    campaigns: test.campaigns.map((variant) => ({ ...variant, ...byUuid.get(variant.campaign_id) })),
    status: abTestStatus(test, viewer.now),
  }));
}

export async function shownTest(test: AbTestRecord, viewer: Viewer): Promise<AbTest> {
  const [shown] = await shownTests([test], viewer);
  return shown!;
}
