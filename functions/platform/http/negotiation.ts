import { selectVersion } from '#schemas/catalogues/versions.ts';
import { chooseLanguage } from './language.ts';
import type { Middleware } from './middleware.ts';

/** Header names in one case, and what does not depend on who asks: the clock, the version, the language wished for. */
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
