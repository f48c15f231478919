import { number, t } from '../../texts/texts.ts';
import type { Attempt } from './target.ts';

/** What an attempt came to, in a few words: "200 in 84 ms". */
export const AttemptResult = ({ attempt }: { attempt: Omit<Attempt, 'request'> }) => (
  <span>
    <code>{attempt.error ?? attempt.status}</code>{' '}
    <span class="muted">{t('developers.delivery.took', { ms: number(attempt.duration_ms) })}</span>
  </span>
);
