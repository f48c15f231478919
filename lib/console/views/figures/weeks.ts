import type { DeliveryTimes } from '#schemas/families/analytics.ts';

type Counted = Pick<DeliveryTimes, 'week' | 'shipped' | 'under_way'>;

/** A week of handing over, of all parcels. */
export interface Week {
  /** As the API names it: 2026-W46. */
  week: string;
  monday: string;
  shipped: number;
  underWay: number;
  /** Whether its figures may still change: more than one in ten of its parcels are under way. */
  isProvisional: boolean;
}

const dayMs = 86_400_000;

/** The week that has the fourth of January is the first of a year (ISO 8601). */
export function mondayOf(week: string): string {
  const [year, number] = week.split('-W').map(Number) as [number, number];
  const fourth = Date.UTC(year, 0, 4);
  const weekday = (new Date(fourth).getUTCDay() + 6) % 7;
  return dayOf(fourth + ((number - 1) * 7 - weekday) * dayMs);
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 'yyyy-mm-dd'.length);

/** The Sunday of the week. */
export const lastDayOf = (monday: string): string => dayOf(Date.parse(monday) + 6 * dayMs);

/** From the first to the last one, without a gap. */
export function mondaysFrom(some: Iterable<string>): string[] {
  const mondays = [...some].sort();
  if (mondays.length === 0) return [];
  const [first, last] = [mondays[0]!, mondays.at(-1)!].map(Date.parse) as [number, number];
  return Array.from({ length: (last - first) / (7 * dayMs) + 1 }, (_, i) => dayOf(first + i * 7 * dayMs));
}

/** All weeks from the first to the last one that has parcels, without a gap. */
export function weeksOf(rows: readonly Counted[]): Week[] {
  const named = rows.filter((row): row is Counted & { week: string } => row.week !== null);
  const byMonday = Map.groupBy(named, ({ week }) => mondayOf(week));
  return mondaysFrom(byMonday.keys()).map((monday) => {
    const own = byMonday.get(monday) ?? [];
    const shipped = own.reduce((sum, row) => sum + row.shipped, 0);
    const underWay = own.reduce((sum, row) => sum + row.under_way, 0);
    return { week: own[0]?.week ?? '', monday, shipped, underWay, isProvisional: underWay * 10 > shipped };
  });
}

/** The youngest weeks, as far as each of them may still change. */
export const provisional = (weeks: readonly Week[]): readonly Week[] =>
  weeks.slice(weeks.findLastIndex(({ isProvisional }) => !isProvisional) + 1);
