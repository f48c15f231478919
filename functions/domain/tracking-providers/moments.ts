import { textOf } from '#platform/foreign-json.ts';
import type { Expected } from './provider.ts';

export interface Moment {
  /** In UTC. */
  time: string;
  /** As `Intl` takes it: a name or an offset. */
  timezone?: string;
}

interface Written {
  date: string;
  /** Undefined if only a day is given. */
  clock: string | undefined;
  offset: string | undefined;
}

const isoTime =
  /^((?:19[7-9]\d|2\d{3})-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(\.\d{1,3})?\d*)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * A time that a provider writes. Without an offset it is the local time of the zone, and UTC if no zone is given.
 * Undefined if it is no time.
 */
export function momentOf(value: unknown, zone?: unknown): Moment | undefined {
  const written = writtenTime(value);
  if (!written) return undefined;
  const { date, clock = '00:00:00', offset } = written;
  const timezone = zoneOf(zone) ?? zoneOf(offset);
  const at = instantOf(`${date}T${clock}`, offset ?? timezone ?? 'Z');
  return { time: new Date(at).toISOString(), ...(timezone !== undefined && { timezone }) };
}

/** Seconds since 1970, as a time in UTC. */
export function timeOfSeconds(value: unknown): string | undefined {
  const text = textOf(value, 20) ?? '';
  return /^\d{1,10}$/.test(text) ? new Date(Number(text) * 1000).toISOString() : undefined;
}

/**
 * The time in which the parcel is expected. A time is kept as written, because its offset is that of the recipient.
 * A day begins at its first minute and ends with its last.
 */
export function expectedBetween(from: unknown, to: unknown): Expected | undefined {
  const [start, end] = [edgeOf(from ?? to, '00:00:00'), edgeOf(to ?? from, '23:59:59')];
  if (start === undefined && end === undefined) return undefined;
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
}

function edgeOf(value: unknown, clockOfDay: string): string | undefined {
  const written = writtenTime(value);
  return written && `${written.date}T${written.clock ?? clockOfDay}${written.offset ?? 'Z'}`;
}

function writtenTime(value: unknown): Written | undefined {
  const [, date, minutes, seconds = '00', fraction = '', offset] = isoTime.exec(textOf(value, 64) ?? '') ?? [];
  if (date === undefined) return undefined;
  const clock = minutes && `${minutes}:${seconds}${fraction}`;
  return exists(date, clock) ? { date, clock, offset: offset && normalOffset(offset) } : undefined;
}

/** `Date` would take 30 February for a day in March. */
function exists(date: string, clock = '00:00:00'): boolean {
  const at = Date.parse(`${date}T${clock}Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}

function normalOffset(offset: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(offset) ?? [];
  return hours === undefined || Number(hours.slice(1)) > 23 || Number(minutes) > 59 ? 'Z' : `${hours}:${minutes}`;
}

const isOffset = (zone: string) => zone === 'Z' || /^[+-]\d\d:?\d\d$/.test(zone);

/** A zone that says more than UTC and that `Intl` knows. */
function zoneOf(value: unknown): string | undefined {
  const text = textOf(value, 100);
  if (text === undefined || /^(Z|UTC|GMT|[+-]00:?00)$/i.test(text)) return undefined;
  if (!isOffset(text)) return isKnown(text) ? text : undefined;
  const offset = normalOffset(text);
  return offset === 'Z' ? undefined : offset;
}

function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }) !== undefined;
  } catch {
    return false;
  }
}

function instantOf(local: string, zone: string): number {
  if (isOffset(zone)) return Date.parse(local + zone);
  const asUtc = Date.parse(`${local}Z`);
  // The offset is asked for twice, because it may change between the two instants.
  return asUtc - offsetAt(asUtc - offsetAt(asUtc, zone), zone);
}

function offsetAt(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const wholeSeconds = Math.floor(at / 1000) * 1000;
  return Date.parse(`${format.format(wholeSeconds).replace(' ', 'T')}Z`) - wholeSeconds;
}
