import { expect, test } from 'vitest';
import { freePlace } from '#domain/orders/tracking-references.ts';
import { keyOf, placeIn } from '#platform/table/keys.ts';
import { shipmentLimits } from '#schemas/catalogues/limits.ts';

const all = Array.from({ length: shipmentLimits.ordersInOneParcel }, (_, place) => place);
const allBut = (...free: number[]) => new Set(all.filter((place) => !free.includes(place)));

test('the first order of a parcel takes the first place, also after it became free again', () => {
  expect(freePlace(new Set())).toBe(0);
  expect(freePlace(new Set([1, 2]))).toBe(0);
});

test('another order takes any of the other free places, and none if all are taken', () => {
  const spread = [0, 0.5, 0.99].map((random) => freePlace(allBut(7, 50, 99), () => random));
  expect(spread).toEqual([7, 50, 99]);
  expect(freePlace(allBut(7))).toBe(7);
  expect(freePlace(allBut())).toBeUndefined();
});

test('each place has its own key, from which it can be read', () => {
  const keys = all.map((place) => keyOf.tracking('blue', 'T#1', place));
  expect(new Set(keys.map(({ sk }) => sk)).size).toBe(all.length);
  expect(keys.map(({ sk }) => placeIn(sk))).toEqual(all);
  expect(new Set(keys.map(({ pk }) => pk)).size).toBe(1);
});
