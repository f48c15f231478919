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

/**
 * The language of the request, otherwise of the shop, otherwise English. A wildcard in the header accepts every language
 * alike. Then the first of the list wins, so the list begins with the languages that the service would choose itself.
 */
export function chooseLanguage(header: string | undefined, shopLanguage: string | null | undefined): Language {
  const ownChoice = [...languages.filter((language) => language === shopLanguage), 'en' as const];
  // Programs write `de_DE`, as their locales are named.
  const headers = { 'accept-language': header?.replaceAll('_', '-') ?? '' };
  const [best] = new Negotiator({ headers }).languages([...ownChoice, ...tags]);
  return best === 'el' ? 'gr' : ((best as Language | undefined) ?? ownChoice[0]!);
}
