import { v7 as uuidv7 } from 'uuid';
import { ServiceError } from '#platform/errors.ts';
import { attentionLimits, claimLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import type { ClaimMessageCreate } from '#schemas/families/claims.ts';
import { answered, type Claim, isDeleted, type Message, type Step } from './claim-rules.ts';

/** Who writes. Only the shop's people have names: a customer is the customer of the order. */
export type Writer = { from: 'shop'; author: string | null } | { from: 'customer' };

/** The claim with one message more. Throws `claim_closed` and `payload_too_large`. */
export function withMessage(claim: Claim, writer: Writer, { text, image_urls }: ClaimMessageCreate, at: string): Step {
  const { status, message_count = 0 } = claim;
  if (status === 'closed') throw new ServiceError('claim_closed');
  if (message_count >= claimLimits.messages) throw tooMany();
  const message: Message = {
    // Each message of a claim has a later time than all before it.
    uuid: uuidv7({ msecs: Date.parse(at) }),
    at,
    from: writer.from,
    author: writer.from === 'shop' ? writer.author : null,
    text,
    image_urls,
  };
  const before = answered(claim);
  const next = writer.from === 'shop' ? before : { ...before, unanswered_since: unansweredSince(claim, at) };
  return {
    claim: { ...next, message_count: message_count + 1, updated_at: at },
    action: 'message',
    changes: [],
    message,
  };
}

/**
 * Since when the customer waits. Who writes again has waited since the first message, or since the report itself. What is
 * older than the list of what needs somebody would never be seen there, so it counts anew.
 */
function unansweredSince(claim: Claim, at: string): string {
  const { unanswered_since, message_count = 0, status, created_at } = claim;
  const isUnheard = status === 'pending' && message_count === 0;
  const since = unanswered_since ?? (isUnheard ? created_at : at);
  const oldest = Date.parse(at) - secondsOfDays(attentionLimits.days) * 1000;
  return Date.parse(since) > oldest ? since : at;
}

const tooMany = () =>
  new ServiceError('payload_too_large', { message: `A claim can have up to ${claimLimits.messages} messages.` });

/** Since when a claim waits for somebody of the shop: for an answer, or else for a decision. Undefined if it does not. */
export function waitingSince(claim: Claim): string | undefined {
  const { status, unanswered_since, created_at } = claim;
  if (isDeleted(claim) || status === 'closed') return undefined;
  return unanswered_since ?? (status === 'pending' ? created_at : undefined);
}
