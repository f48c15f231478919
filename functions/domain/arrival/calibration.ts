import { arrivalLimits } from '#schemas/catalogues/limits.ts';
import { sumOf, zeros } from './distribution.ts';
import type { Cohort } from './lane-knowledge.ts';
import { bandLevels } from './prediction.ts';
import { scoresOf } from './window.ts';

/** How many parcels were delivered on a day that each band was the first to hold (`bandOf`), by weight. */
type Bands = readonly number[];

/** Levels beyond these are never used. */
const lowestLevel = 0.75;
const highestLevel = 0.985;

/** The wider group speaks with so many parcels. */
const strength = 100;

/**
 * A cohort speaks when nearly all of its parcels should have arrived: before that the fast ones alone would. Those that
 * still have not arrived missed their windows.
 */
const matureOf = (cohorts: readonly Cohort[], lateAfter: number) =>
  cohorts.filter(({ watched, delivered }) => watched >= lateAfter && delivered > 0);

/** @param lateAfter the delivery day after which nearly all parcels of the lane have arrived */
export function recentBands(cohorts: readonly Cohort[], lateAfter: number): Bands {
  const sums = zeros(bandLevels.length + 1);
  for (const { counted, weight, open, delivered } of matureOf(cohorts, lateAfter)) {
    for (const [band, count] of counted.bands.entries()) sums[band]! += weight * count;
    sums[bandLevels.length]! += weight * open * (sumOf(counted.bands) / delivered);
  }
  return sums;
}

/**
 * The share of parcels that each band was the first to hold.
 * @param believed before any parcel was delivered
 * @param groups from the widest to the narrowest
 */
const sharesOf = (believed: Bands, groups: readonly Bands[]): Bands =>
  groups.reduce((wider, bands) => {
    const all = sumOf(bands);
    return wider.map((share, band) => (bands[band]! + strength * share) / (all + strength));
  }, believed);

/**
 * The shares if parcels came as these distributions say. Windows have whole days, so they hold more than their level
 * says: for this a level of nine in ten is too high even if nothing else is wrong.
 */
export function bandsIfRight(distributions: readonly { chances: readonly number[]; weight: number }[]): Bands {
  const sums = zeros(bandLevels.length + 1);
  for (const { chances, weight } of distributions) {
    for (const [n, score] of scoresOf(chances).entries()) {
      const band = bandLevels.findIndex((level) => score < level);
      sums[band < 0 ? bandLevels.length : band]! += weight * chances[n]!;
    }
    sums[bandLevels.length]! += weight * (1 - sumOf(chances));
  }
  const all = sumOf(sums);
  return sums.map((sum) => sum / all);
}

/**
 * What the level was learned from are the first windows of parcels. Of a parcel that has not come when most have it says
 * little, so the later it is, the more its window is to be as likely as it should hold.
 * @param left the chance that a parcel has not come so far
 */
export const laterLevel = (level: number, left: number): number =>
  Math.max(level, level * left + arrivalLimits.level * (1 - left));

/**
 * The level at which nine of ten recent windows would have held: split conformal prediction with weights by age. For
 * parcels that are like those before them nine in ten hold. When a carrier changes there is no guarantee, only
 * that its late parcels raise the level.
 */
export function levelOf(believed: Bands, groups: readonly Bands[]): number {
  let covered = 0;
  for (const [band, share] of sharesOf(believed, groups).entries()) {
    if (covered + share >= arrivalLimits.level) {
      const from = bandLevels[band - 1] ?? 0;
      const to = bandLevels[band] ?? 1;
      const level = from + ((to - from) * (arrivalLimits.level - covered)) / share;
      return Math.min(highestLevel, Math.max(lowestLevel, level));
    }
    covered += share;
  }
  return highestLevel;
}

/** Fewer windows with an outcome do not tell how often they hold. */
const judgedWindows = 30;

/** The share of the windows shown in the last eight weeks that held. Undefined if too few were. */
export function coveredOf(cohorts: readonly Cohort[], lateAfter: number, today: number): number | undefined {
  const judged = matureOf(cohorts, lateAfter).filter(({ day }) => today - day <= arrivalLimits.coveredDays);
  const shown = sumOf(judged.map(({ counted, open, delivered }) => counted.shown * (1 + open / delivered)));
  const held = sumOf(judged.map(({ counted }) => counted.held));
  return shown < judgedWindows ? undefined : held / shown;
}
