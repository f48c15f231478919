import { remembered } from '#platform/recently-used.ts';
import { zoneOfCountry } from './country-zones.ts';
import type { Shipment, ShipmentEvent } from './model.ts';

/** Days and times of the recipient, as far as a shipment tells where that is. */

type Whereabouts = Pick<Shipment, 'country' | 'events'>;

/** The clock of its country. Where a country has several, that of the newest event that names one, which may be an offset. */
export function zoneOf({ country, events }: Whereabouts): string {
  const ofCountry = zoneOfCountry(country);
  if (ofCountry) return ofCountry;
  const newest = events.findLast((event) => knownZone(zoneOfEvent(event)));
  return (newest && zoneOfEvent(newest)) ?? 'UTC';
}

export const zoneOfEvent = ({ timezone, location }: ShipmentEvent): string | undefined =>
  timezone || location?.timezone || undefined;

/** The day on which the recipient had this time, such as `2026-11-18`. @param time in UTC */
export const localDay = (time: string, shipment: Whereabouts): string => dayIn(zoneOf(shipment), new Date(time));

/** Undefined for what is no zone: carriers write any text. */
export const knownZone = (zone: string | null | undefined): string | undefined =>
  zone && formatsOf(zone) ? zone : undefined;

/** @param zone one that is known @param time in milliseconds, if it is no Date */
export const dayIn = (zone: string, time: Date | number): string => formatsOf(zone)!.day.format(time);

/** The time of a clock with its offset, such as `2026-11-18T00:00:00+01:00`. @param clock such as `00:00:00` */
export function timeIn(zone: string, day: string, clock: string): string {
  const local = `${day}T${clock}`;
  const asUtc = Date.parse(`${local}Z`);
  const nearly = offsetIn(zone, asUtc);
  return `${local}${offsetIn(zone, Date.parse(`${local}${nearly}`))}`;
}

/** Intl writes `GMT+01:00`, and `GMT` alone for UTC. */
const offsetIn = (zone: string, time: number): string =>
  /[+-]\d\d:\d\d/.exec(formatsOf(zone)!.offset.format(time))?.[0] ?? '+00:00';

interface Formats {
  day: Intl.DateTimeFormat;
  offset: Intl.DateTimeFormat;
}

const formatsOf = remembered(newFormats);

/** Undefined for what is no zone. */
function newFormats(timeZone: string): Formats | undefined {
  try {
    return {
      // Swedes write days as ISO 8601 does.
      day: new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' }),
      offset: new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }),
    };
  } catch {
    return undefined;
  }
}
