import { number } from '../texts/texts.ts';

/** A time that parcels take, as people say it: 41 hours, 3.2 days. */
export function hoursText(hours: number): string {
  const [value, unit] = hours < 48 ? [hours, 'hour'] : [hours / 24, 'day'];
  // One digit where it makes a difference: half an hour of two days is none.
  const maximumFractionDigits = unit === 'hour' && hours >= 10 ? 0 : 1;
  return number(value, { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits });
}
