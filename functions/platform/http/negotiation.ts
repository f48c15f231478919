import Negotiator from 'negotiator';
import { type Language, languages } from '#schemas/catalogues/enumerations.ts';
import { selectVersion } from '#schemas/catalogues/versions.ts';
import type { Middleware } from './request.ts';

/**
 * Converts header names to lower case and sets what does not depend on the caller: start time, version and language.
 */
export function negotiation(): Middleware {
  return {
    before: ({ event, context }) => {
      event.headers = lowerCaseNames(event.headers);
      context.progress = {
        startedAt: Date.now(),
        version: selectVersion(event.headers['service-version']),
        language: chooseLanguage(event.headers['accept-language'], undefined),
      };
    },
  };
}

const lowerCaseNames = (headers: Record<string, string | undefined> | null) =>
  Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));

/** `el` is the registered tag of Greek, but the contract uses `gr`. */
const tags = [...languages, 'el'];

/** The best of our languages for an Accept-Language header, or undefined if it names none of them. */
function negotiateLanguage(header: string | undefined): Language | undefined {
  if (!header || header.trim() === '*') return undefined;
  const [best] = new Negotiator({ headers: { 'accept-language': header } }).languages(tags);
  return best === 'el' ? 'gr' : (best as Language | undefined);
}

/** The language of the request, otherwise of the shop, otherwise English. */
export function chooseLanguage(header: string | undefined, shopLanguage: string | null | undefined): Language {
  return negotiateLanguage(header) ?? languages.find((language) => language === shopLanguage) ?? 'en';
}
