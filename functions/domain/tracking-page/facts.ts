import { catalogue, isCarrierReference } from '#domain/carriers/catalogue.ts';
import type { Message } from '#domain/claims/claim-rules.ts';
import type { PageClaim } from '#domain/claims/claim-store.ts';
import { isOwnEstimate } from '#domain/orders/arrival.ts';
import { zoneOfCountry } from '#domain/orders/country-zones.ts';
import { zoneOfEvent } from '#domain/orders/local-day.ts';
import type { OrderWithShipments, Shipment, ShipmentEvent } from '#domain/orders/model.ts';
import { allShipments } from '#domain/orders/order-rules.ts';
import { toEstimate } from '#domain/orders/presentation.ts';
import { currentEvent, currentFlag, currentPhase, inOrder } from '#domain/orders/shipment-rules.ts';
import { trackingPageUrl } from '#domain/orders/tracking-page.ts';
import type { PagePromotion } from '#domain/pages/page-promotion.ts';
import type { Rating } from '#domain/pages/rating.ts';
import { announcementsFor, type Storefront, type StorefrontDeal } from '#domain/pages/storefront.ts';
import { inLanguage } from '#domain/promotions/campaign.ts';
import { dealTexts } from '#domain/promotions/deal.ts';
import { eventStrings, type Texts } from '#domain/texts/texts.ts';
import type { WithdrawalStatus } from '#domain/withdrawals/withdrawal-rules.ts';
import { claimNumber } from '#schemas/catalogues/claim-number.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import { pageContentLimits as limits } from '#schemas/catalogues/limits.ts';
import { pageLink, webLink } from '#schemas/catalogues/links.ts';
import {
  groupOf,
  isTowardsMerchant,
  type Phase,
  phaseOf,
  type ReturnState,
  returnStateOf,
} from '#schemas/catalogues/shipment-events.ts';
import type { Address, Pickup, Product } from '#schemas/shapes/order-shapes.ts';
import type { PageEvent, PageParcel, TrackingPage } from '#schemas/shapes/tracking-page.ts';
import { isPredicted } from './dates.ts';
import { isForCollection, isWithNeighbour } from './journey.ts';

/** What a page is made from. */
export interface PageSources {
  token: string;
  fullOrder: OrderWithShipments;
  claims: readonly PageClaim[];
  storefront: Storefront;
  promotion: PagePromotion | undefined;
  /** What was written in the claims, oldest first, with pictures that can be opened. */
  messages?: ReadonlyMap<string, readonly Message[]>;
  ratings?: readonly Rating[];
  /** Absent if the customer has not withdrawn. */
  withdrawal?: { status: WithdrawalStatus } | undefined;
  /** Whether the customer can withdraw now. */
  offersWithdrawal?: boolean;
}

/** Who reads the page. */
export interface Reader {
  language: Language;
  /** What customers read about events. */
  texts: Texts;
  serviceUrl: string;
  now: Date;
}

/**
 * What a customer sees of an order. Each field is chosen here by its name, so that nothing personal comes along: no
 * name, street, e-mail address, phone number, price or id of the order, and no free text of a carrier.
 */
export function toTrackingPage(sources: PageSources, reader: Reader): TrackingPage {
  const { token, fullOrder, claims, storefront, promotion, messages, ratings = [] } = sources;
  const pageUrl = trackingPageUrl(reader.serviceUrl, token);
  const parcels = parcelsOf(fullOrder, ratings, storefront, reader);
  const links = toLinks(storefront, pageUrl);
  return {
    order_number: fullOrder.order.order_number,
    language: reader.language,
    shop: brandOf(storefront),
    parcels,
    promotion: promotion ? toPromotion(promotion, pageUrl, reader) : null,
    deals: storefront.deals.map((deal) => toDeal(deal, reader)),
    announcements: announcementsFor(storefront, reader.language).map((text) => ({ text })),
    claims: claims.map(({ message_count: _, ...claim }) => ({
      ...claim,
      number: claimNumber(claim.uuid),
      messages: toMessages(messages?.get(claim.uuid) ?? [], storefront),
    })),
    withdrawal: sources.withdrawal ? { status: sources.withdrawal.status } : null,
    links: {
      ...links,
      // A claim is about a parcel.
      ...(parcels.length === 0 && { claim_url: null }),
      ...(sources.offersWithdrawal && { withdrawal_url: `${pageUrl}/withdrawal` }),
    },
  };
}

export const brandOf = ({ shop, palette }: Storefront): TrackingPage['shop'] => ({
  name: shop.name,
  logo_url: webLink(shop.logo_url),
  // A view that the release before this one stored has neither.
  contact_phone: shop.contact_phone ?? null,
  contact_email: shop.contact_email ?? null,
  palette,
});

export const toLinks = (storefront: Storefront, pageUrl: string): TrackingPage['links'] => ({
  page_url: pageUrl,
  claim_url: storefront.settings.claims_enabled ? `${pageUrl}/claim` : null,
  rating_url: storefront.settings.ratings_enabled ? `${pageUrl}/rating` : null,
  withdrawal_url: null,
  ...shopLinks(storefront),
});

