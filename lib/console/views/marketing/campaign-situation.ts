import type { Campaign } from '#schemas/families/campaigns.ts';

/** How a campaign stands, in words for people: the API calls what has ended and what is off `inactive`. */
type CampaignSituation = 'running' | 'testing' | 'planned' | 'ended' | 'off';

type Situated = Pick<Campaign, 'status' | 'end_date'>;

export function situationOf({ status, end_date }: Situated, now: number): CampaignSituation {
  if (end_date !== null && Date.parse(end_date) <= now) return 'ended';
  return ({ active: 'running', paused: 'testing', scheduled: 'planned', inactive: 'off' } as const)[status];
}

/** The name of a sentence that says when a campaign runs. */
type CampaignEffect = 'off' | 'ended' | 'testing' | 'fromUntil' | 'from' | 'nowUntil' | 'now';

export function effectOf(campaign: Situated, now: number): CampaignEffect {
  const situation = situationOf(campaign, now);
  const hasEnd = campaign.end_date !== null;
  if (situation === 'planned') return hasEnd ? 'fromUntil' : 'from';
  if (situation === 'running') return hasEnd ? 'nowUntil' : 'now';
  return situation;
}
