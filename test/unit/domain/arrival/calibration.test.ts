import { expect, test } from 'vitest';
import { bandsIfRight, coveredOf, laterLevel, levelOf, recentBands } from '#domain/arrival/calibration.ts';
import { laneDay } from '#domain/arrival/lane-days.ts';
import type { Cohort } from '#domain/arrival/lane-knowledge.ts';
import { bandLevels } from '#domain/arrival/prediction.ts';

const beyond = bandLevels.length;

/** So many parcels that the band of a level is the first to hold; those beyond all bands at the level 1. */
const bands = (...counts: [level: number, count: number][]) => {
  const sums = Array.from({ length: beyond + 1 }, () => 0);
  for (const [level, count] of counts)
    sums[level === 1 ? beyond : (bandLevels as readonly number[]).indexOf(level)]! += count;
  return sums;
};

/** As if of the windows of each level exactly that share held. */
const asTheySay = [...bandLevels, 1].map((level, band) => level - (bandLevels[band - 1] ?? 0));

test('without outcomes the level is that at which windows are believed to hold nine in ten', () => {
  expect(levelOf(asTheySay, [])).toBeCloseTo(0.9);
  expect(levelOf(asTheySay, [bands(), bands()])).toBeCloseTo(0.9);
  // Nearly all of those that the band of 0.8 is the first to hold are among the nine in ten.
  expect(levelOf(bands([0.5, 0.71], [0.8, 0.2], [0.9, 0.09]), [])).toBeCloseTo(0.7975);
});

test('a level between two bands is taken in proportion', () => {
  // 0.85 are held at 0.8, another 0.1 between 0.8 and 0.85.
  expect(levelOf(bands([0.8, 0.85], [0.85, 0.1], [1, 0.05]), [])).toBeCloseTo(0.825);
});

test('if windows hold more often than they say, the level falls; if less often, it rises', () => {
  expect(levelOf(asTheySay, [bands([0.5, 8000], [0.8, 1500], [0.97, 500])])).toBeLessThan(0.82);
  expect(levelOf(asTheySay, [bands([0.5, 7000], [0.97, 3000])])).toBeGreaterThan(0.94);
});

test('a level stays within bounds', () => {
  expect(levelOf(asTheySay, [bands([0.5, 1_000_000])])).toBe(0.75);
  expect(levelOf(asTheySay, [bands([1, 1_000_000])])).toBe(0.985);
});

test('a lane with few outcomes has the level of the wider group, one with many its own', () => {
  const wide = bands([0.5, 8000], [0.8, 1500], [0.97, 500]);
  const bad = (count: number) => bands([0.5, 0.7 * count], [0.97, 0.3 * count]);
  expect(levelOf(asTheySay, [wide, bad(3)])).toBeCloseTo(levelOf(asTheySay, [wide]), 1);
  expect(levelOf(asTheySay, [wide, bad(30_000)])).toBeGreaterThan(0.96);
});

test('windows of whole days hold more than their level says, so a right model needs a lower one', () => {
  const even = bandsIfRight([{ chances: [0.2, 0.2, 0.2, 0.2, 0.2], weight: 2 }]);
  expect(even.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
  // The first three days are held at 0.5, the fourth at 0.7 and the fifth at 0.85: it is added at 0.8.
  expect(even[0]).toBeCloseTo(0.6);
  expect(even[bandLevels.indexOf(0.7)]).toBeCloseTo(0.2);
  expect(even[bandLevels.indexOf(0.85)]).toBeCloseTo(0.2);
  expect(levelOf(even, [])).toBeLessThan(0.85);
});

test('the later a parcel is, the more its window is as likely as it is to hold', () => {
  expect(laterLevel(0.8, 1)).toBe(0.8);
  expect(laterLevel(0.8, 0.5)).toBeCloseTo(0.85);
  expect(laterLevel(0.8, 0)).toBeCloseTo(0.9);
  expect(laterLevel(0.95, 0)).toBe(0.95);
});

const counted = laneDay('2026-11-02', 10, { q0: 10, pn: 40, pc: 30 });
const cohort = (more: Partial<Cohort>): Cohort => ({
  day: 100,
  weight: 1,
  watched: 3,
  open: 0,
  delivered: 10,
  areas: new Map(),
  counted,
  ...more,
});

test('a cohort of which the parcels should have come speaks by its weight, a younger one does not', () => {
  expect(recentBands([cohort({ weight: 0.5 })], 3)[0]).toBe(5);
  expect(recentBands([cohort({})], 4)[0]).toBe(0);
});

test('parcels that should have come missed their windows', () => {
  expect(recentBands([cohort({ open: 4 })], 3)[beyond]).toBe(4);
  // Half of those that came had been predicted.
  const halfPredicted = { ...counted, bands: counted.bands.map((count) => count / 2) };
  expect(recentBands([cohort({ open: 4, counted: halfPredicted })], 3)[beyond]).toBe(2);
});

test('windows are judged by those of the last eight weeks that should have come true', () => {
  expect(coveredOf([cohort({})], 3, 110)).toBe(0.75);
  expect(coveredOf([cohort({ open: 10 })], 3, 110)).toBe(0.375);
  expect(coveredOf([cohort({})], 4, 110)).toBeUndefined();
  expect(coveredOf([cohort({})], 3, 157)).toBeUndefined();
  expect(coveredOf([cohort({ counted: { ...counted, shown: 29, held: 0 } })], 3, 110)).toBeUndefined();
});
