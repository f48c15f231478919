import type { ShopIdentity } from '#domain/orders/model.ts';
import type { ClaimMessageCreate } from '#schemas/families/claims.ts';
import type { Message } from './claim-rules.ts';
import { type Change, changeClaim } from './claim-writes.ts';
import { type Writer, withMessage } from './message-rules.ts';

/**
 * Adds a message to a claim, in one transaction with the claim's version and its event. Throws `claim_not_found`,
 * `claim_closed`, `order_erased` and `payload_too_large`.
 */
export async function writeMessage(
  shop: ShopIdentity,
  claimUuid: string,
  writer: Writer,
  input: ClaimMessageCreate,
  change: Change,
): Promise<Message> {
  let message: Message | undefined;
  await changeClaim(shop, claimUuid, change, (claim, at) => {
    const step = withMessage(claim, writer, input, at);
    message = step.message;
    return step;
  });
  return message!;
}
