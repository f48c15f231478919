import { arrivalLimits } from '#schemas/catalogues/limits.ts';
import type { ArrivalCalibration } from '#schemas/families/analytics.ts';
import { mondayOf } from './weeks.ts';

export type Said = ArrivalCalibration;

/** What became of the windows of some parcels together. */
export interface Held {
  /** Delivered parcels with a window. */
  n: number;
  /** The share of windows that held. */
  share: number;
  /** How wide a window was on average. */
  hours: number;
  underWay: number;
}

/** @param rows of one source, each of another carrier or week, because the parcels under way stand in both rows of a carrier */
export function heldOf(rows: readonly Said[]): Held {
  const sum = (of: (row: Said) => number) => rows.reduce((all, row) => all + of(row), 0);
  const n = sum((row) => row.n);
  return {
    n,
    share: sum((row) => row.n * row.covered) / n,
    hours: sum((row) => row.n * row.mean_width_hours) / n,
    underWay: sum((row) => row.under_way),
  };
}

/** The windows of one source for the parcels of a week. */
export interface SaidWeek extends Held {
  monday: string;
  rows: readonly Said[];
  /** Whether hardly any window may still fail. */
  isFinal: boolean;
}

export interface BothSources {
  /** Oldest first. Empty if nothing was said. */
  ours: readonly SaidWeek[];
  carriers: readonly SaidWeek[];
}

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

/** The windows of parcels under way fail more often than others. So many of them in a hundred change a share by two points at most. */
const mostUnderWay = 0.02;

/** What is still under way after so many weeks is rarely delivered at all, also where a parcel takes five or six. */
const longestWeeks = 8;

/** Oldest first. A week without windows is left out. @param rows of one source */
export const saidWeeks = (rows: readonly Said[], now: Date): SaidWeek[] =>
  [...Map.groupBy(rows, ({ week }) => mondayOf(week))]
    .map(([monday, own]) => {
      const held = heldOf(own);
      const ended = (now.getTime() - Date.parse(monday)) / weekMs - 1;
      const isMostlyThere = held.underWay <= mostUnderWay * (held.n + held.underWay);
      return { monday, rows: own, ...held, isFinal: ended >= longestWeeks || (ended >= 0 && isMostlyThere) };
    })
    .sort((a, b) => (a.monday < b.monday ? -1 : 1));

/** The last ones that are final: as many as the service looks back on before it shows a window. */
export const lastFinal = (weeks: readonly SaidWeek[]): SaidWeek[] =>
  weeks.filter(({ isFinal }) => isFinal).slice(-arrivalLimits.coveredDays / 7);

/** Whether windows hold as often as they are to. The fewer there are, the more is chance: two standard deviations are. */
export function verdictOf({ n, share }: Held, level: number): 'asSaid' | 'fewer' | 'more' {
  const chance = 2 * Math.sqrt((level * (1 - level)) / n);
  if (Math.abs(share - level) <= mostUnderWay + chance) return 'asSaid';
  return share < level ? 'fewer' : 'more';
}
