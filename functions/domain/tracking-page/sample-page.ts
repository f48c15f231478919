import { arrivalText } from '#domain/orders/arrival.ts';
import { eventStrings, type Texts } from '#domain/texts/texts.ts';
import {
  flagOf,
  isTowardsMerchant,
  type Phase,
  phaseOf,
  type ShipmentEventName,
} from '#schemas/catalogues/shipment-events.ts';
import type { PageEvent, PageParcel, TrackingPage } from '#schemas/shapes/tracking-page.ts';
import type { Reader } from './dates.ts';

type Shop = TrackingPage['shop'];

interface Sample {
  /** The newest event of the parcel. */
  eventName: ShipmentEventName;
  isReturn?: boolean;
  /** Whether the shop shows what we expect where the carrier says nothing. */
  showsPredictions?: boolean | undefined;
  shop: Pick<Shop, 'name' | 'logo_url' | 'palette'> & Partial<Shop>;
  links: TrackingPage['links'];
  /** The texts of events in the language of the page. */
  eventTexts: Texts;
}

/** The facts of a page for an order that does not exist, so that merchants see how theirs looks. */
export function samplePage(sample: Sample, context: Reader): TrackingPage {
  const { shop, links } = sample;
  const { language, texts } = context;
  return {
    order_number: '10024',
    language,
    shop: { contact_phone: null, contact_email: null, ...shop },
    parcels: [sampleParcel(sample, context)],
    promotion: {
      promotion_id: '00000000-0000-4000-8000-000000000000',
      title: texts.sample.promotion_title,
      subtitle: texts.sample.promotion_subtitle,
      cta_label: texts.sample.promotion_button,
      image_url: null,
      discount_code: null,
      url: links.page_url,
      products: [],
    },
    deals: [],
    announcements: [],
    claims: [],
    withdrawal: null,
    links,
  };
}

function sampleParcel(sample: Sample, context: Reader): PageParcel {
  const { eventName, isReturn = false, showsPredictions = true, eventTexts } = sample;
  const { texts, language, now } = context;
  const direction = isReturn ? 'customer_merchant' : 'merchant_customer';
  const phase = phaseOf(eventName, direction);
  const names = [eventName, ...historyOf(phase, isTowardsMerchant(direction)).filter((name) => name !== eventName)];
  const events = names.map((name, i): PageEvent => {
    return {
      event_name: name,
      phase: phaseOf(name, direction),
      time: new Date(now.getTime() - (0.5 + i * 7) * hour).toISOString(),
      timezone: zone,
      location: name.startsWith('ORDER_') ? null : locations[Math.min(i, locations.length - 1)]!,
      event_strings: eventStrings(eventTexts, name, direction),
    };
  });
  const isOurs = phase === 'in_transit';
  const expected = isOurs && !showsPredictions ? null : expectedArrival(phase, now);
  return {
    number: 1,
    tracking_number: phase === 'order_created' ? null : '00340434161094042557',
    carrier: { carrier_reference: 'dhl', name: 'DHL', tracking_url: 'https://www.dhl.de/' },
    is_return: isReturn,
    phase,
    flag: flagOf(eventName, direction),
    event_name: eventName,
    event_strings: events[0]!.event_strings,
    estimated_arrival: expected && {
      from: expected.start,
      to: expected.end,
      time_prediction: arrivalText({ expected_delivery: expected, events: [] }, language, eventTexts),
      language,
      source: isOurs ? 'prediction' : null,
    },
    pickup:
      phase === 'collect'
        ? {
            type: 'parcel_shop',
            name: texts.sample.parcel_shop,
            address: [texts.sample.street, '04103 Leipzig'],
            url: null,
            opening_hours: { ...openingHours },
            date_to: new Date(now.getTime() + 5 * 24 * hour).toISOString(),
          }
        : null,
    products: [product(texts.sample.shirt, texts.sample.shirt_variant, 1), product(texts.sample.cups, null, 2)],
    products_of: 'order',
    events,
    rating: null,
  };
}