/** The links of every page of the shop. */
export function shopLinks({
  shop,
  settings,
}: Storefront): Omit<TrackingPage['links'], 'page_url' | 'claim_url' | 'rating_url' | 'withdrawal_url'> {
  return {
    shop_url: pageLink(shop.shop_url),
    service_url: pageLink(shop.service_url),
    faq_url: pageLink(shop.faq_url),
    support_url: pageLink(settings.support_url),
    privacy_url: pageLink(settings.privacy_url),
    imprint_url: pageLink(settings.imprint_url),
  };
}

type PageMessage = TrackingPage['claims'][number]['messages'][number];

/** Customers know the shop, and none of its people. */
function toMessages(messages: readonly Message[], { shop }: Storefront): PageMessage[] {
  let room: number = limits.photosOfMessages;
  const newestFirst = messages.toReversed().map(({ at, from, text, image_urls }): PageMessage => {
    const shown = image_urls.flatMap((url) => webLink(url) ?? []).slice(0, room);
    room -= shown.length;
    return { at, from, author: from === 'shop' ? shop.name : null, text, image_urls: shown };
  });
  return newestFirst.reverse();
}

/** The parcel that needs attention comes first, then what is under way, returns, and what has arrived. */
function parcelsOf(
  fullOrder: OrderWithShipments,
  ratings: readonly Rating[],
  { settings }: Storefront,
  reader: Reader,
): PageParcel[] {
  const shipments = allShipments(fullOrder);
  const room = roomFor(Math.min(shipments.length, limits.parcels));
  const zone = zoneOfCountry(fullOrder.order.address?.country_code);
  const all = shipments.map((shipment, i) => {
    const alike = shipments.slice(0, i + 1).filter((one) => isReturn(one) === isReturn(shipment));
    const rating = ratings.find(({ shipment_id }) => shipment_id === shipment.uuid);
    const place = { number: alike.length, zone, rating, showsPredictions: settings.show_predictions !== false };
    return { own: shipment.products, parcel: toParcel(shipment, place, room, reader) };
  });
  // Sorting keeps the order of equals.
  const shown = all.toSorted((a, b) => urgency(a.parcel) - urgency(b.parcel)).slice(0, limits.parcels);
  if (!settings.show_products) return shown.map(({ parcel }) => ({ ...parcel, products: [] }));
  // Nobody knows which of the products is in which of these parcels, so only one of them has the list.
  const unknown = shown.find(({ own, parcel }) => !own && !parcel.is_return);
  const products = (fullOrder.order.products ?? []).slice(0, limits.productsOfParcel).map(toProduct);
  return shown.map((one) => (one === unknown ? { ...one.parcel, products, products_of: 'order' } : one.parcel));
}

const isReturn = ({ direction }: Shipment) => isTowardsMerchant(direction);

interface Place {
  /** Among the parcels of the shop, or among the returns. */
  number: number;
  /** The clock of the customer, if it is known. */
  zone: string | null;
  rating: Rating | undefined;
  /** Whether the shop shows what we expect where the carrier says nothing. */
  showsPredictions: boolean;
}

/** How much of each parcel is shown. */
interface Room {
  products: number;
  events: number;
}

const roomFor = (parcels: number): Room => ({
  products: Math.min(limits.productsOfParcel, Math.floor(limits.products / parcels)),
  events: Math.min(limits.eventsOfParcel, Math.floor(limits.events / parcels)),
});

function urgency({ is_return, event_name, phase, flag }: PageParcel): number {
  if (is_return) return returnUrgency[returnStateOf(event_name)];
  if (flag !== 'normal' || needsAttention.has(phase)) return 0;
  return hasEnded.has(phase) ? 2 : 1;
}

/** A return is what the customer waits for, after a parcel that is still to come and before one that has arrived. */
const returnUrgency: Record<ReturnState, number> = {
  failed: 0,
  sent_back: 0,
  registered: 1.5,
  on_the_way: 1.5,
  delayed: 1.5,
  received: 1.5,
  cancelled: 3,
};

const needsAttention: ReadonlySet<Phase> = new Set(['collect', 'delivery_failed']);
const hasEnded: ReadonlySet<Phase> = new Set(['delivered', 'order_cancelled', 'returned', 'return_received']);

function toParcel(shipment: Shipment, place: Place, room: Room, reader: Reader): PageParcel {
  const { number, zone, rating, showsPredictions } = place;
  const { tracking_number, carrier_reference, tracking_url, direction, events } = shipment;
  const { event_name } = currentEvent(events);
  const phase = currentPhase(shipment);
  const flag = currentFlag(shipment);
  // Where no place of the journey is known, its times are those of the customer.
  const clock = events.some(zoneOfEvent) ? null : zone;
  return {
    number,
    tracking_number,
    carrier: {
      carrier_reference,
      name: isCarrierReference(carrier_reference) ? catalogue[carrier_reference].name : null,
      tracking_url: pageLink(tracking_url),
    },
    is_return: isTowardsMerchant(direction),
    phase,
    flag,
    event_name,
    event_strings: eventStrings(reader.texts, event_name, direction),
    estimated_arrival: estimateOf(shipment, showsPredictions, reader),
    pickup: toPickup(shipment, phase),
    products: (shipment.products ?? []).slice(0, room.products).map(toProduct),
    products_of: 'parcel',
    events: (showsPredictions ? events : events.filter((event) => !isOwnEstimate(event)))
      .slice(-room.events)
      .toReversed()
      .map((event) => toEvent(event, shipment, clock, reader)),
    rating: rating ? { stars: rating.stars, text: rating.text, at: rating.at } : null,
  };
}

