import { signal } from '@preact/signals';
import { dateLocale, language } from '../texts/texts.ts';
import { isFar, relative } from './times.ts';

/** The present time, for texts such as "5 minutes ago". */
export const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 30_000);

export const exact = (at: string | number | Date): string =>
  new Date(at).toLocaleString(language.value, { dateStyle: 'medium', timeStyle: 'long' });

/** A whole date, with the time of day where it is not midnight. */
export function fullDate(at: string | number | Date): string {
  const date = new Date(at);
  const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
  return date.toLocaleString(dateLocale(), { dateStyle: 'long', ...(!isMidnight && { timeStyle: 'short' }) });
}

export const day = (at: string | number | Date): string =>
  new Date(at).toLocaleDateString(language.value, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** A date without its time of day, short enough for a list. */
const shortDate = (at: string): string => new Date(at).toLocaleDateString(dateLocale(), { dateStyle: 'medium' });

interface TimeProps {
  at: string | null | undefined;
  /** Shows the date itself, for what is planned. */
  isFull?: boolean;
}

/** How long ago, with the exact time on hover and focus. What is more than a month away is a date. */
export function Time({ at, isFull = false }: TimeProps) {
  if (!at || Number.isNaN(Date.parse(at))) return <>–</>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time shows on focus too, for those without a pointer
    <time dateTime={at} tabIndex={0} data-exact={exact(at)}>
      {isFull || isFar(at, now.value) ? shortDate(at) : relative(at, now.value, language.value)}
      <span class="hidden">, {exact(at)}</span>
    </time>
  );
}
