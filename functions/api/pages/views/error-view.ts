import { toPalette } from '#domain/settings/page-settings.ts';
import { loadPageTexts, type PageTexts } from '#domain/tracking-page/texts/page-texts.ts';
import { html } from '#platform/html.ts';
import type { ErrorPage } from '#platform/http/answer.ts';
import type { RawResponse } from '#platform/http/request.ts';
import { icon } from './icons.ts';
import { pageResponse } from './layout.ts';
import type { Brand, PageContext } from './view.ts';

/** Nobody's: an unknown page belongs to no shop, and must not tell whether there is one. */
const neutral: Brand = { name: '', logo_url: null, palette: toPalette({}) };

export const errorPage: ErrorPage = async (error, { language, startedAt }) =>
  errorView(error, { language, texts: await loadPageTexts(language), now: new Date(startedAt) });

/** What a person sees instead of a page: what happened, and what to do. */
export function errorView({ status }: { status: number }, context: PageContext): RawResponse {
  const { title, text, next } = context.texts.errors[kindOf(status)];
  const main = html`<div class="top"></div><div class="stack attention"><div class="lead"><p class="tone">${icon('parcel')}</p><h1>${title}</h1><p>${text}</p></div><div class="card next"><dl><div><dt>${context.texts.next.you_can}</dt><dd>${next}</dd></div></dl></div></div>`;
  return pageResponse({ status, title, brand: neutral, main }, context);
}

function kindOf(status: number): keyof PageTexts['errors'] {
  if (status === 404) return 'not_found';
  if (status === 429) return 'too_many';
  if (status === 413) return 'too_large';
  return status < 500 ? 'bad_request' : 'failed';
}
