import type { Language } from '#schemas/catalogues/enumerations.ts';
import type english from './en.json';

/** The texts of the pages themselves in one language. Translators edit them in `<language>.json` beside this file. */
export type PageTexts = typeof english;

/** A text that names a number: one form for each plural category of the language, and always `other`. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** A language is loaded on first use. Each is a separate file in the bundle, so a cold start does not pay for it. */
const files: Partial<Record<Language, () => Promise<{ default: unknown }>>> = {
  en: () => import('./en.json', { with: { type: 'json' } }),
};

export async function loadPageTexts(language: Language): Promise<PageTexts> {
  const load = files[language] ?? files.en!;
  return (await load()).default as PageTexts;
}
