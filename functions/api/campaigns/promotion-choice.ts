import { type AbTestRecord, abTestStatus, variantOf } from '#domain/promotions/ab-test.ts';
import { hasEnded, isOpen } from '#domain/promotions/calendar.ts';
import type { CampaignRecord } from '#domain/promotions/campaign.ts';
import { campaignStatus } from '#domain/promotions/campaign.ts';
import { everybody } from '#schemas/catalogues/enumerations.ts';
import type { PromotionReason } from '#schemas/families/campaigns.ts';

export interface Customer {
  /** By what the customer is known again. */
  id: string;
  segments: readonly string[];
}

export interface Offer {
  campaigns: readonly CampaignRecord[];
  tests: readonly AbTestRecord[];
}

type Promotable = { kind: 'campaign'; record: CampaignRecord } | { kind: 'ab_test'; record: AbTestRecord };
export type Verdict = Promotable & { reason: PromotionReason };

export interface PromotionChoice {
  campaign: CampaignRecord | undefined;
  /** The test that decided; its variant is undefined in the holdout. */
  test: { uuid: string; variant: string | undefined } | undefined;
  verdicts: Verdict[];
}

export const segmentsOf = ({ segments }: Pick<Customer, 'segments'>) => [...new Set([...segments, everybody])];

/** What a customer is to see now, and why each of the campaigns and tests is it or is not. */
export function choosePromotion(customer: Customer, offer: Offer, now: Date): PromotionChoice {
  const judged = judge(segmentsOf(customer), offer, now);
  const [first] = judged.flatMap(({ item, skipReason }) => (skipReason ? [] : [item])).sort(byPriority);
  const outcome = first ? judgedOffer(first, customer.id, offer, now) : undefined;
  const verdicts = judged.map(({ item, skipReason }): Verdict => {
    if (item.record === outcome?.campaign) return { ...item, reason: 'chosen' };
    if (item === first) return { ...item, reason: outcome!.reason };
    return { ...item, reason: skipReason ?? 'lower_priority' };
  });
  return { campaign: outcome?.campaign, test: outcome?.test, verdicts };
}

interface Judged {
  item: Promotable;
  /** Why it cannot be shown, whatever else there is. */
  skipReason: PromotionReason | undefined;
}

function judge(segments: readonly string[], { campaigns, tests }: Offer, now: Date): Judged[] {
  const running = tests.filter((test) => abTestStatus(test, now) === 'running');
  const withTest = new Set(running.map(({ segment }) => segment));
  const judgeOne = (item: Promotable, skipReason: PromotionReason | undefined): Judged => ({
    item,
    skipReason: segments.includes(item.record.segment) ? skipReason : 'other_segment',
  });
  return [
    ...tests.map((record) => judgeOne({ kind: 'ab_test', record }, skipReasonOfTest(record, now))),
    ...campaigns.map((record) => judgeOne({ kind: 'campaign', record }, skipReasonOfCampaign(record, withTest, now))),
  ];
}

function skipReasonOfTest(test: AbTestRecord, now: Date): PromotionReason | undefined {
  return ({ scheduled: 'not_started', completed: 'ended', running: undefined } as const)[abTestStatus(test, now)];
}

function skipReasonOfCampaign(
  campaign: CampaignRecord,
  segmentsWithTest: ReadonlySet<string>,
  now: Date,
): PromotionReason | undefined {
  switch (campaignStatus(campaign, now)) {
    case 'inactive':
      return hasEnded(campaign, now) ? 'ended' : 'disabled';
    case 'paused':
      return 'in_ab_test';
    case 'scheduled':
      return 'not_started';
    case 'active':
      return segmentsWithTest.has(campaign.segment) ? 'segment_has_ab_test' : undefined;
  }
}

/** A segment of the customer's own before everybody's, then what started last; ids decide the rest. */
function byPriority({ record: a }: Promotable, { record: b }: Promotable): number {
  const general = ({ segment }: { segment: string }) => (segment === everybody ? 1 : 0);
  return general(a) - general(b) || descending(a.start_date, b.start_date) || descending(a.uuid, b.uuid);
}

const descending = (a: string, b: string) => (a === b ? 0 : a < b ? 1 : -1);

interface JudgedOffer {
  campaign: CampaignRecord | undefined;
  test: PromotionChoice['test'];
  reason: PromotionReason;
}

/** Nothing takes the place of a holdout, nor of a variant that is gone: both would spoil what the test measures. */
function judgedOffer(first: Promotable, customerId: string, { campaigns }: Offer, now: Date): JudgedOffer {
  if (first.kind === 'campaign') return { campaign: first.record, test: undefined, reason: 'chosen' };
  const variant = variantOf(first.record, customerId);
  const test = { uuid: first.record.uuid, variant };
  if (variant === undefined) return { campaign: undefined, test, reason: 'holdout' };
  const campaign = campaigns.find(({ uuid }) => uuid === variant);
  if (!campaign || !isOpen(campaign, now)) return { campaign: undefined, test, reason: 'variant_not_available' };
  return { campaign, test, reason: 'chosen' };
}
