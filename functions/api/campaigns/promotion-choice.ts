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
  /** Whether the shop shows campaigns of the type `product`. */
  showsProducts: boolean;
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

function evaluate(segments: readonly string[], offer: Offer, now: Date): Evaluated[] {
  const { campaigns, tests } = offer;
  const running = tests.filter((test) => skipReasonOfTest(test, offer, now) === undefined);
  const withTest = new Set(running.map(({ segment }) => segment));
  const evaluateOne = (item: Promotable, skipReason: PromotionReason | undefined): Evaluated => ({
    item,
    skipReason: segments.includes(item.record.segment) ? skipReason : 'other_segment',
  });
  return [
    ...tests.map((record) => evaluateOne({ kind: 'ab_test', record }, skipReasonOfTest(record, offer, now))),
    ...campaigns.map((record) =>
      evaluateOne({ kind: 'campaign', record }, skipReasonOfCampaign(record, offer, withTest, now)),
    ),
  ];
}

type ShopChoice = Pick<Offer, 'showsProducts'>;

const isSwitchedOff = (type: string, { showsProducts }: ShopChoice) => type === 'product' && !showsProducts;

function skipReasonOfTest(test: AbTestRecord, shop: ShopChoice, now: Date): PromotionReason | undefined {
  switch (abTestStatus(test, now)) {
    case 'scheduled':
      return 'not_started';
    case 'completed':
      return 'ended';
    case 'running':
      return isSwitchedOff(test.campaign_type, shop) ? 'product_recommendations_off' : undefined;
  }
}

function skipReasonOfCampaign(
  campaign: CampaignRecord,
  shop: ShopChoice,
  segmentsWithTest: ReadonlySet<string>,
  now: Date,
): PromotionReason | undefined {
  const status = campaignStatus(campaign, now);
  if (status === 'inactive') return hasEnded(campaign, now) ? 'ended' : 'disabled';
  if (status === 'scheduled') return 'not_started';
  if (isSwitchedOff(campaign.promotion_type, shop)) return 'product_recommendations_off';
  if (status === 'paused') return 'in_ab_test';
  return segmentsWithTest.has(campaign.segment) ? 'segment_has_ab_test' : undefined;
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
