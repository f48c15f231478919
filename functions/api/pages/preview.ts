import { readStorefront } from '#domain/pages/storefront-store.ts';
import { loadTexts } from '#domain/texts/texts.ts';
import { ApiError } from '#platform/http/errors.ts';
import type { Implementation } from '#platform/http/request.ts';
import type { pages } from '#schemas/families/pages.ts';
import { brandOf, toLinks } from './facts.ts';
import { loadPageTexts } from './texts/page-texts.ts';
import { samplePage } from './views/sample-page.ts';
import { trackingView } from './views/tracking-view.ts';

/** The page with the brand of the shop and sample data. It has no token, so it counts nothing. */
export const previewTrackingPage: Implementation<typeof pages.previewTrackingPage> = async (request) => {
  const { shop, query, serviceUrl, setLanguage, now } = request;
  const { event_name: eventName, language = shop.language ?? 'en', theme } = query;
  setLanguage(language);
  const [storefront, texts, eventTexts] = await Promise.all([
    readStorefront(shop.slug, now),
    loadPageTexts(language),
    loadTexts(language),
  ]);
  if (!storefront) throw new ApiError('shop_not_found');
  const context = { language, texts, now, theme };
  const links = toLinks(storefront, `${serviceUrl}/t/preview`);
  const page = samplePage({ eventName, shop: brandOf(storefront), links, eventTexts }, context);
  return trackingView(page, context, { isPreview: true });
};
