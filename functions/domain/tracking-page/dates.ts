import { arrivalOf, localeOf } from '#domain/orders/arrival.ts';
import { dayIn, knownZone } from '#domain/orders/local-day.ts';
import { remembered } from '#platform/recently-used.ts';
import { daysBetween, utc } from '#platform/time.ts';
import type { Language } from '#schemas/catalogues/enumerations.ts';
import type { PageEvent, PageParcel } from '#schemas/shapes/tracking-page.ts';
import type { PageTexts, Plural } from './texts/page-texts.ts';

/** Dates, times and numbers by the rules of the language, in the time of the place. */
export interface Reader {
  language: Language;
  texts: PageTexts;
  now: Date;
}

/** A day without a time, such as `2026-11-16`. */
type Day = string;

/** Undefined for what is no time. */
export function timeOf(text: string | null | undefined): Date | undefined {
  try {
    return text ? new Date(utc(text)) : undefined;
  } catch {
    return undefined;
  }
}

/** When an event happened, on the clock of its place. The clock names its zone if that of the place is not known. */
export function momentOf({ time, timezone }: PageEvent, { language }: Reader): { day: Day; clock: string } | undefined {
  const date = timeOf(time);
  if (!date) return undefined;
  const zone = knownZone(timezone);
  return {
    day: dayIn(zone ?? 'UTC', date),
    clock: format(language, zone ? 'clock' : 'clock and zone', zone).format(date),
  };
}

/** The shop reports no zones, so its events are on the clock of those next to them. */
export function inZones(events: readonly PageEvent[]): PageEvent[] {
  const zones = events.map(({ timezone }) => knownZone(timezone));
  const places = [...zones.keys()].filter((i) => zones[i]);
  return events.map((event, i) => {
    const [nearest] = places.toSorted((one, other) => Math.abs(one - i) - Math.abs(other - i));
    return { ...event, timezone: nearest === undefined ? null : zones[nearest]! };
  });
}

/** “Tomorrow” or “Wednesday, 18 November”, as it stands alone. */
export const dayTitle = (day: Day, today: Day, language: Language): string =>
  capitalised(dayWords(day, today, language).text, language);

export const todayIn = (zone: string | null | undefined, { now }: Reader): Day => dayIn(knownZone(zone) ?? 'UTC', now);

/** “tomorrow” or “Wednesday, 18 November”. */
export function dayText(time: Date, zone: string | null | undefined, reader: Reader): string {
  return dayWords(dayIn(knownZone(zone) ?? 'UTC', time), todayIn(zone, reader), reader.language).text;
}

/** “16 November 2026”. */
export const dateText = (time: Date, { language }: Pick<Reader, 'language'>): string =>
  format(language, 'date', 'UTC').format(time);

/** “Wednesday, 18 November 2026”, wherever and whenever it is read. */
export const fullDateText = (time: Date, zone: string | null, { language }: Pick<Reader, 'language'>): string =>
  format(language, 'weekday and year', knownZone(zone) ?? 'UTC').format(time);

/** “18 November 2026 at 10:05:30 CET”: to the second, with its zone. */
export const exactTimeText = (time: Date, zone: string | null, { language }: Pick<Reader, 'language'>): string =>
  format(language, 'exact', knownZone(zone) ?? 'UTC').format(time);

interface DayWords {
  text: string;
  isRelative: boolean;
}

function dayWords(day: Day, today: Day, language: Language): DayWords {
  const distance = daysBetween(today, day);
  if (Math.abs(distance) <= 1) return { text: relative(language).format(distance, 'day'), isRelative: true };
  const style = day.slice(0, 4) === today.slice(0, 4) ? 'weekday' : 'weekday and year';
  return { text: format(language, style, 'UTC').format(new Date(day)), isRelative: false };
}

const capitalised = (text: string, language: Language): string =>
  text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase(localeOf(language)));

export interface ArrivalAnswer {
  /** “Arrives tomorrow, 10:00–12:00”. Undefined if the arrival is not known, or was to be in the past. */
  sentence?: string;
  isOverdue: boolean;
}

