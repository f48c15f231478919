import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#api/meta/handler.ts';
import { invoke } from '#test/kit/invoke.ts';

const health = (headers: Record<string, string> = {}) =>
  invoke(handler, { method: 'GET', resource: '/health', headers });

afterEach(() => vi.unstubAllEnvs());

describe('a stage with a domain of its own', () => {
  test('answers what comes through the distribution, and knows nothing of what comes to the REST API', async () => {
    vi.stubEnv('DISTRIBUTION_MARK', 'the-mark');
    vi.stubEnv('DISTRIBUTION_ONLY', 'true');
    expect((await health({ 'X-Distribution-Mark': 'the-mark' })).status).toBe(200);
    for (const headers of [{}, { 'X-Distribution-Mark': 'a-guess' }, { 'X-Distribution-Mark': '' }]) {
      const { status, body } = await health(headers);
      expect([status, body.key]).toEqual([404, 'route_not_found']);
    }
  });

  test('that does not know the mark answers nobody', async () => {
    vi.stubEnv('DISTRIBUTION_MARK', '');
    vi.stubEnv('DISTRIBUTION_ONLY', 'true');
    expect((await health({ 'X-Distribution-Mark': '' })).status).toBe(404);
  });
});

test('a stage without a domain answers both', async () => {
  vi.stubEnv('DISTRIBUTION_MARK', 'the-mark');
  expect((await health()).status).toBe(200);
});
