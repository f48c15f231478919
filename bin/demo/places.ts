import { zoneOfCountry } from '#domain/orders/country-zones.ts';
import { isSunday, localTime, offsetOf } from './hours.ts';
import type { Home } from './people.ts';

/** What carriers tell beside an event: where, on which clock, when the parcel comes, and where it can be collected. */

const hourMs = 3600 * 1000;

const place = ({ city, country_code }: Pick<Home, 'city' | 'country_code'>) => {
  const timezone = zoneOfCountry(country_code)!;
  return { timezone, location: { city, country_code, timezone } };
};

const warehouse = place({ city: 'Leipzig', country_code: 'DE' });

/** Where parcels to each country are sorted. */
const hubs: Record<string, string> = {
  DE: 'Kassel',
  AT: 'Linz',
  CH: 'Basel',
  NL: 'Utrecht',
  FR: 'Paris',
  DK: 'Taastrup',
  IT: 'Bologna',
};

const atTheWarehouse: ReadonlySet<string> = new Set([
  'PICKUP_SUCCESSFUL',
  'ARRIVED_AT_SORTING_CENTER',
  'SHIPMENT_RETURNED_TO_SENDER',
]);
const atTheHub: ReadonlySet<string> = new Set([
  'ARRIVAL_AT_TRANSPORT_HUB',
  'SHIPMENT_LOST',
  'SHIPMENT_DAMAGED',
  'SHIPMENT_RETURNING_TO_SENDER',
]);
const firstScans: ReadonlySet<string> = new Set(['PICKUP_SUCCESSFUL', 'ARRIVED_AT_SORTING_CENTER']);
/** What the shop itself reports has no place. */
const nowhere: ReadonlySet<string> = new Set(['ORDER_CANCELLED']);

function placeOf(event: string, home: Home) {
  if (nowhere.has(event)) return {};
  if (atTheWarehouse.has(event)) return warehouse;
  if (atTheHub.has(event)) return place({ ...home, city: hubs[home.country_code]! });
  return place(home);
}

/** On a return the ways are the other way round. */
function placeOnTheWayBack(event: string, home: Home) {
  return event === 'PICKUP_SUCCESSFUL' ? place(home) : warehouse;
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];

const pointIn = ({ city, zip_code, country_code }: Home, at: number) => ({
  type: 'parcel_shop',
  name: 'Kiosk Sonnenschein',
  address: { address_line_1: 'Bahnhofstraße 4', zip_code, city, country_code },
  opening_hours: { ...Object.fromEntries(weekdays.map((day) => [day, '08:00–19:00'])), Saturday: '09:00–14:00' },
  date_to: new Date(at + 7 * 24 * hourMs).toISOString(),
});

interface Told {
  event: string;
  /** When it happened. */
  at: number;
  home: Home;
  isReturn: boolean;
  /** Whether nothing has happened since. */
  isLast: boolean;
  /** What the carrier said of a parcel that has arrived was said then; what it says of one under way is to come. */
  hasArrived: boolean;
}

export function detailsOf({ event, at, home, isReturn, isLast, hasArrived }: Told, now: Date): object {
  if (isReturn) return placeOnTheWayBack(event, home);
  const where = placeOf(event, home);
  // At night and on Sundays a parcel that is out for delivery comes the next day.
  if (event === 'OUT_FOR_DELIVERY')
    return { ...where, expected_delivery: windowAfter(isLast ? now.getTime() : at, home) };
  if (firstScans.has(event))
    return { ...where, expected_delivery: daysAfter(hasArrived ? at : Math.max(at, now.getTime() - 12 * hourMs)) };
  return event === 'ARRIVED_AT_PARCEL_SHOP' ? { ...where, pickup: pointIn(home, at) } : where;
}

/** Two whole days, as carriers tell at the start. */
function daysAfter(at: number) {
  const days = [1, 2, 3].map((days) => at + days * 24 * hourMs).filter((time) => !isSunday(time, 'UTC'));
  const [first, second] = days.map((time) => new Date(time).toISOString().slice(0, 10));
  return { start: `${first}T00:00:00Z`, end: `${second}T23:59:59Z` };
}

const [firstHour, lastHour] = [9, 17];

/** Three hours on the clock of the customer, from the second full hour on, as long as couriers are on their way. */
function windowAfter(at: number, { country_code }: Home) {
  const zone = zoneOfCountry(country_code)!;
  const hourOf = (time: number) => new Date(time + offsetOf(time, zone)).getUTCHours();
  let start = Math.ceil(at / hourMs + 1) * hourMs;
  while (hourOf(start) < firstHour || hourOf(start) > lastHour || isSunday(start, zone)) start += hourMs;
  return { start: withOffset(start, zone), end: withOffset(start + 3 * hourMs, zone) };
}

/** With the offset of the zone, such as `2026-11-16T10:00:00+01:00`. */
const withOffset = (time: number, zone: string): string =>
  `${localTime(time, zone)}+0${offsetOf(time, zone) / hourMs}:00`;