/** Whether the arrival is our own estimate, not the word of a carrier. */
export const isPredicted = ({ estimated_arrival }: Pick<PageParcel, 'estimated_arrival'>): boolean =>
  estimated_arrival?.source === 'prediction';

export function arrivalAnswer(parcel: PageParcel, reader: Reader): ArrivalAnswer {
  const { estimated_arrival: estimate, events } = parcel;
  const isOurs = isPredicted(parcel);
  const place = events.find(({ timezone }) => knownZone(timezone))?.timezone ?? undefined;
  const [from = null, to = null] = [estimate?.from, estimate?.to].map((text) => (timeOf(text) ? text : null));
  const arrival = arrivalOf({ start: from, end: to }, place);
  if (!arrival) return { isOverdue: false };
  const { earliest, latest, style } = arrival;
  const zone = knownZone(arrival.zone) ?? 'UTC';
  const recipient = isOurs ? (offsetOf(from ?? to) ?? 'UTC') : (localOffset(from ?? to) ?? place ?? 'UTC');
  const today = dayIn(style === 'time and zone' ? zone : recipient, reader.now);
  const days = { first: earliest && dayIn(zone, earliest), last: latest && dayIn(zone, latest) };
  const end = days.last ?? days.first!;
  const isOver = style === 'day' ? end < today : [from, to].every((text) => (timeOf(text) ?? 0) < reader.now);
  if (isOver) return { isOverdue: latest !== undefined };
  const clock =
    style === 'day' ? undefined : format(reader.language, style === 'time' ? 'clock' : 'clock and zone', zone);
  const window = { earliest, latest, ...days, today, clock };
  return { sentence: isOurs ? predictionOf(window, reader) : sentenceOf(window, reader), isOverdue: false };
}

/** Without words that make a promise of it. */
function predictionOf(window: Window, reader: Reader): string {
  const { first, last, today, clock } = window;
  // We name days, and both of them.
  if (!first || !last || clock) return sentenceOf(window, reader);
  const { language, texts } = reader;
  const { prediction } = texts.arrival;
  const { text, isRelative } = dayWords(last, today, language);
  if (first === last || last === today) return put(isRelative ? prediction.relative : prediction.date, { day: text });
  if (first <= today) return put(prediction.latest, { day: text });
  return put(prediction.days, { days: daysText(first, last, language) });
}

/** In ranges Italian days come as “02 dicembre”, and elsewhere without the nought. */
const daysText = (first: Day, last: Day, language: Language): string =>
  format(language, 'days', 'UTC')
    .formatRange(new Date(first), new Date(last))
    .replace(/\b0(?=\d\s)/g, '');

interface Window {
  earliest: Date | undefined;
  latest: Date | undefined;
  first: Day | undefined;
  last: Day | undefined;
  today: Day;
  /** Undefined if only the days are known. */
  clock: Intl.DateTimeFormat | undefined;
}

function sentenceOf({ earliest, latest, first, last, today, clock }: Window, { language, texts }: Reader): string {
  const { arrival } = texts;
  const words = (day: Day) => dayWords(day, today, language);
  const timed = (sentence: string, time: string | undefined) =>
    time ? put(arrival.with_time, { arrival: sentence, time }) : sentence;
  if (first && !last) return timed(put(arrival.earliest, { day: words(first).text }), clock?.format(earliest));
  if (last && first === last) {
    const { text, isRelative } = words(last);
    return timed(
      put(isRelative ? arrival.relative : arrival.date, { day: text }),
      clock && clockRange(clock, earliest!, latest!),
    );
  }
  const isOneDayLeft = !first || first < today;
  if (isOneDayLeft) return timed(put(arrival.latest, { day: words(last!).text }), clock?.format(latest));
  return put(arrival.days, { days: daysText(first, last!, language) });
}

const clockRange = (clock: Intl.DateTimeFormat, from: Date, to: Date) =>
  from.getTime() === to.getTime() ? clock.format(from) : clock.formatRange(from, to);

