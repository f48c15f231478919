import { answerOf } from '#domain/tracking-page/answer.ts';
import { counted, dayTitle, momentOf, numberText, put, todayIn } from '#domain/tracking-page/dates.ts';
import {
  type Action,
  isForCollection,
  isWithNeighbour,
  meaningOf,
  progressOf,
  situationOf,
} from '#domain/tracking-page/journey.ts';
import { collectDay, openingHours, type Story, storyOf } from '#domain/tracking-page/story.ts';
import {
  attribute,
  foreign,
  type Html,
  heading,
  html,
  type Level,
  link,
  nothing,
  type SafeUrl,
} from '#platform/html.ts';
import type { PageParcel } from '#schemas/shapes/tracking-page.ts';
import { icon } from './icons.ts';
import { type ImageOrigins, picture } from './images.ts';
import { cut } from './layout.ts';
import { placeOf } from './timeline-view.ts';
import type { PageContext } from './view.ts';

/** Where the buttons of a parcel lead. Null: there is no such way. */
export interface Ways {
  report: SafeUrl | null;
  contact: SafeUrl | null;
  /** What became of what the customer reported stands above: reporting is no longer what helps most. */
  hasReported: boolean;
}

/** The answer, how far the parcel is, and what there is to do. @param title the heading with the answer in it */
export function answerView(parcel: PageParcel, title: Html, ways: Ways, context: PageContext): Html {
  const { tone, icon: name } = meaningOf(situationOf(parcel, context.now), parcel);
  const story = storyOf(parcel, ways.hasReported, context);
  const { note } = answerOf(parcel, context);
  return html`<div class="stack ${tone}"><div class="lead"><p class="tone">${icon(name)}${parcel.event_strings.header_headline}</p>
${title}
${note && html`<p class="muted">${note}</p>`}
${latestView(parcel, context)}
${story.lines.map((line) => html`<p>${line}</p>`)}</div>
${progressView(parcel, context)}
${nextView(parcel, story, ways, context)}</div>`;
}

function progressView(parcel: PageParcel, context: PageContext): Html {
  const { steps, current } = progressOf(parcel);
  const { progress } = context.texts;
  const items = steps.map((step, i) => {
    const name = progress.steps[step];
    if (i > current) return html`<li><span class="name">${name}</span></li>`;
    if (i === current) return html`<li class="now" aria-current="step"><span class="name">${name}</span></li>`;
    return html`<li class="done"><span class="name">${name}<span class="hidden">, ${progress.done}</span></span></li>`;
  });
  const count = put(progress.step, {
    number: numberText(current + 1, context),
    total: numberText(steps.length, context),
  });
  // On a phone, where the steps have no room for their names, one line names the current one.
  return html`<div><ol class="steps" aria-label="${parcel.is_return ? progress.return_label : progress.label}">${items}</ol><p class="step split" aria-hidden="true"><strong>${progress.steps[steps[current]!]}</strong><span class="muted">${count}</span></p></div>`;
}

function nextView(parcel: PageParcel, { exception, youCan }: Story, ways: Ways, context: PageContext): Html {
  const { next } = context.texts;
  const situation = situationOf(parcel, context.now);
  const story = exception && [
    html`<div><dt>${next.happened}</dt><dd>${exception.happened}</dd></div>`,
    html`<div><dt>${next.next}</dt><dd>${exception.next}</dd></div>`,
  ];
  return html`<div class="card next"><dl>${story}<div><dt>${next.you_can}</dt><dd>${youCan}</dd></div></dl>${actionsView(parcel, meaningOf(situation, parcel).actions, ways, context)}</div>`;
}

/** An exception never ends in a dead end: if a way is not there, another one is. */
function actionsView(parcel: PageParcel, wanted: readonly Action[], ways: Ways, { texts }: PageContext): Html | null {
  const { report: reportAt, hasReported } = ways;
  const actions = hasReported ? wanted.toSorted((a, b) => Number(a === 'report') - Number(b === 'report')) : wanted;
  const report = reportAt && {
    address: reportAt,
    name: hasReported ? texts.actions.report_again : texts.actions.report,
  };
  const contact = ways.contact && { address: ways.contact, name: texts.actions.contact };
  const carrierPage = link(parcel.carrier.tracking_url);
  const carrier = carrierPage && { address: carrierPage, name: texts.actions.carrier };
  const wayFor = { carrier, report: report ?? contact, contact: contact ?? report };
  const found = actions.map((action) => wayFor[action]).filter((way) => way !== null);
  const buttons = found.filter(({ address }, i) => found.findIndex((one) => one.address === address) === i);
  if (buttons.length === 0) return null;
  const isQuiet = (address: SafeUrl, i: number) => i > 0 || (hasReported && address === reportAt);
  const shown = buttons.map(
    ({ address, name }, i) =>
      html`<a class="${isQuiet(address, i) ? 'button quiet' : 'button'}" href="${address}">${name}</a>`,
  );
  return html`<div class="actions">${shown}</div>`;
}

