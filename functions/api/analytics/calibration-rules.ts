import type { Cohort } from '#domain/figures/cohort.ts';
import { arrivalLimits } from '#schemas/catalogues/limits.ts';
import type { ArrivalCalibration } from '#schemas/families/analytics.ts';
import { compared, knownName, rounded, sumOf, underWayOf } from './counted.ts';
import { isoWeek } from './day-range.ts';

/**
 * Two rows at most for each week and carrier, ours before the carrier's: whether the windows held that were said first. What
 * has no delivered parcel with a window is in no row.
 */
export const arrivalCalibration = (cohorts: readonly Cohort[]): ArrivalCalibration[] =>
  [...Map.groupBy(cohorts, ({ day, carrier }) => `${isoWeek(day)}#${carrier}`).values()]
    .flatMap(rowsOf)
    // Sorting is stable: of a carrier and week, ours stays before the carrier's.
    .sort((a, b) => compared(a.week, b.week) || compared(a.carrier_reference, b.carrier_reference));

function rowsOf(cohorts: readonly Cohort[]): ArrivalCalibration[] {
  const { day, carrier } = cohorts[0]!;
  const under_way = underWayOf(cohorts);
  return [ours, carriers].flatMap(({ source, level, windows, held, hours }) => {
    const n = sumOf(cohorts, windows);
    if (n === 0) return [];
    return {
      week: isoWeek(day),
      source,
      carrier_reference: knownName(carrier),
      level,
      n,
      // Counters change by differences: if one of them was lost, more would have held than there are windows.
      covered: rounded(Math.min(1, sumOf(cohorts, held) / n), 4),
      mean_width_hours: rounded(sumOf(cohorts, hours) / n, 1),
      under_way,
    };
  });
}

type Count = (cohort: Cohort) => number;

/** Who said a window, and which counters tell what became of it. */
interface Said extends Pick<ArrivalCalibration, 'source' | 'level'> {
  windows: Count;
  held: Count;
  /** Of all windows together. */
  hours: Count;
}

const ours: Said = {
  source: 'prediction',
  level: arrivalLimits.level,
  windows: ({ shown }) => shown,
  held: ({ held }) => held,
  hours: ({ shownDays }) => shownDays * 24,
};

/** A carrier does not say how often its windows are to hold. */
const carriers: Said = {
  source: 'carrier',
  level: null,
  windows: ({ carrierWindows }) => carrierWindows,
  held: ({ carrierHeld }) => carrierHeld,
  hours: ({ carrierHours }) => carrierHours,
};
