import { expect, test } from 'vitest';
import { isGoingOn } from '#lib/console/views/simulations/reading-on.ts';

const delivery = (status: string) => ({ data: { delivery: { status } } });

test('a timeline is read on for a moment, because deliveries come after the move', () => {
  expect(isGoingOn(0, [])).toBe(true);
  expect(isGoingOn(7, [delivery('delivered')])).toBe(true);
  expect(isGoingOn(8, [delivery('delivered'), { data: {} }])).toBe(false);
});

test('a timeline is read on while a delivery is being sent, and not for ever', () => {
  expect(isGoingOn(8, [delivery('delivered'), delivery('pending')])).toBe(true);
  expect(isGoingOn(30, [delivery('pending')])).toBe(false);
});
