import { expect, test } from 'vitest';
import { loadDialect } from '#domain/vendors/dialects.ts';
import { brazeLimits } from '#test/kit/vendors/braze.ts';
import { emarsysLimits } from '#test/kit/vendors/emarsys.ts';
import { klaviyoLimits } from '#test/kit/vendors/klaviyo.ts';

test.each([
  ['klaviyo', klaviyoLimits],
  ['braze', brazeLimits],
  ['emarsys', emarsysLimits],
] as const)('the pace of %s stays below the published limits, wherever their windows begin', async (name, limits) => {
  const { rate } = await loadDialect(name);
  for (const { requests, seconds } of limits) {
    // At most those that may go at once, and then one after the other.
    expect(rate.burst + (rate.perMinute * seconds) / 60).toBeLessThanOrEqual(requests);
  }
});
