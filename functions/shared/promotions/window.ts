/** From one moment until another. The times are UTC, to the millisecond: as texts they compare as times do. */
export interface Window {
  start_date: string;
  /** The first moment that is no longer part of it; null: none. */
  end_date: string | null;
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
