import { hasText, language, t, wordOf } from '../texts/texts.ts';
import { type DeliveryFigures, deliveryWord, failureParts } from './delivery-word.ts';

/** "Failed with 500, next attempt at 12:04". */
export function deliveryText(delivery: DeliveryFigures, now: number): string {
  const word = deliveryWord(delivery);
  const { last_error: error, next_attempt_at: next } = delivery;
  if (word === 'skipped') return t('deliveries.notMailed', { reason: skippedText(delivery) });
  if (word === 'failed' && error !== null) return t('deliveries.gaveUp', { reason: failureText(error) });
  if (word !== 'retried') return wordOf(delivery.isMail ? 'deliveries.mailStatus' : 'deliveries.status', word);
  const reason = failureText(error!);
  if (next === null) return t('deliveries.retried', { reason });
  if (Date.parse(next) <= now) return t('deliveries.retriedNow', { reason });
  const values = { reason, time: clock(next, now) };
  return isSameDay(next, now) ? t('deliveries.retriedAt', values) : t('deliveries.retriedOn', values);
}

/** For a sentence in the timeline of an order. */
export function deliverySentence(delivery: DeliveryFigures, event: string, receiver: string, now: number): string {
  const word = deliveryWord(delivery);
  const sentence = sentenceOf(delivery, event, receiver);
  const isTold = word === 'retried' || (word === 'failed' && delivery.last_error !== null);
  return isTold ? `${sentence}: ${deliveryText(delivery, now)}` : sentence;
}

function sentenceOf(delivery: DeliveryFigures, event: string, receiver: string): string {
  const word = deliveryWord(delivery);
  const key = `${delivery.isMail ? 'deliveries.mailed' : 'deliveries.ended'}.${word}`;
  return hasText(key) ? t(key, { event, receiver, reason: skippedText(delivery) }) : deliveryText(delivery, 0);
}

/** Why nobody was mailed: "the customer has no e-mail address". */
const skippedText = ({ reason }: DeliveryFigures): string => wordOf('deliveries.skipped', reason ?? 'unknown');

/** "Failed with 500", "Failed (no answer in time)". */
export const failedText = (error: string): string => t('deliveries.failed', { reason: failureText(error) });

/** Why an attempt failed: "with 500", "(no answer in time)". */
function failureText(error: string): string {
  const { kind, answer } = failureParts(error);
  return kind === 'http' && answer
    ? t('deliveries.withStatus', { status: answer })
    : t('deliveries.withError', { error: errorWords(error) });
}

/** "500", "no answer in time". */
export function errorWords(error: string): string {
  const { kind, answer } = failureParts(error);
  if (answer === undefined) return wordOf('deliveries.errors', error);
  if (kind === 'http') return answer;
  return t(kind === 'reply' ? 'deliveries.replied' : 'deliveries.noToken', { answer });
}

const isSameDay = (at: string, now: number) => new Date(at).toDateString() === new Date(now).toDateString();

/** The time of day, with the day unless it is today. */
function clock(at: string, now: number): string {
  const day = isSameDay(at, now) ? {} : ({ day: 'numeric', month: 'short' } as const);
  return new Date(at).toLocaleString(language.value, { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}
