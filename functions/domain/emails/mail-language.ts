import { type Language, languages as ours } from '#schemas/catalogues/enumerations.ts';

/** What says which language a customer reads. */
interface Signs {
  /** The language of the last visit of the tracking page. */
  visited: Language | null | undefined;
  /** The language of the order in the shop's own system, such as `de-DE`. */
  ordered?: unknown;
  /** The country of delivery. */
  country: string | null | undefined;
  shop: Language | null | undefined;
}

/**
 * A customer who looked at the page chose its language, and before that the language in which to order. Otherwise the
 * country tells, if one language is spoken there.
 */
export const mailLanguage = ({ visited, ordered, country, shop }: Signs): Language =>
  visited ?? languageOfTag(ordered) ?? languageOfCountry(country) ?? shop ?? 'en';

/** Shop systems write `de-DE` or `de_DE`. `el` is the registered tag of Greek, but the contract uses `gr`. */
function languageOfTag(tag: unknown): Language | undefined {
  const primary = typeof tag === 'string' ? tag.trim().toLowerCase().split(/[-_]/)[0] : undefined;
  return ours.find((language) => language === (primary === 'el' ? 'gr' : primary));
}

/**
 * Countries where nearly everybody reads one of our languages, and only one. Belgium, Switzerland, Luxembourg and Canada
 * have several of them.
 */
const countries: Partial<Record<Language, string>> = {
  cs: 'CZ',
  da: 'DK',
  de: 'AT DE LI',
  en: 'AU GB GG GI IE IM JE MT NZ US',
  es: 'AR BO CL CO CR CU DO EC ES GT HN MX NI PA PE PR PY SV UY VE',
  fi: 'FI',
  fr: 'BL FR GF GP MC MF MQ PM RE YT',
  gr: 'CY GR',
  hu: 'HU',
  it: 'IT SM VA',
  lv: 'LV',
  nl: 'NL SR',
  pl: 'PL',
  pt: 'AO BR CV MZ PT',
  sk: 'SK',
  sv: 'AX SE',
};

const languages = new Map(
  Object.entries(countries).flatMap(([language, codes]) =>
    codes.split(' ').map((code): [string, Language] => [code, language as Language]),
  ),
);

const languageOfCountry = (code: string | null | undefined): Language | undefined =>
  languages.get(code?.trim().toUpperCase() ?? '');