const hour = 3_600_000;
const zone = 'Europe/Berlin';

const place = (city: string) => ({ city, country_code: 'DE' });
const locations = [place('Leipzig'), place('Leipzig'), place('Halle'), place('Hamburg')];

const openingHours = {
  monday: '08:00–20:00',
  tuesday: '08:00–20:00',
  wednesday: '08:00–20:00',
  thursday: '08:00–20:00',
  friday: '08:00–20:00',
  saturday: '09:00–14:00',
};

const product = (title: string, variant_title: string | null, quantity: number) => ({
  title,
  variant_title,
  quantity,
  sku: null,
  image_url: null,
});

/** What happened before, newest first. */
function historyOf(phase: Phase, isReturn: boolean): readonly ShipmentEventName[] {
  if (isReturn) return phase === 'return_created' ? [] : ['PARCEL_DROPPED_OFF_IN_PARCEL_SHOP', 'ORDER_CREATED'];
  const length = journeyLengths[phase];
  return journey.slice(0, length).toReversed();
}

const journey: readonly ShipmentEventName[] = [
  'ORDER_CREATED',
  'ORDER_PROCESSED',
  'PICKUP_SUCCESSFUL',
  'ARRIVED_AT_SORTING_CENTER',
  'DISPATCHED_FROM_SORTING_CENTER',
  'ARRIVAL_AT_FINAL_DELIVERY_CENTER',
  'OUT_FOR_DELIVERY',
  'DELIVERY_ATTEMPTED_RECIPIENT_NOT_AT_HOME',
];

/** How much of the journey lies behind a parcel. */
const journeyLengths: Record<Phase, number> = {
  order_created: 0,
  order_processed: 1,
  order_cancelled: 1,
  in_transit: 4,
  in_delivery: 6,
  collect: 7,
  delivered: 7,
  delivery_failed: 7,
  return_created: 0,
  return_transit: 8,
  returned: 8,
  return_received: 8,
  return_failed: 8,
};

/** The hours that the carrier names before it has the parcel and on the day of the delivery. Between them it is our estimate. */
function expectedArrival(phase: Phase, now: Date): { start: string; end: string } | null {
  if (phase === 'in_delivery') return windowOfToday(now);
  if (phase === 'in_transit') return daysFrom(new Date(now.getTime() + 24 * hour));
  return phase === 'order_processed' ? windowFrom(new Date(now.getTime() + 24 * hour)) : null;
}

/** Two whole days. */
function daysFrom(time: Date): { start: string; end: string } {
  const [first, second] = [inBerlin(time), inBerlin(new Date(time.getTime() + 24 * hour))];
  const at = (clock: string, text: string) => `${text.slice(0, 'yyyy-mm-dd'.length)}T${clock}${text.slice(-6)}`;
  return { start: at('00:00:00', first), end: at('23:59:59', second) };
}

/** A courier who is under way comes today, however late somebody looks at the sample. */
function windowOfToday(now: Date): { start: string; end: string } {
  const { start, end } = windowFrom(new Date(now.getTime() + hour));
  const clock = inBerlin(now);
  const today = clock.slice(0, 'yyyy-mm-dd'.length);
  if (end.startsWith(today)) return { start, end };
  return { start: start.startsWith(today) ? start : clock, end: `${today}T23:59:00${clock.slice(-6)}` };
}

/** Two hours, from the full hour on, in the time of the recipient. */
function windowFrom(time: Date): { start: string; end: string } {
  const start = new Date(Math.floor(time.getTime() / hour) * hour);
  return { start: inBerlin(start), end: inBerlin(new Date(start.getTime() + 2 * hour)) };
}

function inBerlin(time: Date): string {
  const local = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(time);
  const offset = Date.parse(`${local.replace(' ', 'T')}Z`) - time.getTime();
  return `${local.replace(' ', 'T')}+0${Math.round(offset / hour)}:00`;
}
