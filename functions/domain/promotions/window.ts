import { utc } from '#platform/time.ts';
import type { FieldError } from '#schemas/catalogues/errors.ts';

/** From one moment until another. The times are UTC, to the millisecond: as texts they compare as times do. */
export interface Window {
  start_date: string;
  /** The first moment that is no longer part of it; null: none. */
  end_date: string | null;
}

interface GivenWindow {
  start_date?: string | null;
  end_date?: string | null;
}

/** As a caller says it: from now on and without an end, where nothing is said. */
export const newWindow = ({ start_date, end_date }: GivenWindow, now: Date): Window => ({
  start_date: utc(start_date ?? now),
  end_date: end_date ? utc(end_date) : null,
});

export function faultsOfWindow({ start_date, end_date }: Window): FieldError[] {
  if (end_date === null || end_date > start_date) return [];
  return [{ loc: ['body', 'end_date'], msg: 'must be after start_date', type: 'value_error' }];
}

export const hasStarted = ({ start_date }: Window, now: Date) => start_date <= now.toISOString();
export const hasEnded = ({ end_date }: Window, now: Date) => end_date !== null && end_date <= now.toISOString();
export const isOpen = (window: Window, now: Date) => hasStarted(window, now) && !hasEnded(window, now);

/** Whether there is a moment that is part of both. */
export function overlap(a: Window, b: Window): boolean {
  return (b.end_date === null || a.start_date < b.end_date) && (a.end_date === null || b.start_date < a.end_date);
}

/** Whether they overlap, or one begins when the other ends. */
export function overlapOrMeet(a: Window, b: Window): boolean {
  return overlap(a, b) || a.start_date === b.end_date || b.start_date === a.end_date;
}
