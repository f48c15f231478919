const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 'yyyy-mm-dd'.length);

/** So many days in UTC, up to today. */
export const lastDays = (count: number, now = Date.now()) => ({
  from: dayOf(now - (count - 1) * 86_400_000),
  to: dayOf(now),
});
