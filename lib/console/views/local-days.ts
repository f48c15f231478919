/**
 * Filters hold days, which are those of the user's own zone. The service takes times. A year that is still being typed, such
 * as 0002, is no day yet.
 */
export const startOf = (day: string): string | undefined => timeOf(day, '00:00');

export const endOf = (day: string): string | undefined => timeOf(day, '23:59:59.999');

function timeOf(day: string, time: string): string | undefined {
  const at = new Date(`${day}T${time}`);
  return Number.isNaN(at.getTime()) || at.getFullYear() < 1000 ? undefined : at.toISOString();
}
