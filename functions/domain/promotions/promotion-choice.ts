import { everybody } from '#schemas/catalogues/enumerations.ts';
import type { PromotionReason } from '#schemas/families/campaigns.ts';
import { type AbTestRecord, abTestStatus, variantOf } from './ab-test.ts';
import { hasEnded, hasStarted, isWithinWindow } from './calendar.ts';
import type { CampaignRecord } from './campaign.ts';

/** What decides whether a customer sees a campaign. */
export type PromotableCampaign = Pick<
  CampaignRecord,
  'uuid' | 'segment' | 'start_date' | 'end_date' | 'promotion_type' | 'enabled'
>;

/** What decides whether a test runs, and what it gives a customer. */
export type PromotableTest = Pick<
  AbTestRecord,
  'uuid' | 'segment' | 'start_date' | 'end_date' | 'ended_at' | 'campaign_type' | 'campaigns'
>;

export interface Customer {
  /** Identifies the customer across orders, so that a test always assigns the same variant. */
  id: string;
  segments: readonly string[];
}

type C = PromotableCampaign;
type T = PromotableTest;

export interface Offer<Campaign extends C = C, Test extends T = T> {
  campaigns: readonly Campaign[];
  tests: readonly Test[];
  /** Whether the shop shows campaigns of the type `product`. */
  showsProducts: boolean;
}

type Promotable<Campaign, Test> = { kind: 'campaign'; record: Campaign } | { kind: 'ab_test'; record: Test };
export type Verdict<Campaign, Test> = Promotable<Campaign, Test> & { reason: PromotionReason };

export interface PromotionChoice<Campaign extends C = C, Test extends T = T> {
  campaign: Campaign | undefined;
  /** The test that decided; its variant is undefined in the holdout. */
  test: { uuid: string; variant: string | undefined } | undefined;
  verdicts: Verdict<Campaign, Test>[];
}

export const segmentsOf = ({ segments }: Pick<Customer, 'segments'>) => [...new Set([...segments, everybody])];

/** Chooses what a customer sees now, and gives the reason for each campaign and test. */
export function choosePromotion<Campaign extends C, Test extends T>(
  customer: Customer,
  offer: Offer<Campaign, Test>,
  now: Date,
): PromotionChoice<Campaign, Test> {
  const evaluated = evaluate(segmentsOf(customer), offer, now);
  const [first] = evaluated
    .flatMap(({ item, skipReason }) => (skipReason ? [] : [item]))
    .sort((a, b) => byPriority(a.record, b.record));
  const decision = first ? decide(first, customer.id, offer, now) : undefined;
  const verdicts = evaluated.map(({ item, skipReason }): Verdict<Campaign, Test> => {
    if (item.record === decision?.campaign) return { ...item, reason: 'chosen' };
    if (item === first) return { ...item, reason: decision!.reason };
    return { ...item, reason: skipReason ?? 'lower_priority' };
  });
  return { campaign: decision?.campaign, test: decision?.test, verdicts };
}

interface Evaluated<Campaign, Test> {
  item: Promotable<Campaign, Test>;
  /** Why it cannot be shown, even if nothing else has priority. */
  skipReason: PromotionReason | undefined;
}

function evaluate<Campaign extends C, Test extends T>(
  segments: readonly string[],
  offer: Offer<Campaign, Test>,
  now: Date,
): Evaluated<Campaign, Test>[] {
  const ofTests = offer.tests.map((record) => ({
    item: { kind: 'ab_test' as const, record },
    skipReason: skipReasonOfTest(record, segments, offer, now),
  }));
  const running = offer.tests.filter(
    (test) => segments.includes(test.segment) && abTestStatus(test, now) === 'running',
  );
  const ofCampaigns = offer.campaigns.map((record) => ({
    item: { kind: 'campaign' as const, record },
    skipReason: skipReasonOfCampaign(record, segments, offer, running, now),
  }));
  return [...ofTests, ...ofCampaigns];
}

type ShopChoice = Pick<Offer, 'showsProducts'>;

const isSwitchedOff = (type: string, { showsProducts }: ShopChoice) => type === 'product' && !showsProducts;

function skipReasonOfTest(
  test: T,
  segments: readonly string[],
  shop: ShopChoice,
  now: Date,
): PromotionReason | undefined {
  if (!segments.includes(test.segment)) return 'other_segment';
  switch (abTestStatus(test, now)) {
    case 'scheduled':
      return 'not_started';
    case 'completed':
      return 'ended';
    case 'running':
      return isSwitchedOff(test.campaign_type, shop) ? 'product_recommendations_off' : undefined;
  }
}

/**
 * A test decides about its campaigns only in its own segment, enabled or not, because only one of them can be enabled.
 * @param running the tests that run in the segments of the customer
 */
function skipReasonOfCampaign(
  campaign: C,
  segments: readonly string[],
  shop: ShopChoice,
  running: readonly T[],
  now: Date,
): PromotionReason | undefined {
  const isInTest = running.some(({ campaigns }) => campaigns.some(({ campaign_id }) => campaign_id === campaign.uuid));
  if (!isInTest && !segments.includes(campaign.segment)) return 'other_segment';
  if (hasEnded(campaign, now)) return 'ended';
  if (!isInTest && !campaign.enabled) return 'disabled';
  if (!hasStarted(campaign, now)) return 'not_started';
  if (isSwitchedOff(campaign.promotion_type, shop)) return 'product_recommendations_off';
  if (isInTest) return 'in_ab_test';
  const replaces = (test: T) => test.segment === campaign.segment && !isSwitchedOff(test.campaign_type, shop);
  return running.some(replaces) ? 'segment_has_ab_test' : undefined;
}

type Prioritized = Pick<T, 'uuid' | 'segment' | 'start_date'>;

/** The customer's own segments come before everybody's, then the latest start comes first; the ids decide the rest. */
export function byPriority(a: Prioritized, b: Prioritized): number {
  const general = ({ segment }: Prioritized) => (segment === everybody ? 1 : 0);
  return general(a) - general(b) || descending(a.start_date, b.start_date) || descending(a.uuid, b.uuid);
}

const descending = (a: string, b: string) => (a === b ? 0 : a < b ? 1 : -1);

interface Decision<Campaign> {
  campaign: Campaign | undefined;
  test: PromotionChoice['test'];
  reason: PromotionReason;
}

/** Nothing replaces a holdout or a variant that no longer exists: either would spoil what the test measures. */
function decide<Campaign extends C, Test extends T>(
  first: Promotable<Campaign, Test>,
  customerId: string,
  { campaigns }: Offer<Campaign, Test>,
  now: Date,
): Decision<Campaign> {
  if (first.kind === 'campaign') return { campaign: first.record, test: undefined, reason: 'chosen' };
  const variant = variantOf(first.record, customerId);
  const test = { uuid: first.record.uuid, variant };
  if (variant === undefined) return { campaign: undefined, test, reason: 'holdout' };
  const campaign = campaigns.find(({ uuid }) => uuid === variant);
  if (!campaign || !isWithinWindow(campaign, now))
    return { campaign: undefined, test, reason: 'variant_not_available' };
  return { campaign, test, reason: 'chosen' };
}
