import { daysBetween } from '#platform/time.ts';
import { bandLevels } from './prediction.ts';

/** What the counters of a shop say about the parcels of a lane that a carrier got on one day. */
export interface LaneDay {
  /** In UTC. */
  day: string;
  shipped: number;
  /** Lost, sent back, or cancelled on the way. */
  ended: number;
  /** Delivered so many days of the calendar after the day of handing over. */
  delivered: readonly { area: string; days: number; count: number }[];
  /** Delivered by the days after the courier last left with it (index 0: on the same day), and after the last time that it was not delivered. */
  afterOut: readonly number[];
  afterAttempt: readonly number[];
  /** Delivered by the first band that held their day (`bandOf`). */
  bands: readonly number[];
  /** Delivered ones that a window was shown for, and those whose first window held. */
  shown: number;
  held: number;
}

/** Longer ones count as this. */
export const longestDays = 60;
export const longestAfterStage = 9;

/** From one day to another, without the Sundays after the first. 0 if that is no later day. */
export function daysWithoutSundays(from: string, to: string): number {
  const days = Math.max(0, daysBetween(from, to));
  // Sunday is 0.
  const sundays = Math.floor((new Date(from).getUTCDay() + days) / 7);
  return days - sundays;
}

/** The area of a parcel whose postcode is not known. */
export const unknownArea = '-';

/** The names of the counters in the item of a cohort. They are short, because an item costs by the kilobyte. */
export const arrivalCounters = {
  shown: 'pn',
  held: 'pc',
  /** The sum of the widths of the windows that were shown, in days. */
  shownDays: 'pw',
  /**
   * The carrier's own first windows, those that held the delivery, and the sum of their widths in hours. They are counted beside
   * `p`, which the release before counted alone: what it counted says nothing about what held.
   */
  carrierWindows: 'cn',
  carrierHeld: 'cc',
  carrierHours: 'cw',
} as const;

export const deliveredCounter = (area: string, days: number) => `z${area}${Math.min(days, longestDays)}`;
export const afterOutCounter = (days: number) => `o${Math.min(days, longestAfterStage)}`;
export const afterAttemptCounter = (days: number) => `e${Math.min(days, longestAfterStage)}`;
export const bandCounter = (band: number) => `q${band}`;

/** @param shipped from the item of the day @param item of the cohort; its counters, whatever else it has */
export function laneDay(day: string, shipped: number, item: Readonly<Record<string, unknown>> = {}): LaneDay {
  const count = (name: string): number => Math.max(0, Number(item[name] ?? 0));
  const delivered = Object.keys(item).flatMap((name) => {
    const [, area, days] = /^z(.)(\d+)$/.exec(name) ?? [];
    return area && count(name) > 0 ? [{ area, days: Number(days), count: count(name) }] : [];
  });
  const stage = (counter: (days: number) => string) =>
    Array.from({ length: longestAfterStage + 1 }, (_, days) => count(counter(days)));
  return {
    day,
    shipped,
    ended: count('x'),
    delivered,
    afterOut: stage(afterOutCounter),
    afterAttempt: stage(afterAttemptCounter),
    bands: Array.from({ length: bandLevels.length + 1 }, (_, band) => count(bandCounter(band))),
    shown: count(arrivalCounters.shown),
    held: count(arrivalCounters.held),
  };
}
