import { describe, expect, test } from 'vitest';
import { versions } from '#schemas/catalogues/versions.ts';
import { api, newShop, superAdmin } from '#test/e2e/kit/shared-stack.ts';

const first = '2026-11-14';
const latest = versions.at(-1)!.date;

describe('the header Service-Version', () => {
  const versionFor = async (path: string, version?: string, key?: string) => {
    const headers: Record<string, string> = version === undefined ? {} : { 'Service-Version': version };
    return (await api('GET', path, { key, headers })).headers.get('service-version');
  };

  test('begins with the first version of the contract', () => {
    expect(versions[0].date).toBe(first);
  });

  test('is the latest when the request names none', async () => {
    expect(await versionFor('/v1/shops', undefined, superAdmin)).toBe(latest);
  });

  test.each(versions.map(({ date }) => date))('is %s when the request names it', async (date) => {
    expect(await versionFor('/v1/shops', date, superAdmin)).toBe(date);
  });

  test.each(['2026-11-13', '2999-01-01', '2026-13-45', 'v1', 'latest', '14.11.2026'])(
    'is the latest when the request names %s, which is no version',
    async (date) => {
      expect(await versionFor('/v1/shops', date, superAdmin)).toBe(latest);
    },
  );

  test('is in every answer, also in errors and in the answers of the gateway itself', async () => {
    const slug = await newShop();
    for (const path of ['/health', '/docs', '/v1/openapi.json', `/v1/shops/${slug}`, '/nowhere']) {
      expect(await versionFor(path)).toBe(latest);
    }
    expect((await api('PUT', '/v1/shops')).headers.get('service-version')).toBe(latest);
    expect((await api('POST', '/v1/shops', { key: superAdmin, body: {} })).headers.get('service-version')).toBe(latest);
  });
});