/** What a carrier expected before it told of a delay or a failed attempt is no longer so. Our own estimate follows every event. */
function estimateOf(shipment: Shipment, showsPredictions: boolean, reader: Reader): PageParcel['estimated_arrival'] {
  const { events, forecast_by } = shipment;
  const estimated_arrival = toEstimate(shipment, reader);
  if (isPredicted({ estimated_arrival })) return showsPredictions ? estimated_arrival : null;
  const isOutdated =
    currentFlag(shipment) !== 'normal' && forecast_by && inOrder(forecast_by, currentEvent(events)) < 0;
  return isOutdated ? null : estimated_arrival;
}

function toEvent(event: ShipmentEvent, of: Shipment, clock: string | null, { texts }: Reader): PageEvent {
  const { event_name, time, location } = event;
  return {
    event_name,
    phase: phaseOf(event_name, of.direction),
    time,
    timezone: zoneOfEvent(event) ?? clock,
    location: location ? { city: location.city ?? null, country_code: location.country_code ?? null } : null,
    event_strings: eventStrings(texts, event_name, of.direction),
  };
}

const toProduct = ({ title, variant_title, quantity, sku, images }: Product): PageParcel['products'][number] => ({
  title: title ?? '',
  variant_title: variant_title ?? null,
  quantity: quantity ?? 1,
  sku: sku ?? null,
  image_url: webLink(images?.find(({ src }) => src)?.src),
});

/** Only what the page shows of it. Where a neighbour lives is nobody's business but the neighbour's. */
function toPickup({ pickup, direction, events }: Shipment, phase: Phase): PageParcel['pickup'] {
  if (!pickup) return null;
  const state = { phase, is_return: isTowardsMerchant(direction) };
  const { type = null, name = null, address, url, opening_hours = null, date_to = null } = pickup;
  if (isNeighbour(pickup) || (phase !== 'collect' && events.some(isHandedToNeighbour))) {
    const neighbour = { type: 'neighbour', name: null, address: null, url: null, opening_hours: null, date_to };
    return isWithNeighbour({ ...state, pickup: neighbour }) ? neighbour : null;
  }
  if (!isForCollection(state)) return null;
  return { type, name, address: addressLines(address), url: pageLink(url), opening_hours, date_to };
}

/** Carriers write `Neighbor`, `neighbour_delivery` and more. */
const isNeighbour = ({ type }: Pickup) => /neighbou?r/i.test(type ?? '');

const isHandedToNeighbour = ({ event_name }: ShipmentEvent) =>
  groupOf(event_name, 'merchant_customer') === 'shipment_delivered_to_neighbour';

/** The address of a place. The name in it may be that of the customer. */
function addressLines(address: Address | null | undefined): string[] | null {
  const { company, address_line_1, street, address_line_2, zip_code, city, country } = address ?? {};
  const lines = [
    company,
    address_line_1 ?? street,
    address_line_2,
    [zip_code, city].filter(Boolean).join(' '),
    country,
  ];
  const known = lines.flatMap((line) => line?.trim() || []);
  return known.length > 0 ? known : null;
}

/** What a page shows of a campaign. */
interface ShownPromotion {
  campaign: Pick<PagePromotion['campaign'], 'uuid' | 'promotion_properties'>;
  discount_code: string | null;
}

export function toPromotion(
  { campaign, discount_code }: ShownPromotion,
  pageUrl: string,
  { language }: Pick<Reader, 'language'>,
): TrackingPage['promotion'] {
  const { title, subtitle, cta_label, cta_url, image_url, products } = inLanguage(
    campaign.promotion_properties,
    language,
  );
  return {
    promotion_id: campaign.uuid,
    title,
    subtitle,
    cta_label,
    image_url: webLink(image_url),
    discount_code,
    url: pageLink(cta_url) && `${pageUrl}/go/${campaign.uuid}`,
    products: products.map((product) => ({
      title: product.title,
      image_url: webLink(product.image_url),
      product_url: pageLink(product.product_url),
    })),
  };
}

export function toDeal(deal: StorefrontDeal, { language }: Pick<Reader, 'language'>): TrackingPage['deals'][number] {
  const { brand_image_url, brand_logo_url, cta_url, discount_code } = deal;
  return {
    ...dealTexts(deal, language),
    brand_image_url: webLink(brand_image_url),
    brand_logo_url: webLink(brand_logo_url),
    cta_url: pageLink(cta_url),
    discount_code,
  };
}
