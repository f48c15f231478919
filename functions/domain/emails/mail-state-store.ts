import { whileSimulated } from '#domain/orders/simulated.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import { commit, commitOnce, putVersion, retryOnConflict } from '#platform/table/writes.ts';
import { type MailCandidate, type MailState, withMail, withoutMail } from './email-rules.ts';

/** What was mailed about an order lies in one item, so that two workers never decide about it at once. */

interface Place {
  slug: string;
  orderId: string;
}

export async function readMailState({ slug, orderId }: Place): Promise<MailState> {
  const item = await getItem<MailState>(keyOf.mailState(slug, orderId));
  return item ? { version: item.version, mails: item.mails } : { version: 0, mails: [] };
}

/**
 * Records a mail before it is sent. Throws WriteConflict if somebody recorded another one since the state was read. It is a
 * transaction, so that an answer that was lost is no conflict with itself.
 */
export async function reserveMail(
  place: Place & { simulation_id?: string | undefined },
  before: MailState,
  candidate: MailCandidate,
  now: Date,
): Promise<void> {
  const { slug: shop_slug, simulation_id } = place;
  const item = itemOf(place, withMail(before, candidate, now));
  await commitOnce([putVersion(item), ...whileSimulated({ shop_slug, simulation_id })]);
}

/** Takes the record of a mail back that was certainly not sent. */
export const releaseMail = (place: Place, candidate: MailCandidate): Promise<void> =>
  retryOnConflict(async () => {
    const before = await readMailState(place);
    const after = withoutMail(before, candidate);
    if (after.mails.length < before.mails.length) await commit([putVersion(itemOf(place, after))]);
  });

const itemOf = ({ slug, orderId }: Place, { version, mails }: MailState) => ({
  ...keyOf.mailState(slug, orderId),
  version,
  mails,
});
