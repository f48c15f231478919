import { languages } from '#schemas/catalogues/enumerations.ts';
import { language as ownLanguage } from '../texts/texts.ts';
import type { Option } from './fields.tsx';

/** The name of a language of customers, in the language of the user. `gr` is how the API writes Greek. */
export function languageName(tag: string): string {
  const names = new Intl.DisplayNames([ownLanguage.value], { type: 'language' });
  try {
    return names.of(tag === 'gr' ? 'el' : tag) ?? tag;
  } catch {
    return tag;
  }
}

export const languageOptions = (): Option[] =>
  languages
    .map((tag) => ({ value: tag, label: languageName(tag) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, ownLanguage.value));
