import { definedFields, entriesOf, isAbsent, plainOf, type ValueReader } from '#domain/shop-systems/fields.ts';
import type { Fields } from '#platform/foreign-json.ts';
import { comparableTrackingNumber } from '#platform/tracking-number.ts';
import { orderLimits } from '#schemas/catalogues/limits.ts';
import type { Product, TrackingInput } from '#schemas/shapes/order-shapes.ts';
import { maxProducts, maxQuantity } from './products.ts';

/** What the parcels of an order are read from. */
export interface Shipped {
  meta: ReadonlyMap<string, unknown>;
  /** The products of the order, by the id of their line item. */
  products: ReadonlyMap<string, Product>;
  createdAt: string | undefined;
  /** When the webhook came. */
  receivedAt: Date | undefined;
}

/** One entry of a list of tracking numbers, in the words of its extension. */
interface Entry {
  field: string;
  number: unknown;
  company: unknown;
  carriers: Readonly<Record<string, string>>;
  shippedAt: unknown;
  items: unknown;
}

/**
 * The parcels that extensions have written into the meta data of an order. WooCommerce itself has none there. Both
 * "Shipment Tracking" of WooCommerce and "Advanced Shipment Tracking" of zorem use `_wc_shipment_tracking_items`.
 * A number that several extensions tell is one parcel. Of too many the last are taken, because they are the newest: the
 * order keeps those that earlier webhooks told.
 * @returns also how many there are
 */
export function trackingsOf(shipped: Shipped, reader: ValueReader): { trackings: TrackingInput[]; count: number } {
  const parcels = new Map<string, { field: string; tracking: TrackingInput }>();
  for (const entry of entriesIn(shipped.meta, reader)) {
    for (const tracking of parcelsOf(entry, shipped, reader)) {
      const key = comparableTrackingNumber(tracking.tracking_number);
      const known = parcels.get(key);
      parcels.set(key, { field: known?.field ?? entry.field, tracking: { ...tracking, ...known?.tracking } });
    }
  }
  const all = [...parcels.values()];
  const [leftOut] = all.slice(0, -orderLimits.trackingsInOneUpsert);
  if (leftOut) reader.note(leftOut.field);
  const trackings = all.slice(-orderLimits.trackingsInOneUpsert).map(({ tracking }) => tracking);
  return { trackings, count: all.length };
}

function entriesIn(meta: Shipped['meta'], reader: ValueReader): Entry[] {
  const listed = (key: string, toEntry: (item: Fields, field: string) => Entry): Entry[] => {
    const value = meta.get(key);
    if (isAbsent(value)) return [];
    const items = entriesOf(value) ?? reader.note(`meta_data.${key}`) ?? [];
    return items.map((item, i) => toEntry(item, `meta_data.${key}.${i}`));
  };
  return [
    ...listed('_wc_shipment_tracking_items', shipmentTracking),
    ...listed('_aftership_tracking_items', afterShip),
    ...singleEntries(meta),
  ];
}

const shipmentTracking = (item: Fields, field: string): Entry => ({
  field,
  number: item.tracking_number,
  company: isAbsent(item.tracking_provider) ? item.custom_tracking_provider : item.tracking_provider,
  carriers: carriersOfShipmentTracking,
  shippedAt: item.date_shipped,
  items: item.products_list,
});

/** Its times end with Z and are those of the shop's time zone, so they are not read. */
const afterShip = (item: Fields, field: string): Entry => ({
  field,
  number: item.tracking_number,
  company: item.slug === 'hermes' ? hermesOfAfterShip : item.slug,
  carriers: carriersOfAfterShip,
  shippedAt: undefined,
  items: item.line_items,
});

/** Its slug `hermes` is not Hermes in Germany: couriers.json calls it Hermesworld and Hermes-europe UK. */
const hermesOfAfterShip = 'Hermes UK';

/** Older versions and smaller extensions have room for one parcel. */
function singleEntries(meta: Shipped['meta']): Entry[] {
  const one = (key: string, company: unknown, rest: Partial<Entry> = {}): Entry => ({
    field: `meta_data.${key}`,
    number: meta.get(key),
    company,
    carriers: carriersOfShipmentTracking,
    shippedAt: undefined,
    items: undefined,
    ...rest,
  });
  const provider = meta.get('_tracking_provider');
  const slug = meta.get('_aftership_tracking_provider_name');
  return [
    one('_tracking_number', isAbsent(provider) ? meta.get('_custom_tracking_provider') : provider, {
      shippedAt: meta.get('_date_shipped'),
    }),
    one('_aftership_tracking_number', isAbsent(slug) ? meta.get('_aftership_tracking_provider') : slug, {
      carriers: carriersOfAfterShip,
    }),
    one('ywot_tracking_code', undefined),
  ];
}

