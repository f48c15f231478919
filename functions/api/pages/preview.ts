import { validate } from 'form:trackingPagePreview';
import { promotionForCustomer } from '#domain/pages/page-promotion.ts';
import { announcementsFor, type Storefront } from '#domain/pages/storefront.ts';
import { codesOf, readStorefront } from '#domain/pages/storefront-store.ts';
import { loadTexts } from '#domain/texts/texts.ts';
import { brandOf, toDeal, toLinks, toPromotion } from '#domain/tracking-page/facts.ts';
import { samplePage } from '#domain/tracking-page/sample-page.ts';
import { loadPageTexts } from '#domain/tracking-page/texts/page-texts.ts';
import { invalid, invalidValue, ServiceError } from '#platform/errors.ts';
import type { Implementation, RawResponse, Request } from '#platform/http/request.ts';
import { faultsOf } from '#platform/http/validation.ts';
import { pageLimits, sizeText } from '#schemas/catalogues/limits.ts';
import type { FormFields } from '#schemas/families/operation.ts';
import type { PageDraft, PreviewRequest, pages } from '#schemas/families/pages.ts';
import type { TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { discountIdsOf, draftedPromotion, storefrontAfter } from './draft.ts';
import { textOf } from './form-fields.ts';
import { trackingView } from './views/tracking-view.ts';

type Operations = typeof pages;
type Previewing = Pick<Request<Operations['previewTrackingPage']>, 'shop' | 'serviceUrl' | 'setLanguage' | 'now'>;

export const previewTrackingPage: Implementation<Operations['previewTrackingPage']> = (request) => {
  const { show_storefront, ...chosen } = request.query;
  return preview(request, { ...chosen, draft: { show_storefront } });
};

export const previewDraft: Implementation<Operations['previewDraft']> = (request) =>
  preview(request, chosenBy(request.body));

/** The page with the brand of the shop and sample data. It has no token, so it counts nothing. */
async function preview(request: Previewing, chosen: PreviewRequest): Promise<RawResponse> {
  const { shop, serviceUrl, setLanguage, now } = request;
  const { event_name: eventName, language = shop.language ?? 'en', theme, draft = nothing } = chosen;
  setLanguage(language);
  const [present, codes, texts, eventTexts] = await Promise.all([
    readStorefront(shop.slug, now),
    codesOf(discountIdsOf(draft).map((discount_id) => ({ shop_slug: shop.slug, discount_id }))),
    loadPageTexts(language),
    loadTexts(language),
  ]);
  if (!present) throw new ServiceError('shop_not_found');
  const storefront = storefrontAfter(present, draft, codes);
  const context = { language, texts, now, theme };
  const links = toLinks(storefront, `${serviceUrl}/t/preview`);
  const showsPredictions = storefront.settings.show_predictions;
  const sample = samplePage({ eventName, showsPredictions, shop: brandOf(storefront), links, eventTexts }, context);
  const page: TrackingPage = {
    ...sample,
    parcels: storefront.settings.show_products ? sample.parcels : sample.parcels.map(withoutProducts),
    promotion: await promotionOf(draft, codes, { slug: shop.slug, storefront, sample, now }),
    deals: storefront.deals.map((deal) => toDeal(deal, { language })),
    announcements: announcementsFor(storefront, language).map((text) => ({ text })),
  };
  return trackingView(page, context, { isPreview: true });
}

const nothing: PageDraft = { show_storefront: false };

const withoutProducts = <P extends { products: unknown[] }>(parcel: P): P => ({ ...parcel, products: [] });

interface Shown {
  slug: string;
  storefront: Storefront;
  sample: TrackingPage;
  now: Date;
}

/** A customer of no segment sees what everybody sees. */
const somebody = { id: 'preview', segments: [] };

async function promotionOf(
  { campaign, show_storefront }: PageDraft,
  codes: Parameters<typeof draftedPromotion>[1],
  { slug, storefront, sample, now }: Shown,
): Promise<TrackingPage['promotion']> {
  const { language, links } = sample;
  if (campaign) return toPromotion(draftedPromotion(campaign, codes), links.page_url, { language });
  if (!show_storefront) return sample.promotion;
  const present = await promotionForCustomer(slug, somebody, storefront, now);
  return present ? toPromotion(present, links.page_url, { language }) : null;
}

/** What a form asks for. An empty field is one that was not filled in. */
function chosenBy(fields: FormFields): PreviewRequest {
  const names = ['event_name', 'language', 'theme', 'draft'] as const;
  const given = names.map((name) => [name, textOf(fields, name)]).filter(([, text]) => text !== '');
  const chosen = Object.fromEntries(given);
  const parsed = 'draft' in chosen ? { ...chosen, draft: parsedDraft(chosen.draft) } : chosen;
  const faults = faultsOf('body', validate, parsed);
  if (faults.length > 0) throw invalid(...faults);
  return parsed;
}

function parsedDraft(text: string): unknown {
  if (Buffer.byteLength(text) > pageLimits.draftBytes)
    throw draftFault(`must have at most ${sizeText(pageLimits.draftBytes)}`);
  try {
    return JSON.parse(text);
  } catch {
    throw draftFault('must be valid JSON');
  }
}

const draftFault = (msg: string) => invalidValue(['body', 'draft'], msg);
