import { dayAfter, daysBetween } from '#platform/time.ts';

/**
 * What is known and stored about the arrival of one parcel. Days are texts such as `2026-11-17`. Those of the delivery are
 * of the recipient's calendar.
 */

export interface DayWindow {
  from: string;
  to: string;
}

/** Where a parcel is on its way, as far as that tells when it arrives. */
export interface Journey {
  /** The day in UTC on which the carrier got it: that of its cohort. */
  handedOver: string;
  /** The beginning of its postcode. Absent if it is not known. */
  area?: string | undefined;
  stage: 'under_way' | 'out_for_delivery' | 'attempted';
  /** The day of the event that began the stage. */
  since: string;
}

/** What we say about a parcel. */
export interface Predicted {
  /** Absent if nothing is to be shown. */
  window?: DayWindow;
  /** The windows of growing probability (`bandLevels`). Each contains those before it. */
  bands: readonly DayWindow[];
}

/**
 * The probabilities of the windows by which predictions are measured: once the parcel is delivered, the first window that
 * holds its day tells how sure we should have been. The last range is beyond them all.
 */
export const bandLevels = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.985, 0.995] as const;

/** In the document of a shipment. It is short, because few bytes decide about a write unit: days are counted from `since`. */
export interface StoredPrediction {
  /** The day of handing over when the parcel was first predicted, or the recipient's day of then, if that was earlier. */
  since: string;
  /** The window of now, such as `1-3`. Absent if none is to be shown. */
  window?: string;
  /** The first window that was shown. */
  first?: string;
  /** The window that merchants were told last, if that is not `window`. */
  told?: string;
  /** The bands of the first prediction: two digits of base 36 for each. */
  bands: string;
}

export const offsetsOf = ({ from, to }: DayWindow, since: string): string =>
  `${daysBetween(since, from)}-${daysBetween(since, to)}`;

export const daysIn = (offsets: string) => offsets.split('-').map(Number) as [from: number, to: number];

export function windowOf(offsets: string, since: string): DayWindow {
  const [from, to] = daysIn(offsets);
  return { from: dayAfter(since, from), to: dayAfter(since, to) };
}

/** The last digit of base 36. */
const farthest = 35;

export const packBands = (bands: readonly DayWindow[], since: string): string =>
  bands.flatMap(({ from, to }) => [from, to].map((day) => digitOf(daysBetween(since, day)))).join('');

const digitOf = (days: number): string => Math.min(farthest, Math.max(0, days)).toString(36);

/** The number of the first band that holds the day; that of all bands if none does, or if it is so far that bands do not tell. */
export function bandOf(bands: string, since: string, day: string): number {
  const days = Math.max(0, daysBetween(since, day));
  if (days >= farthest) return bandLevels.length;
  const found = bandLevels.findIndex((_, i) => {
    const [from, to] = [...bands.slice(2 * i, 2 * i + 2)].map((digit) => Number.parseInt(digit, 36));
    return from! <= days && days <= to!;
  });
  return found === -1 ? bandLevels.length : found;
}
