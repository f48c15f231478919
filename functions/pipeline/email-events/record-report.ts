import { addressHash } from '#domain/emails/address-hash.ts';
import { suppress } from '#domain/emails/suppression-store.ts';
import { keyOf } from '#platform/table/keys.ts';
import { getItem } from '#platform/table/reads.ts';
import { tryCommit, update } from '#platform/table/writes.ts';
import { NotYet } from '#platform/verdicts.ts';
import { emailTarget } from '#schemas/catalogues/emails.ts';
import type { MailReport } from './mail-report.ts';

/** Both writes may be repeated. A test mail goes to whoever tries it, and not to a customer: nothing is recorded of it. */
export async function recordReport(report: MailReport, now: Date): Promise<void> {
  const { shop, address, order, delivery, feedback, suppresses } = report;
  if (order === undefined || delivery === undefined) return;
  // SES reports for days. Nothing may be written under the keys of a shop that was removed meanwhile.
  if (!(await getItem(keyOf.shop(shop)))) return;
  if (suppresses) {
    const id = await addressHash(shop, address);
    await suppress({ slug: shop, id, reason: suppresses, at: feedback.at, order_id: order });
  }
  await logFeedback(report, delivery, now);
}

/**
 * The log shows the newest report. The report may be faster than the delivery's own record, which is written when the
 * attempt has ended; after an hour the delivery is gone.
 */
async function logFeedback({ shop, feedback, sentAt }: MailReport, delivery: string, now: Date): Promise<void> {
  const key = keyOf.delivery(shop, emailTarget, delivery);
  const isLogged = await tryCommit([
    update(key, {
      UpdateExpression: 'SET feedback = :feedback',
      ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(feedback) OR feedback.#at <= :at)',
      ExpressionAttributeNames: { '#at': 'at' },
      ExpressionAttributeValues: { ':feedback': feedback, ':at': feedback.at },
    }),
  ]);
  if (isLogged || now.getTime() - Date.parse(sentAt) > patienceMs) return;
  // Otherwise there is a newer report.
  if (!(await getItem(key))) throw new NotYet('DeliveryNotWritten');
}

const patienceMs = 60 * 60_000;
