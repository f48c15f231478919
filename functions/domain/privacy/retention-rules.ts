import { createHash } from 'node:crypto';
import { secondsOfDays } from '#schemas/catalogues/limits.ts';

/** When retention works, and what is old enough for it. */

const minute = 60_000;
const day = 24 * 60 * minute;

/** From midnight UTC on. */
const minutesOfNight = 240;

/** When the next night of a shop begins. The shops share the night out among them by their names. */
export function nextNight(slug: string, now: Date): Date {
  const hash = createHash('sha256').update(slug).digest().readUInt32BE();
  const midnight = Math.floor(now.getTime() / day) * day;
  const tonight = midnight + (hash % minutesOfNight) * minute;
  return new Date(tonight > now.getTime() ? tonight : tonight + day);
}

/** What was last changed at this time, or before it, is too old. */
export const cutoffOf = (days: number, now: Date): string =>
  new Date(now.getTime() - secondsOfDays(days) * 1000).toISOString();

interface Changed {
  updated_at: string;
}

/** The last change of an order, its parcels and its claims. */
export const lastChange = (order: Changed, others: readonly Changed[]): string =>
  others.reduce((last, { updated_at }) => (updated_at > last ? updated_at : last), order.updated_at);

/** Whether a walk over all orders of the shop begins anew, because others may have come in behind it. */
export const isWalkOver = (began: string, days: number, now: Date): boolean => began <= cutoffOf(days, now);
