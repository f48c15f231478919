import { describe, expect, test } from 'vitest';
import { loadStage } from '#lib/stage.ts';
import { stackNameOf } from '#lib/synthesize.ts';
import { limits, overLimits } from './limits.ts';
import { synthesize } from './synthesis.ts';

describe.each(['dev', 'prod'])('the stage %s', (name) => {
  test('is far enough from every limit of AWS', async () => {
    const template = synthesize(await loadStage(name), stackNameOf(name));
    expect(limits.flatMap((limit) => overLimits(limit, limit.used(template)))).toEqual([]);
  });
});
