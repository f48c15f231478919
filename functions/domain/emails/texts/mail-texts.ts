import type { Language } from '#schemas/catalogues/enumerations.ts';
import type english from './en.json';

/**
 * What only e-mails say, in one language: most of their words are those of the page. Translators edit them in
 * `<language>.json` beside this file.
 */
export type MailTexts = typeof english;

/** A language is loaded on first use. Each is a separate file in the bundle, so a cold start does not pay for it. */
export async function loadMailTexts(language: Language): Promise<MailTexts> {
  const { default: texts } = await import(/* @vite-ignore */ `./${language}.json`, { with: { type: 'json' } });
  return texts as MailTexts;
}
