import { href, inShop } from '../../app/router.ts';
import { hasText, t } from '../../texts/texts.ts';
import { failedText } from '../../ui/delivery-words.ts';
import { Time } from '../../ui/time.tsx';
import { State } from '../../ui/tone.tsx';
import { AttemptTime } from './attempt-result.tsx';
import type { Attempt, DeliveryDetails } from './target.ts';

/** An e-mail is not kept: only what became of it. */
export const MailAttempt = ({ attempt, place }: { attempt: Attempt; place: number }) => (
  <p class="card attempt">
    <strong>{t('developers.delivery.attempt', { number: place })}</strong>{' '}
    <State tone={attempt.error === null ? 'arrived' : 'failed'}>
      {attempt.error === null ? t('developers.emails.taken') : failedText(attempt.error)}
    </State>{' '}
    <AttemptTime attempt={attempt} /> <Time at={attempt.at} />
  </p>
);

const settings = '/settings/emails';

/** Where somebody can change what kept an e-mail back, or made it come back. */
const places: Record<string, string> = {
  switched_off: settings,
  suppressed: `${settings}/suppressed`,
  bounce: `${settings}/suppressed`,
  complaint: `${settings}/suppressed`,
};

/** What somebody can do about an e-mail that was not sent, or did not arrive. */
export function MailRemedy({ delivery: { status, reason, feedback } }: { delivery: DeliveryDetails }) {
  const cause = status === 'skipped' ? (reason ?? '') : status === 'delivered' ? (feedback?.kind ?? '') : '';
  const key = `developers.emails.remedies.${cause}`;
  if (!hasText(key)) return null;
  const to = places[cause];
  return (
    <p>
      {t(key)}{' '}
      {to && <a href={href(inShop(to))}>{t(`developers.emails.${to === settings ? 'toSettings' : 'toList'}`)}</a>}
    </p>
  );
}
