import type { ErrorPage } from '#platform/http/answer.ts';
import { loadPageTexts } from './texts/page-texts.ts';
import { errorView } from './views/error-view.ts';

/** What a person sees instead of an error of the API. It names no shop and no reason that only a program needs. */
export const errorPage: ErrorPage = async ({ status }, { language, startedAt }) =>
  errorView({ status }, { language, texts: await loadPageTexts(language), now: new Date(startedAt) });
