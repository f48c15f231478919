import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
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