/**
 * The parts of a sentence. No line should end inside those at odd places, which are ranges of numbers such as `18 – 19`,
 * `10:00–12:00` or `10:00 π.μ. – 12:00 μ.μ.`, with what is bound to them. Years are no such range: each is part of a date.
 */
export const rangesIn = (sentence: string): string[] => sentence.split(range);

const range =
  /((?<!\S)(?!\d{4}\s?–|\S*\s?–\s?\d{4})\S*\d\S*(?:\s\p{L}\.\S*)?\s?–\s?\d\S*(?:\s\p{L}\.\S*)?(?:\u00A0\p{L}+)?)/u;

/** With spaces that end no line between a day and its month, in the order of any language, and before a dash. */
export const boundDates = (sentence: string): string =>
  sentence
    .replace(/(?<=\d\.?) (?=[\p{L}\d])/gu, '\u00A0')
    .replace(/(?<=\p{L}) (?=\d{1,2}(?:–\d{1,2})?\.(?:$|,|\s?–))/gu, '\u00A0')
    .replaceAll(' –', '\u00A0–')
    .replaceAll('\u2009–', '\u202F–');

/** A text of a translator with its placeholders filled, as plain text. */
export const put = (pattern: string, values: Record<string, string | number>): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));

/** The form of a text that fits its number. Tests hold that each language has a form for every whole number. */
export function counted(forms: Plural, count: number, { language }: Pick<Reader, 'language'>): string {
  return forms[plurals(language).select(count)]!;
}

export const numberText = (count: number, { language }: Pick<Reader, 'language'>): string =>
  numbers(language).format(count);

/** The name of a country. Undefined for what is no code of one: customers read no codes. */
export function countryName(code: string | null, { language }: Pick<Reader, 'language'>): string | undefined {
  if (!code || !/^[a-z]{2}$/i.test(code)) return undefined;
  return countries(language).of(code.toUpperCase());
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Carriers write the days of opening hours in English, or in any way. What is no English day stays as it is. */
export function weekdayName(text: string, { language }: Pick<Reader, 'language'>): { name: string; rank: number } {
  const day = weekdays.findIndex((name) => name === text.toLowerCase() || name.slice(0, 3) === text.toLowerCase());
  if (day < 0) return { name: text, rank: 7 };
  // 4 January 1970 was a Sunday.
  const name = format(language, 'day of the week', 'UTC').format(new Date(Date.UTC(1970, 0, 4 + day)));
  return { name: capitalised(name, language), rank: (day + 6) % 7 };
}

/** The tag of the language in HTML and in headers. The contract calls Greek `gr`. */
export const tagOf = (language: Language): string => (language === 'gr' ? 'el' : language);

function offsetOf(text: string | null | undefined): string | undefined {
  return knownZone(/[+-]\d\d:\d\d$/.exec(text ?? '')?.[0]);
}

/** The clock of the recipient. A carrier that writes in UTC does not say which one that is. */
function localOffset(text: string | null | undefined): string | undefined {
  const offset = offsetOf(text);
  return offset === '+00:00' || offset === '-00:00' ? undefined : offset;
}

const styles = {
  clock: { timeStyle: 'short' },
  'clock and zone': { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  days: { day: 'numeric', month: 'long' },
  date: { day: 'numeric', month: 'long', year: 'numeric' },
  weekday: { weekday: 'long', day: 'numeric', month: 'long' },
  'weekday and year': { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  exact: { dateStyle: 'long', timeStyle: 'long' },
  'day of the week': { weekday: 'long' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const format = remembered(
  (language: Language, style: keyof typeof styles, timeZone: string | undefined = 'UTC') =>
    new Intl.DateTimeFormat(localeOf(language), { ...styles[style], timeZone }),
);
const relative = remembered(
  (language: Language) => new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }),
);
const plurals = remembered((language: Language) => new Intl.PluralRules(localeOf(language)));
const numbers = remembered((language: Language) => new Intl.NumberFormat(localeOf(language)));
const countries = remembered((language: Language) => new Intl.DisplayNames(localeOf(language), { type: 'region' }));
