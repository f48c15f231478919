import type { DeliveryFigures } from '../../ui/delivery-word.ts';
import type { Attempt, Delivery, DeliveryDetails } from './target.ts';

/** What the state of a delivery is said from. An attempt from before it was sent again says nothing about it now. */
export function figuresOf(delivery: Delivery | DeliveryDetails, isMail: boolean): DeliveryFigures {
  const { status, next_attempt_at, sent_again_at, reason, feedback } = delivery;
  const last: Omit<Attempt, 'request'> | null | undefined =
    'attempts' in delivery ? delivery.attempts.at(-1) : delivery.last_attempt;
  const isOfRun = last && (sent_again_at === null || last.at >= sent_again_at);
  return { status, next_attempt_at, last_error: isOfRun ? last.error : null, reason, feedback, isMail };
}
