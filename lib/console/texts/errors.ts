import type { FaultWords } from './fault-words.ts';
import { hasText, loadTexts, t } from './texts.ts';

/** Words for errors are loaded with the first error, which most people never see. */
let known: typeof import('./fault-words.ts') | undefined;

export async function loadErrorWords(): Promise<void> {
  [known] = await Promise.all([import('./fault-words.ts'), loadTexts('errors')]);
}

/** What the console says for a sentence of the service, in the sentence's own words if nothing is loaded. */
export function faultText(sentence: string): string {
  const words = wordsOf(sentence);
  return words && hasText(`errors.faults.${words.name}`) ? t(`errors.faults.${words.name}`, words.values) : sentence;
}

export const wordsOf = (sentence: string): FaultWords | undefined => known?.faultWords(sentence);

export const isStillWrong = (words: FaultWords, value: unknown, startDate?: unknown): boolean =>
  known?.isStillWrong(words, value, startDate) ?? false;
