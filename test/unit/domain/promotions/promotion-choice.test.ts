import { describe, expect, test } from 'vitest';
import type { AbTestRecord } from '#domain/promotions/ab-test.ts';
import type { CampaignRecord } from '#domain/promotions/campaign.ts';
import { choosePromotion, type Offer } from '#domain/promotions/promotion-choice.ts';

const now = new Date('2026-06-15T12:00:00.000Z');
const day = (number: number) => new Date(Date.UTC(2026, 5, number, 12)).toISOString();

const campaign = (uuid: string, segment: string, fields: Partial<CampaignRecord> = {}) =>
  ({
    uuid,
    segment,
    enabled: true,
    start_date: day(1),
    end_date: null,
    tests: [],
    ...fields,
  }) as unknown as CampaignRecord;
const running = (uuid: string, segment: string, variants: string[], fields: Partial<AbTestRecord> = {}) =>
  ({
    uuid,
    segment,
    start_date: day(10),
    end_date: null,
    ended_at: null,
    campaigns: variants.map((campaign_id) => ({ campaign_id, allocation: 100 / variants.length })),
    ...fields,
  }) as unknown as AbTestRecord;
const inTest = { enabled: false, tests: [{ uuid: 't', start_date: day(10), end_date: null }] };

function choose(segments: string[], offer: Partial<Offer>, id = 'someone') {
  const choice = choosePromotion({ id, segments }, { campaigns: [], tests: [], showsProducts: true, ...offer }, now);
  const reasons = Object.fromEntries(choice.verdicts.map(({ record, reason }) => [record.uuid, reason]));
  return { chosen: choice.campaign?.uuid, test: choice.test, reasons };
}

describe('the promotion for a customer', () => {
  test('is nothing when the shop has no promotions', () => {
    expect(choose(['vip'], {})).toEqual({ chosen: undefined, test: undefined, reasons: {} });
  });

  test('is the active campaign of a segment of the customer', () => {
    const campaigns = [
      campaign('mine', 'vip'),
      campaign('other', 'new'),
      campaign('off', 'vip', { enabled: false }),
      campaign('soon', 'vip', { start_date: day(16) }),
      campaign('over', 'vip', { end_date: day(15) }),
    ];
    expect(choose(['vip'], { campaigns })).toEqual({
      chosen: 'mine',
      test: undefined,
      reasons: { mine: 'chosen', other: 'other_segment', off: 'disabled', soon: 'not_started', over: 'ended' },
    });
  });

  test('is the one for everybody only when no segment of the customer has a promotion', () => {
    const campaigns = [campaign('general', 'all', { start_date: day(14) }), campaign('mine', 'vip')];
    expect(choose(['vip'], { campaigns })).toMatchObject({
      chosen: 'mine',
      reasons: { mine: 'chosen', general: 'lower_priority' },
    });
    expect(choose([], { campaigns })).toMatchObject({ chosen: 'general', reasons: { mine: 'other_segment' } });
  });

  test('is the one that started last, in whatever order they are read', () => {
    const campaigns = [
      campaign('a', 'x', { start_date: day(2) }),
      campaign('b', 'y', { start_date: day(3) }),
      campaign('c', 'z', { start_date: day(3) }),
    ];
    for (const order of [campaigns, campaigns.toReversed()]) {
      expect(choose(['z', 'y', 'x'], { campaigns: order }).chosen).toBe('c');
    }
  });

  test('is the variant of a running test, which replaces the campaign of its segment', () => {
    const campaigns = [campaign('usual', 'vip', { start_date: day(14) }), campaign('a', 'vip', inTest)];
    expect(choose(['vip'], { campaigns, tests: [running('t', 'vip', ['a'])] })).toEqual({
      chosen: 'a',
      test: { uuid: 't', variant: 'a' },
      reasons: { t: 'chosen', a: 'chosen', usual: 'segment_has_ab_test' },
    });
  });

  test('is one variant for each customer', () => {
    const offer = {
      campaigns: [campaign('a', 'vip', inTest), campaign('b', 'vip', inTest)],
      tests: [running('t', 'vip', ['a', 'b'])],
    };
    const ids = Array.from({ length: 50 }, (_, i) => `customer-${i}`);
    const seen = ids.map((id) => choose(['vip'], offer, id));
    expect(new Set(seen.map(({ chosen }) => chosen))).toEqual(new Set(['a', 'b']));
    for (const { chosen, reasons } of seen) {
      expect(reasons).toEqual({ t: 'chosen', a: 'in_ab_test', b: 'in_ab_test', [chosen!]: 'chosen' });
    }
  });

  test('is nothing in the holdout, even if there is a promotion for everybody', () => {
    const campaigns = [campaign('a', 'vip', inTest), campaign('general', 'all')];
    const tests = [running('t', 'vip', ['a'], { campaigns: [{ campaign_id: 'a', allocation: 0 }] })];
    expect(choose(['vip'], { campaigns, tests })).toEqual({
      chosen: undefined,
      test: { uuid: 't', variant: undefined },
      reasons: { t: 'holdout', a: 'in_ab_test', general: 'lower_priority' },
    });
  });

  test.each([
    ['was deleted', []],
    ['is past its end', [campaign('a', 'vip', { ...inTest, end_date: day(12) })]],
    ['has not begun', [campaign('a', 'vip', { ...inTest, start_date: day(20) })]],
  ])('is nothing when the variant %s', (_, campaigns) => {
    const { chosen, reasons } = choose(['vip'], { campaigns, tests: [running('t', 'vip', ['a'])] });
    expect(chosen).toBeUndefined();
    expect(reasons.t).toBe('variant_not_available');
  });

  test('is the campaign again before and after a test', () => {
    const campaigns = [campaign('a', 'vip')];
    const tests = [
      running('soon', 'vip', ['a'], { start_date: day(16) }),
      running('over', 'vip', ['a'], { end_date: day(14) }),
      running('ended', 'vip', ['a'], { ended_at: day(14) }),
    ];
    expect(choose(['vip'], { campaigns, tests })).toEqual({
      chosen: 'a',
      test: undefined,
      reasons: { a: 'chosen', soon: 'not_started', over: 'ended', ended: 'ended' },
    });
  });

  test('is not the campaign of an own segment while a test for everybody decides about it', () => {
    const campaigns = [campaign('a', 'vip'), campaign('b', 'all'), campaign('other', 'new', { start_date: day(12) })];
    const tests = [
      running('t', 'all', ['b', 'a'], {
        campaigns: [
          { campaign_id: 'b', allocation: 100 },
          { campaign_id: 'a', allocation: 0 },
        ],
      }),
    ];
    expect(choose(['vip'], { campaigns, tests })).toMatchObject({
      chosen: 'b',
      reasons: { t: 'chosen', a: 'in_ab_test', other: 'other_segment' },
    });
    expect(choose(['vip', 'new'], { campaigns, tests })).toEqual({
      chosen: 'other',
      test: undefined,
      reasons: { other: 'chosen', t: 'lower_priority', a: 'in_ab_test', b: 'in_ab_test' },
    });
  });
});

