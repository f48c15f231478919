import type { Language } from '#schemas/catalogues/enumerations.ts';
import type english from './en.json';

/** The texts of the pages themselves in one language. Translators edit them in `<language>.json` beside this file. */
export type PageTexts = typeof english;

/** A text that names a number: one form for each plural category that whole numbers have in the language. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>>;

/** A language is loaded on first use. Each is a separate file in the bundle, so a cold start does not pay for it. */
export async function loadPageTexts(language: Language): Promise<PageTexts> {
  const { default: texts } = await import(/* @vite-ignore */ `./${language}.json`, { with: { type: 'json' } });
  return texts as PageTexts;
}