/** AfterShip takes several numbers with commas between them. Which products are in which parcel is then unknown. */
function parcelsOf({ field, number, ...entry }: Entry, shipped: Shipped, reader: ValueReader): TrackingInput[] {
  const texts = typeof number === 'string' ? number.split(',') : [number];
  const place = field.endsWith('number') || field.endsWith('code') ? field : `${field}.tracking_number`;
  const numbers = texts.flatMap((text) => reader.wholeText(text, place, 255) ?? []);
  if (numbers.length === 0) return [];
  const company = reader.text(entry.company, `${field}.tracking_provider`, 255);
  const fields = definedFields<Omit<TrackingInput, 'tracking_number'>>({
    tracking_placed_at: placedAt(entry.shippedAt, field, shipped, reader),
    tracking_company: company,
    carrier_reference: company && carrierOf(company, entry.carriers),
    products: numbers.length === 1 ? productsIn(entry.items, shipped.products) : undefined,
  });
  return numbers.map((tracking_number) => ({ tracking_number, ...fields }));
}

const dayMs = 86_400_000;
/** A day is over everywhere so long after its midnight in UTC. */
const wholeDayMs = 1.5 * dayMs;

/**
 * `date_shipped` is in seconds. If somebody chose a day it is the midnight of that day, which is hours before the number was
 * known, and receivers are not told of what is hours old. So a day that is not over is left out: then the parcel has the
 * time at which the webhook came. No time of the state that tells it is taken, because the same parcel is told by many
 * states, in any order. No parcel is shipped before its order was placed.
 */
function placedAt(value: unknown, field: string, shipped: Shipped, reader: ValueReader): string | undefined {
  const seconds = reader.count(value, `${field}.date_shipped`, 253_402_300_799);
  if (!seconds) return undefined;
  const at = seconds * 1000;
  const endsAt = at % dayMs === 0 ? at + wholeDayMs : at;
  if (shipped.receivedAt && endsAt > shipped.receivedAt.getTime()) return undefined;
  return new Date(shipped.createdAt ? Math.max(at, Date.parse(shipped.createdAt)) : at).toISOString();
}

/**
 * Of a parcel that holds a part of the order: `item_id` and `qty` in Advanced Shipment Tracking PRO, `id` and `quantity` in
 * AfterShip. Undefined if that names none of the line items.
 */
function productsIn(value: unknown, products: Shipped['products']): Product[] | undefined {
  const items = isAbsent(value) ? [] : (entriesOf(value) ?? []);
  const found = items.flatMap(({ item_id, qty, id, quantity }) => {
    const product = products.get(plainOf(item_id ?? id));
    const count = Number(plainOf(qty ?? quantity));
    if (!product) return [];
    return [
      { ...product, ...(Number.isSafeInteger(count) && count > 0 && count <= maxQuantity && { quantity: count }) },
    ];
  });
  return found.length > 0 && found.length <= maxProducts ? found : undefined;
}

/** One name has two spellings: `DHL Intraship (DE)` if it was chosen in the dashboard, else `dhl-intraship-de`. */
function carrierOf(company: string, carriers: Entry['carriers']): string | undefined {
  const slug = company
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return Object.hasOwn(carriers, slug) ? carriers[slug] : undefined;
}

/**
 * The providers whose name says less than the address that the extension opens for them. Every other name is left to the
 * detection of carriers. Source: `provider_list()` of Advanced Shipment Tracking, in
 * helloteababy/woocommerce-shipment-tracking, includes/class-wc-advanced-shipment-tracking-install.php at 2e6e3e0.
 */
const carriersOfShipmentTracking = {
  'dhl-intraship-de': 'dhl',
  'deutsche-post-dhl': 'dhl',
  'dhl-at': 'dhlexp',
  'dhl-cz': 'dhlexp',
  'dhl-se': 'dhlexp',
  'dpd-de': 'dpd',
  'dpd-at': 'dpd',
  'dpd-cz': 'dpd',
  'dpd-romania': 'dpd',
  'dpd-co-uk': 'dpduk',
  'belgium-post': 'bpost',
};

/** Source: assets/js/couriers.json in AfterShip/aftership-apps-woocommerce at 32ee84a. */
const carriersOfAfterShip = {
  dhl: 'dhlexp',
  'dhl-germany': 'dhl',
  'deutsch-post': 'depost',
  'hermes-de': 'hrs',
  'dpd-de': 'dpd',
  'dpd-uk': 'dpduk',
  'danmark-post': 'postnord',
  'posten-norge': 'bring',
  'gls-spain': 'gls_es',
  asm: 'gls_es',
};
