/** A time of the API as a field of type `datetime-local` takes it: in the user's own zone, or empty. */
export function toLocal(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  const date = [padded(at.getFullYear(), 4), padded(at.getMonth() + 1), padded(at.getDate())].join('-');
  return `${date}T${padded(at.getHours())}:${padded(at.getMinutes())}`;
}

const padded = (value: number, digits = 2): string => String(value).padStart(digits, '0');

/** The time that somebody chose as the API takes it: ISO 8601 in UTC, or empty. */
export function toIso(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** Whether a date says more than "2 months ago". */
export const isFar = (at: string, from: number): boolean => Math.abs(Date.parse(at) - from) >= 30 * 86_400_000;

/** How long ago, or until then. A clock that is read twice a minute is behind: what is less than a minute ahead is now. */
export function relative(at: string | number | Date, from: number, language: string): string {
  const ahead = new Date(at).getTime() - from;
  const ms = ahead < 60_000 ? Math.min(ahead, 0) : ahead;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  const [unit, size] = units.find(([, one]) => Math.abs(ms) >= one) ?? ['second', 1000];
  return format.format(Math.trunc(ms / size), unit);
}