/** The place where the parcel waits, or will. */
export function pickupView(parcel: PageParcel, level: Level, context: PageContext): Html | null {
  const { pickup, phase } = parcel;
  if (isWithNeighbour(parcel)) return neighbourView(parcel, level, context);
  if (!pickup || !isForCollection(parcel)) return null;
  if (!(pickup.name || pickup.address?.length || pickup.url)) return null;
  const { texts } = context;
  const day = collectDay(parcel, context);
  const isWaiting = phase === 'collect';
  const title = isWaiting ? texts.pickup.title : texts.pickup.planned;
  const url = link(pickup.url);
  return html`<section class="card place">${heading(level, title)}
${(pickup.name || pickup.address) && html`<address>${pickup.name && html`<strong>${foreign(cut(pickup.name, 200))}</strong><br>`}${pickup.address?.map((line) => html`${foreign(cut(line, 200))}<br>`)}</address>`}
${day && isWaiting && html`<p><strong>${put(texts.pickup.until, { day })}</strong></p>`}
${hoursView(pickup.opening_hours, context)}
${url && html`<p><a href="${url}">${texts.actions.place}</a></p>`}</section>`;
}

/** For an event that does not say it, so that the answer above does not say it either. */
function neighbourView(parcel: PageParcel, level: Level, context: PageContext): Html | null {
  const { pickup, next } = context.texts;
  if (situationOf(parcel, context.now) === 'delivered_neighbour') return null;
  return html`<section class="card place">${heading(level, pickup.neighbour)}<p>${next.situations.delivered_neighbour}</p></section>`;
}

function hoursView(hours: Record<string, string> | null, context: PageContext): Html | null {
  const rows = openingHours(hours, context);
  if (rows.length === 0) return null;
  const shown = rows.map(
    ({ name, times }) =>
      html`<tr><th scope="row">${foreign(cut(name, 60))}</th><td>${foreign(cut(times, 100))}</td></tr>`,
  );
  return html`<table class="hours"><caption>${context.texts.pickup.hours}</caption><tbody>${shown}</tbody></table>`;
}

/** Carriers often scan before shops report. A new estimate of our own comes with a scan, which says where the parcel is. */
const isNews = ({ event_name, location }: PageParcel['events'][number]) =>
  !(/^ORDER_(CREATED|PROCESSED)$/.test(event_name) || (event_name === 'SHIPMENT_UPDATED_ETA' && !location));

/** When and where the newest event happened. */
function latestView({ events }: PageParcel, context: PageContext): Html | null {
  const event = events.find(isNews) ?? events[0];
  const moment = event && momentOf(event, context);
  if (!event || !moment) return null;
  const day = dayTitle(moment.day, todayIn(event.timezone, context), context.language);
  const place = placeOf(event, false, context);
  return html`<p class="muted">${context.texts.timeline.latest}: ${day}, ${moment.clock}${place && html`, ${place}`}</p>`;
}

/** Carrier and number. */
export function detailsView(parcel: PageParcel, level: Level, context: PageContext): Html {
  const { carrier, tracking_number } = parcel;
  const { details, actions } = context.texts;
  const rows = [
    carrier.name && html`<dt>${details.carrier}</dt><dd>${foreign(cut(carrier.name, 100))}</dd>`,
    tracking_number &&
      html`<dt>${details.number}</dt><dd>${numberView(tracking_number, { text: [carrier.name, tracking_number].filter(Boolean).join(' '), link: link(carrier.tracking_url) }, context)}</dd>`,
  ];
  if (!tracking_number && parcel.phase === 'order_cancelled') return nothing;
  const isButton = meaningOf(situationOf(parcel, context.now), parcel).actions.includes('carrier');
  const url = isButton ? null : link(carrier.tracking_url);
  return html`<section class="stack">${heading(level, details.title)}<dl class="facts">${rows}</dl>${!tracking_number && html`<p class="muted">${details.no_number}</p>`}${url && html`<p><a href="${url}">${actions.carrier}</a></p>`}</section>`;
}

/** What is shared instead of the page, which shows more than others need to know. */
interface Shared {
  text: string;
  link: SafeUrl | null;
}

/** A number to read, select and copy. The script shows the buttons where they work. */
export function numberView(number: string, shared: Shared | null, { texts: { details } }: PageContext): Html {
  const share =
    shared &&
    html`<button type="button" class="small" data-share="${shared.text}"${attribute('data-link', shared.link?.text)} hidden>${details.share}</button>`;
  return html`<span class="number">${foreign(number)}<button type="button" class="small" data-copy="${number}" data-copied="${details.copied}" aria-live="polite" hidden>${details.copy}</button>${share}</span>`;
}

const maxProducts = 5;

export function productsView(
  { products }: PageParcel,
  { id, title, images }: { id: string; title: Html; images: ImageOrigins },
  context: PageContext,
): Html | null {
  if (products.length === 0) return null;
  const items = products.map((product) => productView(product, images, context));
  const [shown, rest] = [items.slice(0, maxProducts), items.slice(maxProducts)];
  const more = put(counted(context.texts.products.more, rest.length, context), {
    count: numberText(rest.length, context),
  });
  return html`<section class="stack">${title}<ul class="items">${shown}</ul>${
    rest.length > 0 && html`<details id="${id}"><summary>${more}</summary><ul class="items">${rest}</ul></details>`
  }</section>`;
}

function productView(product: PageParcel['products'][number], images: ImageOrigins, context: PageContext): Html {
  const { title, variant_title, quantity, image_url } = product;
  return html`<li class="item">${picture(image_url, images, 'parcel')}<div><p>${foreign(cut(title, 200))}</p>${
    variant_title && html`<p class="muted">${foreign(cut(variant_title, 200))}</p>`
  }${quantity > 1 && html`<p class="muted">${put(context.texts.products.quantity, { count: numberText(quantity, context) })}</p>`}</div></li>`;
}

/** What chooses a parcel: its number, or without one its place on the page. */
export const parcelValue = ({ tracking_number }: PageParcel, index: number): string =>
  tracking_number ?? `parcel-${index + 1}`;
