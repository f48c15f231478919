import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

test('who counts does not fail if that cannot be told', async () => {
  vi.doMock('@aws-lambda-powertools/metrics', () => ({
    get Metrics(): never {
      throw new RangeError('not loaded');
    },
  }));
  const { countOne, logger } = await import('#platform/logging.ts');
  const warned = vi.spyOn(logger, 'warn').mockReturnValue();
  await countOne('UnexpectedErrors');
  expect(warned.mock.calls).toEqual([['not counted', { metric: 'UnexpectedErrors', reason: 'RangeError' }]]);
  vi.doUnmock('@aws-lambda-powertools/metrics');
});

test.each(['WARN', 'INFO'])(
  'functions log from the level of their stage on, %s, whatever Lambda names for its own filter',
  async (level) => {
    vi.stubEnv('POWERTOOLS_LOG_LEVEL', level);
    vi.stubEnv('AWS_LAMBDA_LOG_LEVEL', 'INFO');
    vi.resetModules();
    const { logger } = await import('#platform/logging.ts');
    expect(logger.getLevelName()).toBe(level);
  },
);
