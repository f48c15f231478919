import { expect, test, vi } from 'vitest';
import { removeWhole } from '#lib/console/views/simulations/remove.ts';

test('a large simulation is removed with as many requests as it takes', async () => {
  const send = vi.fn().mockResolvedValueOnce({ removed: false }).mockResolvedValueOnce({ removed: true });
  expect(await removeWhole(send)).toBe(true);
  expect(send).toHaveBeenCalledTimes(2);
});

test('a simulation that does not get smaller is left after twenty requests', async () => {
  const send = vi.fn(async () => ({ removed: false }));
  expect(await removeWhole(send)).toBe(false);
  expect(send).toHaveBeenCalledTimes(20);
});
