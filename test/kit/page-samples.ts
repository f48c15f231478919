import type { Brand, PageContext, PageLinks } from '#api/pages/views/view.ts';
import { eventStrings, loadTexts } from '#domain/texts/texts.ts';
import { samplePage } from '#domain/tracking-page/sample-page.ts';
import { loadPageTexts } from '#domain/tracking-page/texts/page-texts.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import type { Phase, ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import type { PageEvent, TrackingPage } from '#schemas/shapes/tracking-page.ts';

/** A Monday in November, in the afternoon. */
export const now = new Date('2026-11-16T13:40:00Z');

export async function contextIn(language: Language, more: Partial<PageContext> = {}): Promise<PageContext> {
  return { language, texts: await loadPageTexts(language), now, ...more };
}

export const shop: Brand = {
  name: 'Linden & Söhne',
  logo_url: 'https://shop.example/logo.svg',
  palette: {
    primary_dark: '#12372A',
    primary_light: '#FBFADA',
    secondary_dark: '#436850',
    secondary_light: '#ADBC9F',
    background: '#FFFFFF',
    surface: '#F9FAFB',
  },
};

export const token = 'AbCdEfGhIjKlMnOpQrStUv';

export const links: PageLinks = {
  page_url: `https://api.example/prod/t/${token}`,
  claim_url: `https://api.example/prod/t/${token}/claim`,
  rating_url: `https://api.example/prod/t/${token}/rating`,
  withdrawal_url: null,
  shop_url: 'https://shop.example/',
  service_url: 'https://shop.example/service',
  faq_url: 'https://shop.example/faq',
  support_url: 'https://shop.example/help',
  privacy_url: 'https://shop.example/privacy',
  imprint_url: 'https://shop.example/imprint',
};

/** An event that leads to each phase. */
const eventOfPhase: Record<Phase, ShipmentEventName> = {
  order_created: 'ORDER_CREATED',
  order_processed: 'PARCEL_DATA_SUBMITTED_TO_CARRIER',
  order_cancelled: 'ORDER_CANCELLED',
  in_transit: 'ARRIVED_AT_SORTING_CENTER',
  in_delivery: 'OUT_FOR_DELIVERY',
  collect: 'ARRIVED_AT_PARCEL_SHOP',
  delivered: 'SUCCESSFULLY_DELIVERED',
  delivery_failed: 'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME_CARD_LEFT',
  return_created: 'ORDER_CREATED',
  return_transit: 'SHIPMENT_RETURNING_TO_SENDER',
  returned: 'SHIPMENT_RETURNED_TO_SENDER',
  return_received: 'RETURN_TO_SENDER_COMPLETED',
  return_failed: 'RETURN_TO_SENDER_FAILED',
};

interface Wanted {
  language?: Language;
  eventName?: ShipmentEventName;
  isReturn?: boolean;
  brand?: Brand;
}

export async function sampleFacts({
  language = 'en',
  eventName = 'OUT_FOR_DELIVERY',
  isReturn = false,
  brand = shop,
}: Wanted = {}): Promise<TrackingPage> {
  const context = await contextIn(language);
  const eventTexts = await loadTexts(language);
  return samplePage({ eventName, isReturn, shop: brand, links, eventTexts }, context);
}

export const phaseFacts = (phase: Phase, wanted: Wanted = {}): Promise<TrackingPage> =>
  sampleFacts({ ...wanted, eventName: eventOfPhase[phase], isReturn: phase === 'return_created' });

/** Days such as `2026-11-17`. */
export type Days = readonly [from: string, to: string];

/** One parcel that arrives as we expect it. @param offset of the recipient's clock @param moved whether we expected it at another time before */
export async function predictedFacts(
  language: Language,
  [from, to]: Days,
  { offset = '+01:00', moved = false, ...wanted }: Wanted & { offset?: string; moved?: boolean } = {},
): Promise<TrackingPage> {
  const facts = await sampleFacts({ eventName: 'ARRIVED_AT_SORTING_CENTER', ...wanted, language });
  const told: PageEvent = {
    event_name: 'SHIPMENT_UPDATED_ETA',
    phase: 'in_transit',
    time: new Date(now.getTime() - 60_000).toISOString(),
    timezone: null,
    location: null,
    event_strings: eventStrings(await loadTexts(language), 'SHIPMENT_UPDATED_ETA', 'merchant_customer'),
  };
  const estimated_arrival = {
    from: `${from}T00:00:00${offset}`,
    to: `${to}T23:59:59${offset}`,
    time_prediction: `${from} – ${to}`,
    language,
    source: 'prediction',
  };
  const parcels = facts.parcels.map((parcel) => ({
    ...parcel,
    estimated_arrival,
    events: moved ? [told, ...parcel.events] : parcel.events,
  }));
  return { ...facts, parcels };
}
