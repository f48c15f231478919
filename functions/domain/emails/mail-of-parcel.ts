import { answerOf, parcelName } from '#domain/tracking-page/answer.ts';
import { isPredicted, numberText, put } from '#domain/tracking-page/dates.ts';
import {
  isForCollection,
  isUnderWay,
  isWithNeighbour,
  progressOf,
  situationOf,
} from '#domain/tracking-page/journey.ts';
import { collectDay, openingHours, storyOf } from '#domain/tracking-page/story.ts';
import { cut } from '#platform/cut.ts';
import type { PageParcel, TrackingPage } from '#schemas/shapes/tracking-page.ts';
import {
  type Fact,
  foreignLine,
  frameOf,
  type Items,
  type MailContent,
  type MailReader,
  type Offer,
  type Place,
  pictureLink,
  shortLink,
} from './mail-content.ts';

/** The news of a parcel: the answer of the page, and what follows it there. */
export function mailOfParcel(page: TrackingPage, index: number, reader: MailReader): MailContent {
  const parcel = page.parcels[index]!;
  const { sentence, tone, isArrival, note } = answerOf(parcel, reader);
  // What became of a report has a mail of its own.
  const story = storyOf(parcel, false, reader);
  const name = page.parcels.length > 1 ? parcelName(index, page.parcels, reader) : null;
  const second = isArrival ? parcel.event_strings.header_title : (story.exception?.next ?? story.youCan);
  return {
    ...frameOf(page, reader, 'order'),
    subject: sentence,
    preheader: cut([name, second].filter((part) => part !== null).join(' · '), 150),
    parcel: name,
    state: { word: parcel.event_strings.header_headline, tone },
    title: sentence,
    lines: [...(note === null ? [] : [note]), ...story.lines],
    progress: progressIn(parcel, reader),
    quote: null,
    story: storyFacts(parcel, story, isArrival, reader),
    button: { label: buttonOf(parcel, reader), url: page.links.page_url },
    place: placeOf(parcel, reader),
    details: detailsOf(parcel, reader),
    items: itemsOf(parcel, reader),
    offer: offerOf(page.promotion, reader),
    facts: deliveryOf(page, parcel, isArrival),
  };
}

/** Nobody tracks what has arrived, or was cancelled. */
function buttonOf(parcel: PageParcel, { mail: { buttons } }: MailReader): string {
  if (!isUnderWay(parcel)) return buttons.order;
  return parcel.is_return ? buttons.return : buttons.parcel;
}

function progressIn(parcel: PageParcel, reader: MailReader): MailContent['progress'] {
  const { progress } = reader.texts;
  const { steps, current } = progressOf(parcel);
  const [number, total] = [numberText(current + 1, reader), numberText(steps.length, reader)];
  const name = progress.steps[steps[current]!];
  return { total: steps.length, current, name, count: put(progress.step, { number, total }) };
}

function storyFacts(
  { estimated_arrival }: PageParcel,
  { exception, youCan }: ReturnType<typeof storyOf>,
  isArrival: boolean,
  { texts: { next }, mail }: MailReader,
): Fact[] {
  const arrival = isArrival ? estimated_arrival?.time_prediction : null;
  return [
    // The answer may say “tomorrow”, and a mail may be read later.
    ...(arrival ? [{ label: mail.labels.arrival, text: arrival }] : []),
    ...(exception ? [{ label: next.happened, text: exception.happened }] : []),
    ...(exception ? [{ label: next.next, text: exception.next }] : []),
    { label: next.you_can, text: youCan },
  ];
}

/** The place where the parcel waits, or will. */
function placeOf(parcel: PageParcel, reader: MailReader): Place | null {
  const { pickup, phase } = parcel;
  const { texts } = reader;
  if (isWithNeighbour(parcel)) return neighbourOf(parcel, reader);
  if (!pickup || !isForCollection(parcel)) return null;
  const url = shortLink(pickup.url);
  const lines = [pickup.name, ...(pickup.address ?? []).slice(0, 6)].flatMap((line) => line || []);
  if (lines.length === 0 && !url) return null;
  const day = phase === 'collect' ? collectDay(parcel, reader) : undefined;
  const days = openingHours(pickup.opening_hours, reader).slice(0, 8);
  return {
    title: phase === 'collect' ? texts.pickup.title : texts.pickup.planned,
    lines: lines.map((line) => foreignLine(line, 100)),
    until: day === undefined ? null : put(texts.pickup.until, { day }),
    hours:
      days.length === 0
        ? null
        : {
            title: texts.pickup.hours,
            days: days.map(({ name, times }) => ({ name: foreignLine(name, 40), times: foreignLine(times, 60) })),
          },
    link: url ? { label: texts.actions.place, url } : null,
  };
}

