import { windowOf } from '#domain/arrival/prediction.ts';
import type { Texts } from '#domain/texts/texts.ts';
import { remembered } from '#platform/recently-used.ts';
import { utc } from '#platform/time.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import { flagOf, isTowardsMerchant, phaseOf, type ShipmentEventName } from '#schemas/catalogues/shipment-events.ts';
import type { ExpectedDelivery } from '#schemas/shapes/order-shapes.ts';
import { dayIn, timeIn, zoneOf, zoneOfEvent } from './local-day.ts';
import type { Shipment, ShipmentEvent } from './model.ts';
import { underWay } from './rounds.ts';
import { currentEvent } from './shipment-rules.ts';

/** When a parcel is expected, in the local time of its recipient as far as that is known. */
export interface Arrival {
  /** At least one of the two is known. */
  earliest: Date | undefined;
  latest: Date | undefined;
  style: Style;
  zone: string;
}

const day = { day: 'numeric', month: 'long', year: 'numeric' } as const;

const styles = {
  day,
  time: { dateStyle: 'long', timeStyle: 'short' },
  /** The zone is a guess, so the text names it. */
  'time and zone': { ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

type Style = keyof typeof styles;

type Forecast = Pick<Shipment, 'expected_delivery' | 'events'>;

/** The expected arrival of a parcel as a text. Null if neither its beginning nor its end is known. */
export function arrivalText(shipment: Forecast, language: Language, texts: Texts): string | null {
  const arrival = arrivalOf(shipment.expected_delivery, newestZone(shipment.events));
  return arrival ? textOf(arrival, language, texts) : null;
}

/**
 * A carrier that writes an offset writes the local time of the recipient, so its date and time are taken as they stand.
 * A carrier that knows only the day writes the beginning or the end of it. For a time in UTC, the zone of the newest
 * event is the nearest to the recipient that is known.
 */
export function arrivalOf(
  expected: ExpectedDelivery | null | undefined,
  newestZone: string | undefined,
): Arrival | undefined {
  const given = [expected?.start, expected?.end].filter((text) => text != null);
  if (!expected || given.length === 0) return undefined;
  if (given.every(isEdgeOfDay)) return arrival(expected, asWritten, 'day', 'UTC');
  if (given.every(hasOffset)) return arrival(expected, asWritten, 'time', 'UTC');
  return arrival(expected, asInstant, 'time and zone', newestZone ?? 'UTC');
}

type Read = (text: string) => Date;

function arrival(expected: ExpectedDelivery, read: Read, style: Style, zone: string): Arrival {
  const [start, end] = [expected.start, expected.end].map((text) => (text == null ? undefined : read(text)));
  const isReversed = start && end && end < start;
  return { earliest: isReversed ? end : start, latest: isReversed ? start : end, style, zone };
}

/** The parts of an ISO 8601 date or date-time. Without an offset it is UTC. */
function partsOf(text: string) {
  const [, date = '', clock = '00:00', offset = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T\s](\d\d:\d\d)[^Z+-]*)?(Z|[+-].+)?$/i.exec(text) ?? [];
  return { date, clock, offset };
}

const isEdgeOfDay = (text: string) => ['00:00', '23:59'].includes(partsOf(text).clock);
const hasOffset = (text: string) => !/^(Z|[+-]00(:?00)?)$/i.test(partsOf(text).offset);

const asInstant: Read = (text) => new Date(utc(text));
const asWritten: Read = (text) => new Date(`${partsOf(text).date}T${partsOf(text).clock}Z`);

function newestZone(events: readonly ShipmentEvent[]): string | undefined {
  const event = events.findLast(zoneOfEvent);
  return event && zoneOfEvent(event);
}

/** Where we say when a parcel arrives, as far as its carrier says nothing. */
interface PredictedArrival {
  /** The beginning of a day and the end of a day, of the recipient. */
  from: string;
  to: string;
  /** Whether the parcel should have been there. */
  isOver: boolean;
}

/** Undefined if the carrier names a time, or we say nothing. A window leaves out its days that are over, unless all are. */
export function predictedArrival(shipment: Shipment, now: Date): PredictedArrival | undefined {
  const { prediction } = shipment;
  if (prediction?.window === undefined || hasCarrierTime(shipment) || !isArriving(shipment)) return undefined;
  const { from, to } = windowOf(prediction.window, prediction.since);
  const zone = zoneOf(shipment);
  const today = dayIn(zone, now);
  const isOver = to < today;
  const first = !isOver && from < today ? today : from;
  return { from: timeIn(zone, first, '00:00:00'), to: timeIn(zone, to, '23:59:59'), isOver };
}

/** Whether the carrier itself says when the parcel arrives. */
export const hasCarrierTime = ({ expected_delivery: expected }: Pick<Shipment, 'expected_delivery'>): boolean =>
  (expected?.start ?? expected?.end) != null;

/** The name by which callers and customers are told that a parcel is expected at another time. */
export const estimateMoved = 'SHIPMENT_UPDATED_ETA' satisfies ShipmentEventName;

/** Whether our own window has moved, and not that of the carrier. */
export const isOwnEstimate = ({ predicted }: ShipmentEvent): boolean => predicted === true;

/**
 * Whether a carrier brings it to its recipient, and nothing tells that it takes another way than other parcels. With an error
 * it does not arrive, or only if somebody acts. How long a delay on the way takes, nobody says before the next scan. After a
 * failed attempt others are delivered too, and are known.
 */
export function isArriving({ events, direction }: Pick<Shipment, 'events' | 'direction'>): boolean {
  const { event_name } = currentEvent(events);
  const [phase, flag] = [phaseOf(event_name, direction), flagOf(event_name, direction)];
  const isLate = flag === 'error' || (flag === 'delay' && phase === 'in_transit');
  return !isTowardsMerchant(direction) && underWay.has(phase) && !isLate && !elsewhere.has(event_name);
}

/** It will be collected, or brought at a time or to a place that the recipient chose, and other parcels tell nothing about that. */
const elsewhere: ReadonlySet<ShipmentEventName> = new Set([
  'SHIPMENT_ON_ITS_WAY_TO_PICKUP_LOCATION',
  'DELIVERY_ATTEMPTED_FORWARDING_TO_PICKUP_LOCATION',
  'DELIVERY_OPTION_REQUESTED_BY_RECEIVER',
  'DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED',
  'DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED_LOCKER',
  'DELIVERY_OPTION_ALTERNATE_LOCATION_REQUESTED_SHOP',
  'DELIVERY_OPTION_ALTERNATE_TIME_REQUESTED',
  'SHIPMENT_DELAYED_DUE_TO_CUSTOMER_REQUEST',
]);

export function predictedText({ from, to, isOver }: PredictedArrival, language: Language, texts: Texts): string {
  const text = textOf(arrivalOf({ start: from, end: to }, undefined)!, language, texts);
  return isOver ? texts.arrival.overdue.replace('{time}', () => text) : text;
}

/** The text names the day and never says “tomorrow”, because callers store what they read. */
function textOf({ earliest, latest, style, zone }: Arrival, language: Language, texts: Texts): string {
  const format = formatOf(localeOf(language), style, zone);
  if (earliest && latest) return format.formatRange(earliest, latest);
  const pattern = earliest ? texts.arrival.earliest : texts.arrival.latest;
  return pattern.replace('{time}', () => format.format(earliest ?? latest));
}

/** The texts are written for these countries. Other languages have the same rules for dates in all countries, or nearly. */
const locales: Partial<Record<Language, string>> = { en: 'en-GB', gr: 'el', pt: 'pt-PT' };
export const localeOf = (language: Language) => locales[language] ?? language;

const formatOf = remembered(newFormat);

/** In UTC if there is no such zone: carriers write any text. */
function newFormat(locale: string, style: Style, timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...styles[style], timeZone });
  } catch {
    return new Intl.DateTimeFormat(locale, { ...styles[style], timeZone: 'UTC' });
  }
}
