import type { ErrorPage } from '#platform/http/answer.ts';
import { loadPageTexts } from './texts/page-texts.ts';
import { errorView } from './views/error-view.ts';

/** What a person sees instead of a page. */
export const errorPage: ErrorPage = async (error, { language, startedAt }) =>
  errorView(error, { language, texts: await loadPageTexts(language), now: new Date(startedAt) });
