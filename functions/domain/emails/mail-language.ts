import type { Language } from '#schemas/catalogues/enumerations.ts';

/** What says which language a customer reads. */
interface Signs {
  /** The language of the last visit of the tracking page. */
  visited: Language | null | undefined;
  /** The country of delivery. */
  country: string | null | undefined;
  shop: Language | null | undefined;
}

/** A customer who looked at the page chose its language. Otherwise the country tells, if one language is spoken there. */
export const mailLanguage = ({ visited, country, shop }: Signs): Language =>
  visited ?? languageOfCountry(country) ?? shop ?? 'en';

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