/** A test for the segment vip with the campaign c, which has another segment in most rows. */
describe('a campaign in an A/B test for vip', () => {
  const states = {
    running: {},
    disabled: { enabled: false },
    later: { start_date: day(20) },
    over: { end_date: day(12) },
  };
  const tests = {
    running: {},
    scheduled: { start_date: day(16) },
    ended: { ended_at: day(14) },
    over: { end_date: day(14) },
    holdout: { campaigns: [{ campaign_id: 'c', allocation: 0 }] },
  };
  type State = keyof typeof states;
  type Stage = keyof typeof tests;

  test.each<[stage: Stage, segment: string, state: State, customer: string[], seen: string, c: string, t: string]>([
    // Within the segment of the test, the test alone decides, and shows also what is disabled.
    ['running', 'all', 'running', ['vip'], 'c by t', 'chosen', 'chosen'],
    ['running', 'all', 'disabled', ['vip'], 'c by t', 'chosen', 'chosen'],
    ['running', 'all', 'later', ['vip'], 'nothing by t', 'not_started', 'variant_not_available'],
    ['running', 'all', 'over', ['vip'], 'nothing by t', 'ended', 'variant_not_available'],
    ['running', 'vip', 'running', ['vip'], 'c by t', 'chosen', 'chosen'],
    ['running', 'vip', 'disabled', ['vip'], 'c by t', 'chosen', 'chosen'],
    ['running', 'new', 'running', ['vip'], 'c by t', 'chosen', 'chosen'],
    ['running', 'new', 'running', ['vip', 'new'], 'c by t', 'chosen', 'chosen'],
    ['holdout', 'all', 'running', ['vip'], 'nothing by t', 'in_ab_test', 'holdout'],
    ['holdout', 'vip', 'disabled', ['vip'], 'nothing by t', 'in_ab_test', 'holdout'],
    ['holdout', 'new', 'running', ['vip', 'new'], 'nothing by t', 'in_ab_test', 'holdout'],
    // Outside it, everything is as it was before the test.
    ['running', 'all', 'running', [], 'c', 'chosen', 'other_segment'],
    ['running', 'all', 'running', ['new'], 'c', 'chosen', 'other_segment'],
    ['running', 'new', 'running', ['new'], 'c', 'chosen', 'other_segment'],
    ['running', 'new', 'running', [], 'nothing', 'other_segment', 'other_segment'],
    ['running', 'vip', 'running', ['new'], 'nothing', 'other_segment', 'other_segment'],
    ['running', 'all', 'disabled', [], 'nothing', 'disabled', 'other_segment'],
    ['running', 'all', 'later', [], 'nothing', 'not_started', 'other_segment'],
    ['running', 'all', 'over', [], 'nothing', 'ended', 'other_segment'],
    ['holdout', 'all', 'running', [], 'c', 'chosen', 'other_segment'],
    // Before and after the test, its segment is like any other.
    ['scheduled', 'all', 'running', ['vip'], 'c', 'chosen', 'not_started'],
    ['scheduled', 'vip', 'disabled', ['vip'], 'nothing', 'disabled', 'not_started'],
    ['ended', 'all', 'running', ['vip'], 'c', 'chosen', 'ended'],
    ['ended', 'vip', 'disabled', ['vip'], 'nothing', 'disabled', 'ended'],
    ['over', 'vip', 'running', ['vip'], 'c', 'chosen', 'ended'],
    ['over', 'all', 'over', ['vip'], 'nothing', 'ended', 'ended'],
  ])('(test %s, campaign for %s %s): the order of %j sees %s', (stage, segment, state, customer, seen, c, t) => {
    const abTest = running('t', 'vip', ['c'], tests[stage]);
    const inIt = [{ uuid: 't', start_date: abTest.start_date, end_date: abTest.end_date }];
    const campaigns = [campaign('c', segment, { ...states[state], tests: stage === 'ended' ? [] : inIt })];
    const { chosen, test: decided, reasons } = choose(customer, { campaigns, tests: [abTest] });
    expect(`${chosen ?? 'nothing'}${decided ? ' by t' : ''}`).toBe(seen);
    expect(reasons).toEqual({ c, t });
    // The calendars of the customer's segments name no test of another segment.
    if (t === 'other_segment') expect(choose(customer, { campaigns })).toMatchObject({ chosen, reasons: { c } });
  });
});

