import { number, t } from '../../texts/texts.ts';
import { errorWords } from '../../ui/delivery-words.ts';
import type { Attempt } from './target.ts';

/** What an attempt came to, in a few words: "200 in 84 ms", "no answer in time in 10,000 ms". */
export const AttemptResult = ({ attempt }: { attempt: Omit<Attempt, 'request'> }) => (
  <span>
    {attempt.error === null ? attempt.status : errorWords(attempt.error)} <AttemptTime attempt={attempt} />
  </span>
);

export const AttemptTime = ({ attempt: { duration_ms } }: { attempt: Pick<Attempt, 'duration_ms'> }) => (
  <span class="muted">{t('developers.delivery.took', { ms: number(duration_ms) })}</span>
);
