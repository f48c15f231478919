import type { Language } from '#schemas/catalogues/enumerations.ts';
import type english from './en.json';

/** The texts of the page to unsubscribe, in one language. Translators edit them in `<language>.json` beside this file. */
export type UnsubscribeTexts = typeof english;

/** A language is loaded on first use. */
export async function loadUnsubscribeTexts(language: Language): Promise<UnsubscribeTexts> {
  const { default: texts } = await import(/* @vite-ignore */ `./${language}.json`, { with: { type: 'json' } });
  return texts as UnsubscribeTexts;
}
