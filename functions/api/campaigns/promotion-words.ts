import type { Considered, PromotionReason } from '#schemas/families/campaigns.ts';
import type { Verdict } from './promotion-choice.ts';

export function toConsidered({ kind, record, reason }: Verdict): Considered {
  const { uuid, name, segment } = record;
  return { kind, uuid, name, segment, chosen: reason === 'chosen', reason, message: sentences[reason] };
}

const sentences: Record<PromotionReason, string> = {
  chosen: 'It is what the customer sees.',
  other_segment: 'The order is not in its segment.',
  disabled: 'It is not enabled.',
  not_started: 'It has not started yet.',
  ended: 'It is over.',
  in_ab_test: 'A running A/B test decides who sees it, and it is not what this customer gets.',
  segment_has_ab_test: 'A running A/B test stands in for it in its segment.',
  holdout: 'The customer is in its holdout, and sees nothing.',
  variant_not_available: "The customer's variant was deleted or is outside its window, so there is nothing to see.",
  lower_priority: "Another one comes first: of the customer's own segment, or started later.",
};
