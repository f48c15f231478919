import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#api/meta/handler.ts';
import { addressOf } from '#platform/http/distribution.ts';
import { serviceUrl } from '#platform/service-url.ts';
import { invoke } from '#test/kit/invoke.ts';

const health = (headers: Record<string, string> = {}) =>
  invoke(handler, { method: 'GET', resource: '/health', headers });

afterEach(() => vi.unstubAllEnvs());

describe('a function of a stack', () => {
  test('answers what comes through the distribution, and knows nothing of what comes to the REST API', async () => {
    vi.stubEnv('DISTRIBUTION_MARK', 'the-mark');
    expect((await health({ 'X-Distribution-Mark': 'the-mark' })).status).toBe(200);
    for (const headers of [{}, { 'X-Distribution-Mark': 'a-guess' }, { 'X-Distribution-Mark': '' }]) {
      const { status, body } = await health(headers);
      expect([status, body.key]).toEqual([404, 'route_not_found']);
    }
  });

  test('accepts two marks while the mark is changed', async () => {
    vi.stubEnv('DISTRIBUTION_MARK', 'the-next-mark,the-mark');
    for (const mark of ['the-next-mark', 'the-mark']) {
      expect((await health({ 'X-Distribution-Mark': mark })).status).toBe(200);
    }
    for (const mark of ['the-next-mark,the-mark', 'the-marks', ',', 'the-next-mark,', 'thé-mark']) {
      expect((await health({ 'X-Distribution-Mark': mark })).status).toBe(404);
    }
  });

  test('answers nobody if its mark is empty', async () => {
    vi.stubEnv('DISTRIBUTION_MARK', '');
    expect((await health({ 'X-Distribution-Mark': '' })).status).toBe(404);
  });
});

test('a handler that runs outside of a stack answers everybody', async () => {
  vi.stubEnv('DISTRIBUTION_MARK', undefined);
  expect((await health()).status).toBe(200);
});

describe('the URL of the service', () => {
  const marked = { 'x-distribution-mark': 'the-mark', 'x-distribution-domain': 'd1.cloudfront.net' };
  const requestContext = { domainName: 'api.execute-api.example.com', stage: 'live' } as never;
  const urlFor = (headers: Record<string, string>) => serviceUrl(addressOf({ headers, requestContext }));

  beforeEach(() => {
    vi.stubEnv('DISTRIBUTION_MARK', 'the-mark');
    vi.stubEnv('PUBLIC_URL', '');
  });

  test('is that of the distribution which the request came through', () => {
    expect(urlFor(marked)).toBe('https://d1.cloudfront.net');
  });

  test('is never what a caller says', () => {
    const gateway = 'https://api.execute-api.example.com/live';
    expect(urlFor({ 'x-distribution-domain': 'evil.example' })).toBe(gateway);
    expect(urlFor({ ...marked, 'x-distribution-mark': 'a-guess' })).toBe(gateway);
    // While the distribution is being updated it may not name itself yet.
    expect(urlFor({ 'x-distribution-mark': 'the-mark' })).toBe(gateway);
  });

  test('is the one that the function was given, if it was given one', () => {
    vi.stubEnv('PUBLIC_URL', 'https://service.example.com');
    expect(urlFor(marked)).toBe('https://service.example.com');
  });
});
