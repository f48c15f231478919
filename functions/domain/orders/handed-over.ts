import { type CohortPlace, type Lane, laneName } from '#platform/table/keys.ts';
import { carrierNames } from '#schemas/catalogues/carriers.ts';
import { figuresLimits, secondsOfDays } from '#schemas/catalogues/limits.ts';
import {
  isPossibleWithoutCarrier,
  isRemark,
  isTowardsMerchant,
  phaseOf,
  type ShipmentEventName,
} from '#schemas/catalogues/shipment-events.ts';
import type { Order, Shipment } from './model.ts';

/**
 * When a carrier got a parcel, and which parcels it is compared with. Figures, ratings, claims and the list of silent
 * parcels all ask here.
 */

type Events = Pick<Shipment, 'events' | 'direction'>;

/**
 * The first scan on the way. Where the delivery came before any scan, the moment at which the shop gave the parcel its
 * number, unless that was after the delivery. Undefined if no carrier is known to have got it: a label alone is nothing.
 */
export function shippedAt({ events, direction }: Events): string | undefined {
  const first = events.find(({ event_name }) => isScan(event_name));
  if (!first || phaseOf(first.event_name, direction) !== 'delivered') return first?.time;
  const placed = events.find(({ event_name }) => event_name === 'ORDER_PROCESSED');
  return placed && placed.time <= first.time ? placed.time : undefined;
}

/** Whether the event says where a parcel is that a carrier has. */
const isScan = (name: ShipmentEventName): boolean => !isRemark(name) && !isPossibleWithoutCarrier(name);

/** Stands in keys for a carrier or a country that is not known. */
const unknownPart = '-';

/** Shops write anything. What is no carrier of the catalogue and no code of a country has no place in a key. */
export const laneOf = ({ carrier_reference, country }: Pick<Shipment, 'carrier_reference' | 'country'>): Lane => ({
  carrier: carrierOf(carrier_reference),
  country: country ?? unknownPart,
});

export const carrierOf = (reference: string | null): string =>
  reference !== null && Object.hasOwn(carrierNames, reference) ? reference : unknownPart;

/** Two letters. */
export function countryOf({ address }: Pick<Order, 'address'>): string {
  const code = address?.country_code?.trim().toUpperCase() ?? '';
  return /^[A-Z]{2}$/.test(code) ? code : unknownPart;
}

/**
 * The shipment with the country that it goes to, and the area in it. The address of an erased order is gone, and both stay. An
 * area of another country says nothing.
 */
export function withCountry(shipment: Shipment, order: Pick<Order, 'address'>): Shipment {
  const known = countryOf(order);
  const country = known === unknownPart ? (shipment.country ?? unknownPart) : known;
  const isSame = country === shipment.country;
  const area = areaOf(order, country) ?? (isSame ? shipment.area : undefined);
  if (isSame && area === shipment.area) return shipment;
  const { area: _, ...others } = shipment;
  return { ...others, country, ...(area !== undefined && { area }) };
}

/**
 * The first letter or digit of the postcode. Some write the country before it, as in `LV-1050`, `D-80331` or `SE 111 22`.
 */
function areaOf({ address }: Pick<Order, 'address'>, country: string): string | undefined {
  const code = address?.zip_code?.trim().toUpperCase() ?? '';
  const own = code.replace(/^([A-Z]{1,2})([-\s]?)(?=\d)/, (prefix, letters, mark) =>
    letters === country || mark === '-' ? '' : prefix,
  );
  return /[0-9A-Z]/.exec(own)?.[0];
}

/**
 * The shipment as it is written, with its country and area. One that had its number before a release that counts wrote it never gets
 * a country, so nothing ever counts it: of its time only those would be counted that were still under way, which are the
 * slow ones, and deliveries of that time would seem to have taken longer than they did.
 * @param before as it is stored
 */
export function countedByCountry(
  shipment: Shipment,
  order: Pick<Order, 'address'>,
  before: Shipment | undefined,
): Shipment {
  if (before && isOlderThanCounts(before)) return shipment;
  const counted = withCountry(shipment, order);
  const isMoved = before && laneName(laneOf(before)) !== laneName(laneOf(counted));
  return isMoved && counted.prediction === before.prediction ? withoutWindow(counted) : counted;
}

/** The window of another lane is not its own. What was told of it is remembered, so that its own is told too. */
function withoutWindow(shipment: Shipment): Shipment {
  if (shipment.prediction?.window === undefined) return shipment;
  const { window, ...others } = shipment.prediction;
  return { ...shipment, prediction: { told: window, ...others } };
}

const isOlderThanCounts = ({ tracking_number, country }: Shipment): boolean =>
  tracking_number !== null && country === undefined;

/** Whether figures count the parcel. One without a country is older than the release that counts, and in no figure. */
export const isCounted = ({ simulation_id, direction, tracking_number, country }: Shipment): boolean =>
  simulation_id === undefined && !isTowardsMerchant(direction) && tracking_number !== null && country !== undefined;

/** The parcels that it is counted with; undefined if it is not counted, or no carrier got it. */
export function cohortOf(shipment: Shipment): CohortPlace | undefined {
  const at = isCounted(shipment) ? shippedAt(shipment) : undefined;
  const day = at && countedDay(at, shipment);
  return day ? { day, ...laneOf(shipment) } : undefined;
}

/**
 * The day of an event, unless it is so far from the creation of its order or parcel that somebody mistyped it, or imported
 * what nobody can ask for any more. The clock would be no such measure: what was counted must be taken back also later.
 */
export function countedDay(time: string, { created_at }: { created_at: string }): string | undefined {
  const day = time.slice(0, 'yyyy-mm-dd'.length);
  return Math.abs(Date.parse(day) - Date.parse(created_at)) <= secondsOfDays(figuresLimits.keptDays) * 1000
    ? day
    : undefined;
}