describe('a shop that shows no campaigns of the type product', () => {
  const product = { promotion_type: 'product' } as const;
  const off = 'product_recommendations_off';

  test('shows the next best campaign of another type, and gives the reason', () => {
    const campaigns = [
      campaign('products', 'vip', product),
      campaign('general', 'all', { promotion_type: 'basic' }),
      campaign('over', 'vip', { ...product, end_date: day(15) }),
      campaign('other', 'new', product),
    ];
    const reasons = { products: off, general: 'chosen', over: 'ended', other: 'other_segment' };
    expect(choose(['vip'], { campaigns, showsProducts: false })).toEqual({
      chosen: 'general',
      test: undefined,
      reasons,
    });
    expect(choose(['vip'], { campaigns }).chosen).toBe('products');
  });

  test('runs no test of product campaigns, so the campaign of the segment is shown as before the test', () => {
    const campaigns = [
      campaign('usual', 'vip', { promotion_type: 'basic' }),
      campaign('a', 'vip', { ...product, ...inTest }),
    ];
    const tests = [running('t', 'vip', ['a'], { campaign_type: 'product' })];
    expect(choose(['vip'], { campaigns, tests, showsProducts: false })).toEqual({
      chosen: 'usual',
      test: undefined,
      reasons: { t: off, a: off, usual: 'chosen' },
    });
    expect(choose(['vip'], { campaigns, tests }).chosen).toBe('a');
  });

  test('still runs a test of basic campaigns', () => {
    const campaigns = [campaign('a', 'vip', { promotion_type: 'basic', ...inTest })];
    const tests = [running('t', 'vip', ['a'], { campaign_type: 'basic' })];
    expect(choose(['vip'], { campaigns, tests, showsProducts: false }).chosen).toBe('a');
  });
});
