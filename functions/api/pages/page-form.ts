import type { Message } from '#domain/claims/claim-rules.ts';
import { cleanImage, newImageName, storeImageAs } from '#domain/images/image-store.ts';
import { imageUrl } from '#domain/images/image-urls.ts';
import { clockOf } from '#domain/orders/simulated.ts';
import { notePhotos } from '#domain/pages/page-photos.ts';
import { loadTexts } from '#domain/texts/texts.ts';
import { toTrackingPage } from '#domain/tracking-page/facts.ts';
import { loadPageTexts } from '#domain/tracking-page/texts/page-texts.ts';
import { secondsOf } from '#platform/access/sliding-window.ts';
import type { RawResponse, Request } from '#platform/http/request.ts';
import type { CleanImage } from '#platform/images/clean-image.ts';
import { clockSince } from '#platform/time.ts';
import type { pages } from '#schemas/families/pages.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { languageFor, type OpenPage, openPage } from './open-page.ts';
import type { PageContext } from './views/view.ts';

/** What all forms on tracking pages have in common: the page they stand on, their key, and their photos. */

/** What a form stands on. */
export interface OpenForm extends OpenPage {
  facts: TrackingPage;
  /** The same with what was written in the claims. */
  factsWith: (messages: ReadonlyMap<string, readonly Message[]>) => TrackingPage;
  context: PageContext;
  /** When what the form makes is made, which is after its photos are stored. */
  clock: () => Date;
}

export type Opening = Pick<
  Request<(typeof pages)['getClaimForm']>,
  'params' | 'query' | 'headers' | 'setLanguage' | 'serviceUrl' | 'now'
>;

export async function openForm(request: Opening): Promise<OpenForm> {
  const { params, serviceUrl, now } = request;
  languageFor(request);
  const opened = await openPage(params.token, now);
  const language = languageFor(request, opened.storefront);
  const [eventTexts, texts] = await Promise.all([loadTexts(language), loadPageTexts(language)]);
  const { token, claims, ratings } = opened.page;
  const reader = { language, texts: eventTexts, serviceUrl, now };
  const sources = { ...opened, token, claims, ratings, promotion: undefined };
  const clock = clockSince(await clockOf(opened.page.slug, opened.fullOrder.order, now));
  return {
    ...opened,
    facts: toTrackingPage(sources, reader),
    factsWith: (messages) => toTrackingPage({ ...sources, messages }, reader),
    context: { language, texts, now },
    clock,
  };
}

/** @param waitMs until the page takes such a form again */
export function withWait(response: RawResponse, waitMs: number | undefined): RawResponse {
  if (waitMs === undefined) return response;
  return { ...response, headers: { ...response.headers, 'Retry-After': String(secondsOf(waitMs)) } };
}

/** All are cleaned before the first is stored, so that a file that is no photo leaves nothing behind. */
export async function cleanPhotos(photos: readonly Uint8Array[]): Promise<CleanImage[]> {
  const cleaned = [];
  for (const photo of photos) cleaned.push(await cleanImage(photo));
  return cleaned;
}

/** Without a claim or message that names it, nobody can open a photo. @returns their URLs */
export async function storePhotos(
  { page, storefront, context }: OpenForm,
  attempt: string,
  photos: readonly CleanImage[],
): Promise<string[]> {
  if (photos.length === 0) return [];
  const named = photos.map((photo) => ({
    photo,
    name: newImageName(storefront.shop.uuid, 'claim', photo, context.now),
  }));
  await notePhotos(
    page.token,
    attempt,
    named.map(({ name }) => imageUrl(name)),
  );
  return Promise.all(named.map(({ name, photo }) => storeImageAs(name, photo)));
}
