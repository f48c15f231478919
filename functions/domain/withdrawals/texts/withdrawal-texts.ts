import type { Language } from '#schemas/catalogues/enumerations.ts';
import type english from './en.json';

/**
 * What customers read about a withdrawal, in one language. The words of the two buttons are those of Directive 2011/83/EU,
 * Article 11a, as Directive (EU) 2023/2673 has it. Quoted from published texts: `en`, `de`, `fr` (as in the French decree
 * 2026-3) and `it`; of `pl` the first button. The others are our translations of the English words, and to be held
 * against the Official Journal: `cs`, `da`, `es`, `fi`, `gr`, `hu`, `lv`, `nl`, `pt`, `sk`, `sv`, and the second button of `pl`.
 */
export type WithdrawalTexts = typeof english;

export async function loadWithdrawalTexts(language: Language): Promise<WithdrawalTexts> {
  const { default: texts } = await import(/* @vite-ignore */ `./${language}.json`, { with: { type: 'json' } });
  return texts as WithdrawalTexts;
}
