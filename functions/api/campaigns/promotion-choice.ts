import { type AbTestRecord, abTestStatus, variantOf } from '#domain/promotions/ab-test.ts';
import { hasEnded, isWithinWindow } from '#domain/promotions/calendar.ts';
import type { CampaignRecord } from '#domain/promotions/campaign.ts';
import { campaignStatus } from '#domain/promotions/campaign.ts';
import { everybody } from '#schemas/catalogues/enumerations.ts';
import type { PromotionReason } from '#schemas/families/campaigns.ts';

export interface Customer {
  /** Identifies the customer across orders, so that a test always assigns the same variant. */
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

/** Chooses what a customer sees now, and gives the reason for each campaign and test. */
export function choosePromotion(customer: Customer, offer: Offer, now: Date): PromotionChoice {
  const evaluated = evaluate(segmentsOf(customer), offer, now);
  const [first] = evaluated.flatMap(({ item, skipReason }) => (skipReason ? [] : [item])).sort(byPriority);
  const decision = first ? decide(first, customer.id, offer, now) : undefined;
  const verdicts = evaluated.map(({ item, skipReason }): Verdict => {
    if (item.record === decision?.campaign) return { ...item, reason: 'chosen' };
    if (item === first) return { ...item, reason: decision!.reason };
    return { ...item, reason: skipReason ?? 'lower_priority' };
  });
  return { campaign: decision?.campaign, test: decision?.test, verdicts };
}

interface Evaluated {
  item: Promotable;
  /** Why it cannot be shown, even if nothing else has priority. */
  skipReason: PromotionReason | undefined;
}

function evaluate(segments: readonly string[], { campaigns, tests }: Offer, now: Date): Evaluated[] {
  const running = tests.filter((test) => abTestStatus(test, now) === 'running');
  const withTest = new Set(running.map(({ segment }) => segment));
  const evaluateOne = (item: Promotable, skipReason: PromotionReason | undefined): Evaluated => ({
    item,
    skipReason: segments.includes(item.record.segment) ? skipReason : 'other_segment',
  });
  return [
    ...tests.map((record) => evaluateOne({ kind: 'ab_test', record }, skipReasonOfTest(record, now))),
    ...campaigns.map((record) =>
      evaluateOne({ kind: 'campaign', record }, skipReasonOfCampaign(record, withTest, now)),
    ),
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

/** The customer's own segments come before everybody's, then the latest start comes first; the ids decide the rest. */
function byPriority({ record: a }: Promotable, { record: b }: Promotable): number {
  const general = ({ segment }: { segment: string }) => (segment === everybody ? 1 : 0);
  return general(a) - general(b) || descending(a.start_date, b.start_date) || descending(a.uuid, b.uuid);
}

const descending = (a: string, b: string) => (a === b ? 0 : a < b ? 1 : -1);

interface Decision {
  campaign: CampaignRecord | undefined;
  test: PromotionChoice['test'];
  reason: PromotionReason;
}

/** Nothing replaces a holdout or a variant that no longer exists: either would spoil what the test measures. */
function decide(first: Promotable, customerId: string, { campaigns }: Offer, now: Date): Decision {
  if (first.kind === 'campaign') return { campaign: first.record, test: undefined, reason: 'chosen' };
  const variant = variantOf(first.record, customerId);
  const test = { uuid: first.record.uuid, variant };
  if (variant === undefined) return { campaign: undefined, test, reason: 'holdout' };
  const campaign = campaigns.find(({ uuid }) => uuid === variant);
  if (!campaign || !isWithinWindow(campaign, now))
    return { campaign: undefined, test, reason: 'variant_not_available' };
  return { campaign, test, reason: 'chosen' };
}
