import type { Chance } from './chance.ts';

/** When people and carriers do what they do, on the clock of the customer. */

const hourMs = 3600 * 1000;
const dayMs = 24 * hourMs;

interface Hours {
  /** Hours of the day. After 24 the night goes on. */
  from: number;
  to: number;
  /** Otherwise nobody works on Sundays. */
  isAnyDay?: true;
}

const daytime: Hours = { from: 9, to: 18 };
const night: Hours = { from: 21, to: 27, isAnyDay: true };

const usual: Record<string, Hours> = {
  ORDER_PLACED: { from: 7, to: 23, isAnyDay: true },
  ORDER_PROCESSED: { from: 8, to: 16 },
  ORDER_CANCELLED: { from: 8, to: 22, isAnyDay: true },
  PICKUP_SUCCESSFUL: { from: 16, to: 19 },
  ARRIVED_AT_SORTING_CENTER: night,
  ARRIVAL_AT_TRANSPORT_HUB: { from: 3, to: 6 },
  OUT_FOR_DELIVERY: { from: 7, to: 9 },
  ARRIVED_AT_PARCEL_SHOP: { from: 12, to: 18 },
  // While the parcel shop is open, also on Saturdays.
  SUCCESSFULLY_COLLECTED_AT_PARCEL_SHOP: { from: 9, to: 14 },
  RETURN_IN_PROGRESS: night,
};

/** A time at which an event usually happens, as soon as it can. */
export function usualTime(event: string, earliest: number, zone: string, chance: Chance): number {
  const { from, to, isAnyDay } = usual[event] ?? daytime;
  // The night of the day before may not be over.
  for (let day = -1; ; day++) {
    const midnight = startOfDay(earliest + day * dayMs, zone);
    const [opens, closes] = [Math.max(midnight + from * hourMs, earliest), midnight + to * hourMs];
    if (opens < closes && (isAnyDay || !isSunday(midnight, zone))) return opens + chance.next() * (closes - opens);
  }
}

export const isSunday = (time: number, zone: string): boolean =>
  new Date(time + offsetOf(time, zone)).getUTCDay() === 0;

/** Noon has the offset of nearly the whole day, also when clocks change. */
function startOfDay(time: number, zone: string): number {
  const local = time + offsetOf(time, zone);
  const midnight = local - (local % dayMs);
  return midnight - offsetOf(midnight + dayMs / 2, zone);
}

/** How far the clocks of a zone are before UTC. */
export function offsetOf(time: number, zone: string): number {
  const second = Math.floor(time / 1000) * 1000;
  return Date.parse(`${localTime(second, zone)}Z`) - second;
}

/** Such as `2026-11-16T10:00:00`. */
export const localTime = (time: number, zone: string): string => clockOf(zone).format(time).replace(' ', 'T');

const clocks = new Map<string, Intl.DateTimeFormat>();

/** A format takes longer to make than to use. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const style = { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' } as const;
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('sv', style);
  clocks.set(zone, clock);
  return clock;
}
