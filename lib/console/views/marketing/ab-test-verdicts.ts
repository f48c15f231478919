import type { AbTestResults, ComparedMetric } from '#schemas/families/ab-tests.ts';

export type Comparison = AbTestResults['comparisons'][number];

/** What is said of a comparison that is decided: the key of a text. */
type Sentence = 'betterThanNothing' | 'worseThanNothing' | 'better' | 'worse';

export function sentenceOf({ verdict, against }: Pick<Comparison, 'verdict' | 'against'>): Sentence | undefined {
  if (verdict === 'undecided') return undefined;
  return against === null ? `${verdict}ThanNothing` : verdict;
}

/** What the test decides by: customers who come back, if some customers see nothing; else clicks. */
export const decidingMetric = ({ arms }: Pick<AbTestResults, 'arms'>): ComparedMetric =>
  arms.some(({ campaign_id }) => campaign_id === null) ? 'reordered' : 'clicked';

/** The ends of the axis, in percentage points: all lines, and zero. */
export function endsOf(comparisons: readonly Pick<Comparison, 'low' | 'high'>[]): { min: number; max: number } {
  const min = Math.min(0, ...comparisons.map(({ low }) => low * 100));
  const max = Math.max(0, ...comparisons.map(({ high }) => high * 100));
  const margin = (max - min || 1) * 0.04;
  return { min: min - margin, max: max + margin };
}

const dayMs = 86_400_000;

/** Customers count for coming back when their 30 days are over, and the day of their order with them. */
export const firstOutcome = (test: { start_date: string | null; created_at: string }): Date =>
  new Date(Math.max(Date.parse(test.start_date ?? test.created_at), Date.parse(test.created_at)) + 31 * dayMs);
