import { describe, expect, test } from 'vitest';
import { decidingMetric, endsOf, firstOutcome, sentenceOf } from '#lib/console/views/marketing/ab-test-verdicts.ts';

const first = '01a1e39b-8788-71be-aefd-a29e4f87cc4e';

describe('the results of an A/B test', () => {
  test('are said of what is decided only, and against nothing in other words than against a campaign', () => {
    expect(sentenceOf({ verdict: 'undecided', against: null })).toBeUndefined();
    expect(sentenceOf({ verdict: 'better', against: null })).toBe('betterThanNothing');
    expect(sentenceOf({ verdict: 'worse', against: first })).toBe('worse');
  });

  test('decide by customers who come back if there is a control, else by clicks', () => {
    const arm = (campaign_id: string | null) =>
      ({ campaign_id }) as Parameters<typeof decidingMetric>[0]['arms'][number];
    expect(decidingMetric({ arms: [arm(null), arm(first)] })).toBe('reordered');
    expect(decidingMetric({ arms: [arm(first)] })).toBe('clicked');
  });

  test('are drawn on an axis that has zero and every end of a line', () => {
    const { min, max } = endsOf([
      { low: 0.01, high: 0.04 },
      { low: 0.02, high: 0.08 },
    ]);
    expect(min).toBeLessThan(0);
    expect(min).toBeGreaterThan(-1);
    expect(max).toBeGreaterThan(8);
    expect(endsOf([]).max).toBeGreaterThan(0);
  });

  test('count customers who come back when the 30 days of the first of them are over', () => {
    const created_at = '2026-01-01T10:00:00Z';
    expect(firstOutcome({ start_date: null, created_at }).toISOString()).toBe('2026-02-01T10:00:00.000Z');
    // Nobody takes part before the test is made.
    expect(firstOutcome({ start_date: '2025-01-01T00:00:00Z', created_at })).toEqual(
      firstOutcome({ start_date: null, created_at }),
    );
    expect(firstOutcome({ start_date: '2026-03-01T00:00:00Z', created_at }).toISOString().slice(0, 10)).toBe(
      '2026-04-01',
    );
  });
});
