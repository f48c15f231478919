import type { RawResponse } from '#platform/http/request.ts';
import type { PageParcel, TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { counted, dateText, inZones, numberText, put, timeOf } from './dates.ts';
import { anchor, type Html, html, link, nothing, ownPath, type SafeUrl } from './html.ts';
import { icon } from './icons.ts';
import { type ImageOrigins, imageOrigins, imagesOf } from './images.ts';
import { isUnderWay } from './journey.ts';
import { cut, pageResponse } from './layout.ts';
import { announcementsView, dealsView, promotionView } from './offers-view.ts';
import {
  answerOf,
  answerView,
  detailsView,
  latestView,
  parcelName,
  pickupView,
  productsView,
  type Ways,
} from './parcel-view.ts';
import { timeline } from './timeline-view.ts';
import type { PageContext, PageLinks } from './view.ts';

interface Options {
  /** Its own links lead nowhere. */
  isPreview?: boolean;
  notice?: 'claim_sent';
}

/** The page that answers where the parcel is and when it comes. */
export function trackingView(facts: TrackingPage, context: PageContext, options: Options = {}): RawResponse {
  const parcels = facts.parcels.map((parcel) => ({ ...parcel, events: inZones(parcel.events) }));
  const page = { ...facts, parcels };
  const { texts } = context;
  const images = imageOrigins(imagesOf(page));
  const own = (...parts: string[]) =>
    options.isPreview ? anchor('main') : ownPath([tokenOf(page), ...parts], { lang: context.language });
  const ways = waysOf(page.links, page.links.claim_url ? own('claim') : null);
  const go = page.promotion?.url ? own('go', page.promotion.promotion_id) : null;
  const extras = html`${claimsView(page, context)}${announcementsView(page.announcements, context)}`;
  const main = html`${noticeView(options, context)}
${parcelsView(page, { ways, images, extras }, context)}
${promotionView(page.promotion, go, images, context)}
${dealsView(page.deals, images, context)}
${helpView(page.links, ways, context)}`;
  return pageResponse(
    {
      title: put(texts.page.title, { number: cut(page.order_number, 60), shop: cut(page.shop.name, 60) }),
      brand: page.shop,
      shopUrl: page.links.shop_url,
      orderNumber: page.order_number,
      banner: options.isPreview ? texts.page.preview : undefined,
      main,
      foot: footView(page.links, context),
      isLive: !options.isPreview && page.parcels.some(isUnderWay),
      images,
    },
    context,
  );
}

/** The last part of the address. Links within the page are relative, because the service may stand below a path. */
export const tokenOf = ({ links }: TrackingPage): string => URL.parse(links.page_url)?.pathname.split('/').at(-1) ?? '';

const waysOf = ({ support_url, service_url }: PageLinks, report: SafeUrl | null): Ways => ({
  report,
  contact: link(support_url) ?? link(service_url),
});

function noticeView({ notice }: Options, { texts }: PageContext): Html {
  if (!notice) return nothing;
  return html`<div class="card notice" role="status">${icon('check')}<p>${texts.page[notice]}</p></div>`;
}

interface Parts {
  ways: Ways;
  images: ImageOrigins;
  /** What stands between the answer and the journey. */
  extras: Html;
}

function parcelsView(page: TrackingPage, parts: Parts, context: PageContext): Html {
  const [first, ...others] = page.parcels;
  if (!first) return html`${emptyView(context)}${parts.extras}`;
  return others.length === 0 ? onlyParcel(first, parts, context) : severalParcels(page, parts, context);
}

const emptyView = ({ texts }: PageContext) =>
  html`<div class="stack moving"><div class="lead"><p class="tone">${icon('parcel')}${texts.progress.steps.ordered}</p><h1>${texts.page.nothing_sent}</h1><p>${texts.page.nothing_sent_next}</p></div></div>`;

function onlyParcel(parcel: PageParcel, { ways, images, extras }: Parts, context: PageContext): Html {
  const { texts } = context;
  const title = html`<h1>${answerOf(parcel, context).sentence}</h1>${latestView(parcel, context)}`;
  return html`${answerView(parcel, title, ways, context)}
${pickupView(parcel, 2, context)}
${extras}
<section class="stack"><h2>${texts.timeline.title}</h2><div>${timeline(parcel, 'journey', context)}</div></section>
${detailsView(parcel, 2, context)}
${productsView(parcel, { id: 'products', title: html`<h2>${productsTitle(parcel, context)}</h2>`, images }, context)}`;
}

const productsTitle = ({ products_of }: PageParcel, { texts }: PageContext) =>
  products_of === 'order' ? texts.products.title : texts.products.in_parcel;

/** The parcels after these are folded, so that the page stays short. */
const unfoldedParcels = 4;

function severalParcels({ parcels, order_number }: TrackingPage, parts: Parts, context: PageContext): Html {
  const sent = parcels.filter(({ is_return }) => !is_return);
  const lead =
    sent.length > 0
      ? countView(sent, context)
      : html`<h1>${put(context.texts.page.order, { number: order_number })}</h1>`;
  const views = parcels.map((parcel, i) => oneOfSeveral(parcel, i, parcelName(i, parcels, context), parts, context));
  return html`<div class="lead">${lead}</div>
${views}
${parts.extras}
${orderedView(parcels, parts, context)}`;
}

/** How many parcels the order has, and how many of them have arrived. */
function countView(sent: readonly PageParcel[], context: PageContext): Html {
  const { page } = context.texts;
  const arrived = sent.filter(({ phase }) => phase === 'delivered').length;
  const [total, count] = [numberText(sent.length, context), numberText(arrived, context)];
  const title = put(counted(page.parcels, sent.length, context), { count: total });
  return html`<h1>${title}</h1><p>${put(counted(page.arrived, arrived, context), { count, total })}</p>`;
}

/** What is in the order, if it is not known what is in its parcels. */
function orderedView(parcels: readonly PageParcel[], { images }: Parts, context: PageContext): Html | null {
  const holder = parcels.find(({ products_of }) => products_of === 'order');
  if (!holder) return null;
  return productsView(
    holder,
    { id: 'products', title: html`<h2>${productsTitle(holder, context)}</h2>`, images },
    context,
  );
}

function oneOfSeveral(
  parcel: PageParcel,
  index: number,
  name: string,
  { ways, images }: Parts,
  context: PageContext,
): Html {
  const { texts } = context;
  const { sentence } = answerOf(parcel, context);
  const id = `parcel-${index + 1}`;
  const title = html`<p class="title">${sentence}</p>${latestView(parcel, context)}`;
  const products =
    parcel.products_of === 'parcel' &&
    productsView(parcel, { id: `${id}-products`, title: html`<h3>${texts.products.in_parcel}</h3>`, images }, context);
  const content = html`${answerView(parcel, title, ways, context)}
${pickupView(parcel, 3, context)}
${products}
<details id="${id}-journey"><summary>${texts.timeline.title}</summary><div class="stack"><div>${timeline(parcel, `${id}-day`, context)}</div>${detailsView(parcel, 3, context)}</div></details>`;
  if (index < unfoldedParcels) return html`<section class="card stack" id="${id}"><h2>${name}</h2>${content}</section>`;
  return html`<details class="card parcel" id="${id}"><summary><span><strong>${name}</strong><br>${sentence}</span></summary><div class="stack">${content}</div></details>`;
}

function claimsView({ claims }: TrackingPage, context: PageContext): Html | null {
  if (claims.length === 0) return null;
  const { texts } = context;
  const items = claims.map(({ reason, status, created_at }) => {
    const time = timeOf(created_at);
    return html`<li><p class="split"><strong>${texts.reasons[reason]}</strong><span class="badge ${status}">${texts.claims.statuses[status]}</span></p><p>${texts.claims.next[status]}</p>${time && html`<p class="muted">${put(texts.claims.reported, { day: dateText(time, context) })}</p>`}</li>`;
  });
  return html`<section class="card stack" id="claims"><h2>${texts.claims.title}</h2><ul class="items">${items}</ul></section>`;
}

function helpView(links: PageLinks, ways: Ways, { texts }: PageContext): Html | null {
  const report =
    ways.report && html`<a class="button quiet" href="${ways.report}">${icon('claim')}${texts.actions.report}</a>`;
  const others = linksView([
    [links.support_url, texts.links.support],
    [links.service_url === links.support_url ? null : links.service_url, texts.links.service],
    [links.faq_url, texts.links.faq],
  ]);
  if (!report && !others) return null;
  return html`<section class="stack"><h2>${texts.links.help}</h2>${report && html`<p>${report}</p>`}${others}</section>`;
}

export const footView = (links: Partial<PageLinks>, { texts }: PageContext): Html | null =>
  linksView([
    [links.shop_url, texts.links.shop],
    [links.privacy_url, texts.links.privacy],
    [links.imprint_url, texts.links.imprint],
  ]);

function linksView(links: readonly [url: string | null | undefined, name: string][]): Html | null {
  const found = links.flatMap(([url, name]) => {
    const address = link(url);
    return address ? [html`<li><a href="${address}">${name}</a></li>`] : [];
  });
  return found.length > 0 ? html`<ul class="links">${found}</ul>` : null;
}
