import type { CampaignStatus } from '#schemas/families/campaigns.ts';
import type { CampaignFields } from './campaign-records.ts';
import { hasEnded, hasStarted, isOpen, type Window } from './window.ts';

type Situation = Window & Pick<CampaignFields, 'enabled' | 'tests'>;

export function campaignStatus(campaign: Situation, now: Date): CampaignStatus {
  if (hasEnded(campaign, now)) return 'inactive';
  if (campaign.tests.some((test) => isOpen(test, now))) return 'paused';
  if (!campaign.enabled) return 'inactive';
  return hasStarted(campaign, now) ? 'active' : 'scheduled';
}
