import { signal } from '@preact/signals';
import { language } from '../texts/texts.ts';
import { relative } from './times.ts';

/** The present time, for texts such as "5 minutes ago". */
export const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 30_000);

export const exact = (at: string | number | Date): string =>
  new Date(at).toLocaleString(language.value, { dateStyle: 'medium', timeStyle: 'medium' });

export const day = (at: string | number | Date): string =>
  new Date(at).toLocaleDateString(language.value, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** How long ago, with the exact time on hover and focus. */
export function Time({ at }: { at: string | null | undefined }) {
  if (!at || Number.isNaN(Date.parse(at))) return <>–</>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time shows on focus too, for those without a pointer
    <time dateTime={at} tabIndex={0} data-exact={exact(at)}>
      {relative(at, now.value, language.value)}
      <span class="hidden">, {exact(at)}</span>
    </time>
  );
}
