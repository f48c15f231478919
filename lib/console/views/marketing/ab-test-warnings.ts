import { everybody } from '#schemas/catalogues/enumerations.ts';
import type { Campaign } from '#schemas/families/campaigns.ts';

type Known = Pick<Campaign, 'uuid' | 'name' | 'segment' | 'enabled' | 'status' | 'start_date' | 'end_date'>;

interface PlannedTest {
  segment: string;
  campaign_ids: readonly string[];
  start_date: string;
  end_date: string;
}

/**
 * What a test would do that somebody may not expect. `replaced`: a campaign of its segment that is not in the test is not shown
 * while it runs. `shared`: a running campaign goes to a part of the segment only. `disabled`: a campaign that is off is shown.
 * `over`, `notYet`: its share of the customers sees nothing.
 */
interface TestWarning {
  kind: 'replaced' | 'shared' | 'disabled' | 'over' | 'notYet';
  campaign: Known;
}

export function warningsOf(test: PlannedTest, campaigns: readonly Known[], now: number): TestWarning[] {
  const start = Date.parse(test.start_date) || now;
  const end = Date.parse(test.end_date) || Number.POSITIVE_INFINITY;
  return campaigns.flatMap((campaign): TestWarning[] => {
    const begins = Date.parse(campaign.start_date);
    const ends = campaign.end_date === null ? Number.POSITIVE_INFINITY : Date.parse(campaign.end_date);
    const isMeanwhile = begins < end && ends > start;
    const warning = (kind: TestWarning['kind']) => [{ kind, campaign }];
    if (!test.campaign_ids.includes(campaign.uuid)) {
      const isSameSegment = campaign.segment === (test.segment.trim() || everybody);
      return campaign.enabled && isSameSegment && isMeanwhile ? warning('replaced') : [];
    }
    if (ends <= start) return warning('over');
    if (begins > start) return warning('notYet');
    return warning(campaign.enabled ? 'shared' : 'disabled');
  });
}
