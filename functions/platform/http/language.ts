import Negotiator from 'negotiator';
import { type Language, languages } from '#schemas/catalogues/enumerations.ts';

/** `el` is the registered tag of Greek, `gr` the contract's. */
const tags = [...languages, 'el'];

/** The best of our languages for an Accept-Language header; undefined where it asks for none of them. */
export function negotiateLanguage(header: string | undefined): Language | undefined {
  if (!header || header.trim() === '*') return undefined;
  const [best] = new Negotiator({ headers: { 'accept-language': header } }).languages(tags);
  return best === 'el' ? 'gr' : (best as Language | undefined);
}

/** The caller's wish, then the shop's language, then English. */
export function chooseLanguage(header: string | undefined, shopLanguage: string | null | undefined): Language {
  return negotiateLanguage(header) ?? languages.find((language) => language === shopLanguage) ?? 'en';
}
