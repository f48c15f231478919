/** Times that people wait, in the unit that says them with the smallest number: 2880 minutes are 2 days. */
const durationUnits = ['minutes', 'hours', 'days'] as const;
export type DurationUnit = (typeof durationUnits)[number];

const minutesIn: Record<DurationUnit, number> = { minutes: 1, hours: 60, days: 1440 };

/** The units that are not smaller than the one of the API. */
export const unitsFrom = (base: DurationUnit): readonly DurationUnit[] =>
  durationUnits.slice(durationUnits.indexOf(base));

/** How somebody would say it, of a number in the unit of the API. */
export function spoken(count: number, base: DurationUnit): { count: number; unit: DurationUnit } {
  const minutes = count * minutesIn[base];
  const fits = (unit: DurationUnit) => minutes !== 0 && minutes % minutesIn[unit] === 0;
  const unit = unitsFrom(base).findLast(fits) ?? base;
  return { count: minutes / minutesIn[unit], unit };
}

/** In the unit of the API, as a field holds it: what is no number stays as it was typed. */
export function counted(typed: string, unit: DurationUnit, base: DurationUnit): string {
  const count = Number(typed);
  return typed.trim() === '' || Number.isNaN(count) ? typed : String((count * minutesIn[unit]) / minutesIn[base]);
}
