import { answerOf, parcelName } from '#domain/tracking-page/answer.ts';
import { counted, dateText, inZones, numberText, put, timeOf } from '#domain/tracking-page/dates.ts';
import { isUnderWay } from '#domain/tracking-page/journey.ts';
import {
  anchor,
  foreign,
  Html,
  heading,
  html,
  type Level,
  link,
  mailLink,
  nothing,
  ownPath,
  phoneLink,
  type SafeUrl,
} from '#platform/html.ts';
import type { RawResponse } from '#platform/http/request.ts';
import type { PageParcel, TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { conversationView, foldedForm } from './conversation-view.ts';
import { icon } from './icons.ts';
import { type ImageOrigins, imageOrigins, imagesOf } from './images.ts';
import { cut, pageResponse, unbroken } from './layout.ts';
import { announcementsView, dealsView, promotionView } from './offers-view.ts';
import { answerView, detailsView, numberView, pickupView, productsView, type Ways } from './parcel-view.ts';
import { givenRatings, ratingForm } from './rating-view.ts';
import { timeline } from './timeline-view.ts';
import type { Contact, PageContext, PageLinks } from './view.ts';

interface Options {
  /** Its own links lead nowhere. */
  isPreview?: boolean;
  notice?: 'claim_sent' | 'message_sent' | 'rating_sent';
  /** The hidden field of its forms. */
  formKey?: string;
  /** The customer's withdrawal, or the way to declare one. */
  withdrawn?: Html;
  withdrawalOffer?: Html;
}

/** The page that answers where the parcel is and when it comes. */
export function trackingView(facts: TrackingPage, context: PageContext, options: Options = {}): RawResponse {
  const parcels = facts.parcels.map((parcel) => ({ ...parcel, events: inZones(parcel.events) }));
  const page = { ...facts, parcels };
  const { texts } = context;
  const images = imageOrigins(imagesOf(page));
  const own = (...parts: string[]) =>
    options.isPreview ? anchor('main') : ownPath([tokenOf(page), ...parts], { lang: context.language });
  const [open, settled] = [page.claims.filter(isOpen), page.claims.filter((claim) => !isOpen(claim))];
  const ways = waysOf(page, page.links.claim_url ? own('claim') : null, open.length > 0);
  const { formKey = '' } = options;
  const writes = (claim: PageClaim) => foldedForm(claim, own('claims', claim.uuid, 'messages'), formKey, context);
  const talk = (claim: PageClaim) => html`${conversationView(claim, images, context)}${isOpen(claim) && writes(claim)}`;
  const rates = (parcel: PageParcel, index: number, level: Level) =>
    page.links.rating_url
      ? ratingForm(parcel, index, { to: options.isPreview ? null : own('rating'), formKey, level }, context)
      : null;
  const go = page.promotion?.url ? own('go', page.promotion.promotion_id) : null;
  const extras = html`${claimsView(settled, 'settled', talk, context)}${announcementsView(page.announcements, context)}`;
  const main = html`${noticeView(options, context)}
${options.withdrawn}
${claimsView(open, 'claims', talk, context)}
${givenRatings(page, context)}
${parcelsView(page, { ways, images, extras, rates }, context)}
${promotionView(page.promotion, go, images, context)}
${dealsView(page.deals, images, context)}
${options.withdrawalOffer}
${helpView(page, ways, context)}`;
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

const waysOf = ({ links, shop }: TrackingPage, report: SafeUrl | null, hasReported: boolean): Ways => ({
  report,
  contact:
    link(links.support_url) ?? link(links.service_url) ?? mailLink(shop.contact_email) ?? phoneLink(shop.contact_phone),
  hasReported,
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
  /** The form to rate the delivery of a parcel that has arrived. */
  rates: (parcel: PageParcel, index: number, level: Level) => Html | null;
}

function parcelsView(page: TrackingPage, parts: Parts, context: PageContext): Html {
  const [first, ...others] = page.parcels;
  if (!first) return html`${emptyView(context)}${parts.extras}`;
  return others.length === 0 ? onlyParcel(first, parts, context) : severalParcels(page, parts, context);
}

const emptyView = ({ texts }: PageContext) =>
  html`<div class="stack moving"><div class="lead"><p class="tone">${icon('parcel')}${texts.progress.steps.ordered}</p><h1>${texts.page.nothing_sent}</h1><p>${texts.page.nothing_sent_next}</p></div></div>`;

function onlyParcel(parcel: PageParcel, { ways, images, extras, rates }: Parts, context: PageContext): Html {
  const { texts } = context;
  const title = html`<h1>${unbroken(answerOf(parcel, context).sentence)}</h1>`;
  return html`${answerView(parcel, title, ways, context)}
${pickupView(parcel, 2, context)}
${rates(parcel, 0, 2)}
${extras}
<section class="stack"><h2>${texts.timeline.title}</h2><div>${timeline(parcel, 'journey', context)}</div></section>
${detailsView(parcel, 2, context)}
${productsView(parcel, { id: 'products', title: html`<h2>${productsTitle(parcel, context)}</h2>`, images }, context)}`;
}

const productsTitle = ({ products_of }: PageParcel, { texts }: PageContext) =>
  products_of === 'order' ? texts.products.title : texts.products.in_parcel;

/** The parcels after these are folded, so that the page stays short. */
const unfoldedParcels = 4;

/** Parcels of the shop are counted. One of the shop and what comes back of it is not: the first parcel has the answer. */
function severalParcels({ parcels }: TrackingPage, parts: Parts, context: PageContext): Html {
  const sent = parcels.filter(({ is_return }) => !is_return);
  const isCounted = sent.length > 1;
  const lead = isCounted && html`<div class="lead">${countView(sent, parcels.length - sent.length, context)}</div>`;
  const views = parcels.map((parcel, index) => {
    const place = { index, name: parcelName(index, parcels, context), isAnswer: index === 0 && !isCounted };
    return oneOfSeveral(parcel, place, parts, context);
  });
  return html`${lead}
${views}
${parts.extras}
${orderedView(parcels, parts, context)}`;
}

/** How many parcels the order has, how many of them have arrived, and how many the customer sends back. */
function countView(sent: readonly PageParcel[], returns: number, context: PageContext): Html {
  const { page } = context.texts;
  const arrived = sent.filter(({ phase }) => phase === 'delivered').length;
  const [total, count] = [numberText(sent.length, context), numberText(arrived, context)];
  const title = put(counted(page.parcels, sent.length, context), { count: total });
  const sentBack = returns > 0 && html`<p>${put(page.returns, { count: numberText(returns, context) })}</p>`;
  const come = arrived > 0 && html`<p>${put(counted(page.arrived, arrived, context), { count, total })}</p>`;
  return html`<h1>${title}</h1>${come}${sentBack}`;
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

interface Place {
  index: number;
  name: string;
  /** Whether it has the sentence of the page. */
  isAnswer: boolean;
}

function oneOfSeveral(parcel: PageParcel, place: Place, { ways, images, rates }: Parts, context: PageContext): Html {
  const { texts } = context;
  const { index, name, isAnswer } = place;
  const sentence = unbroken(answerOf(parcel, context).sentence);
  const id = `parcel-${index + 1}`;
  const level = isAnswer ? 2 : 3;
  const title = isAnswer ? html`<h1>${sentence}</h1>` : html`<p class="title">${sentence}</p>`;
  const products =
    parcel.products_of === 'parcel' &&
    productsView(parcel, { id: `${id}-products`, title: heading(level, texts.products.in_parcel), images }, context);
  const content = html`${answerView(parcel, title, ways, context)}
${pickupView(parcel, level, context)}
${rates(parcel, index, level)}
${products}
<details id="${id}-journey"><summary>${texts.timeline.title}</summary><div class="stack"><div>${timeline(parcel, `${id}-day`, context)}</div>${detailsView(parcel, level, context)}</div></details>`;
  if (isAnswer) return html`<section class="card stack" id="${id}"><p class="whose">${name}</p>${content}</section>`;
  if (index < unfoldedParcels) return html`<section class="card stack" id="${id}"><h2>${name}</h2>${content}</section>`;
  return html`<details class="card parcel" id="${id}"><summary><span><strong>${name}</strong><br>${sentence}</span></summary><div class="stack">${content}</div></details>`;
}

type PageClaim = TrackingPage['claims'][number];

const isOpen = ({ status }: PageClaim) => status !== 'closed';

/** The claims after these are folded, so that the answer about the parcel stays in sight. */
const unfoldedClaims = 2;

/** What the customer reported: what becomes of it, its number, and the customer's own words. */
function claimsView(
  claims: readonly PageClaim[],
  id: string,
  talk: (claim: PageClaim) => Html,
  context: PageContext,
): Html | null {
  if (claims.length === 0) return null;
  const { title } = context.texts.claims;
  const items = claims.map((claim) => claimView(claim, talk(claim), context));
  const [shown, rest] = [items.slice(0, unfoldedClaims), items.slice(unfoldedClaims)];
  return html`<section class="card stack" id="${id}"><h2>${title}</h2><ul class="items">${shown}</ul>${
    rest.length > 0 &&
    html`<details id="${id}-all"><summary>${context.texts.announcements.more}</summary><ul class="items">${rest}</ul></details>`
  }</section>`;
}

function claimView(claim: PageClaim, talk: Html, context: PageContext): Html {
  const { number, reason, status, created_at, description } = claim;
  const { reasons, claims } = context.texts;
  const time = timeOf(created_at);
  return html`<li class="claim"><p class="split"><strong>${reasons[reason]}</strong><span class="badge ${status}">${claims.statuses[status]}</span></p><p>${claims.next[status]}</p>${
    description &&
    html`<figure><figcaption class="muted">${claims.words}</figcaption><blockquote>${foreign(description)}</blockquote></figure>`
  }<dl class="facts"><dt>${claims.number}</dt><dd>${numberView(number, null, context)}</dd></dl>${time && html`<p class="muted">${put(claims.reported, { day: dateText(time, context) })}</p>`}${talk}</li>`;
}

function helpView({ links, shop }: TrackingPage, ways: Ways, { texts }: PageContext): Html | null {
  const name = ways.hasReported ? texts.actions.report_again : texts.actions.report;
  const report = ways.report && html`<a class="button quiet" href="${ways.report}">${icon('claim')}${name}</a>`;
  const others = linksView([
    [links.support_url, texts.links.support],
    [links.service_url === links.support_url ? null : links.service_url, texts.links.service],
    [links.faq_url, texts.links.faq],
  ]);
  const contact = contactView(shop, texts);
  if (!report && !others && !contact) return null;
  return html`<section class="stack"><h2>${texts.links.help}</h2>${report && html`<p>${report}</p>`}${contact}${others}</section>`;
}

/** A text that no phone can dial is still one to read. */
function contactView({ contact_phone, contact_email }: Contact, { links }: PageContext['texts']): Html | null {
  const row = (name: string, text: string | null, address: SafeUrl | null) => {
    const shown = text?.trim() && foreign(cut(text.trim(), 320));
    return shown && html`<dt>${name}</dt><dd>${address ? html`<a href="${address}">${shown}</a>` : shown}</dd>`;
  };
  const rows = [
    row(links.phone, contact_phone, phoneLink(contact_phone)),
    row(links.email, contact_email, mailLink(contact_email)),
  ].filter((one) => one instanceof Html);
  return rows.length > 0 ? html`<dl class="facts">${rows}</dl>` : null;
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
