import type { Language } from '#schemas/catalogues/enumerations.ts';
import type english from './en.json';

/** The texts of the pages themselves in one language. Translators edit them in `<language>.json` beside this file. */
export type PageTexts = typeof english;

/** A text that names a number: one form for each plural category that whole numbers have in the language. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>>;

/** A language is loaded on first use. Each is a separate file in the bundle, so a cold start does not pay for it. */
const files: Record<Language, () => Promise<{ default: unknown }>> = {
  cs: () => import('./cs.json', { with: { type: 'json' } }),
  da: () => import('./da.json', { with: { type: 'json' } }),
  nl: () => import('./nl.json', { with: { type: 'json' } }),
  en: () => import('./en.json', { with: { type: 'json' } }),
  fi: () => import('./fi.json', { with: { type: 'json' } }),
  fr: () => import('./fr.json', { with: { type: 'json' } }),
  de: () => import('./de.json', { with: { type: 'json' } }),
  gr: () => import('./gr.json', { with: { type: 'json' } }),
  hu: () => import('./hu.json', { with: { type: 'json' } }),
  it: () => import('./it.json', { with: { type: 'json' } }),
  lv: () => import('./lv.json', { with: { type: 'json' } }),
  pl: () => import('./pl.json', { with: { type: 'json' } }),
  pt: () => import('./pt.json', { with: { type: 'json' } }),
  sk: () => import('./sk.json', { with: { type: 'json' } }),
  es: () => import('./es.json', { with: { type: 'json' } }),
  sv: () => import('./sv.json', { with: { type: 'json' } }),
};

export async function loadPageTexts(language: Language): Promise<PageTexts> {
  return (await files[language]()).default as PageTexts;
}
