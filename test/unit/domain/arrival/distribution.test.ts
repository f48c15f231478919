import { expect, test } from 'vitest';
import {
  distributionFrom,
  hazardsOf,
  lateAfter,
  leftAfter,
  longest,
  nothingObserved,
  observe,
  observedOf,
  sumOf,
  together,
} from '#domain/arrival/distribution.ts';

test('many parcels have the distribution that was counted', () => {
  const [, first, second, third] = distributionFrom(hazardsOf([observedOf([0, 60_000, 30_000, 10_000])]), 0);
  expect([first, second, third].map((share) => share!.toFixed(2))).toEqual(['0.60', '0.30', '0.10']);
});

test('parcels still under way count as not delivered on the days that are over, and on no other', () => {
  const observed = nothingObserved();
  observe(observed, [0, 50], { open: 50, watched: 1, weight: 0.5 });
  observe(observed, [0, 0, 100], { open: 0, watched: longest, weight: 1 });
  expect(observed.atRisk.slice(0, 4)).toEqual([150, 150, 100, 0]);
  expect(observed.delivered.slice(0, 4)).toEqual([0, 25, 100, 0]);
});

test('what was delivered on a day that is not over was under way before', () => {
  const observed = nothingObserved();
  observe(observed, [0, 10, 30], { open: 60, watched: 1, weight: 1 });
  expect(observed.atRisk.slice(0, 3)).toEqual([100, 100, 0]);
  expect(observed.delivered.slice(0, 3)).toEqual([0, 10, 0]);
});

test('a group with few parcels is believed to be as the wider one, one with many as it is', () => {
  const wider = observedOf([0, 8000, 2000]);
  const hazardAfter = (parcels: number) => hazardsOf([wider, observedOf([0, 0, parcels])])[1]!;
  expect(hazardAfter(0)).toBeCloseTo(0.8, 2);
  expect(hazardAfter(20)).toBeCloseTo(0.4, 2);
  expect(hazardAfter(20_000)).toBeLessThan(0.01);
});

test('a belief says less than a wider group', () => {
  const fast = hazardsOf([observedOf([0, 1000])]);
  const slow = observedOf([0, 0, 20]);
  expect(hazardsOf([slow], fast)[1]).toBeLessThan(0.2);
  expect(hazardsOf([observedOf([0, 1000]), slow])[1]).toBeGreaterThan(0.4);
  expect(hazardsOf([nothingObserved()], fast)).toEqual(fast);
});

test('days on which hardly any parcel comes have the hazard of all of them, until they have parcels of their own', () => {
  // Of those that are late one in ten comes on any day, for a long time.
  const late = Array.from({ length: longest - 2 }, (_, n) => Math.round(100 * 0.9 ** n));
  const known = hazardsOf([observedOf([0, 10_000, ...late])]);
  const thin = hazardsOf([observedOf([0, 100, 0, 0, 1, 0, 0, 0, 0, 1])]);
  expect(known[4]).toBeCloseTo(0.1, 1);
  expect(Math.abs(thin[5]! - thin[7]!)).toBeLessThan(0.05);
});

test('parcels are late when nearly all have come', () => {
  expect(lateAfter([0, 0.5, 0.5, 0.9])).toBe(3);
  expect(lateAfter([0, 0.98])).toBe(1);
  expect(lateAfter([0, 0.1])).toBe(longest);
});

test('groups together are as one group with the parcels of all', () => {
  expect(together([observedOf([0, 3, 1]), observedOf([0, 1, 5])])).toEqual(observedOf([0, 4, 6]));
  expect(together([])).toEqual(nothingObserved());
});

test('a parcel that has not come so far comes later', () => {
  const hazards = hazardsOf([observedOf([0, 6000, 3000, 1000])]);
  const later = distributionFrom(hazards, 2);
  expect(later[1]).toBe(0);
  expect(later[2]).toBeCloseTo(0.75, 2);
  expect(sumOf(later)).toBeCloseTo(1);
  expect(leftAfter(hazards, 2)).toBeCloseTo(0.4, 2);
});

test('a parcel that is later than any before may come on any day from now', () => {
  const chances = distributionFrom([0, 0.5, 0.2], 100);
  expect(chances[100]).toBeCloseTo(0.2);
  expect(sumOf(chances.slice(0, 100))).toBe(0);
  expect(sumOf(chances)).toBeCloseTo(1);
});