/** For an event that does not say it, so that the answer does not say it either. */
function neighbourOf(parcel: PageParcel, { texts, now }: MailReader): Place | null {
  if (situationOf(parcel, now) === 'delivered_neighbour') return null;
  const lines = [texts.next.situations.delivered_neighbour];
  return { title: texts.pickup.neighbour, lines, until: null, hours: null, link: null };
}

function detailsOf({ carrier, tracking_number }: PageParcel, { texts: { details } }: MailReader): Fact[] {
  const number = tracking_number && {
    label: details.number,
    text: foreignLine(tracking_number, 100),
    url: shortLink(carrier.tracking_url),
  };
  return [...(carrier.name ? [{ label: details.carrier, text: carrier.name }] : []), ...(number ? [number] : [])];
}

const maxProducts = 5;

function itemsOf({ products, products_of }: PageParcel, reader: MailReader): Items | null {
  const { texts, mail } = reader;
  if (products.length === 0) return null;
  const title = products_of === 'order' ? texts.products.title : texts.products.in_parcel;
  const list = products.slice(0, maxProducts).map((product) => ({
    title: foreignLine(product.title, 120),
    detail: detailOf(product.variant_title, product.quantity, reader),
    picture: pictureLink(product.image_url),
  }));
  const rest = products.length - list.length;
  return { title, list, more: rest > 0 ? put(mail.labels.more, { count: numberText(rest, reader) }) : null };
}

export function detailOf(variant: string | null, quantity: number, reader: MailReader): string | null {
  const count = put(reader.texts.products.quantity, { count: numberText(quantity, reader) });
  const parts = [variant ? foreignLine(variant, 80) : null, quantity > 1 ? count : null];
  return parts.filter((part) => part !== null).join(' · ') || null;
}

const maxPromoted = 3;

function offerOf(promotion: TrackingPage['promotion'], { texts: { offers } }: MailReader): Offer | null {
  if (!promotion) return null;
  const { title, subtitle, cta_label, discount_code, products, url } = promotion;
  const address = shortLink(url);
  return {
    label: offers.label,
    title: foreignLine(title || offers.open, 120),
    subtitle: subtitle ? foreignLine(subtitle, 300) : null,
    code: discount_code ? { label: offers.code, text: foreignLine(discount_code, 60) } : null,
    products: products
      .slice(0, maxPromoted)
      .map((product) => ({ title: foreignLine(product.title, 100), url: shortLink(product.product_url) })),
    link: address ? { label: cta_label ? foreignLine(cta_label, 60) : offers.open, url: address } : null,
  };
}

/** https://schema.org/ParcelDelivery. Where the customer lives is not in it: the mail program knows its owner. */
function deliveryOf({ order_number, shop, links }: TrackingPage, parcel: PageParcel, isArrival: boolean): object {
  const { carrier, tracking_number, products } = parcel;
  // An estimate of our own that has not come true is none any more.
  const estimated_arrival = isArrival || !isPredicted(parcel) ? parcel.estimated_arrival : null;
  const shipped = products
    .slice(0, maxProducts)
    .map(({ title }) => ({ '@type': 'Product', name: foreignLine(title, 120) }));
  return {
    '@context': 'https://schema.org',
    '@type': 'ParcelDelivery',
    partOfOrder: {
      '@type': 'Order',
      orderNumber: foreignLine(order_number, 60),
      merchant: { '@type': 'Organization', name: foreignLine(shop.name, 60) },
    },
    ...(carrier.name && { carrier: { '@type': 'Organization', name: carrier.name } }),
    ...(tracking_number && { trackingNumber: foreignLine(tracking_number, 100) }),
    trackingUrl: links.page_url,
    ...(estimated_arrival?.from && { expectedArrivalFrom: estimated_arrival.from }),
    ...(estimated_arrival?.to && { expectedArrivalUntil: estimated_arrival.to }),
    ...(shipped.length > 0 && { itemShipped: shipped }),
    potentialAction: { '@type': 'TrackAction', target: links.page_url },
  };
}
